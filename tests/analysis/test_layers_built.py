"""Every layer of the rulebook, built and called in a program: the evaluator does not fail."""

from __future__ import annotations

import pytest

import namecheck_runtime.rules  # noqa: F401  (declares the layers)
from namecheck.analysis import analyze
from namecheck_runtime.binding import REQUIRED
from namecheck_runtime.layers import LAYERS

PROGRAM = """\
import {module}


class Built:
    def __init__(self, {sizes}):
        self.layer = {path}({given})

    def __call__(self, x, y):
        return self.layer(x), self.layer(x, y)
"""


def program(path: str, form: str) -> str:
    """A class that builds this layer from the sizes it is given, one for each parameter."""
    parameters = [
        p for p in LAYERS[path].constructor.parameters if p.kind in ("positional", "keyword")
    ]
    if form == "required":
        parameters = [p for p in parameters if p.default is REQUIRED]
    names = [parameter.name for parameter in parameters]
    sizes = [f"size_of_{name}" for name in names] or ["nothing"]
    arguments = [
        size if form == "required" and parameter.kind == "positional" else f"{name}={size}"
        for parameter, name, size in zip(parameters, names, sizes, strict=False)
    ]
    module = path.rpartition(".")[0]
    return PROGRAM.format(
        module=module, path=path, sizes=", ".join(sizes), given=", ".join(arguments)
    )


@pytest.mark.parametrize("form", ["required", "all"])
@pytest.mark.parametrize("path", sorted(LAYERS))
def test_a_layer_is_built_and_called(path: str, form: str) -> None:
    analysis = analyze("built.py", program(path, form).encode())
    assert not [finding for finding in analysis.findings if finding.code.startswith("NC9")]
