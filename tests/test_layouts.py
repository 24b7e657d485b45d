"""Where results lie in memory: the declarations, compared with rows measured on torch.

`data/layouts_torch.jsonl` holds calls of every op that declares where its result lies, with
operands in several orders of dims. The rulebook must answer what torch did, or nothing.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import pytest

import measured_shapes as rows
from namecheck_runtime import sizes
from namecheck_runtime.declare import OPS, REGISTRY, Memory, Spelling
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Size, Truth
from namecheck_runtime.layers import LAYERS, Instance
from namecheck_runtime.mistakes.memory import NoncontiguousView, WriteToExpanded
from namecheck_runtime.readers.layouts import Laid, Several, lay_out, require_writable
from namecheck_runtime.sizes import Symbol
from namecheck_runtime.strides import ROW_MAJOR, Strides, contiguous_strides

MEASURED = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "layouts_torch.jsonl").read_text().splitlines()
]


def spelled(row: dict[str, Any]) -> Spelling | Instance:
    return rows.build(row["op"], row) if row["op"] in LAYERS else REGISTRY[row["op"]]


def tensors(value: Any) -> list[Dims]:
    """The shapes among decoded arguments, in order."""
    if isinstance(value, tuple) and all(isinstance(dim, Dim) for dim in value):
        return [value]
    if isinstance(value, tuple | list):
        return [shape for entry in value for shape in tensors(entry)]
    return []


def laid(shape: Dims, strides: list[int]) -> Laid:
    """An operand as a reader knows it: ROW_MAJOR if it is contiguous."""
    return Laid(
        shape, ROW_MAJOR if contiguous([dim.size for dim in shape], strides) else (*strides,)
    )


def contiguous(measured: Any, strides: Any) -> bool:
    if 0 in measured:
        return True
    right = contiguous_strides(tuple(measured))
    return all(n == 1 or a == b for n, a, b in zip(measured, strides, right, strict=True))


def agree(answer: Strides, measured: tuple[list[int], list[int]]) -> bool:
    """Whether torch did what was answered. The stride of a dim of size 1 does not matter."""
    shape, strides = measured
    if answer is ROW_MAJOR:
        return contiguous(shape, strides)
    return isinstance(answer, tuple) and all(
        n == 1 or a is UNKNOWN or a == b for n, a, b in zip(shape, answer, strides, strict=True)
    )


def arguments_of(row: dict[str, Any]) -> list[Any]:
    arguments: list[Any] = [rows.decode(argument) for argument in row["args"]]
    if row["op"].endswith("__getitem__"):
        arguments[1] = rows.decode_index(row["args"][1])
    return arguments


def ask(row: dict[str, Any], arguments: list[Any], operands: list[Laid]) -> Any:
    call = spelled(row)
    keywords = {name: rows.decode(value) for name, value in row.get("kw", {}).items()}
    if isinstance(call, Spelling):
        keywords = rows.rename(call, keywords)
    # The values of arguments outside the measurement are unknown.
    operands = operands + [Laid(shape, UNKNOWN) for shape in tensors(list(keywords.values()))]
    result = infer(call, arguments, keywords).result
    return lay_out(call, arguments, keywords, operands, result)


def test_measured_rows() -> None:
    counts_by_op: dict[str, Counter[str]] = defaultdict(Counter)
    for row in MEASURED:
        if "refused" in row:
            continue
        arguments = arguments_of(row)
        answer = ask(row, arguments, list(map(laid, tensors(arguments), row["in"])))
        if isinstance(answer, Truth):
            continue
        answers = answer.results if isinstance(answer, Several) else (answer,)
        if answers == (UNKNOWN,):
            counts_by_op[row["op"]]["unknown"] += 1
            continue
        assert len(answers) == len(row["out"]), (row, answer)
        for strides, measured in zip(answers, row["out"], strict=True):
            if strides is not UNKNOWN:
                assert agree(strides, measured), (row, strides)
        counts_by_op[row["op"]]["known"] += 1
    decided = sum(counts["known"] for counts in counts_by_op.values())
    assert decided > 0.75 * len(MEASURED), f"{decided} of {len(MEASURED)}"
    silent = [op for op, counts in counts_by_op.items() if not counts["known"]]
    assert not silent, f"nothing is ever known of {silent}"


def test_measured_writes() -> None:
    """A write to an expanded tensor in place is refused if and only if torch refused it.

    `zero_` and similar ops write the same value everywhere.
    """
    refused: Counter[bool] = Counter()
    for row in MEASURED:
        if "refused" not in row:
            continue
        target, *_ = tensors([rows.decode(argument) for argument in row["args"]])
        try:
            require_writable(REGISTRY[row["op"]], Laid(target, (0, 4, 1)))
        except WriteToExpanded:
            assert row["refused"], row
            refused[True] += 1
        else:
            refused[False] += 1
    assert refused[True] > 100, refused
    assert refused[False] > 5, refused


class Forgetful:
    """Replaces sizes by symbols or UNKNOWN, and strides by UNKNOWN; a shape stays the same one."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.values: dict[Symbol, Size] = {}
        self.symbols: dict[int, Size] = {}

    def size(self, size: Any) -> Size:
        draw = self.random.random()
        if not isinstance(size, int) or size < 2 or draw < 0.3:
            return size
        if draw < 0.4:
            return UNKNOWN
        if size not in self.symbols:
            self.symbols[size] = symbol = sizes.symbol(f"s{size}")
            self.values[next(iter(symbol.symbols()))] = size
        return self.symbols[size]

    def argument(self, value: Any) -> Any:
        if isinstance(value, tuple) and value and all(isinstance(dim, Dim) for dim in value):
            return tuple(dim.resize(self.size(dim.size)) for dim in value)
        if type(value) is tuple:
            return tuple(map(self.argument, value))
        return value

    def strides(self, strides: Strides) -> Strides:
        if self.random.random() < 0.1:
            return UNKNOWN
        if not isinstance(strides, tuple):
            return strides
        return tuple(UNKNOWN if self.random.random() < 0.1 else stride for stride in strides)

    def told(self, strides: Strides) -> Strides:
        if not isinstance(strides, tuple):
            return strides
        return tuple(sizes.substitute(stride, self.values) for stride in strides)


