"""Settings: `[tool.namecheck]` of pyproject.toml, or namecheck.toml, and which of them a file has.

The nearest file up the tree counts for a file, and nothing of those above it; what the command line
says goes over it. A mistake in a settings file ends the run (`Misconfigured`, exit code 2) with the
line it stands in: a check that is not the one that was asked for must not look like success.

What a selector means is `selection`'s business, what `exclude` does is `discovery`'s.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Final, NamedTuple

import msgspec
from msgspec import Meta, Struct

from namecheck import selection
from namecheck.report import FORMATS
from namecheck.selection import Layer
from namecheck.usage import Trouble

__all__ = [
    "Configuration",
    "Misconfigured",
    "MypySettings",
    "Resolved",
    "Settings",
    "Table",
    "of_command_line",
    "of_path",
]

Selector = Annotated[str, Meta(extra_json_schema={"format": "selector"})]
OutputFormat = Annotated[str, Meta(extra_json_schema={"enum": list(FORMATS)})]


class MypySettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[tool.namecheck.mypy]`: what the mypy plugin leaves unsaid. The linter only checks it."""

    ignore: Annotated[
        tuple[Selector, ...],
        Meta(description="Codes, or what they begin with, of which the plugin says nothing."),
    ] = ()
    suspicions: Annotated[
        bool, Meta(description="Whether the plugin tells what is legal and hardly ever meant.")
    ] = True
    notes: Annotated[bool, Meta(description="Whether the plugin's errors come with notes.")] = True


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """The keys of `[tool.namecheck]`, each with what counts where nothing is said."""

    select: Annotated[
        tuple[Selector, ...],
        Meta(
            description="What is told: codes (NC202), what they begin with (NC2), names "
            "(misaligned-broadcast), or ALL. The longest selector that covers a code decides."
        ),
    ] = selection.DEFAULT
    extend_select: Annotated[
        tuple[Selector, ...], Meta(description="What is told besides `select`.")
    ] = ()
    ignore: Annotated[tuple[Selector, ...], Meta(description="What is not told.")] = ()
    notes: Annotated[
        bool, Meta(description="Tell where inference stopped, too: `extend-select` of NC8.")
    ] = False
    output_format: Annotated[
        OutputFormat, Meta(description="How findings are printed, unless the command line says.")
    ] = "full"
    mypy: Annotated[
        MypySettings, Meta(description="What the mypy plugin leaves unsaid (pyproject.toml only).")
    ] = MypySettings()


KEYS: Final = {field.encode_name: field for field in msgspec.structs.fields(Settings)}
"""The keys as they are written, with their types and defaults."""


class Misconfigured(Trouble):
    """Settings that are not understood: where, and what about them."""

    def __init__(
        self, message: str, source: str, text: str = "", place: tuple[int, int, int] | None = None
    ) -> None:
        """`source` is the file or "the command line"; the place is line, column and length."""
        super().__init__(message)
        self.source = source
        self.place = place
        self.line = text.split("\n")[place[0] - 1].rstrip("\r") if place is not None else ""

    def format_message(self) -> str:
        """The message with the line of the file."""
        if self.place is None:
            return f"{self.message} ({self.source})"
        number, column, length = self.place
        margin = " " * len(str(number))
        return "\n".join(
            (
                self.message,
                f"{margin}--> {self.source}:{number}:{column}",
                f"{margin} |",
                f"{number} | {self.line}",
                f"{margin} | {' ' * (column - 1)}{'^' * max(length, 1)}",
            )
        )


class Table(NamedTuple):
    """The keys that one source sets, checked, and where they come from.

    `root` is the folder that globs count from. `values` are those of `Settings`' fields that the
    source names.
    """

    source: str
    root: str
    values: Mapping[str, Any]


class Resolved(NamedTuple):
    """What counts for the files of a folder."""

    settings: Settings
    layers: tuple[Layer, ...]
    root: str
    origins: Mapping[str, str]
    """Where each field that is not at its default comes from."""

    def selects(self, code: str) -> bool:
        """Whether findings of a code are told."""
        return _selects(self.layers, code)


@cache
def _selects(layers: tuple[Layer, ...], code: str) -> bool:
    return selection.is_selected(code, layers)


