"""Programs with statements deleted, swapped and doubled, and operands exchanged: nothing raises.

The programs are those of the lessons, so every construct of a lesson is broken here, too.
"""

from __future__ import annotations

import ast
import copy
import random
from pathlib import Path

import pytest

from lessons import programs
from namecheck.analysis import analyze

LESSONS = sorted((Path(__file__).parents[1] / "cases").glob("*.md"))


class Mutilation(ast.NodeTransformer):
    """Breaks a syntax tree in a few places, at random, so that it is still Python."""

    def __init__(self, tree: ast.Module, chance: random.Random) -> None:
        self.chance = chance
        self.spare = [
            copy.deepcopy(node)
            for node in ast.walk(tree)
            if isinstance(node, ast.Name | ast.Constant | ast.Attribute | ast.Call)
            and isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
        ]

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for field in ("body", "orelse", "finalbody"):
            body = getattr(node, field, None)
            if isinstance(body, list) and len(body) > 1:
                self._break(body)
        return node

    def _break(self, body: list[ast.stmt]) -> None:
        first, second = (self.chance.randrange(len(body)) for _ in range(2))
        match self.chance.randrange(6):
            case 0:
                del body[first]
            case 1:
                body[first], body[second] = body[second], body[first]
            case 2:
                body.insert(first, body[second])

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match self.chance.randrange(20):
            case 0 if node.args:
                node.args.pop()
            case 1:
                node.args.append(self.chance.choice(self.spare))
            case 2 if node.args and not isinstance(node.args[0], ast.Starred):
                node.args[0] = ast.Starred(node.args[0], ast.Load())
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        match self.chance.randrange(6):
            case 0:
                node.left, node.right = node.right, node.left
            case 1:
                node.right = self.chance.choice(self.spare)
        return node


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_no_broken_program_is_an_internal_error(lesson: Path) -> None:
    chance = random.Random(lesson.stem)
    for program in list(programs(lesson))[::2]:
        for _ in range(2):
            try:
                tree = ast.parse(program.marks.text)
            except SyntaxError:
                break  # newer than the Python that runs the tests
            broken = Mutilation(tree, chance).visit(tree)
            text = ast.unparse(ast.fix_missing_locations(broken))
            try:
                compile(text, "broken.py", "exec")
            except SyntaxError:
                continue  # a `return` was moved out of its function
            analysis = analyze("broken.py", text.encode(), statistics=True)
            failed = [f.message for f in analysis.findings if f.code.startswith("NC9")]
            assert not failed, f"{failed}\n\n{text}"