def test_forgetting() -> None:
    """With fewer known sizes and strides, no answer is false and no call that ran is refused."""
    random = Random(1)
    decided = 0
    for row in MEASURED:
        if "refused" in row:
            continue
        forgetful = Forgetful(random)
        true = arguments_of(row)
        arguments = list(map(forgetful.argument, true))
        operands = [
            Laid(shape, forgetful.strides(laid(truth, strides).strides))
            for shape, truth, strides in zip(
                tensors(arguments), tensors(true), row["in"], strict=True
            )
        ]
        answer = ask(row, arguments, operands)
        answers = answer.results if isinstance(answer, Several) else (answer,)
        if len(answers) == 1:
            answers *= len(row["out"])  # it is not known how many results there are
        for inferred, measured in zip(answers, row["out"], strict=True):
            if inferred is not UNKNOWN and not isinstance(inferred, Truth):
                assert agree(forgetful.told(inferred), measured), (
                    row,
                    arguments,
                    operands,
                    inferred,
                )
                decided += 1
    assert decided > 1000, decided


NOT_MEASURED = {
    "Tensor.cuda",  # as Tensor.to
    "Tensor.ipu",
    "Tensor.xpu",
    "Tensor.pin_memory",
    "Tensor.share_memory_",
    "Tensor.type",
    "Tensor.detach_",
    "Tensor.is_contiguous",  # a question
    *("torch.as_strided_copy", "torch.view_as_complex_copy", "torch.view_as_real_copy"),
    "torch.linalg.diagonal",  # in results_torch.jsonl, as the copies are
    "Tensor.rename",  # gone from torch 2.13; golden/autograd_visible.jsonl has its views
}