class Configuration:
    """The settings of all files of a run: asked by path, read from files once per folder."""

    def __init__(
        self, overrides: Sequence[Table] = (), fixed: Table | None = None, isolated: bool = False
    ) -> None:
        """`overrides` go over every file's settings, the last one over the others.

        With `fixed` that source counts for all files, and with `isolated` none does.
        """
        self._overrides = tuple(overrides)
        self._fixed = fixed
        self._isolated = isolated or fixed is not None
        self._by_folder: dict[str, Resolved] = {}

    def of(self, path: str) -> Resolved:
        """What counts for a file. Raises `Misconfigured`."""
        return self.of_folder(os.path.dirname(os.path.abspath(path)))

    def of_folder(self, folder: str) -> Resolved:
        """What counts for the files of a folder, by its absolute path. Raises `Misconfigured`."""
        known = self._by_folder.get(folder)
        if known is None:
            known = self._by_folder[folder] = self._find(folder)
        return known

    def _find(self, folder: str) -> Resolved:
        if not self._isolated:
            table = table_in(folder)
            if table is not None:
                return resolve(table, self._overrides)
            parent = os.path.dirname(folder)
            if parent != folder:
                return self.of_folder(parent)
        return resolve(self._fixed, self._overrides)


def resolve(table: Table | None, overrides: Sequence[Table]) -> Resolved:
    """What counts where a file says `table`, or no file says anything."""
    tables = [*([table] if table is not None else []), *overrides]
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for one in tables:
        if "select" in one.values:  # begins anew: what was chosen below does not count any more
            for field in ("extend_select", "ignore", "notes"):
                values.pop(field, None)
                origins.pop(field, None)
        values.update(one.values)
        origins.update(dict.fromkeys(one.values, one.source))
    layers = (Layer(selection.DEFAULT), *(_layer(one, values) for one in tables))
    root = table.root if table is not None else os.getcwd()
    return Resolved(Settings(**values), layers, root, origins)


def _layer(table: Table, values: Mapping[str, Any]) -> Layer:
    """What a source says of codes; a switch that a later one turns off says nothing."""
    said = table.values
    extend = said.get("extend_select", ())
    if said.get("notes") and values.get("notes"):
        extend = (*extend, selection.NOTES)
    return Layer(said.get("select"), extend, said.get("ignore", ()))


# Files


def table_in(folder: str) -> Table | None:
    """What the settings file of a folder says; None if it has none."""
    for name in ("namecheck.toml", "pyproject.toml"):
        path = os.path.join(folder, name)
        try:
            with open(path, "rb") as file:
                source = file.read()
        except OSError as refusal:
            if not os.path.isfile(path):  # also for a folder that we may not look into
                continue
            raise Misconfigured(f"cannot read {path}: {refusal.strerror}", path) from None
        table = table_of(source, path, folder)
        if table is not None:
            return table
    return None


def table_of(source: bytes, path: str, root: str) -> Table | None:
    """What a settings file says. None: it is a pyproject.toml that does not speak of us."""
    project = os.path.basename(path) == "pyproject.toml"
    if project and b"namecheck" not in source:
        return None  # spares nearly every project the time of parsing it
    from namecheck.discovery import shown

    document = _Document(source, shown(path))
    way = ("tool", "namecheck") if project else ()
    table: Any = document.data
    for number, key in enumerate(way, 1):
        if key not in table:
            return None
        table = table[key]
        if not isinstance(table, dict):
            raise document.refusal(way[:number], f"[{'.'.join(way[:number])}] must be a table")
    return Table(document.name, root, checked(table, document.refusal, way))


def of_command_line(assignments: Sequence[str], options: Mapping[str, Any]) -> list[Table]:
    """What `--config KEY=VALUE` says, each by itself, and then the options, by key."""
    here = os.getcwd()
    tables = []
    for assignment in assignments:
        document = _Document(assignment.encode(), "--config")
        tables.append(Table("--config", here, checked(document.data, document.refusal)))
    given = {key: value for key, value in options.items() if value is not None}
    if given:

        def refusal(way: Sequence[str | int], message: str, key: bool = False) -> Misconfigured:
            return Misconfigured(message, f"--{way[0]}")

        tables.append(Table("the command line", here, checked(given, refusal)))
    return tables


def of_path(path: str) -> Table:
    """What the file of `--config PATH` says; its globs count from the working folder."""
    try:
        with open(path, "rb") as file:
            table = table_of(file.read(), path, os.getcwd())
    except OSError as refusal:
        raise Misconfigured(f"cannot read {path}: {refusal.strerror}", "--config") from None
    if table is None:
        raise Misconfigured(f"{path} has no table [tool.namecheck]", "--config")
    return table


