"""Every op is declared in one module; elsewhere a declaration would be an unseen overload."""

from __future__ import annotations

import namecheck_runtime.rules  # noqa: F401  (fills the registry)
from namecheck_runtime.binding import Rule
from namecheck_runtime.declare import OPS


def test_every_op_is_declared_in_one_module() -> None:
    found: dict[str, set[str]] = {}
    for name, op in OPS.items():
        for rule in op.rules:
            assert isinstance(rule, Rule)
            function = rule.function
            # Makers declare many ops by one function, which says nothing of where.
            if function.__name__ != "<lambda>" and function.__qualname__.isidentifier():
                found.setdefault(name, set()).add(function.__module__)
    assert len(found) > 500
    assert {name: modules for name, modules in found.items() if len(modules) > 1} == {}
