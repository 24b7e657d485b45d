"""What derivatives save, and which ops have one."""

from __future__ import annotations

import subprocess
import sys

import pytest

import namecheck_runtime as nt
from namecheck_runtime.autograd.table import entries, saved_by
from namecheck_runtime.declare import OPS

# rules.md, section 8 (measured); `norm` is the op `torch.norm`.
INPUT_SAVED = (
    "abs addmm amax atan2 clamp cumprod div log logsumexp matmul maximum mm mul norm pow prod sin "
    "square std var"
)
INPUT_NOT_SAVED = (
    "add sub neg sum mean cat cumsum t where masked_fill index_select exp expm1 sigmoid tanh sqrt "
    "rsqrt reciprocal softmax log_softmax nn.functional.relu"
)
RESULT_SAVED = (
    "exp expm1 sigmoid tanh sqrt rsqrt reciprocal softmax log_softmax nn.functional.relu amax "
    "cumprod logsumexp norm prod std"
)
OPERANDS = {"input", "tensors", "other", "mat1", "mat2"}


def saved(op: str) -> set[str]:
    return {name for _, names in saved_by(f"torch.{op}") for name in names}


@pytest.mark.parametrize("op", INPUT_SAVED.split())
def test_the_input_is_saved(op: str) -> None:
    assert saved(op) & OPERANDS


@pytest.mark.parametrize("op", INPUT_NOT_SAVED.split())
def test_the_input_is_not_saved(op: str) -> None:
    assert not saved(op) & OPERANDS


@pytest.mark.parametrize("op", RESULT_SAVED.split())
def test_the_result_is_saved(op: str) -> None:
    assert "result" in saved(op)


def test_entries_are_of_ops_and_their_parameters() -> None:
    for name, entry in entries().items():
        parameters = OPS[name].parameters
        if entry.kind != "derivative":
            continue
        steps = [step for operand, step in entry.steps.items() if operand in parameters]
        assert steps, name
        special = {"grad", "grads", "form", "result", "results", "result_form", "again"}
        for step in steps:
            needs = {need.removesuffix("_form") for need in set(step.needs) - special}
            assert needs <= parameters, (name, needs - parameters)


def test_most_ops_have_an_entry() -> None:
    assert len(entries()) > 540


def test_the_table_is_read_without_numpy() -> None:
    code = (
        "import sys; from namecheck_runtime.autograd.table import saved_by; "
        "assert list(saved_by('torch.exp')) == [('input', ('result',))]; "
        "assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_op_without_a_derivative_refuses_with_its_name() -> None:
    x = nt.ones(3, requires_grad=True)
    with pytest.raises(NotImplementedError, match=r"torch\.histc"):
        nt.histc(x)
    with nt.no_grad():
        nt.histc(x)
