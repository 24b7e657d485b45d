"""The abstract interpreter: the state of one walk over a file, and the moves that change it.

The folder `python/` evaluates expressions, statements and calls; `asking/` puts questions to the
rulebook. They share this state: the current path and frame, the values on them, and the mistakes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from namecheck.analysis.reading import ir
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.call_ranks import Trials
from namecheck.analysis.state.comparisons import linked
from namecheck.analysis.state.frames import Frame, Hearsay, Outcome
from namecheck.analysis.state.independence import Independence
from namecheck.analysis.state.joining import join_paths
from namecheck.analysis.state.lineage import is_module
from namecheck.analysis.state.paths import Path, no_cells
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
    Claimed,
    Held,
    Layer,
    Number,
    Repeated,
    ShapeOf,
    Tensor,
    Value,
    counts_of,
    read_off,
    sizes_claimed,
)
from namecheck.analysis.state.values.grad_modes import Gradients
from namecheck.frameworks import torch
from namecheck.text.file_parts import Used
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

BUDGET: Final = 40_000
"""Expressions that one stand-alone evaluation of a function may cost, calls included."""

DEEPEST: Final = 8
"""How deep calls of the file's own functions may be nested."""


UNROLLED: Final = 16
"""The most elements that a comprehension or a loop takes one by one, and those of a range."""


@dataclass(slots=True)
class Reach:
    """How far an evaluation goes."""

    limit: int = BUDGET
    """The number of expressions that may be evaluated: less than the budget inside a call with a
    smaller budget of its own.
    """
    deepest: int = DEEPEST
    """How deep calls may be nested."""
    driven: bool = False
    """Whether an entry point is followed to its end, see `runs/drives.py`."""
    bound: int = BUDGET
    """The largest number for `limit`, which grows in a drive."""
    patience: int = 0
    """How far the limit of a drive is from the last tensor or layer."""
    unrolled: int = UNROLLED
    """The most elements that a comprehension or a loop takes one by one."""
    decorated: dict[Value, Value] = field(default_factory=dict)
    """What decorators make of functions, as far as the drive has called them."""
    dicts: dict[Value, Value] = field(default_factory=dict)
    """The objects whose attributes dicts have: `vars(x)`."""
    entering: dict[int, Callable[[Any], None]] = field(default_factory=dict)
    """The bodies of `with` statements that are about to enter a function, by its record."""
    bodies: dict[Frame, Callable[[Any], None] | None] = field(default_factory=dict)
    """Those of the frames of such functions; None once the function has yielded."""
    assigned: set[Any] = field(default_factory=set)
    """The cells of the names of modules that functions have assigned."""
    built: list[tuple[Value, Any, int]] = field(default_factory=list)
    """The modules that a drive has built, except parts of others, each with the source and line."""


class Exhausted(Exception):
    """The evaluation of a function has used up its budget.

    It stops where it is, and NC802 is the only finding.
    """


