"""Drives: the drivers of the benchmark as plain programs that stand beside the code.

A driver (`drivers/NAME.py`) names a file and gives `run(module)`, which calls what the file
defines. `program` writes the same calls as a person would: the imports, `import file as module`,
and the body of `run` as a test function without parameters. What only makes the file importable
under torch (`setup`, stand-ins for other packages) is left out, as no checker runs anything.
"""

from __future__ import annotations

import ast

HARNESS = {"_lib", "importlib"}
"""What only `setup` imports."""


def program(driver: str, module: str) -> str:
    """The drive of a driver's text; it imports the file that is driven as `module`."""
    kept: list[ast.stmt] = []
    body: list[ast.stmt] = []
    for node in ast.parse(driver).body:
        match node:
            case ast.FunctionDef(name="run"):
                body = node.body
            case ast.FunctionDef(name="setup"):
                pass
            case ast.ImportFrom(module=name) | ast.Import(names=[ast.alias(name=name)]) if (
                name in HARNESS
            ):
                pass
            case ast.Assign(targets=[ast.Name(id="FILE" | "MODULE")]):
                pass
            case _:
                kept.append(node)
    if not body:
        raise ValueError("the driver has no `run`")
    test = ast.FunctionDef(
        name="test_drive",
        args=ast.arguments([], [], None, [], [], None, []),
        body=body,
        decorator_list=[],
        lineno=0,
    )
    imports = ast.parse(f"import {module} as module").body
    place = 1 if isinstance(kept[0], ast.Expr) else 0  # behind the docstring
    kept[place:place] = imports
    return ast.unparse(ast.fix_missing_locations(ast.Module([*kept, test], []))) + "\n"
