"""Every op is declared in one module: a reader would miss an overload in another one."""

from __future__ import annotations

import namecheck_runtime.rules  # noqa: F401  (fills the registry)
from namecheck_runtime.binding import Rule
from namecheck_runtime.declare import OPS


def test_every_op_is_declared_in_one_module() -> None:
    modules_of: dict[str, set[str]] = {}
    for name, op in OPS.items():
        for rule in op.rules:
            assert isinstance(rule, Rule)
            function = rule.function
            # A maker declares many ops by one function, so its module says nothing.
            if function.__name__ != "<lambda>" and function.__qualname__.isidentifier():
                modules_of.setdefault(name, set()).add(function.__module__)
    assert len(modules_of) > 500
    assert {name: modules for name, modules in modules_of.items() if len(modules) > 1} == {}
