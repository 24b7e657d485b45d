"""Options of the command line, as a drive reads them: `parser.parse_args()`.

A parser is an object that keeps the calls of `add_argument`. Where the program reads the words of
the user, the options have their defaults; where it passes a list of its own, those are the words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from namecheck.analysis.objects import files_read, own_objects
from namecheck.analysis.state.argument import Argument, Keywords
from namecheck.analysis.state.joining import join_all
from namecheck.analysis.state.scalars import truth_of
from namecheck.analysis.state.values import (
    NONE,
    Anything,
    Constant,
    Dict,
    Instance,
    Library,
    List,
    Repeated,
    Tuple,
    Value,
    known,
)
from namecheck.frameworks import command_line as words
from namecheck.frameworks import configs
from namecheck.text.data_formats import is_number

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

MADE: Final[frozenset[str]] = configs.NAMESPACES | words.PARSERS | files_read.CALLS
"""The classes and functions that `make` knows."""

OPTIONS: Final = "<options>"
"""The attribute of a parser that has its options, as dicts, in their order."""

DEFAULTS: Final = "<defaults>"
"""The attribute that has what `set_defaults` was given, and the names of subcommands."""

TABLE: Final = "<commands>"
"""The attribute that has the parsers of subcommands, as a dict, if there are any."""

CHOSEN: Final = "<command>"
"""The attribute that has the name of what says which subcommand was given."""

FLAGS: Final = "<flags>"
"""The entry of an option that has its spellings, or its name if it stands at its place."""


class _Unclear(Exception):
    """What the words of the command line mean is not known."""


def make(ev: Evaluator, path: str, arguments: Sequence[Argument], keywords: Keywords) -> Value:
    """A parser, or an object that holds a configuration."""
    if path in words.PARSERS:
        return _parser(ev, keywords)
    if path in files_read.CALLS:
        return files_read.call(ev, path, arguments, keywords)
    return own_objects.namespace(ev, path, arguments, keywords)


def _parser(ev: Evaluator, keywords: Keywords) -> Value:
    """`ArgumentParser(parents=[...])`."""
    made = Instance(own_objects.empty_class("ArgumentParser", ev.frame.source), "parser")
    made.cls.decorators = (words.PARSER,)
    options, defaults = List(), Dict()
    ev.cells[options], ev.cells[defaults] = (), {}
    ev.cells[made, OPTIONS], ev.cells[made, DEFAULTS] = options, defaults
    if words.PARENTS in keywords:
        parents = _elements(ev, ev.resolve(keywords[words.PARENTS].value))
        for parent in (Anything(),) if parents is None else parents:
            _take_over(ev, made, ev.resolve(parent))
    return made


def is_parser(instance: Instance) -> bool:
    """Whether an object reads the command line."""
    return words.PARSER in instance.cls.decorators


def spoil(ev: Evaluator, value: Value) -> None:
    """Let a parser have any further options: code that is not known may have added some."""
    if isinstance(value, Instance) and is_parser(value):
        ev.cells[ev.cells[value, OPTIONS]] = Repeated(Anything())


def call(
    ev: Evaluator, made: Instance, name: str, arguments: Sequence[Argument], keywords: Keywords
) -> Value:
    """The value of a method of a parser."""
    if name in words.GROUPS:
        return made
    if name == words.ADDS:
        _add(ev, made, arguments, keywords)
        return Anything()
    if name == words.SETS:
        _set(ev, made, {key: argument.value for key, argument in keywords.items()})
        return NONE
    if name == words.COMMANDS:
        table = Dict()
        ev.cells[table] = {}
        ev.cells[made, TABLE] = table
        if words.DESTINATION in keywords:
            ev.cells[made, CHOSEN] = keywords[words.DESTINATION].value
        return made
    if name == words.COMMAND:
        return _add_command(ev, made, arguments, keywords)
    given = arguments[0].value if arguments else NONE
    if "args" in keywords:
        given = keywords["args"].value
    if len(arguments) > 1 or "namespace" in keywords:
        return Anything()
    namespace = _parsed(ev, made, ev.resolve(given))
    return namespace if name in words.PARSES else Tuple((namespace, Anything()))


def _add(ev: Evaluator, made: Instance, arguments: Sequence[Argument], keywords: Keywords) -> None:
    """Keep an option of `add_argument("--width", type=int, default=8)`."""
    row = ev.cells[made, OPTIONS]
    flags = [known(ev.resolve(argument.value)) for argument in arguments]
    contents = ev.cells.get(row)
    if not isinstance(contents, tuple):
        return
    if None in flags or (not flags and "dest" not in keywords):
        spoil(ev, made)
        return
    option = Dict()
    ev.cells[option] = {key: argument.value for key, argument in keywords.items()}
    ev.cells[option][FLAGS] = Tuple([argument.value for argument in arguments])
    ev.fill(row, (*contents, option))


def _add_command(
    ev: Evaluator, made: Instance, arguments: Sequence[Argument], keywords: Keywords
) -> Value:
    """The parser of a subcommand, `commands.add_parser("train")`."""
    parser = _parser(ev, keywords)
    names: list[Value] = [arguments[0].value] if arguments else [Anything()]
    if words.OTHER_NAMES in keywords:
        others = _elements(ev, ev.resolve(keywords[words.OTHER_NAMES].value))
        names.extend((Anything(),) if others is None else others)
    constants = [known(ev.resolve(name)) for name in names]
    table = ev.cells.get((made, TABLE))
    contents = None if table is None else ev.cells.get(table)
    if not isinstance(contents, dict) or None in constants:
        spoil(ev, made)
    else:
        new = {str(one[0]): parser for one in constants if one is not None}
        ev.cells[table] = {**contents, **new}
    return parser


def _commands(ev: Evaluator, made: Instance) -> dict[str, Value]:
    """The parsers of the subcommands by their names; the others of a parser are its own."""
    table = ev.cells.get((made, TABLE))
    contents = None if table is None else ev.cells.get(table)
    return contents if isinstance(contents, dict) else {}


def _set(ev: Evaluator, made: Instance, values: dict[str, Value]) -> None:
    defaults = ev.cells[made, DEFAULTS]
    contents = ev.cells.get(defaults)
    ev.cells[defaults] = {**contents, **values} if isinstance(contents, dict) else values


def _take_over(ev: Evaluator, made: Instance, parent: Value) -> None:
    contents: Any = None
    if isinstance(parent, Instance) and is_parser(parent):
        contents = ev.cells.get(ev.cells[parent, OPTIONS])
        defaults = ev.cells.get(ev.cells[parent, DEFAULTS])
        if isinstance(defaults, dict):
            _set(ev, made, defaults)
    row = ev.cells[made, OPTIONS]
    before = ev.cells.get(row)
    if isinstance(contents, tuple) and isinstance(before, tuple):
        ev.fill(row, (*before, *contents))
    else:
        spoil(ev, made)


# What the options give


class _Option:
    """An option of a parser, with what is known of it."""

    __slots__ = ("convert", "destination", "entries", "flags", "is_placed")

    def __init__(self, ev: Evaluator, entries: dict[str, Value]) -> None:
        self.entries = entries
        flags = entries[FLAGS]
        assert isinstance(flags, Tuple)
        constants = [known(ev.resolve(flag)) for flag in flags.elements]
        self.flags = [str(constant[0]) for constant in constants if constant is not None]
        self.is_placed = not self.flags or not self.flags[0].startswith("-")
        named = self.word(ev, "dest")
        long = [flag for flag in self.flags if flag.startswith("--")]
        if isinstance(named, str):
            self.destination = named
        elif self.is_placed:
            self.destination = self.flags[0]
        else:
            self.destination = (long or self.flags)[0].lstrip("-").replace("-", "_")
        self.convert = ev.resolve(entries.get("type", NONE))

    def word(self, ev: Evaluator, key: str) -> Any:
        """A known entry; None without one."""
        constant = known(ev.resolve(self.entries.get(key, NONE)))
        return None if constant is None else constant[0]

    @property
    def action(self) -> Value:
        """What the option does; a constant or a class."""
        return self.entries.get("action", Constant("store"))


def _parsed(ev: Evaluator, made: Instance, given: Value) -> Value:
    namespace = Instance(own_objects.empty_class("Namespace", ev.frame.source), "args")
    namespace.cls.decorators = (words.NAMESPACE,)
    texts = _elements(ev, given)
    values = _values_of(ev, made, texts)
    if values is None:
        values = {own_objects.ANY_ATTRIBUTE: Anything()}
    for name, value in values.items():
        ev.cells[namespace, name] = value
    if texts is None:
        if ev.units.reads_options is None:
            ev.units.reads_options = ev.at
        by_default = Dict()
        ev.cells[by_default] = values
        ev.cells[namespace, own_objects.BY_DEFAULT] = by_default
    return namespace


def _values_of(
    ev: Evaluator, made: Instance, texts: Sequence[Value] | None
) -> dict[str, Value] | None:
    """What a parser gives for these words, or for those of the user; None if that is not known."""
    contents = ev.cells.get(ev.cells[made, OPTIONS])
    defaults = ev.cells.get(ev.cells[made, DEFAULTS])
    if not isinstance(contents, tuple) or not all(isinstance(one, Dict) for one in contents):
        return None  # paths with different options have met
    values: dict[str, Value] = {}
    if not isinstance(defaults, dict):
        values[own_objects.ANY_ATTRIBUTE] = Anything()
        defaults = {}
    options = [_Option(ev, ev.cells[option]) for option in contents]
    for option in options:
        value = _default(ev, option, defaults)
        if value is not None and option.destination not in values:
            values[option.destination] = value
    values = {**defaults, **values}
    commands = _commands(ev, made)
    chosen = known(ev.resolve(ev.cells.get((made, CHOSEN), NONE)))
    destination = str(chosen[0]) if chosen is not None and chosen[0] is not None else ""
    if destination and commands:
        values[destination] = NONE
    if texts is not None:
        try:
            return _read(ev, values, options, texts, (destination, commands))
        except _Unclear:
            unclear = {option.destination: Anything(option.destination) for option in options}
            if commands:
                return None
            return {**values, **unclear}
    if not commands:
        return values
    return _of_any_command(ev, values, commands, destination)


def _of_any_command(
    ev: Evaluator, values: dict[str, Value], commands: dict[str, Value], destination: str
) -> dict[str, Value] | None:
    """What a parser gives if its user has named a command."""
    names = {parser: name for name, parser in reversed(commands.items())}
    parsers = list(dict.fromkeys(commands.values()))
    if ev.reach.driven:  # one after the other, see `drives.MOST_COMMANDS`
        ev.units.commands = max(ev.units.commands, len(parsers))
        parsers = [parsers[min(ev.units.command, len(parsers) - 1)]]
    tables: list[dict[str, Value]] = []
    for parser in parsers:
        assert isinstance(parser, Instance)
        table = _values_of(ev, parser, None)
        if table is None:
            return None
        tables.append(table)
    values = dict(values)
    for name in {name: None for table in tables for name in table}:
        given = [ev.resolve(table[name]) for table in tables if name in table]
        if name in values and len(given) < len(tables):
            given.append(values[name])
        values[name] = join_all(given)
    if destination:
        is_one = len(parsers) == 1
        values[destination] = Constant(names[parsers[0]]) if is_one else Anything(destination)
    return values


def _elements(ev: Evaluator, row: Value) -> tuple[Value, ...] | None:
    """The elements of a list or tuple, such as the words that a program passes itself.

    None of anything else, as the words of the user.
    """
    contents = ev.cells.get(row) if isinstance(row, List) else None
    if isinstance(row, Tuple):
        contents = row.elements
    return tuple([ev.resolve(one) for one in contents]) if isinstance(contents, tuple) else None


def _default(ev: Evaluator, option: _Option, defaults: dict[str, Value]) -> Value | None:
    """What an option gives if it is left out; None if it is no attribute then."""
    action = ev.resolve(option.action)
    name = known(action)
    if name is not None and name[0] in words.NO_ATTRIBUTES:
        return None
    value: Value
    if option.destination in defaults:
        value = ev.resolve(defaults[option.destination])
    elif "default" in option.entries:
        value = ev.resolve(option.entries["default"])
    elif name is not None and name[0] in words.WITHOUT_VALUE:
        value = Constant(words.WITHOUT_VALUE[name[0]][0])
    else:
        value = NONE
    if isinstance(value, Library) and value.path == words.LEFT_OUT:
        return Anything(option.destination)
    count = option.word(ev, "nargs")
    needed = option.is_placed and count not in (words.OPTIONAL, words.REPEATED)
    asked = option.entries.get("required")
    if needed or (asked is not None and truth_of(ev, asked) is not False):
        return Anything(option.destination)
    text = known(value)
    if text is not None and isinstance(text[0], str):
        return _converted(ev, option, value)
    return value


def _converted(ev: Evaluator, option: _Option, word: Value) -> Value:
    """What the `type` of an option makes of a word."""
    if option.convert is NONE or option.entries.get("type") is None:
        return word
    return ev.resolve(ev.call(option.convert, (Argument(word),), {}, None))


def _read(
    ev: Evaluator,
    values: dict[str, Value],
    options: Sequence[_Option],
    texts: Sequence[Value],
    chosen: tuple[str, dict[str, Value]],
) -> dict[str, Value]:
    """What the words of a list set, and the defaults of the others. Raises `_Unclear`.

    `chosen` has the attribute that names the command, and the parsers of the commands.
    """
    destination, commands = chosen
    placed = [option for option in options if option.is_placed]
    at = 0
    while at < len(texts):
        constant = known(texts[at])
        at += 1
        if constant is None or not isinstance(constant[0], str):
            raise _Unclear
        text: str = constant[0]
        if not text.startswith("-") or is_number(text):
            if not placed and text in commands:
                parser = commands[text]
                assert isinstance(parser, Instance)
                rest = _values_of(ev, parser, texts[at:])
                if rest is None:
                    raise _Unclear
                return {**values, **({destination: Constant(text)} if destination else {}), **rest}
            if not placed or placed[0].word(ev, "nargs") is not None:
                raise _Unclear
            option = placed.pop(0)
            values[option.destination] = _converted(ev, option, texts[at - 1])
            continue
        flag, has_value, behind = text.partition("=")
        option_named = _option_of(options, flag)
        if option_named is None:
            raise _Unclear
        action = known(ev.resolve(option_named.action))
        if action is not None and action[0] in words.WITHOUT_VALUE and not has_value:
            value: Value = Constant(words.WITHOUT_VALUE[action[0]][1])
        elif action != ("store",):
            raise _Unclear
        elif has_value:
            if option_named.word(ev, "nargs") is not None:
                raise _Unclear
            value = _converted(ev, option_named, Constant(behind))
        else:
            value, at = _values(ev, option_named, texts, at)
        values[option_named.destination] = value
    return values


def _option_of(options: Sequence[_Option], flag: str) -> _Option | None:
    """The option of a spelling, which may be cut short if only one begins so."""
    exact = [option for option in options if flag in option.flags]
    if exact or not flag.startswith("--"):
        return exact[0] if exact else None
    alike = [o for o in options if any(one.startswith(flag) for one in o.flags)]
    return alike[0] if len(alike) == 1 else None


def _values(ev: Evaluator, option: _Option, texts: Sequence[Value], at: int) -> tuple[Value, int]:
    """What the words behind an option give, and where they end. Raises `_Unclear`."""
    count = option.word(ev, "nargs")
    if "nargs" in option.entries and count is None:
        raise _Unclear
    end = at
    while end < len(texts):
        constant = known(texts[end])
        if constant is not None and isinstance(constant[0], str):
            if constant[0].startswith("-") and not is_number(constant[0]):
                break
        end += 1
    if count is None or isinstance(count, int):
        end = min(end, at + (1 if count is None else count))
        if end - at < (1 if count is None else count):
            raise _Unclear
    elif count == words.OPTIONAL:
        raise _Unclear
    given = [_converted(ev, option, text) for text in texts[at:end]]
    if count is None:
        return given[0], end
    row = List()
    ev.fill(row, given)
    return row, end


__all__ = ["MADE", "call", "is_parser", "make", "spoil"]
