"""Where paths meet: the values on all of them, and which values and contents are equal."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from namecheck.analysis.state.paths import ABSENT, Cells, Path, Variables, is_row
from namecheck.analysis.state.values import (
    Anything,
    Container,
    Dict,
    Entries,
    Instance,
    Layer,
    Memory,
    Number,
    Repeated,
    Tensor,
    Value,
    join,
    same,
)
from namecheck_runtime.lattice import UNKNOWN

_DEEPEST: Final = 24


def copy(path: Path) -> Path:
    """A copy of a path."""
    return Path(dict(path.variables), path.cells.copy(), path.facts.copy())


def resolve(value: Value, cells: Cells) -> Value:
    """The value that these cells have in place of this one, or the value itself."""
    recent, base = cells.recent, cells.base
    while type(value) is Anything or type(value) is Tensor:
        if value in recent:
            value = recent[value]
        elif value in base:
            value = base[value]
        else:
            break
    return value


def _with_options(value: Any, cells: Cells) -> Any:
    """A value; a layer has the options that the program has set on the path of these cells."""
    return cells.get(value, value) if type(value) is Layer else value


def join_paths(left: Path | None, right: Path | None) -> Path | None:
    """The path where two paths meet; None stands for one that does not get there."""
    if left is None or right is None:
        return left if right is None else right
    if left is right:
        return left
    return Path(
        _join_variables(left, right),
        _join_cells(left, right),
        left.facts if left.facts is right.facts else left.facts.join(right.facts),
    )


def _join_variables(left: Path, right: Path) -> Variables:
    mine, theirs = left.variables, right.variables
    joined = dict(mine)
    for name in [name for name, value in mine.items() if theirs.get(name) is not value]:
        value, other = mine[name], theirs.get(name)
        if other is None:
            # A use of the name implies that it is bound, so that this path was taken.
            joined[name] = resolve(value, left.cells)
        else:
            value = _with_options(resolve(value, left.cells), left.cells)
            both = join(value, _with_options(resolve(other, right.cells), right.cells))
            joined[name] = _called(name, both)
    for name in [name for name in theirs if name not in mine]:
        joined[name] = resolve(theirs[name], right.cells)
    return joined


def _called(name: str, value: Value) -> Value:
    """The result of a join: as a size it is named after the variable that holds it."""
    if type(value) is Anything and value.config and not value.label:
        value.label = name
    return value


def _join_cells(left: Path, right: Path) -> Cells:
    mine, theirs = left.cells, right.cells
    if mine is theirs:
        return mine
    if mine.base is theirs.base:
        base, ours, others = mine.base, mine.recent, theirs.recent
    else:
        base = {}
        ours, others = {**mine.base, **mine.recent}, {**theirs.base, **theirs.recent}
    world, recent = mine.world, dict(ours)
    joined = Cells(base, recent, mine.touched, world)
    rows: list[Any] = []
    for key in [key for key, value in ours.items() if others.get(key, ABSENT) is not value]:
        if is_row(key):
            rows.append(key)
        other = others.get(key, ABSENT)
        if other is ABSENT:
            other = base.get(key, ABSENT)
            if other is ABSENT and world:
                other = world.get(key, ABSENT)
            if other is ABSENT and type(key) is Layer:
                other = key
        if other is recent[key]:
            continue
        if other is not ABSENT:
            recent[key] = _join_cell(
                key, _with_options(recent[key], mine), _with_options(other, theirs)
            )
        elif _is_learned(key):
            del recent[key]
        elif _is_shared(key):
            recent[key] = Anything()
    for key in [key for key in others if key not in ours]:
        if is_row(key):
            rows.append(key)
        value = base.get(key, ABSENT)
        if value is ABSENT and world:
            value = world.get(key, ABSENT)
        if value is ABSENT and type(key) is Layer:
            value = key
        if value is not ABSENT:
            recent[key] = _join_cell(
                key, _with_options(value, mine), _with_options(others[key], theirs)
            )
        elif not _is_learned(key):
            recent[key] = Anything() if _is_shared(key) else others[key]
    _join_changed(left, right, joined)
    for key in rows:  # one path may have put `a` into `b`, the other `b` into `a`
        if key in recent:
            recent[key] = joined.without_circle(key, recent[key])
    return joined


def _join_changed(left: Path, right: Path, joined: Cells) -> None:
    """Let each tensor that one of two paths has changed in place be what it is on either."""
    mine, theirs = left.cells, right.cells
    joined.changed = mine.changed
    if mine.changed is not theirs.changed:
        joined.changed = tuple(dict.fromkeys((*mine.changed, *theirs.changed)))
    for key in joined.changed:
        both = join(resolve(key, mine), resolve(key, theirs))
        if both is not key:
            joined.recent[key] = both
        elif key in joined.recent:
            del joined.recent[key]


def _join_cell(key: Any, left: Any, right: Any) -> Any:
    if type(key) is Memory:
        return _common_writes(left, right)
    if type(key) is Layer:
        return _join_options(left, right)
    joined = join_contents(left, right)
    if isinstance(joined, Anything) and type(key) is tuple and type(key[1]) is str:
        return _called(key[1], joined)
    return joined


def _join_options(left: Layer, right: Layer) -> Layer:
    """One layer whose options the program may have set on one of two paths."""
    mine, others = left.instance.fields, right.instance.fields
    if mine is others:
        return left
    fields = {name: mine[name] if mine[name] == others[name] else UNKNOWN for name in mine}
    joined = Layer(left.path, left.instance._replace(fields=fields))
    joined.label = left.label
    return joined


def _common_writes(left: tuple[Any, ...], right: tuple[Any, ...]) -> tuple[Any, ...]:
    """The writes to memory that are certain: the first ones, which both paths have."""
    count = 0
    for mine, other in zip(left, right, strict=False):
        if mine is not other:
            break
        count += 1
    return left[:count]


def _is_shared(key: Any) -> bool:
    """Whether a cell has what functions assign to a name of their module.

    On a path that has not assigned it, the name has another value.
    """
    return type(key) is tuple and type(key[0]) is Dict


def _is_learned(key: Any) -> bool:
    """Whether the fact in the cell holds only on the path that learned it.

    A value assigned to a field of a config is not such a fact.
    """
    if type(key) is tuple:
        return isinstance(key[0], (Anything, Tensor)) and type(key[1]) is not str
    return isinstance(key, (Anything, Tensor, Memory))


def join_contents(left: Any, right: Any) -> Any:
    """The join of two cells under one key."""
    if isinstance(left, (dict, Entries)) and isinstance(right, (dict, Entries)):
        return _join_entries(left, right)
    if isinstance(left, Value) and isinstance(right, Value):
        return join(left, right)
    for mine, other in ((left, right), (right, left)):
        if isinstance(mine, dict) and isinstance(other, Repeated):
            return Repeated(join_all((*mine.values(), other.element)))
    if isinstance(left, tuple) and isinstance(right, tuple):
        if len(left) == len(right):
            return tuple(map(join, left, right))
        return Repeated(join_all((*left, *right)))
    if isinstance(left, (tuple, Repeated)) and isinstance(right, (tuple, Repeated)):
        if left == ():
            return Repeated(element_of(right))
        if right == ():
            return Repeated(element_of(left))
        return Repeated(join(element_of(left), element_of(right)))
    return left if left == right else Repeated(Anything())


def _join_entries(left: dict[Any, Value] | Entries, right: dict[Any, Value] | Entries) -> Any:
    """The contents of a dict on two paths: the entries of both are certain, the others possible."""
    mine = left.certain if isinstance(left, Entries) else left
    others = right.certain if isinstance(right, Entries) else right
    certain = {key: join(mine[key], others[key]) for key in mine if key in others}
    if isinstance(left, dict) and isinstance(right, dict) and mine.keys() == others.keys():
        return certain
    possible: frozenset[Any] | None = frozenset(mine.keys() ^ others.keys())
    before: dict[Any, Value] = {}
    values = [*mine.values(), *others.values()]
    for side in (left, right):
        if isinstance(side, Entries):
            values.append(side.element)
            before |= side.before
            if possible is not None:
                possible = None if side.possible is None else possible | side.possible
        elif side:
            before |= side
    return Entries(join_all(values), certain, possible, before)


def element_of(contents: Any) -> Value:
    """The value of any one element of a sequence's contents."""
    if isinstance(contents, Repeated):
        return contents.element
    return join_all(contents) if isinstance(contents, tuple) and contents else Anything()


