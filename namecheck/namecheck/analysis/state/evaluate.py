"""The abstract interpreter: the state of one walk over a file, and the moves everybody makes on it.

How expressions are evaluated stands in `expressions`, statements in `statements`, calls in `calls`,
questions to the rulebook in `operations`. Here is what they share: the current path and frame,
what a value has turned out to be, and saying that something is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from namecheck.analysis.reading import ir
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.call_ranks import Trials
from namecheck.analysis.state.comparisons import linked
from namecheck.analysis.state.independence import Independence
from namecheck.analysis.state.joining import join_paths
from namecheck.analysis.state.paths import Frame, Outcome, Path, no_cells
from namecheck.analysis.state.places import Origins, Place
from namecheck.analysis.state.remembered_calls import Memory
from namecheck.analysis.state.shapes_seen import Inlays
from namecheck.analysis.state.size_roles import Roles
from namecheck.analysis.state.units import Units
from namecheck.analysis.state.unknown_ranks import Ranks
from namecheck.analysis.state.values import (
    CONSTANT,
    MOST_VALUES,
    Anything,
    Held,
    Number,
    Repeated,
    ShapeOf,
    Tensor,
    Value,
    counts_of,
)
from namecheck_runtime import declare, layers, sizes
from namecheck_runtime.algebra import common
from namecheck_runtime.lattice import (
    UNKNOWN,
    Dim,
    Dims,
    Shape,
    Size,
    Trailing,
    known_dims,
)
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.mistakes.revealed import RevealedNames
from namecheck_runtime.sizes import Fact, Facts, Rank

BUDGET = 40_000
"""Expressions that one stand-alone evaluation of a function may cost, calls included."""

DEEPEST = 8
"""Calls of the file's own functions inside each other."""


class Exhausted(Exception):
    """A function's evaluation has cost its budget: it is left where it is, and nothing is said of
    it but that (NC802).
    """