def test_every_op_that_declares_its_memory_was_measured() -> None:
    """Every op of torch that declares where its result lies has rows, except the listed ones."""
    asked = {spelling for row in MEASURED if (spelling := REGISTRY.get(row["op"]))}
    measured = {spelling.op.name for spelling in asked}
    speaking = {op.name for op in OPS.values() if op.memory is not None}
    speaking = {name for name in speaking if name.startswith(("torch.", "Tensor."))}
    assert speaking - measured == NOT_MEASURED, sorted(speaking - measured ^ NOT_MEASURED)


B, H, N, D = (sizes.symbol(label) for label in "BHND")
HEADS: Dims = (Dim(None, B), Dim(None, H), Dim(None, N), Dim(None, sizes.divide_exactly(D, H)))


def follow(*calls: tuple[Any, ...]) -> tuple[Any, Any]:
    """The shape and strides after calls of methods on a contiguous `[B, H, N, D/H]`."""
    shape: Any = HEADS
    strides: Any = ROW_MAJOR
    for name, *arguments in calls:
        call = REGISTRY[f"Tensor.{name}"]
        result = infer(call, (shape, *arguments)).result
        strides = lay_out(call, (shape, *arguments), {}, [Laid(shape, strides)], result)
        shape = result
    return shape, strides


Step: TypeAlias = tuple[Any, ...]


def drawn_chain(random: Random) -> tuple[tuple[Size, ...], list[Step]]:
    """The sizes of a tensor, and methods that may be called on it one after the other; every size
    is a product of symbols, or 1 or 4.
    """
    dims: list[list[Size]] = [[size] for size in random.sample((B, H, N, D, 1, 4), 4)]
    first = tuple(map(sizes.product, dims))
    steps: list[Step] = []
    for _ in range(random.randint(2, 7)):
        rank = len(dims)
        match random.choice(("permute", "transpose", "view", "view", "view", "reshape", "relu")):
            case "permute":
                order = random.sample(range(rank), rank)
                dims = [dims[k] for k in order]
                steps.append(("permute", *order))
            case "transpose" if rank > 1:
                a, b = random.sample(range(rank), 2)
                dims[a], dims[b] = dims[b], dims[a]
                steps.append(("transpose", a, b))
            case "view" | "reshape" as name:
                regrouped: list[list[Size]] = []
                for dim in dims:
                    if regrouped and random.random() < 0.4:
                        regrouped[-1] = regrouped[-1] + dim
                    elif len(dim) > 1 and random.random() < 0.6:
                        regrouped += [dim[:1], dim[1:]]
                    else:
                        regrouped.append(dim)
                dims = regrouped
                steps.append((name, *map(sizes.product, dims)))
            case "relu":
                steps.append(("relu",))
    return first, steps


def run_chain(first: tuple[Size, ...], steps: list[Step]) -> tuple[Strides, int | None]:
    """The layout of the result, or the step at which a view was refused."""
    shape: Any = tuple(Dim(None, size) for size in first)
    strides: Any = ROW_MAJOR
    for number, (name, *arguments) in enumerate(steps):
        call = REGISTRY[f"Tensor.{name}"]
        result = infer(call, (shape, *arguments)).result
        try:
            strides = lay_out(call, (shape, *arguments), {}, [Laid(shape, strides)], result)
        except NoncontiguousView:
            return UNKNOWN, number
        shape = result
    return strides, None