def alike(left: Any, right: Any, cells: Cells, depth: int = 0) -> bool:
    """Whether two separately made values say the same.

    The layers of two rounds of a loop do, if they are of one class with the same sizes.
    """
    if depth > _DEEPEST:  # instances may hold each other
        return False
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(
            alike(mine, other, cells, depth + 1) for mine, other in zip(left, right, strict=True)
        )
    if not isinstance(left, Value) or not isinstance(right, Value):
        return bool(left == right)
    left, right = resolve(left, cells), resolve(right, cells)
    match left, right:
        case Layer(), Layer():
            mine, others = cells.get(left, left), cells.get(right, right)
            return left.path == right.path and bool(mine.instance == others.instance)
        case Container(), Container():
            return left.kind == right.kind and alike(
                cells.get(left), cells.get(right), cells, depth + 1
            )
        case Instance(), Instance() if left is not right:
            if left.cls is not right.cls:
                return False
            if left.pending is not None and right.pending is not None:
                return _made_alike(left.pending, right.pending, cells)
            mine, others = cells.attributes(left), cells.attributes(right)
            return mine.keys() == others.keys() and all(
                alike(mine[name], others[name], cells, depth + 1) for name in mine
            )
    return same(left, right)


def _made_alike(left: Any, right: Any, cells: Cells) -> bool:
    """Whether two modules are made with the same arguments."""
    (positional, keywords), (other_positional, other_keywords) = left, right
    if keywords is None or other_keywords is None:
        return False  # the keywords are not known
    if len(positional) != len(other_positional) or keywords.keys() != other_keywords.keys():
        return False
    pairs = [(a.value, b.value) for a, b in zip(positional, other_positional, strict=True)]
    pairs += [(keywords[name].value, other_keywords[name].value) for name in keywords]
    return all(_same_argument(a, b, cells) for a, b in pairs)