class _Document:
    """A TOML text, by the name that messages call it."""

    def __init__(self, source: bytes, name: str) -> None:
        import tomllib

        self.name = name
        try:
            self.text = source.decode("utf-8")
        except UnicodeDecodeError as fault:
            raise Misconfigured(f"settings are not UTF-8: {fault.reason}", name) from None
        try:
            self.data = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as fault:
            raise self._unparsed(str(fault)) from None

    def _unparsed(self, message: str) -> Misconfigured:
        at = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", message)
        if at is None:
            return Misconfigured(f"cannot parse: {message}", self.name, self.text)
        lines = self.text.split("\n")
        line, column = (int(at[1]), int(at[2])) if at[1] else (len(lines), len(lines[-1]) + 1)
        said = message[: at.start()]
        return Misconfigured(f"cannot parse: {said}", self.name, self.text, (line, column, 1))

    def refusal(self, way: Sequence[str | int], message: str, key: bool = False) -> Misconfigured:
        """That something is wrong at a key, or at its value."""
        from namecheck.toml_places import places

        found = places(self.text)
        place = found.get((tuple(way), key)) or found.get((tuple(way), True))
        return Misconfigured(message, self.name, self.text, place)


Refuse = Callable[..., "Misconfigured"]
"""Makes the error of a place: of a way within the document, a message, and whether the key is meant
and not its value."""


def checked(table: Mapping[str, Any], refuse: Refuse, way: tuple[str, ...] = ()) -> dict[str, Any]:
    """The values of a table at a way in its document, by `Settings`' fields.

    Raises `Misconfigured` at the first one that is wrong.
    """
    checking = _Checking(refuse, way)
    values: dict[str, Any] = {}
    for key, written in table.items():
        if key not in KEYS:
            raise checking.unknown((key,), KEYS)
        values[KEYS[key].name] = checking.value(key, written)
    return values


class _Checking:
    """Checks the values of a table that stands at `way` in its document."""

    def __init__(self, refuse: Refuse, way: tuple[str, ...]) -> None:
        self.refuse = refuse
        self.way = way

    def value(self, key: str, written: Any) -> Any:
        """The value of a key as `Settings` has it."""
        if key == "mypy":
            if not self.way:
                message = "the mypy plugin reads its settings from pyproject.toml only"
                raise self.refusal((key,), message, key=True)
            if isinstance(written, dict):
                for inner in written:
                    if inner not in MypySettings.__struct_fields__:
                        raise self.unknown((key, inner), MypySettings.__struct_fields__)
        try:
            value = msgspec.convert(written, KEYS[key].type)
        except msgspec.ValidationError as fault:
            raise self.mistyped(key, str(fault)) from None
        match key:
            case "select" | "extend-select" | "ignore":
                return self.selectors((key,), value)
            case "mypy":
                self.selectors((key, "ignore"), value.ignore)
            case "output-format":
                if value not in FORMATS:
                    raise self.refusal((key,), f"unknown format {_meant(value, FORMATS)}")
        return value

    def selectors(self, way: tuple[str, ...], written: Sequence[str]) -> tuple[str, ...]:
        """Selectors with names put as codes."""
        codes = []
        for number, one in enumerate(written):
            code = selection.canonical(one)
            if code is None:
                guess = selection.meant(one)
                message = f"unknown code {one!r} in `{'.'.join(way)}`" + (
                    f"; did you mean {guess!r}?" if guess else ""
                )
                raise self.refusal((*way, number), message)
            codes.append(code)
        return tuple(codes)

    def unknown(self, way: tuple[str, ...], keys: Iterable[str]) -> Misconfigured:
        """That there is no such key."""
        table = ".".join((*self.way, *way[:-1]))
        within = f" in [{table}]" if table else ""
        return self.refusal(way, f"unknown key {_meant(way[-1], keys, within)}", key=True)

    def mistyped(self, key: str, fault: str) -> Misconfigured:
        """Says in TOML's words what msgspec says in its own."""
        said = re.fullmatch(r"Expected `(.+?)`, got `(.+?)`(?: - at `\$(.*)`)?", fault)
        if said is None:
            return self.refusal((key,), f"`{key}`: {fault}")
        way: list[str | int] = [key]
        for step in re.findall(r"\.([\w-]+)|\[(\d+)\]", said[3] or ""):
            way.append(step[0] or int(step[1]))
        wanted = " or ".join(_KINDS.get(kind, kind) for kind in said[1].split(" | "))
        what = f"a value of `{key}`" if len(way) > 1 else f"`{key}`"
        return self.refusal(way, f"{what} must be {wanted}, not {_KINDS.get(said[2], said[2])}")

    def refusal(self, way: Sequence[str | int], message: str, key: bool = False) -> Misconfigured:
        """That something is wrong at a way within the table."""
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
    """The word, quoted, with the one that was probably meant, or all there are."""
    import difflib

    every = list(words)
    near = difflib.get_close_matches(word.replace("_", "-"), every, n=1)
    return f"{word!r}{within}; " + (
        f"did you mean {near[0]!r}?" if near else f"there are {', '.join(every)}"
    )
