"""Ranks of undeclared parameters, found by trials: for `show` only.

The checker runs a function with a parameter of three dims, of four, of two... If all ranks but one
are wrong on every way through the function, the parameter has that rank. If several fit, the calls
in the file decide, provided that they all pass a tensor of the same rank. A mistake in a trial is
not a finding, and `check` sees nothing of what is supposed here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.call_ranks import Verdict
from namecheck.analysis.state.evaluate import Exhausted
from namecheck.analysis.state.values import NONE, Anything, Function, Tensor, Value
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Dim

if TYPE_CHECKING:
    from namecheck.analysis.state.argument import Argument
    from namecheck.analysis.state.evaluate import Evaluator

RANKS: Final = (3, 4, 2, 5, 1, 6)
"""In the order of the trials: the commonest first, since two that fit end a trial."""

SURE: Final = RANKS[:2]
"""Parameters that fit with both have no rank that is the only possible one."""

TOGETHER: Final = 3
"""The least number of parameters that are tried together."""

ROUNDS: Final = 4
"""How often the ranks found for one function are passed on to those that it calls."""

MOST_STEPS: Final = 4_000_000
"""Expressions and parameters that all trials in a file may cost."""

MOST_TRIALS: Final = 200
"""Trials of one function. Each costs time for all of its parameters, so a function with thousands
of them cannot have all tried; with thirty, each is tried with every rank.
"""

ABSENT: Final = -1
"""Instead of a rank: the parameter is None."""


def ranks_given(
    ev: Evaluator,
    function: Function,
    arguments: Sequence[Argument] | None,
    keywords: Mapping[str, Argument] | None,
) -> dict[str, int | None]:
    """The ranks that a call gives to parameters, None where one is not known."""
    if arguments is None:
        return {parameter.name: None for parameter in function.parameters}
    ranks: dict[str, int | None] = {}
    for parameter, argument in zip(function.parameters, arguments, strict=False):
        _add_rank(ev, ranks, parameter.name, argument.value)
    # `**kwargs` says nothing of ranks: a function passes it on unchanged.
    for name, argument in (keywords or {}).items():
        _add_rank(ev, ranks, name, argument.value)
    return ranks


def _add_rank(ev: Evaluator, ranks: dict[str, int | None], name: str, value: Value) -> None:
    value = ev.resolve(value)
    if value is NONE:
        return
    if isinstance(value, Anything) and value.maybe is not None:
        value = value.maybe
    shape = value.shape if isinstance(value, Tensor) else UNKNOWN
    ranks[name] = len(shape) if isinstance(shape, tuple) else None


def supposed_value(ev: Evaluator, name: str, value: Value, rank: int, optional: bool) -> Value:
    """The value of the parameter `name` with that rank; if `optional`, it may also be None."""
    if rank == ABSENT:
        return NONE
    if isinstance(value, Anything) and value.maybe is not None:
        optional = True
    kind = value.kind if isinstance(value, Tensor) else "unknown"
    library = value.library if isinstance(value, Tensor) else ev.tensor_class
    dims = tuple(Dim(UNKNOWN, sizes.symbol("?")) for _ in range(rank))
    tensor = Tensor(dims, kind, library)
    ev.trials.supposed[tensor] = name
    return Anything(maybe=tensor) if optional else tensor


def may_be_tensor(value: Value) -> bool:
    """Whether an unknown parameter may be a tensor of unknown rank."""
    if isinstance(value, Anything):
        if value.maybe is not None:
            return value.maybe.shape is UNKNOWN
        return not value.config
    return isinstance(value, Tensor) and not isinstance(value.shape, tuple)


def suppose_ranks(
    ev: Evaluator, evaluate: Callable[[Function, Mapping[str, int]], Verdict | None]
) -> None:
    """Find the ranks of the parameters of every function, and run it again with these.

    `evaluate` runs a function by itself; it returns None if that is not possible.
    """
    trials = _Trials(ev, evaluate)
    functions = [f for f in ev.units.functions if f in ev.trials.cases and ev.trials.cases[f].open]
    for function in ev.units.functions:
        if function in ev.trials.cases and ev.trials.cases[function].supposed:
            trials.settle(function)
    for number in range(ROUNDS):
        changed = False
        for function in functions:
            case = ev.trials.cases[function]
            before = len(case.supposed)
            for place, name in enumerate(case.open):
                if name in case.supposed:
                    continue
                if number == 0:
                    trials.find_fitting(function, case.open[place:])
                rank = trials.decide(function, name)
                if rank is not None:
                    case.supposed[name] = rank
            if len(case.supposed) > before:
                changed = True
                trials.settle(function)
        if not changed:
            return


class _Trials:
    def __init__(
        self, ev: Evaluator, evaluate: Callable[[Function, Mapping[str, int]], Verdict | None]
    ) -> None:
        self.ev = ev
        self.evaluate = evaluate
        self.steps = 0
        self.counts: dict[Function, int] = defaultdict(int)
        self.fitting: dict[Function, list[Mapping[str, int]]] = defaultdict(list)
        """The ranks of several parameters that fit together: fewer of them fit as well."""
        self.listed: dict[tuple[Function, str], set[int]] = defaultdict(set)
        """The ranks with which a parameter turned out to be a list."""
        self.tried_with: dict[Function, Mapping[str, int]] = {}
        """The ranks that were known when the parameters of a function were tried together."""
        self.verdicts: dict[Function, dict[frozenset[tuple[str, int]], Verdict | None]]
        self.verdicts = defaultdict(dict)

    def find_fitting(self, function: Function, names: Sequence[str]) -> None:
        """Find the ranks of a parameter that fit, two at most.

        `names` are that parameter and those that follow. Most parameters with defaults fit with any
        rank, so they are tried together first: one trial for all instead of two for each. What a
        call has to give is tried alone, since a tensor there may make something else unknown.
        """
        case = self.ev.trials.cases[function]
        name = names[0]
        optional = {p.name for p in function.parameters if p.default is not None}
        if name in optional and self.tried_with.get(function) != case.supposed:
            self.tried_with[function] = dict(case.supposed)
            together = [one for one in names if one in optional and one not in case.supposed]
            for rank in SURE:
                together = self._fit_together(function, together, rank)
        fitting: list[int] = []
        for rank in RANKS:
            listed = self.listed[function, name]
            if listed.issuperset(SURE):
                break
            if rank in listed:
                continue
            if self._is_known(function, name, rank) or self._fits(function, name, rank):
                fitting.append(rank)
                if len(fitting) == 2:
                    break
        case.fitting[name] = tuple(fitting)

    def _fit_together(self, function: Function, names: Sequence[str], rank: int) -> list[str]:
        """Those of some parameters that were seen to fit with a rank, together with others.

        Those that are lists do not fit, and do not keep the others from fitting.
        """
        if len(names) < TOGETHER or not self._may_try(function):
            return []
        supposed = {**self.ev.trials.cases[function].supposed, **dict.fromkeys(names, rank)}
        verdict = self._try(function, supposed)
        if verdict is None or not verdict.returns:
            return []
        listed = [name for name in names if name in verdict.listed]
        for name in listed:
            self.listed[function, name].add(rank)
        if listed:
            others = [name for name in names if name not in verdict.listed]
            return self._fit_together(function, others, rank) + ([] if rank == SURE[-1] else listed)
        if not verdict.wrong:
            self.fitting[function].append(supposed)
            return list(names)
        half = len(names) // 2
        first = self._fit_together(function, names[:half], rank)
        return first + self._fit_together(function, names[half:], rank)

    def _is_known(self, function: Function, name: str, rank: int) -> bool:
        """Whether a rank of a parameter is known to fit."""
        supposed = {**self.ev.trials.cases[function].supposed, name: rank}.items()
        return any(supposed <= fitting.items() for fitting in self.fitting[function])

    def decide(self, function: Function, name: str) -> int | None:
        """The only possible rank of a parameter; None if no rank or more than one is possible."""
        case = self.ev.trials.cases[function]
        fitting = case.fitting.get(name, ())
        if len(fitting) == 1:
            # It may have been seen only together with the ranks of other parameters.
            return fitting[0] if self._fits(function, name, fitting[0]) else None
        calls = self.ev.trials.calls
        if calls is None or not calls.suggest:
            return None
        rank = calls.rank(function, name)
        if rank is None:
            rank = self._stand_in(function, name)
        if rank is not None and self._fits(function, name, rank):
            return rank
        return None

    def _stand_in(self, function: Function, name: str) -> int | None:
        """The rank of the tensor that replaces an optional parameter that is None."""
        if not self._may_try(function):
            return None
        case = self.ev.trials.cases[function]
        optional = any(
            parameter.name == name and isinstance(parameter.default, ir.NoneLiteral)
            for parameter in function.parameters
        )
        lines = sorted(_replacements(function, name)) if optional else []
        if not lines:
            return None
        verdict = self._try(function, {**case.supposed, name: ABSENT})
        if verdict is None or not verdict.returns or verdict.wrong:
            return None
        for line, target in lines:
            seen = verdict.seen.get((line, target, "assign"))
            if seen:
                ranks = {len(s.shape) if isinstance(s.shape, tuple) else None for s in seen}
                return ranks.pop() if len(ranks) == 1 else None
        return None

    def _may_try(self, function: Function) -> bool:
        return self.steps <= MOST_STEPS and self.counts[function] < MOST_TRIALS

    def _fits(self, function: Function, name: str, rank: int) -> bool:
        if not self._may_try(function):
            return True
        verdict = self._try(function, {**self.ev.trials.cases[function].supposed, name: rank})
        return verdict is None or (verdict.returns and not verdict.wrong)

    def _try(self, function: Function, supposed: Mapping[str, int]) -> Verdict | None:
        """Run a function with some ranks, unless that has been done; later rounds ask again."""
        verdicts = self.verdicts[function]
        key = frozenset(supposed.items())
        if key not in verdicts:
            verdicts[key] = self._tried(function, supposed)
        return verdicts[key]

    def _tried(self, function: Function, supposed: Mapping[str, int]) -> Verdict | None:
        self.counts[function] += 1
        self.ev.trials.is_on = True
        verdict = self._run(function, supposed)
        self.ev.trials.is_on = False
        if verdict is not None and ABSENT not in supposed.values():
            return verdict._replace(seen={})  # what such a trial has seen is not looked at
        return verdict

    def settle(self, function: Function) -> None:
        """Run a function with the ranks found for it; `show` prints the shapes of this run."""
        self._run(function, self.ev.trials.cases[function].supposed)

    def _run(self, function: Function, supposed: Mapping[str, int]) -> Verdict | None:
        count = len(self.ev.found)
        try:
            return self.evaluate(function, supposed)
        except (Exhausted, RecursionError):
            return None
        finally:
            self.steps += self.ev.steps + len(function.parameters)
            del self.ev.found[count:]


def _replacements(function: Function, name: str) -> set[tuple[int, str]]:
    """The lines and targets that replace a parameter that is None.

    Examples are `context = default(context, x)` and `if mask is None: mask = ...`.
    """
    replacements: set[tuple[int, str]] = set()
    above = function.source.line - 1
    times = 0
    for record in walk(function.record):
        match record:
            case ir.Assign((ir.Name(target),)) if target == name:
                times += 1
    for record in walk(function.record):
        match record:
            case ir.Assign((ir.Name(target),), value) if _chooses(value, name):
                replacements.add((record.line + above, target))
            case ir.If(ir.Comparison(ir.Name(asked), ("is",), (ir.NoneLiteral(),)), body, ()):
                for statement in body if asked == name and times == 1 else ():
                    match statement:
                        case ir.Assign((ir.Name(target),)) if target == name:
                            replacements.add((statement.line + above, name))
    return replacements


def _chooses(value: ir.Expression, name: str) -> bool:
    match value:
        case ir.Call(ir.Name("default"), (ir.Name(first), *_)):
            return bool(first == name)
        case ir.Conditional(_, body, orelse):
            return any(isinstance(side, ir.Name) and side.name == name for side in (body, orelse))
        case ir.Boolean(ir.Name(first), "or", _):
            return bool(first == name)
    return False