def _same_argument(left: Value, right: Value, cells: Cells) -> bool:
    left, right = resolve(left, cells), resolve(right, cells)
    if isinstance(left, Anything) and isinstance(right, Anything) and left is not right:
        # `rates[i]`: neither has a size, so no size can be computed from them.
        return not left.sized and not right.sized and not left.config and not right.config
    if isinstance(left, Number) and isinstance(right, Number) and left.kind == right.kind:
        return left.kind != "int" or left.size == right.size
    return alike(left, right, cells)


def join_all(values: Any) -> Value:
    """The join of several values."""
    joined: Value | None = None
    for value in values:
        joined = value if joined is None else join(joined, value)
    return Anything() if joined is None else joined


def same_path(
    left: Path, right: Path, read: frozenset[str] | None = None, unread: Collection[Any] = ()
) -> bool:
    """Whether nothing that a loop depends on was learned or forgotten between two paths.

    Only the variables in `read` count (None: all of them), and all cells but those in `unread`.
    """
    # A variable that only the body binds had no earlier value that could matter.
    for name, mine in left.variables.items():
        other = right.variables.get(name)
        if other is mine or (read is not None and name not in read):
            continue
        if other is None or not _as_unknown(left, right, mine, other):
            return False
    before, after = left.cells, right.cells
    keys = before.recent.keys() | after.recent.keys()
    if before.base is not after.base:
        keys = keys | before.base.keys()
    for key in keys:
        old, new = before.get(key, ABSENT), after.get(key, ABSENT)
        if old is ABSENT or new is old:
            continue
        if type(key) is Memory:
            continue  # fewer writes are known where rounds meet
        if key not in unread and not _same_contents(left, right, old, new):
            return False
    return True


def _as_unknown(left: Path, right: Path, mine: Value, other: Value) -> bool:
    """Whether two values say the same; two unknown ones do if neither was used."""
    if type(mine) is Anything and type(other) is Anything and mine.maybe is other.maybe:
        return mine.unused and mine not in left.cells and mine not in right.cells
    if type(mine) is Number and type(other) is Number and mine.size is other.size is UNKNOWN:
        return mine.kind == other.kind
    if type(mine) is Repeated and type(other) is Repeated:
        return _as_unknown(left, right, mine.element, other.element)
    return same(mine, other)


def _same_contents(left: Path, right: Path, mine: Any, other: Any) -> bool:
    if isinstance(mine, Entries) and isinstance(other, Entries):
        keys = mine.certain.keys()
        return (
            mine.possible == other.possible
            and keys == other.certain.keys()
            and all(_as_unknown(left, right, mine.certain[k], other.certain[k]) for k in keys)
        )
    if isinstance(mine, Entries) or isinstance(other, Entries):
        return False
    if isinstance(mine, Value) and isinstance(other, Value):
        return _as_unknown(left, right, mine, other)
    if isinstance(mine, tuple) and isinstance(other, tuple):
        return len(mine) == len(other) and all(map(same, mine, other))
    return bool(mine == other)
