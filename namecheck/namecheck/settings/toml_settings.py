"""Reading settings files and options: values are checked, and refused with the line of the mistake.

A mistake in the settings ends the run (`Misconfigured`, exit code 2): a check with other settings
than the user's must not look like success.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, get_args, get_origin

import msgspec

from namecheck.codes import selection
from namecheck.codes.selection import EXITS, LEVELS, SEVERITIES
from namecheck.codes.troubles import INTERNAL_ERROR, SYNTAX_ERROR
from namecheck.exit_codes import Trouble
from namecheck.files.disk import read_file
from namecheck.printing.printed_paths import shown
from namecheck.report import FORMATS
from namecheck.settings.keys import KEYS, MypySettings
from namecheck.terms import agreed
from namecheck_runtime import __version__
from namecheck_runtime.light.records import NamedTuple

if TYPE_CHECKING:
    from namecheck.settings.toml_places import Place

__all__ = ["NAMES", "Misconfigured", "Table", "of_command_line", "of_path", "tables_in"]


NAMES: Final = ("namecheck.toml", "pyproject.toml")
"""The names of settings files; in a folder with both the first one counts."""


class Misconfigured(Trouble):
    """Settings that cannot be read: the reason, and the place."""

    def __init__(
        self, message: str, source: str, text: str = "", place: Place | None = None
    ) -> None:
        """`source` is the file, or an option of the command line; `place` is in its `text`."""
        super().__init__(message)
        self.source = source
        self.place = place
        line = "" if place is None else text.split("\n")[place.line - 1].rstrip("\r")
        self.line = line

    @property
    def lines(self) -> tuple[str, ...]:
        """The message with the line of the file."""
        if self.place is None:
            return (f"{self.message} ({self.source})",)
        from namecheck.printing.screen import lay_out

        number, column, length = self.place
        margin = " " * len(str(number))
        laid = lay_out(self.line)
        start, end = laid.cell(column), laid.cell(column + length)
        return (
            self.message,
            f"{margin}--> {self.source}:{number}:{column}",
            f"{margin} |",
            f"{number} | {laid.cut(0, len(laid.cells))}",
            f"{margin} | {' ' * start}{'^' * max(end - start, 1)}",
        )


class Table(NamedTuple):
    """The values that one source sets, checked, by the fields of `Settings`.

    `root` is the folder that globs are relative to. `file` is the absolute path of a settings file,
    empty for the command line.
    """

    source: str
    root: str
    values: Mapping[str, Any]
    file: str = ""


def tables_in(folder: str) -> tuple[Table, ...]:
    """The table of a folder's settings file, after those that it extends; empty if it has none."""
    for name in NAMES:
        path = os.path.join(folder, name)
        try:
            source = read_file(path)
        except OSError as refusal:
            if not os.path.isfile(path):  # also in a folder that we may not read
                continue
            raise Misconfigured(f"cannot read {path}: {refusal.strerror}", path) from None
        tables = tables_of(source, path, folder)
        if tables:
            return tables
    return ()


def tables_of(source: bytes, path: str, root: str) -> tuple[Table, ...]:
    """The table of a settings file, after those that it extends, the farthest first.

    Empty for a pyproject.toml without a table of ours.
    """
    read = _read(source, path, root)
    if read is None:
        return ()
    tables = [read.table]
    way = [_real(path)]
    while (extended_path := read.table.values.get("extend")) is not None:
        file = os.path.join(os.path.dirname(read.table.file), os.path.expanduser(extended_path))
        file = os.path.normpath(file)
        if _real(file) in way:
            chain = " -> ".join([*(table.source for table in reversed(tables)), shown(file)])
            raise read.refuse(("extend",), f"`extend` leads in a circle: {chain}")
        way.append(_real(file))
        try:
            extended = _read(read_file(file), file, os.path.dirname(file))
        except (OSError, ValueError) as refusal:
            reason = refusal.strerror if isinstance(refusal, OSError) else "not a valid path"
            message = f"cannot read {shown(file)}, which `extend` names: {reason}"
            raise read.refuse(("extend",), message) from None
        if extended is None:
            message = f"`extend` names {shown(file)}, which has no table [tool.namecheck]"
            raise read.refuse(("extend",), message)
        read = extended
        tables.insert(0, read.table)
    return tuple(tables)