class NeverBuilt(Exception):
    """A class is tried with its defaults, and with these it cannot be built or called.

    `size=0` stands for "must be given". Nothing that follows from it is a fact about the program.
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
        self.before_duties: Facts | None = None
        """What was known when the current question was asked, if its duties teach more."""
        self.alive = True
        self.steps = 0
        self.reach = Reach(BUDGET)
        self.at: tuple[Any, int] = (source, 1)
        """The current statement, also after an exception has left it: its source and line."""
        self.limits: dict[tuple[Any, int], str] = {}
        """Where a value is unknown because it is too large to follow, and a sentence about it."""
        self.given_up = sizes.given_up()
        """The number of sizes that had become too long before the current statement."""
        self.stopped: tuple[Any, int] | None = None
        """Where a function was when its budget ran out."""
        self.stack: list[int] = []
        """The identities of the records that are being evaluated."""
        self.found: list[Outcome] = []
        self.units = Units()
        self.inlays = Inlays()
        self.trials = Trials()
        self.origins = Origins()
        self.memory = Memory()
        self.numbers: dict[int, tuple[Any, frozenset[str]]] = {}
        """By id of a function: its record, and the parameters that it uses as whole numbers."""
        self.assigned: dict[tuple[Any, int], bool] = {}
        self.expressions: dict[tuple[Any, int], bool] = {}
        self.used: set[Used] = set()
        """The parts of the project's other files that the evaluation has used."""
        self.independence = Independence(self.units.classes)
        self.roles = Roles()
        self.in_row = False
        """Whether the callee is a layer that follows another one in a row."""
        self.spelled = False
        """Whether a function is evaluated with the number of its leading dims spelled out."""
        self.configs: dict[tuple[str, str], Anything] = {}
        """The configs passed to constructors, by parameter and annotation. Classes with the same
        config build equal modules, which are evaluated once.
        """
        self.by_defaults = False
        """Whether a class is evaluated with its defaults."""
        self.hearsay = Hearsay()
        self.counted: set[sizes.Symbol] = set()
        """Sizes whose positions the program counts: lengths, not batches."""
        self.on_expression: Mapping[type, Callable[[Evaluator, Any], Value]] = {}
        self.gradients = Gradients()
        self.ranks = Ranks()
        self.learned: dict[int | str, int] = {}
        """The ranks that the last evaluated function has taught (`hindsight.py`)."""

    @property
    def tensor_class(self) -> str:
        """The class whose methods an unknown value with a tensor's methods has in this file."""
        return str(self.frame.source.file.tensor_class)

    @property
    def sure_class(self) -> str:
        """The class of an unknown value that is a tensor, "" if it may be an array as well.

        Modules of PyTorch compute with its tensors alone. Shapes that are only shown may rest on
        what the file imports.
        """
        file = self.frame.source.file
        if self.trials.calls is not None:
            return "" if file.has_arrays or file.has_sparse else self.tensor_class
        if file.tensor_class != torch.TENSOR or file.has_arrays:
            return ""
        frame: Frame | None = self.frame
        while frame is not None:
            if frame.owner is not None and is_module(frame.owner):
                return torch.TENSOR
            frame = frame.parent
        return ""

    @property
    def mixed(self) -> bool:
        """Whether this file computes with NumPy, and some of its functions with PyTorch."""
        return bool(self.frame.source.file.mixed)

    @property
    def migrates(self) -> bool:
        """Whether tensors are PyTorch's own here, so that functions since removed are reported."""
        return bool(self.frame.source.file.migrates)

    def module_frame(self) -> Frame:
        """The frame of the module whose code is running."""
        return self.frame.module()

    # Evaluating

    def value(self, node: ir.Expression) -> Value:
        """The value of an expression on the current path."""
        self.steps += 1
        if self.steps > self.reach.limit:
            raise Exhausted
        value = self.on_expression[type(node)](self, node)
        if self.reach.driven and (type(value) is Tensor or type(value) is Layer):
            self.reach.limit = min(self.reach.bound, self.steps + self.reach.patience)
        watched = self.frame.watched
        if watched is not None:
            watched[node.id] = value
        if type(value) is Tensor and self.frame.depth == 0:
            self.expressions[self.frame.source, node.id] = (
                value.shape is not UNKNOWN and type(value.shape) is tuple
            )
            if self.trials.calls is not None and not self.frame.flow.loops:
                self._name_dims(value, node)
        return value

    def spend(self, expressions: int) -> None:
        """Count a step that costs as much as this number of expressions."""
        self.steps += expressions
        if self.steps > self.reach.limit:
            raise Exhausted

    def leave(self, what: str) -> None:
        """Note that a value in the current statement is unknown because it is too large (NC802)."""
        self.limits.setdefault(self.at, what)

    def leave_sizes(self) -> None:
        """Note it if a size became too long in the last statement."""
        if sizes.given_up() != self.given_up:
            self.given_up = sizes.given_up()
            self.leave("a size is a longer formula than namecheck follows")

    def contents(self, values: Sequence[Value]) -> tuple[Value, ...] | Repeated:
        """The contents of a sequence of these values: the values, unless there are too many."""
        self.spend(len(values) // 16)
        if counts_of(values) > MOST_VALUES:
            self.leave(
                f"a sequence has more than the {MOST_VALUES:,} values that namecheck follows"
            )
            return Repeated(Anything())
        return tuple(values)

    def fill(self, held: Held, values: Sequence[Value]) -> None:
        """Set the contents of a list."""
        contents = self.contents(values)
        if isinstance(contents, tuple):
            held.count = max(held.count, 1 + counts_of(contents))
        self.cells[held] = contents

    def _name_dims(self, tensor: Tensor, node: ir.Node) -> None:
        """Give every unknown size of a tensor a symbol, so that the walk recognizes it again."""
        shape = self.current(tensor.shape)
        if isinstance(shape, tuple) and any(dim.size is UNKNOWN for dim in shape):
            self.give_shape(tensor, self.named_sizes(shape, ("dim", node.id)))

    # Moves that the interpreter implements (`python/interpreter.py`).

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
        """Whether two sizes are independent on every way through the current function.

        Or whether their roles in the question of `mistake` forbid that they are equal.
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
        root: Claimed | None = None,
    ) -> None:
        """Record a mistake at `node`; `by_name` are the arguments that it may blame.

        The checker reports it if it is there each time that `node` is evaluated, or that `question`
        is asked (`Frame.look`). `requires` are independent sizes whose equality would make it
        right. `notes` are further notes, each with a source and a line in it. `call` is the op or
        layer that was called, `root` an annotation that is contradicted.
        """
        raise NotImplementedError

    def teach(self, result: Value, known: Tensor) -> None:
        """Learn the rank of an operand from that of its result, which is now `known`."""
        raise NotImplementedError

    def resolve(self, value: Value) -> Value:
        """The value that the current path has in place of this one, or the value itself."""
        # As `joining.resolve`, written out: this is the most frequent call.
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
        """A copy of the current path, which later statements do not change."""
        return Path(dict(self.frame.variables), self.cells.copy(), self.facts.copy())

    def here(self) -> Path | None:
        """The current path itself; None if the program does not get here."""
        if not self.alive:
            return None
        return Path(self.frame.variables, self.cells, self.facts)

    def go(self, path: Path | None) -> None:
        """Make `path` the current one; None if the program does not get here."""
        if path is None:
            self.alive = False
            return
        self.alive = True
        self.frame.variables, self.cells, self.facts = path.variables, path.cells, path.facts

    def meet(self, paths: Iterable[Path | None]) -> None:
        """Make the join of several paths the current one."""
        joined: Path | None = None
        for path in paths:
            joined = join_paths(joined, path)
        self.go(joined)

    # Sizes and shapes

    def current(self, shape: Shape) -> Shape:
        """A shape with its sizes in the form that the path's facts give them."""
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
            current = self.facts.representative(size)
            if current == size:
                continue
            if changed is None:
                changed = list(dims)
            trace = dim.trace
            if trace is not None and trace.factors:
                trace = trace._replace(factors=self._current_dims(trace.factors))
            changed[index] = Dim(dim.name, current, trace)
        return dims if changed is None else tuple(changed)

    def refine(self, value: Value, known: Value) -> None:
        """Replace `value` by `known` everywhere on the current path."""
        value = self.resolve(value)
        if value is known or not isinstance(value, (Anything, Tensor)):
            return
        self.cells[value] = known
        if isinstance(known, Tensor):
            if value in self.ranks.from_here:
                self.ranks.from_here.add(known)
            if value in self.ranks.doubted:
                self.ranks.doubted.add(known)
            if value in self.ranks.made_of:
                self.teach(value, known)

    def change(self, value: Value, known: Value) -> None:
        """Let a tensor be `known` from here on: the program gives it other dims in place.

        Where a path meets one that has not changed it, it may be either.
        """
        value = self.resolve(value)
        if value is not known and isinstance(value, (Anything, Tensor)):
            self.cells.note_changed(value)
            self.refine(value, known)

    def forget_dims(self, value: Value) -> None:
        """Forget the dims of a tensor that the program gives others in place."""
        value = self.resolve(value)
        if isinstance(value, Tensor):
            self.change(value, Tensor(UNKNOWN, "unknown", value.library))
        elif isinstance(value, Anything):
            self.change(value, Anything(value.label, value.config))

    def give_shape(self, value: Value, shape: Shape, claimed: Claimed | None = None) -> Tensor:
        """Set the shape of a tensor, keep the rest, and return the tensor with that shape.

        `claimed` is the comment that the new shape comes from, if one.
        """
        value = self.resolve(value)
        if isinstance(value, Tensor):
            before = value.claimed
            if not isinstance(value.shape, tuple):
                before = sizes_claimed(before)
            if claimed is None or (before is not None and before.rank):
                claimed = before
            known = value.with_shape(shape, claimed)
        else:
            # A value without a name may be anything, also a parameter of the model.
            unsure = isinstance(value, Anything) and (value.config or not value.label)
            history = CONSTANT if unsure else None
            known = Tensor(shape, "unknown", self.sure_class, claimed, history=history)
        if value in self.ranks.counted:
            self._keep_sizes(value, known)
        self.refine(value, known)
        return known

    def _keep_sizes(self, value: Value, known: Tensor) -> None:
        """Let the sizes that were read of a tensor of unknown rank be sizes of what it is now."""
        count = self.ranks.counted[value]
        dims = known.shape if isinstance(known.shape, tuple) else ()
        for index in range(count):
            stored = self.cells.get((value, index))
            if not isinstance(stored, Number):
                continue
            if not isinstance(known.shape, tuple):
                self.cells[known, index] = stored
                self.ranks.counted[known] = count
            elif index < len(dims) and dims[index].size is not UNKNOWN and not known.claimed:
                place = self.place(equation=(stored.size, dims[index].size))
                self.learn_equal(stored.size, dims[index].size, Rank.STATED, place)

    def sizes_of(self, value: ShapeOf) -> tuple[Size, ...] | None:
        """The sizes of a tensor of known rank, with symbols for unknown ones; else None."""
        tensor = self.resolve(value.tensor)
        if not isinstance(tensor, Tensor) or not isinstance(tensor.shape, tuple):
            return None
        if any(dim.size is UNKNOWN for dim in tensor.shape):
            tensor = self.give_shape(tensor, self.named_sizes(tensor.shape))
        dims = tensor.shape
        assert isinstance(dims, tuple)
        return tuple([self.facts.representative(dim.size) for dim in dims])

    def numbers_of(self, value: ShapeOf) -> tuple[Value, ...] | None:
        """The sizes of a tensor of known rank as the program reads them off; else None."""
        known = self.sizes_of(value)
        tensor = self.resolve(value.tensor)
        return None if known is None else tuple([read_off(tensor, size) for size in known])

    def named_sizes(self, dims: Dims, key: Any = None, labels: tuple[str, ...] = ()) -> Dims:
        """The dims with a symbol for every unknown size."""
        named: list[Dim] = []
        for index, dim in enumerate(dims):
            if dim.size is not UNKNOWN:
                named.append(dim)
                continue
            label = labels[index] if labels else "?"
            size = sizes.symbol(label) if key is None else self.frame.symbol((key, index), label)
            named.append(Dim(dim.name, size, dim.trace))
        return tuple(named)

    def some_int(self, label: str = "?") -> Size:
        """An unknown int, which is never known to differ from another."""
        return sizes.opaque("int", sizes.symbol(label, sizes.Origin.FRESH, least=-1))

    def learn_equal(self, left: Size, right: Size, rank: Rank, place: Place) -> bool:
        """Take two sizes for equal; False if that is impossible."""
        settlement = self.facts.learn_equal(left, right, Fact(rank, place))
        return settlement.verdict is not sizes.Verdict.CONTRADICTED

    # Operands of layers: the requirements of a layer teach the shape of its operand.

    def prepare_operand(self, value: Value, rank: int | None, certain: bool = False) -> None:
        """Give unknown sizes symbols, so that requirements can bind them.

        `rank` is the number of dims that the layer takes with a batch; `certain` says that it
        always has one. An uncertain rank teaches nothing of the lines above.
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
            named = self.named_sizes((*front, *dims))
            if not certain and front and front[0].size is UNKNOWN:
                batch = sizes.plain_symbol(named[0].size)
                if batch is not None:
                    self.ranks.batches.add(batch)
            known = self.give_shape(value, named)
            if not certain:
                self.ranks.from_here.add(known)
        elif any(dim.size is UNKNOWN for dim in dims):
            named = self.named_sizes(dims)
            self.give_shape(value, named if isinstance(shape, tuple) else Trailing(named))
        elif shape is UNKNOWN:
            probe = sizes.symbol("?", sizes.Origin.FRESH)
            self.give_shape(value, Trailing((Dim(UNKNOWN, probe),)))

    # Mistakes

    def may_be_skipped(self, frame: Frame) -> bool:
        """Whether the program may not get here with these arguments."""
        return frame.flow.unsure or (
            frame.flow.branches > 0
            and (frame.depth > 0 or self.trials.is_on or frame.flow.arms.options > 0)
        )

    def may_never_come(self, frame: Frame) -> bool:
        """As `may_be_skipped`, but not where some run of the program is sure to get here."""
        if self.reach.driven or self.trials.is_on:
            return self.may_be_skipped(frame)
        flow = frame.flow
        return flow.doubtful or (frame.depth > 0 and flow.branches > flow.free)

    def raises_here(self) -> None:
        """Give up a trial with defaults, as the program raises here if it gets here."""
        if self.by_defaults and not self.may_be_skipped(self.frame):
            raise NeverBuilt

    def raises_in_constructor(self) -> None:
        """As `raises_here`, but only while the class is built, which is done quietly."""
        if self.frame.quiet:
            self.raises_here()

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

    def reveal(self, names: RevealedNames, node: ir.Node) -> None:
        """Record the names that `node` asks to reveal: those of every evaluation."""
        frame = self.frame
        if frame.quiet or self.may_be_skipped(frame):
            return
        key = (node.id, names.code)
        if key in frame.wrong:
            before = frame.wrong[key][2].mistake
            names = names.but(shape=common(before.shape, names.shape))
        frame.blame(key, node.id, Outcome(frame.source, node.id, names, names.level, (), ()))


__all__ = ["Evaluator", "Exhausted", "NeverBuilt"]
