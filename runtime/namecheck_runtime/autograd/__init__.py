"""Gradients: `nt.autograd.grad(loss, weights)`, `loss.backward()`, `nt.no_grad()`.

A call of an op on a tensor that requires a gradient makes a node (`recording`, `graph`), and
`engine` runs the nodes backwards.  What each node does is declared per op in `derivatives`, in
terms of ops.  Importing this package imports no tensor: the linter reads the table of derivatives.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

_HOMES: Final[dict[str, str]] = {
    **dict.fromkeys(("backward", "grad"), "engine"),
    **dict.fromkeys(("Function", "once_differentiable"), "function"),
    **dict.fromkeys(("gradcheck", "gradgradcheck", "GradcheckError"), "checks"),
    **dict.fromkeys(
        (
            *("no_grad", "enable_grad", "set_grad_enabled", "inference_mode"),
            *("is_grad_enabled", "is_inference_mode_enabled"),
        ),
        "modes",
    ),
    "functional": "",
    "Variable": "attributes",
}
"""The modules of the public names."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    from importlib import import_module

    if not _HOMES[name]:
        return import_module(f"{__name__}.{name}")
    home = import_module(f"{__name__}.{_HOMES[name]}")
    value = home.variable if name == "Variable" else getattr(home, name)
    if name in ("backward", "grad"):
        from namecheck_runtime.tensors.calls.overrides import overridable

        value = overridable("torch.autograd")(value)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(_HOMES)