def _real(path: str) -> str:
    """The path without links; the path itself if it is not valid."""
    try:
        return os.path.realpath(path)
    except ValueError:
        return path


class _Read(NamedTuple):
    """The table of one settings file, and a function that refuses a value at a way in it."""

    table: Table
    refuse: Refuse


def _read(source: bytes, path: str, root: str) -> _Read | None:
    """The table of a settings file; None for a pyproject.toml without a table of ours."""
    project = os.path.basename(path) == "pyproject.toml"
    if project and b"namecheck" not in source:
        return None  # most projects' files need not be parsed
    document = _Document(source, shown(path))
    way = ("tool", "namecheck") if project else ()
    table: Any = document.data
    for number, key in enumerate(way, 1):
        if key not in table:
            return None
        table = table[key]
        if not isinstance(table, dict):
            raise document.refusal(way[:number], f"[{'.'.join(way[:number])}] must be a table")
    values = checked(table, document.refusal, way)

    def refuse(inner: Sequence[str | int], message: str) -> Misconfigured:
        return document.refusal((*way, *inner), message)

    return _Read(Table(document.name, root, values, os.path.abspath(path)), refuse)


def of_command_line(assignments: Sequence[str], options: Mapping[str, Any]) -> list[Table]:
    """The tables of each `--config KEY=VALUE`, and then that of the other options, by key."""
    here = os.getcwd()
    tables = []
    for assignment in assignments:
        document = _Document(assignment.encode(), "--config")
        if "extend" in document.data:
            message = "`extend` belongs in a settings file; use --config PATH to name one"
            raise document.refusal(("extend",), message, key=True)
        tables.append(Table("--config", here, checked(document.data, document.refusal)))
    given = {key: value for key, value in options.items() if value is not None}
    if given:

        def refusal(way: Sequence[str | int], message: str, key: bool = False) -> Misconfigured:
            return Misconfigured(message, f"--{way[0]}")

        tables.append(Table("the command line", here, checked(given, refusal)))
    return tables


def of_path(path: str) -> tuple[Table, ...]:
    """The tables of the file of `--config PATH`; its globs are relative to the working folder."""
    try:
        with open(path, "rb") as file:
            tables = tables_of(file.read(), path, os.getcwd())
    except OSError as refusal:
        raise Misconfigured(f"cannot read {path}: {refusal.strerror}", "--config") from None
    if not tables:
        raise Misconfigured(f"{path} has no table [tool.namecheck]", "--config")
    return tables


class _Document:
    """A TOML text, with its name in messages."""

    def __init__(self, source: bytes, name: str) -> None:
        import tomllib

        self.name = name
        try:
            self.text = source.decode("utf-8")
        except UnicodeDecodeError as fault:
            raise Misconfigured(f"settings are not UTF-8: {fault.reason}", name) from None
        try:
            self.data = tomllib.loads(self.text)
        except ValueError as fault:  # for a number with thousands of digits not TOMLDecodeError
            raise self._unparsed(str(fault)) from None
        except RecursionError:
            raise Misconfigured("cannot parse: nested too deeply", name) from None

    def _unparsed(self, message: str) -> Misconfigured:
        at = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", message)
        if at is None:
            return Misconfigured(f"cannot parse: {message}", self.name, self.text)
        from namecheck.settings.toml_places import Place

        lines = self.text.split("\n")
        line, column = (int(at[1]), int(at[2])) if at[1] else (len(lines), len(lines[-1]) + 1)
        place = Place(line, column, 1)
        return Misconfigured(f"cannot parse: {message[: at.start()]}", self.name, self.text, place)

    def refusal(self, way: Sequence[str | int], message: str, key: bool = False) -> Misconfigured:
        """The error for a key, or for its value."""
        from namecheck.settings.toml_places import places

        by_way = places(self.text)
        place = by_way.get((tuple(way), key)) or by_way.get((tuple(way), True))
        return Misconfigured(message, self.name, self.text, place)


