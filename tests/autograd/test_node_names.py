"""`grad_fn.name()` is PyTorch's for the measured calls, up to the digits at the end."""

from __future__ import annotations

import re

import pytest
from test_gradients import MEASURED, ROWS, is_listed, program

import namecheck_runtime.rules  # noqa: F401  (fills the registry)
from gradient_calls import DATA
from listed import read_listed
from namecheck_runtime.autograd.node_names import NAMES
from namecheck_runtime.declare import OPS, REGISTRY

OTHERWISE = read_listed(DATA / "node_names_otherwise.txt")
"""Ops whose node has another name in some of their calls."""
NAMED = {name: row["node"] for name, row in MEASURED.items() if "node" in row}


def base(name: str) -> str:
    return re.sub(r"(?<=Backward)\d+", "", name)


def spoken(identity_: str) -> str | None:
    """The name of the node of the first result; None if there is none."""
    made = program(ROWS[identity_])
    _, outputs = made.run(made.arrays(), True)
    nodes = [output.grad_fn for output in outputs if output.requires_grad]
    return base(nodes[0].name()) if nodes else None


@pytest.mark.parametrize("identity_", NAMED)
def test_nodes_have_the_names_of_torch(identity_: str) -> None:
    op = REGISTRY[ROWS[identity_]["op"]].op.name
    if op not in OTHERWISE and f"-{identity_}" not in OTHERWISE and not is_listed(identity_, "-"):
        assert spoken(identity_) in (base(NAMED[identity_]), None)


@pytest.mark.parametrize("op", OTHERWISE)
def test_what_is_listed_differs(op: str) -> None:
    if op.startswith("-"):
        with pytest.raises(RuntimeError):
            spoken(op[1:])
        return
    calls = [name for name in NAMED if REGISTRY[ROWS[name]["op"]].op.name == op]
    assert any(spoken(name) != base(NAMED[name]) for name in calls)


def test_names_are_of_ops() -> None:
    assert OPS.keys() >= NAMES.keys()