def test_chains_of_symbols_behave_like_chains_of_numbers() -> None:
    """A view is refused in symbols if it is for every number above 1, and at the same step."""
    random = Random(2)
    counts: Counter[str] = Counter()
    atoms = [next(iter(sizes.symbols(size))) for size in (B, H, N, D)]
    for _ in range(600):
        first, steps = drawn_chain(random)
        strides, refused = run_chain(first, steps)
        for numbers in ((2, 2, 2, 2), (3, 5, 2, 7), (4, 2, 8, 16)):
            values = dict(zip(atoms, numbers, strict=True))
            numeric_sizes = tuple(sizes.substitute(size, values) for size in first)
            numeric_steps = [
                tuple(sizes.substitute(argument, values) for argument in step) for step in steps
            ]
            right, number = run_chain(numeric_sizes, numeric_steps)
            if refused is not None:
                assert number == refused, (first, steps, numbers)
            elif isinstance(strides, tuple) and number is None:
                substituted = tuple(sizes.substitute(stride, values) for stride in strides)
                assert right is ROW_MAJOR or substituted == right, (first, steps, numbers)
            elif strides is ROW_MAJOR:
                assert number is None, (first, steps, numbers)
                assert right is ROW_MAJOR, (first, steps, numbers)
        counts["refused" if refused is not None else "laid" if strides is not UNKNOWN else "?"] += 1
    assert counts["refused"] > 100, counts
    assert counts["laid"] > 300, counts
    assert counts["?"] < 10, counts


def test_a_refused_view_of_moved_heads_shows_the_callers_sizes() -> None:
    with pytest.raises(NoncontiguousView) as raised:
        follow(("transpose", 1, 2), ("relu",), ("view", B, N, D))
    mistake = raised.value
    assert mistake.op == "Tensor.view"
    assert [dim.size for dim in mistake.source] == [B, N, H, sizes.divide_exactly(D, H)]
    assert mistake.target == (B, N, D)
    assert mistake.gap == 3


@pytest.mark.parametrize(
    ("calls", "row_major"),
    [
        ([("transpose", 1, 2), ("reshape", B, N, D), ("view", B, -1)], True),
        ([("transpose", 1, 2), ("contiguous",), ("view", B, N, D)], True),
        ([("transpose", 1, 2), ("transpose", 1, 2), ("view", B, -1)], True),
        ([("permute", 0, 2, 3, 1), ("clone",)], False),
        ([("permute", 0, 2, 3, 1), ("view", B, -1, H)], False),
        ([("flatten", 1), ("unsqueeze", 1)], True),
    ],
)
def test_chains(calls: list[tuple[Any, ...]], row_major: bool) -> None:
    _, strides = follow(*calls)
    assert (strides is ROW_MAJOR) == row_major
    assert strides is not UNKNOWN


def test_a_tensor_written_in_place_needs_memory_for_each_element() -> None:
    shape = (Dim(None, B), Dim(None, 4))
    require_writable(REGISTRY["Tensor.add_"], Laid(shape, ROW_MAJOR))
    require_writable(REGISTRY["Tensor.add_"], Laid(shape, UNKNOWN))
    require_writable(REGISTRY["Tensor.add_"], Laid((Dim(None, 1), Dim(None, 4)), (0, 1)))
    with pytest.raises(WriteToExpanded) as raised:
        require_writable(REGISTRY["Tensor.add_"], Laid(shape, (0, UNKNOWN)))
    assert raised.value.op == "Tensor.add_"
    # The same value everywhere can be written to shared elements.
    for name in ("masked_fill_", "fill_", "zero_"):
        require_writable(REGISTRY[f"Tensor.{name}"], Laid(shape, (0, 1)))


def test_expand_knows_the_shared_dims_of_any_tensor() -> None:
    call = REGISTRY["Tensor.expand"]
    shape = (Dim(None, 1), Dim(None, D))
    result = infer(call, (shape, B, -1)).result
    assert lay_out(call, (shape, B, -1), {}, [Laid(shape, UNKNOWN)], result) == (0, UNKNOWN)


def test_every_mark_is_used() -> None:
    used = {op.memory for op in OPS.values()} | {layer.memory for layer in LAYERS.values()}
    assert used == {None, *Memory}