Refuse = Callable[..., "Misconfigured"]
"""Makes an error from a way in the document, a message, and whether it is about the key, and not
about its value."""


def checked(table: Mapping[str, Any], refuse: Refuse, way: tuple[str, ...] = ()) -> dict[str, Any]:
    """The values of a table at a way in its document, by the fields of `Settings`.

    Raises `Misconfigured` at the first one that is wrong.
    """
    checking = _Checking(refuse, way)
    values: dict[str, Any] = {}
    if "required-version" in table:  # another version may have other keys
        checking.value("required-version", table["required-version"])
    for key, written in table.items():
        if key not in KEYS:
            raise checking.unknown((key,), KEYS)
        values[KEYS[key].name] = checking.value(key, written)
    return values


class _Checking:
    """Checks the values of a table at `way` in its document."""

    def __init__(self, refuse: Refuse, way: tuple[str, ...]) -> None:
        self.refuse = refuse
        self.way = way

    def value(self, key: str, written: Any) -> Any:
        """The value of a key, for its field of `Settings`."""
        if key == "mypy":
            if not self.way:
                message = "the mypy plugin reads its settings from pyproject.toml only"
                raise self.refusal((key,), message, key=True)
            if isinstance(written, dict):
                for inner in written:
                    if inner not in MypySettings.__struct_fields__:
                        raise self.unknown((key, inner), MypySettings.__struct_fields__)
        value = self.converted(key, written)
        match key:
            case "select" | "extend-select":
                return self.selectors((key,), value)
            case "ignore":
                return self.ignorable((key,), self.selectors((key,), value))
            case "per-file-ignores":
                return {
                    pattern: self.selectors((key, pattern), codes)
                    for pattern, codes in value.items()
                }
            case "required-version":
                self.require(value)
            case "dims":
                self.words(value)
            case "may-meet":
                for number, group in enumerate(value):
                    if len(set(group)) < 2:
                        message = "a group of `may-meet` needs at least two words"
                        raise self.refusal((key, number), message)
            case "mypy":
                self.selectors((key, "ignore"), value.ignore)
            case "severity":
                return self.severities(value)
            case "output-format":
                self.choice((key,), value, FORMATS, "format")
            case "min-severity":
                self.choice((key,), value, LEVELS, "level")
            case "exit-on":
                self.choice((key,), value, EXITS, "level")
        return value

    def choice(
        self, way: tuple[str, ...], written: str, choices: Collection[str], noun: str
    ) -> None:
        """Refuse a word that is not among the choices."""
        if written not in choices:
            raise self.refusal(way, f"unknown {noun} {_meant(written, choices)}")

    def severities(self, written: Mapping[str, str]) -> dict[str, str]:
        """Levels by selectors, with names replaced by codes."""
        levels: dict[str, str] = {}
        for selector, level in written.items():
            way = "severity", selector
            self.choice(way, level, SEVERITIES, "severity")
            (code,) = self.selectors(way, (selector,), key=True)
            if level not in ("error", "warning"):
                self.ignorable(way, (code,), key=True)
            elif code == INTERNAL_ERROR:
                message = f"{code} is a bug in namecheck and always an error"
                raise self.refusal(way, message, key=True)
            if code in levels:
                raise self.refusal(way, f"`severity` has {code} twice", key=True)
            levels[code] = level
        return levels

    def converted(self, key: str, written: Any) -> Any:
        """The value in the type of its field."""
        kind = get_args(KEYS[key].type)[0]  # within Annotated
        if get_origin(kind) is dict and isinstance(written, dict):
            of_entry = get_args(kind)[1]  # one by one: msgspec does not name the wrong key
            return {name: self.convert((key, name), v, of_entry) for name, v in written.items()}
        return self.convert((key,), written, kind)

    def convert(self, way: tuple[str, ...], written: Any, kind: Any) -> Any:
        """A value at a way, converted to a type; refused if it does not have that type."""
        try:
            return msgspec.convert(written, kind)
        except msgspec.ValidationError as fault:
            raise self.mistyped(way, str(fault)) from None

    def selectors(
        self, way: tuple[str, ...], written: Sequence[str], key: bool = False
    ) -> tuple[str, ...]:
        """Selectors with names replaced by codes; they are the values at a way, or its `key`."""
        codes = []
        for number, selector in enumerate(written):
            code = selection.canonical(selector)
            if code is None:
                guess = selection.meant(selector)
                message = f"unknown code {selector!r} in `{way[0] if key else '.'.join(way)}`" + (
                    f"; did you mean {guess!r}?" if guess else ""
                )
                raise self.refusal(way if key else (*way, number), message, key)
            codes.append(code)
        return tuple(codes)

    def ignorable(
        self, way: tuple[str, ...], codes: tuple[str, ...], key: bool = False
    ) -> tuple[str, ...]:
        """Refuse codes that cannot be turned off."""
        for number, code in enumerate(codes):
            at: tuple[str | int, ...] = way if key else (*way, number)
            if code == SYNTAX_ERROR:
                how = "`exclude` the file, or name it in `per-file-ignores`"
                raise self.refusal(at, f"{code} cannot be ignored everywhere; {how}", key)
            if code == INTERNAL_ERROR:
                message = f"{code} is a bug in namecheck: please report it"
                raise self.refusal(at, message, key)
        return codes

    def require(self, versions: str) -> None:
        """Refuse versions that do not include this one."""
        from packaging.specifiers import InvalidSpecifier, SpecifierSet

        try:
            required = SpecifierSet(versions)
        except InvalidSpecifier:
            # `0.3` alone is how ruff's users write `==0.3`.
            try:
                required = SpecifierSet(f"=={versions}")
            except InvalidSpecifier:
                message = f"{versions!r} is not a version specifier; write '>=0.3' or '==0.4.*'"
                raise self.refusal(("required-version",), message) from None
        if not required.contains(__version__, prereleases=True):
            message = f"this is namecheck {__version__}, and {versions!r} is required"
            raise self.refusal(("required-version",), message)

    def words(self, dims: Mapping[str, str]) -> None:
        """Refuse words that replace each other in a circle."""
        try:
            agreed(dims, (), frozenset())
        except ValueError as circle:
            word = str(circle)
            message = f"`dims` leads from {word!r} back to {word!r}"
            raise self.refusal(("dims", word), message, key=True) from None

    def unknown(self, way: tuple[str, ...], keys: Iterable[str]) -> Misconfigured:
        """The error for an unknown key."""
        table = ".".join((*self.way, *way[:-1]))
        within = f" in [{table}]" if table else ""
        return self.refusal(way, f"unknown key {_meant(way[-1], keys, within)}", key=True)

    def mistyped(self, way: tuple[str, ...], fault: str) -> Misconfigured:
        """The error for a value of the wrong type, with msgspec's message in TOML's terms."""
        name = ".".join(way)
        match = re.fullmatch(r"Expected `(.+?)`, got `(.+?)`(?: - at `\$(.*)`)?", fault)
        if match is None:
            return self.refusal(way, f"`{name}`: {fault}")
        steps = re.findall(r"\.([\w-]+)|\[(\d+)\]", match[3] or "")
        inner = [step[0] or int(step[1]) for step in steps]
        expected = " or ".join(_KINDS.get(kind, kind) for kind in match[1].split(" | "))
        what = f"a value of `{name}`" if inner else f"`{name}`"
        got = _KINDS.get(match[2], match[2])
        return self.refusal((*way, *inner), f"{what} must be {expected}, not {got}")

    def refusal(self, way: Sequence[str | int], message: str, key: bool = False) -> Misconfigured:
        """The error for a way in the table."""
        return self.refuse((*self.way, *way), message, key)


_KINDS: Final = {
    "array": "an array",
    "bool": "true or false",
    "float": "a number",
    "int": "a number",
    "object": "a table",
    "str": "a string",
}


def _meant(word: str, words: Iterable[str], within: str = "") -> str:
    """The word, quoted, with the one that was probably meant, or else all of them."""
    import difflib

    every = list(words)
    near = difflib.get_close_matches(word.replace("_", "-"), every, n=1)
    return f"{word!r}{within}; " + (
        f"did you mean {near[0]!r}?" if near else f"there are {', '.join(every)}"
    )
