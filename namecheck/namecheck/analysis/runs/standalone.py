"""Every function by itself: evaluated once with what its own declarations say.

Parameters are unknown, or what their annotations declare; a method's receiver is the instance that
its class makes when every constructor parameter is a symbol. What is wrong here is a finding.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from namecheck.analysis.evidence import fields, moments
from namecheck.analysis.objects import own_objects
from namecheck.analysis.python import assigned_elsewhere
from namecheck.analysis.python.functions import default_value, run_frame
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.bindings import bindings
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state import hindsight, inlays, lineage, suppositions
from namecheck.analysis.state.call_ranks import Case, Verdict
from namecheck.analysis.state.evaluate import Evaluator, Exhausted
from namecheck.analysis.state.frames import Frame, Outcome
from namecheck.analysis.state.joining import copy
from namecheck.analysis.state.paths import Path
from namecheck.analysis.state.unknown_ranks import Ranks
from namecheck.analysis.state.values import (
    CONSTRUCTORS,
    Anything,
    Class,
    Dict,
    Function,
    Instance,
    Library,
    Number,
    OtherArray,
    Repeated,
    Tensor,
    Text,
    Tuple,
    Value,
    known,
)
from namecheck.frameworks import OTHER_ARRAYS, numpy, python
from namecheck_runtime import sizes
from namecheck_runtime.lattice import Size, known_dims
from namecheck_runtime.mistakes.broadcasts import MisalignedBroadcast, SizeMismatch
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.sizes import ContractionSize, ForcedLiteral


def evaluate_classes(ev: Evaluator, cls: Class) -> None:
    """Make the instance of a class that its methods are evaluated with."""
    ev.cells, ev.facts = ev.module_cells.copy(), ev.module_facts.copy()
    self_of(ev, cls)


def self_of(ev: Evaluator, cls: Class) -> Instance:
    """The instance whose constructor parameters are symbols; made once per class.

    Its attributes stand in the path from then on.
    """
    entry = ev.units.selves.get(cls)
    ev.units.note_lineage(cls, lineage.look_up(cls.lineage, "__init__"))
    if entry is not None:
        instance, cells, facts = entry
        ev.cells, ev.facts = cells.copy(), facts.copy()
        return instance
    instance = Instance(cls, "self")
    # What a function knows of sizes where it first meets the class need not hold for the class.
    ev.units.selves[cls] = (instance, ev.cells.copy(), ev.module_facts.copy())
    before = ev.cells, ev.facts
    ev.cells, ev.facts = ev.cells.copy(), ev.module_facts.copy()
    init = lineage.look_up(cls.lineage, "__init__")
    if isinstance(init, Function) and not own_objects.is_rewritten(ev, cls, init):
        # This also evaluates its own constructor by itself.
        is_own = init.owner is cls and cls.source.file is ev.source.file
        run_alone(ev, init, instance, keep=is_own)
        if is_own:
            ev.units.constructed.add(init)
    filled = not isinstance(init, Function) and lineage.is_dataclass(cls)
    for base in reversed(cls.lineage):
        decorators = set(base.decorators) if isinstance(base, Class) else set()
        if isinstance(base, Class) and (filled or python.DATACLASS_DECORATORS & decorators):
            _config_fields(ev, instance, base)
    for begin in lineage.after_fields(cls) if filled else ():
        is_own = begin.owner is cls and cls.source.file is ev.source.file
        run_alone(ev, begin, instance, keep=is_own)
        if is_own:
            ev.units.constructed.add(begin)
    assigned_elsewhere.forget_rebound(ev, instance)
    assigned_elsewhere.forget_replaced(ev, instance)
    ev.units.selves[cls] = (instance, ev.cells, ev.facts)
    ev.cells, ev.facts = before
    return self_of(ev, cls)


def instance_of(ev: Evaluator, cls: Class) -> Value:
    """An instance of a class that a caller passes in: its attributes join the current path.

    Of an enumeration, it may be any member.
    """
    if own_objects.is_enumeration(cls):
        return Anything()
    entry = ev.units.selves.get(cls)
    ev.units.note_lineage(cls, lineage.look_up(cls.lineage, "__init__"))
    if entry is None:
        here = ev.cells, ev.facts
        frame = ev.frame
        ev.frame = cls.scope.module()
        self_of(ev, cls)
        ev.frame = frame
        ev.cells, ev.facts = here
        entry = ev.units.selves[cls]
        assert entry is not None
    instance, cells, _ = entry
    for key, value in cells.made_since(instance.serial).items():
        # -1 waits for a number that is set before the instance is passed on.
        waits = isinstance(value, Number) and value.size == -1 and type(key) is tuple
        ev.cells[key] = Anything() if waits else value
    return instance


def _config_fields(ev: Evaluator, instance: Instance, cls: Class) -> None:
    for statement in cls.record.body:
        match statement:
            case ir.AnnotatedAssign(ir.Name(name), annotation, default):
                if name in fields.declared_fields(ev, cls):
                    continue  # it is what it is declared to be
                value = parameter_value(ev, f"{cls.name}.{name}", annotation, default, True, None)
                ev.cells[instance, name] = value


def evaluate_function(
    ev: Evaluator, function: Function, supposed: Mapping[str, int] | None = None
) -> None:
    """Evaluate a function with unknown arguments, and keep what was wrong.

    With its docstring believed, only contradictions with what is written and sizes that do not fit
    are kept, the latter as warnings. Whatever else is wrong must be wrong without it. `supposed`
    are ranks that parameters are taken to have.
    """
    if ev.trials.calls is not None or (ev.reach.driven and supposed is None):
        # Shown shapes must be certain: a docstring is about the idea of a function, not its code.
        # And a drive has no parameters that it could describe.
        _evaluate_once(ev, function, False, supposed)
        return
    before = len(ev.found)
    ev.hearsay.hinted = False
    frame = _evaluate_once(ev, function, True, supposed)
    if frame is None or supposed is not None:
        return
    if frame.written.documented:
        _evaluate_undocumented(ev, function, before, frame.written.adopted)
    if ev.learned:
        _evaluate_again(ev, function, before, ev.learned)


def _evaluate_again(
    ev: Evaluator, function: Function, before: int, ranks: Mapping[int | str, int]
) -> None:
    """Evaluate a function with the ranks that its later lines taught.

    What is wrong then is kept as well.
    """
    outcomes = ev.found[before:]
    reported = {(outcome.source, outcome.node, outcome.mistake.code) for outcome in outcomes}
    ev.steps = 0
    ev.memory.evaluated.clear()
    try:
        with inlays.unseen(ev):
            _evaluate_once(ev, function, False, ranks=ranks)
    except (Exhausted, RecursionError):
        ev.stopped = None  # the outcomes of the first evaluation stay
        ev.alive = True
    finally:
        new = ev.found[before + len(outcomes) :]
        del ev.found[before + len(outcomes) :]
        # A callee knows better what it unpacks than later lines of its caller do.
        new = [o for o in new if not (o.calls and isinstance(o.mistake, RankMismatch))]
        ev.found += [o for o in new if (o.source, o.node, o.mistake.code) not in reported]


def _evaluate_undocumented(
    ev: Evaluator, function: Function, before: int, adopted: Collection[str]
) -> None:
    """Evaluate a function without its docstring, which parameters (`adopted`) have believed.

    Of the outcomes with it, those stay that `_by_docstring` allows.
    """
    outcomes = ev.found[before:]
    claims = _by_docstring(function, adopted, outcomes)
    if len(claims) == len(outcomes) and not ev.units.nested and not ev.hearsay.hinted:
        return
    del ev.found[before:]
    try:
        with inlays.unseen(ev):
            _evaluate_once(ev, function, False)
    finally:
        plain = ev.found[before:]
        ev.found += [outcome for outcome in claims if outcome not in plain]


def _by_docstring(
    function: Function, adopted: Collection[str], outcomes: Sequence[Outcome]
) -> list[Outcome]:
    """The outcomes to keep of an evaluation in which a function's docstring was believed.

    If the docstring contradicts the code or another claim, only that is kept.
    """
    believed = all(outcome.mistake.about != "written" for outcome in outcomes)
    claims = []
    for outcome in outcomes:
        if _contradicts(function, outcome):
            claims.append(outcome)
        elif believed and _is_plain(outcome) and not _is_doubted(function, adopted, outcome):
            claims.append(outcome._replace(level="warning"))
    return claims


def _is_plain(outcome: Outcome) -> bool:
    """Whether sizes do not fit in the function itself, whatever a module was built with."""
    mistake, requires = outcome.mistake, outcome.requires
    if outcome.calls:
        return False
    if isinstance(mistake, ForcedLiteral):
        requires = mistake.left_size, mistake.right_size
    if requires is None:
        return bool(mistake.by_docstring == "certain")
    atoms = sizes.symbols(requires[0]) | sizes.symbols(requires[1])
    configured = any(atom.origin is not sizes.Origin.DATA for atom in atoms)
    return not configured and bool(mistake.by_docstring != "never")


def _is_doubted(function: Function, adopted: Collection[str], outcome: Outcome) -> bool:
    """Whether an outcome only sets one claim against another.

    An operand has its dims from a comment alone, or the operands are parameters of different ranks
    as they come in, for which the docstring may give an example. Docstrings often have dims at the
    wrong place: that counts only if the code places them by hand.
    """
    mistake = outcome.mistake
    if not isinstance(mistake, (SizeMismatch, MisalignedBroadcast)):
        return False
    if isinstance(mistake, MisalignedBroadcast) and not _are_placed(function, outcome):
        return True
    if _operands(function, outcome, adopted):
        return True
    ranks = {len(known_dims(shape)) for shape in (mistake.left, mistake.right)}
    return len(ranks) > 1 and _are_given(function, outcome)


def _are_placed(function: Function, outcome: Outcome) -> bool:
    """Whether dims are put into an operand where it stands: `mask[:, None]`."""
    operands = {number for number, _ in outcome.labels}
    for record in walk(function.record):
        if isinstance(record, ir.Subscript) and record.id in operands:
            index = record.index
            entries = index.elements if isinstance(index, ir.Tuple) else (index,)
            if any(isinstance(entry, ir.NoneLiteral) for entry in entries):
                return True
    return False


def _contradicts(function: Function, outcome: Outcome) -> bool:
    """Whether an outcome contradicts what is written, or is of parameters as they come in."""
    if outcome.mistake.about == "written":
        return True
    return isinstance(outcome.mistake, ContractionSize) and _are_given(function, outcome)


def _are_given(function: Function, outcome: Outcome) -> bool:
    """Whether all operands are parameters that nothing was assigned to."""
    record = function.record
    times = bindings(record)
    plain = {parameter.name for parameter in record.parameters if times[parameter.name] == 1}
    operands = {number for number, _ in outcome.labels}
    return bool(operands) and _operands(function, outcome, plain) == operands


def _operands(function: Function, outcome: Outcome, names: Collection[str]) -> set[int]:
    """The operands, by their numbers, that are variables of these names."""
    operands = {number for number, _ in outcome.labels}
    if not names:
        return set()
    return {
        one.id
        for one in walk(function.record)
        if isinstance(one, ir.Name) and one.id in operands and one.name in names
    }


def evaluate_spelled(ev: Evaluator, function: Function, names: Mapping[str, Size]) -> Frame | None:
    """Evaluate a function with sizes for some names of its annotations."""
    return _evaluate_once(ev, function, False, names=names)


def _evaluate_once(
    ev: Evaluator,
    function: Function,
    documented: bool,
    supposed: Mapping[str, int] | None = None,
    names: Mapping[str, Size] | None = None,
    ranks: Mapping[int | str, int] | None = None,
) -> Frame | None:
    ev.cells, ev.facts = ev.module_cells.copy(), ev.module_facts.copy()
    ev.learned = {}
    return _evaluate(
        ev, function, documented=documented, supposed=supposed, names=names, ranks=ranks
    )


def evaluate_nested(ev: Evaluator, function: Function, outer: Frame, at: Path) -> None:
    """Evaluate a function defined in another one (`outer`), on the path of its definition (`at`).

    It may be called at any time, so variables that are bound more than once, lists and dicts are
    unknown. What is wrong in a nested function that is called is reported at the call.
    """
    now = copy(at)
    ev.cells, ev.facts = now.cells, now.facts
    ev.cells.forget_displays()
    assert outer.function is not None
    times = bindings(outer.function.record)
    outer.variables = {
        name: value if times[name] <= 1 else Anything(name) for name, value in at.variables.items()
    }
    _evaluate(ev, function, id(function.record) not in ev.units.called)


def _evaluate(
    ev: Evaluator,
    function: Function,
    keep: bool = True,
    documented: bool = False,
    supposed: Mapping[str, int] | None = None,
    names: Mapping[str, Size] | None = None,
    ranks: Mapping[int | str, int] | None = None,
) -> Frame | None:
    receiver: Value | None = None
    owner = function.owner
    if owner is not None and function.kind != "static":
        if function.kind == "class":
            receiver = owner
        elif function in ev.units.constructed:
            return None
        elif function.name in CONSTRUCTORS:
            receiver = Instance(owner, "self")
        else:
            receiver = self_of(ev, owner)
    return run_alone(ev, function, receiver, keep, True, documented, supposed, names, ranks)


def run_alone(
    ev: Evaluator,
    function: Function,
    receiver: Value | None,
    keep: bool = False,
    shown: bool = False,
    documented: bool = False,
    supposed: Mapping[str, int] | None = None,
    names: Mapping[str, Size] | None = None,
    ranks: Mapping[int | str, int] | None = None,
) -> Frame:
    """Run a function's body with its parameters as they declare themselves.

    With `keep` the outcomes are kept, with `shown` dims are remembered for `show`, and with
    `documented` the docstring is believed. `supposed` are ranks that parameters are taken to have,
    `names` sizes for names of its annotations, and `ranks` those that an evaluation before has
    learned (`hindsight`).
    """
    outer = ev.frame
    frame = Frame(function.source, function.scope, function, 0)
    frame.written.names.update(names or {})
    frame.receiver = receiver
    frame.line = function.line
    frame.flow.driven = ev.reach.driven
    config = function.name in CONSTRUCTORS and receiver is not None
    if not keep and not shown:
        frame.depth = 1
    ev.frame = frame
    bind_alone(ev, frame, function, config, supposed)
    moments.function_begins(ev, frame, documented and not config)
    outer_seen, ev.inlays.seen = ev.inlays.seen, {}
    begun_with = dict(frame.variables)
    if keep and ev.trials.calls is not None and not ev.trials.is_on:
        ev.trials.calls.begin(function)
    show_parameters(ev, frame, function)
    before = ev.ranks, ev.on_expression
    ev.ranks = Ranks()
    if keep and shown and ev.trials.calls is None and not config:
        ev.ranks.hindsight = hindsight.begin(ev, frame, ranks or {})
    ev.frame = outer
    frame.quiet = 0 if keep else 1
    try:
        _run_body(ev, frame, function)
    finally:
        ev.ranks, ev.on_expression = before
    if keep and ev.trials.is_on:
        ev.trials.verdict = _verdict(ev, frame, supposed or {})
    elif keep or shown:
        all_known = inlays.describe(ev, frame)
        if keep:
            ev.found += frame.certain()
        if keep and ev.trials.calls is not None:
            case = ev.trials.cases.setdefault(function, Case())
            if not config and not all_known:
                _find_open(ev, case, function, begun_with)
    ev.inlays.seen = outer_seen
    ev.frame = outer
    return frame


def run_with(
    ev: Evaluator,
    function: Function,
    receiver: Value | None,
    values: Mapping[str, Value] | None,
) -> Value:
    """Run a function with these values for its parameters, and its defaults for the others.

    What is wrong is kept. Without `values` it is called without arguments. Returns what it returns.
    """
    frame = Frame(function.source, function.scope, function, 0)
    frame.receiver = receiver
    frame.line = function.line
    given = dict(values or {})
    for parameter in function.parameters:
        if frame.receiver is not None and parameter is function.parameters[0]:
            frame.variables[parameter.name] = frame.receiver
        elif parameter.name in given:
            frame.variables[parameter.name] = given[parameter.name]
        elif parameter.default is not None:
            frame.variables[parameter.name] = default_value(ev, function, parameter.default)
        elif parameter.kind == "variadic positional":
            frame.variables[parameter.name] = Tuple(())
        else:
            keywords = Dict()
            ev.cells[keywords] = {}
            frame.variables[parameter.name] = keywords
    try:
        result = run_frame(ev, frame, function, None)
    except (Exhausted, RecursionError):
        ev.stopped = (frame.source, frame.line)
        raise
    inlays.describe(ev, frame)
    ev.found += frame.certain()
    return ev.resolve(result)


def _run_body(ev: Evaluator, frame: Frame, function: Function) -> None:
    """Run a function as if it were called from where the evaluator stands."""
    outer = ev.frame
    caller = Frame(outer.source, outer.parent)
    caller.variables = outer.variables
    ev.frame = caller
    try:
        run_frame(ev, frame, function, None)
        ev.learned = hindsight.learned(ev)
    except (Exhausted, RecursionError):
        ev.stopped = (frame.source, frame.line)
        raise


def _verdict(ev: Evaluator, frame: Frame, supposed: Mapping[str, int]) -> Verdict:
    """How a run with ranks that parameters were supposed to have went."""
    wrong = any(outcome.level == "error" for outcome in frame.certain())
    tried = [name for name, rank in supposed.items() if rank != suppositions.ABSENT]
    listed = frozenset(tried).difference(ev.trials.supposed.values())
    returns = bool(frame.returned) or frame.generator
    return Verdict(returns, wrong or bool(listed), listed, ev.inlays.seen)


def bind_alone(
    ev: Evaluator,
    frame: Frame,
    function: Function,
    config: bool = False,
    supposed: Mapping[str, int] | None = None,
) -> None:
    """Give a function's parameters the values that they declare; the first is its receiver.

    With `config` they are those of a constructor.
    """
    parameters = list(function.parameters)
    if frame.receiver is not None and parameters:
        frame.variables[parameters.pop(0).name] = frame.receiver
    for parameter in parameters:
        value = moments.parameter(ev, frame, parameter)
        if value is None:
            value = alone(ev, function, parameter, config)
        frame.variables[parameter.name] = value
        if supposed and parameter.name in supposed:
            frame.variables[parameter.name] = suppositions.supposed_value(
                ev,
                parameter.name,
                frame.variables[parameter.name],
                supposed[parameter.name],
                isinstance(parameter.default, ir.NoneLiteral),
            )
        if config:
            ev.independence.add_parameter(function, parameter, frame.variables[parameter.name])
    if not config:
        moments.parameters_bound(ev, frame, parameters)


def _find_open(
    ev: Evaluator, case: Case, function: Function, begun_with: Mapping[str, Value]
) -> None:
    """Parameters that may be tensors, and those whose rank the function has taught.

    The rank of the former is not known where the function is left; that of the latter holds from
    its beginning.
    """
    case.open = ()
    for parameter in function.parameters:
        if parameter.kind in ("variadic positional", "variadic keyword"):
            continue
        value = begun_with[parameter.name]
        now = ev.resolve(value)
        if suppositions.may_be_tensor(now):
            case.open += (parameter.name,)
        elif now is not value and isinstance(now, Tensor) and isinstance(now.shape, tuple):
            if not now.rank_claimed:
                case.supposed.setdefault(parameter.name, len(now.shape))


def show_parameters(ev: Evaluator, frame: Frame, function: Function) -> None:
    """Remember the dims of parameters for `show`."""
    if frame.depth or not frame.line:
        return
    for parameter in function.parameters:
        frame.bound_at[parameter.name] = (frame.source, frame.line)
        value = ev.resolve(frame.variables[parameter.name])
        if isinstance(value, Anything) and value.maybe is not None:
            value = value.maybe
        if ev.inlays.wanted and isinstance(value, (Tensor, Anything)):
            inlays.note(ev, parameter.name, value, "parameter")


def alone(ev: Evaluator, function: Function, parameter: ir.Parameter, config: bool) -> Value:
    """The value of a parameter without an argument and without a declared shape."""
    match parameter.kind:
        case "variadic positional":
            return Repeated(Anything())
        case "variadic keyword":
            keywords = Dict()
            ev.cells[keywords] = Repeated(Anything())
            return keywords
    return parameter_value(
        ev, parameter.name, parameter.annotation, parameter.default, config, function
    )


def parameter_value(
    ev: Evaluator,
    label: str,
    annotation: ir.Expression | None,
    default: ir.Expression | None,
    config: bool,
    function: Function | None,
) -> Value:
    """An unknown value with what its annotation and default say of it.

    A default does not fix the value; a default number says that it is one, and whether it may be 0.
    """
    standard: Value | None = None
    if default is not None and function is not None:
        standard = default_value(ev, function, default)
    elif default is not None:
        standard = ev.resolve(ev.value(default))
    if standard is not None and lineage.builds_layers(standard):
        return standard
    constant = known(standard) if standard is not None else None
    declared = annotation.name if isinstance(annotation, ir.Name) else ""
    named = annotation is not None and isinstance(annotation, (ir.Name, ir.Attribute))
    cls = ev.resolve(ev.value(annotation)) if annotation is not None and named else None
    if isinstance(cls, Library) and cls.path.startswith(OTHER_ARRAYS):
        return OtherArray()
    if isinstance(cls, Library) and cls.path in numpy.GENERATORS.values() and standard is None:
        return cls
    if isinstance(cls, Class) and standard is None and not config:
        return instance_of(ev, cls)
    if declared == "str" or (constant is not None and isinstance(constant[0], str)):
        return Text()
    if declared == "bool" or (constant is not None and isinstance(constant[0], bool)):
        return Number(kind="bool")
    if declared == "float" or (constant is not None and isinstance(constant[0], float)):
        origin = sizes.symbol(label, sizes.Origin.CONFIG, least=-1)
        return Number(sizes.opaque("float", origin), "float")
    value = Anything(label, config)
    if config and standard is None and declared.endswith("Config"):
        value = ev.configs.setdefault((label, declared), value)
    if config and isinstance(cls, Class):
        ev.independence.add_config(cls)
    if constant is not None and isinstance(constant[0], int):
        value.size_at_least(1 if constant[0] >= 1 else min(constant[0], 0))
        return Number(value.size())
    if declared == "int":
        return Number(value.size())
    return value