class Evaluator:
    """One walk over a file's records."""

    def __init__(self, source: Any, world: Mapping[Any, Any] | None = None) -> None:
        self.source = source
        self.frame = Frame(source)
        self.module = self.frame
        self.cells = no_cells(world)
        self.facts = Facts()
        self.module_cells = no_cells(world)
        self.module_facts = Facts()
        self.alive = True
        self.steps = 0
        self.limit = BUDGET
        """The expressions that may be evaluated: fewer than the budget in a call that may not cost
        so much.
        """
        self.at: tuple[Any, int] = (source, 1)
        """The statement that is being run, also after an exception has left it."""
        self.limits: dict[tuple[Any, int], str] = {}
        """Where something is unknown because it is larger than what is followed, and what it is."""
        self.given_up = sizes.given_up()
        """How many sizes had become too long before the current statement."""
        self.stopped: tuple[Any, int] | None = None
        """Where the function that cost too much was when it did."""
        self.stack: list[int] = []
        """The records that are being evaluated, by identity."""
        self.found: list[Outcome] = []
        self.units = Units()
        self.inlays = Inlays()
        self.trials = Trials()
        self.origins = Origins()
        self.memory = Memory()
        self.numbers: dict[int, tuple[Any, frozenset[str]]] = {}
        """Of functions by id, the parameters that they use as whole numbers (`whole_numbers`)."""
        self.assigned: dict[tuple[Any, int], bool] = {}
        self.expressions: dict[tuple[Any, int], bool] = {}
        self.used: set[str] = set()
        """The other files of the project that something was evaluated with, by real path."""
        self.independence = Independence(self.units.classes)
        self.roles = Roles()
        self.in_row = False
        """Whether what is called is a layer behind another one in a row."""
        self.spelled = False
        """Whether a function is evaluated with the number of its leading dims spelled out."""
        self.configs: dict[tuple[str, str], Anything] = {}
        """What constructors are given for configs, by parameter and annotation: classes that take
        the same build alike modules alike, which are evaluated once.
        """
        self.by_defaults = False
        """Whether a class is evaluated as its defaults build it."""
        self.hinted = False
        """Whether something was wrong with a rank that only a comment or a docstring says."""
        self.counted: set[sizes.Symbol] = set()
        """Sizes whose places the program counts: lengths, and not batches."""
        self.on_expression: Mapping[type, Callable[[Evaluator, Any], Value]] = {}
        self.ranks = Ranks()
        self.learned: dict[int | str, int] = {}
        """The ranks that the function that was evaluated last has taught (`hindsight`)."""

    @property
    def tensor_class(self) -> str:
        """Whose methods an unknown value with a tensor's methods has in the file that is run."""
        return str(self.frame.source.file.tensor_class)

    @property
    def mixed(self) -> bool:
        """Whether that file computes with NumPy, and some of its functions with PyTorch."""
        return bool(self.frame.source.file.mixed)

    @property
    def migrates(self) -> bool:
        """Whether tensors are PyTorch's own there, so that what newer releases removed is told."""
        return bool(self.frame.source.file.migrates)

    def module_frame(self) -> Frame:
        """The frame of the module whose code is run."""
        return self.frame.module()

    # Evaluating

    def value(self, node: ir.Expression) -> Value:
        """The value of an expression on the current path."""
        self.steps += 1
        if self.steps > self.limit:
            raise Exhausted
        found = self.on_expression[type(node)](self, node)
        if type(found) is Tensor and self.frame.depth == 0:
            self.expressions[self.frame.source, node.id] = (
                found.shape is not UNKNOWN and type(found.shape) is tuple
            )
            if self.trials.calls is not None and not self.frame.loops:
                self._name_dims(found, node)
        return found

    def spend(self, expressions: int) -> None:
        """Count what costs as much as so many expressions."""
        self.steps += expressions
        if self.steps > self.limit:
            raise Exhausted

    def leave(self, what: str) -> None:
        """Something in the current statement is unknown because it is too large (NC802)."""
        self.limits.setdefault(self.at, what)

    def leave_sizes(self) -> None:
        """Say so if a size became too long in the statement that was run last."""
        if sizes.given_up() != self.given_up:
            self.given_up = sizes.given_up()
            self.leave("a size is a longer formula than is followed")

    def contents(self, values: Sequence[Value]) -> tuple[Value, ...] | Repeated:
        """What a sequence of these values holds: they, one by one, unless there are too many."""
        self.spend(len(values) // 16)
        if counts_of(values) > MOST_VALUES:
            self.leave(f"a sequence has more than the {MOST_VALUES:,} values that are followed")
            return Repeated(Anything())
        return tuple(values)

    def fill(self, held: Held, values: Sequence[Value]) -> None:
        """A list holds these values from here on."""
        contents = self.contents(values)
        if isinstance(contents, tuple):
            held.count = max(held.count, 1 + counts_of(contents))
        self.cells[held] = contents

    def _name_dims(self, tensor: Tensor, node: ir.Node) -> None:
        """Give every size of a tensor that is not known a symbol, so that it is known again."""
        shape = self.current(tensor.shape)
        if isinstance(shape, tuple) and any(dim.size is UNKNOWN for dim in shape):
            self.give_shape(tensor, self.named_sizes(shape, ("dim", node.id)))

    # Moves that the interpreter makes (`python/interpreter.py`).

    def run(self, body: Sequence[ir.Statement], first: int = 0) -> None:
        """Run statements, from the first or a later one, on the current path."""
        raise NotImplementedError

    def call(
        self,
        callee: Value,
        arguments: Sequence[Argument] | None,
        keywords: Mapping[str, Argument] | None,
        node: ir.Call | None,
    ) -> Value:
        """The value of calling `callee`."""
        raise NotImplementedError

    def assign(self, target: ir.Expression, value: Value, origin: ir.Expression | None) -> None:
        """Bind a target to a value; `origin` is the expression that gave it."""
        raise NotImplementedError

    def another(self, source: Any, world: Mapping[Any, Any] | None = None) -> Evaluator:
        """A plain interpreter for another file."""
        raise NotImplementedError

    def opposes(self, left: Size, right: Size, mistake: Mistake | None = None) -> bool:
        """Whether two sizes are independent, on every way through the function that is run, or may
        not be equal by their roles in what is asked.
        """
        raise NotImplementedError

    def blame(
        self,
        mistake: Mistake,
        level: str,
        node: ir.Node,
        by_name: Mapping[str, Argument],
        facts: tuple[Fact, ...] = (),
        question: Any = None,
        requires: tuple[Size, Size] | None = None,
        notes: Iterable[tuple[str, Any, int]] = (),
        call: declare.Spelling | layers.Instance | None = None,
    ) -> None:
        """Something is wrong at `node`; `by_name` are the arguments that the mistake may blame.

        It is told if it is wrong each time: of the evaluations of `node`, or that `question` was
        asked (`Frame.look`). `requires` are independent sizes that would make it right; `notes`
        say more, each with a source and a line in it. `call` is what was called.
        """
        raise NotImplementedError

    def teach(self, result: Value, known: Tensor) -> None:
        """The rank of a tensor has turned out of which it is known what it was made of."""
        raise NotImplementedError

    def resolve(self, value: Value) -> Value:
        """What a value has turned out to be on this path."""
        # As `path.resolve`, written out: nothing is called more often.
        cells = self.cells
        recent, base = cells.recent, cells.base
        while type(value) is Tensor or type(value) is Anything:
            if value in recent:
                value = recent[value]
            elif value in base:
                value = base[value]
            else:
                break
        return value

    # Paths

    def fork(self) -> Path:
        """The current path, kept aside: what is learned from here on does not reach it."""
        return Path(dict(self.frame.variables), self.cells.copy(), self.facts.copy())

    def here(self) -> Path | None:
        """The current path as it stands, None if nothing gets here."""
        if not self.alive:
            return None
        return Path(self.frame.variables, self.cells, self.facts)

    def go(self, path: Path | None) -> None:
        """Stand on `path` from here on."""
        if path is None:
            self.alive = False
            return
        self.alive = True
        self.frame.variables, self.cells, self.facts = path.variables, path.cells, path.facts

    def meet(self, paths: Iterable[Path | None]) -> None:
        """Stand where several paths meet."""
        joined: Path | None = None
        for path in paths:
            joined = join_paths(joined, path)
        self.go(joined)

    # Sizes and shapes

    def current(self, shape: Shape) -> Shape:
        """A shape with every size as the path's facts know it."""
        if isinstance(shape, tuple):
            return self._current_dims(shape)
        if isinstance(shape, Trailing):
            dims = self._current_dims(shape.dims)
            return shape if dims is shape.dims else Trailing(dims)
        return shape

    def _current_dims(self, dims: Dims) -> Dims:
        if not self.facts.rewrite():
            return dims
        changed: list[Dim] | None = None
        for index, dim in enumerate(dims):
            size = dim.size
            if type(size) is int or size is UNKNOWN:
                continue
            now = self.facts.representative(size)
            if now == size:
                continue
            if changed is None:
                changed = list(dims)
            trace = dim.trace
            if trace is not None and trace.factors:
                trace = trace._replace(factors=self._current_dims(trace.factors))
            changed[index] = Dim(dim.name, now, trace)
        return dims if changed is None else tuple(changed)

    def refine(self, value: Value, known: Value) -> None:
        """`value`, wherever it stands, is `known` from here on."""
        value = self.resolve(value)
        if value is known or not isinstance(value, (Anything, Tensor)):
            return
        self.cells[value] = known
        if isinstance(known, Tensor):
            if value in self.ranks.presumed:
                self.ranks.presumed.add(known)
            if value in self.ranks.made_of:
                self.teach(value, known)

    def give_shape(self, value: Value, shape: Shape, claimed: bool = False) -> Tensor:
        """Learn the shape of a tensor; what else is known of it stays."""
        value = self.resolve(value)
        if isinstance(value, Tensor):
            claimed = claimed or (value.claimed and isinstance(value.shape, tuple))
            known = value.with_shape(shape, claimed)
        else:
            # What nobody called by a name may be anything, a parameter of the model as well.
            unsure = isinstance(value, Anything) and (value.config or not value.label)
            history = CONSTANT if unsure else None
            library = "" if self.frame.source.file.has_arrays else self.tensor_class
            known = Tensor(shape, "unknown", library, claimed, history=history)
        self.refine(value, known)
        return known

    def sizes_of(self, value: ShapeOf) -> tuple[Size, ...] | None:
        """The sizes of a tensor of known rank, unknown ones as symbols; else None."""
        tensor = self.resolve(value.tensor)
        if not isinstance(tensor, Tensor) or not isinstance(tensor.shape, tuple):
            return None
        if any(dim.size is UNKNOWN for dim in tensor.shape):
            tensor = self.give_shape(tensor, self.named_sizes(tensor.shape))
        dims = tensor.shape
        assert isinstance(dims, tuple)
        return tuple([self.facts.representative(dim.size) for dim in dims])

    def named_sizes(self, dims: Dims, key: Any = None, labels: tuple[str, ...] = ()) -> Dims:
        """The dims with a symbol for every size that is not known."""
        made: list[Dim] = []
        for index, dim in enumerate(dims):
            if dim.size is not UNKNOWN:
                made.append(dim)
                continue
            label = labels[index] if labels else "?"
            size = sizes.symbol(label) if key is None else self.frame.symbol((key, index), label)
            made.append(Dim(dim.name, size, dim.trace))
        return tuple(made)

    def some_int(self, label: str = "?") -> Size:
        """An int of which nothing is known: it is never known to differ from another."""
        return sizes.opaque("int", sizes.symbol(label, sizes.Origin.FRESH, least=-1))

    def learn_equal(self, left: Size, right: Size, rank: Rank, place: Place) -> bool:
        """Hold two sizes for equal; False when that is impossible."""
        settlement = self.facts.learn_equal(left, right, Fact(rank, place))
        return settlement.verdict is not sizes.Verdict.CONTRADICTED

    # Operands of layers: what a layer requires teaches us the shape of what goes in.

    def prepare_operand(self, value: Value, rank: int | None, certain: bool = False) -> None:
        """Give unknown sizes symbols, so that requirements can bind them.

        `rank` is the number of dims that the layer takes if the batch is one of them; `certain`
        that it always is. What is not certain teaches nothing of what stands above.
        """
        value = self.resolve(value)
        shape = value.shape if isinstance(value, Tensor) else UNKNOWN
        if not isinstance(value, (Tensor, Anything)):
            return
        dims = known_dims(shape)
        if not isinstance(shape, tuple) and rank is not None and len(dims) <= rank:
            front = []
            for index in range(rank - len(dims)):
                stored = self.cells.get((value, index))
                front.append(Dim(UNKNOWN, stored.size if isinstance(stored, Number) else UNKNOWN))
            if not certain:
                self.ranks.made_of.pop(value, None)
            known = self.give_shape(value, self.named_sizes((*front, *dims)))
            if not certain:
                self.ranks.presumed.add(known)
        elif any(dim.size is UNKNOWN for dim in dims):
            made = self.named_sizes(dims)
            self.give_shape(value, made if isinstance(shape, tuple) else Trailing(made))
        elif shape is UNKNOWN:
            probe = sizes.symbol("?", sizes.Origin.FRESH)
            self.give_shape(value, Trailing((Dim(UNKNOWN, probe),)))

    # Saying what is wrong

    def may_be_skipped(self, frame: Frame) -> bool:
        """Whether the program may not get here at all with these arguments."""
        return frame.unsure or (frame.branches > 0 and (frame.depth > 0 or self.trials.is_on))

    def place(
        self,
        node: ir.Node | None = None,
        mistake: Mistake | None = None,
        equation: tuple[Size, Size] | None = None,
    ) -> Place:
        """The current place of the program."""
        return Place(self.frame.source, self.frame.line, node, mistake, equation)

    def links(self, left: Size, right: Size) -> bool:
        """Whether the function itself compares the symbols of two sizes somewhere."""
        return linked(self.frame, sizes.symbols(left) | sizes.symbols(right))

    def reveal(self, told: RevealedNames, node: ir.Node) -> None:
        """Tell what `node` asks to be told: what holds each time that it is evaluated."""
        frame = self.frame
        if frame.quiet or self.may_be_skipped(frame):
            return
        key = (node.id, told.code)
        if key in frame.wrong:
            before = frame.wrong[key][2].mistake
            told = told.but(shape=common(before.shape, told.shape))
        frame.blame(key, node.id, Outcome(frame.source, node.id, told, told.level, (), ()))


__all__ = ["Evaluator", "Exhausted"]
