"""The keys of the settings: their places in a file, their schema, and their documentation."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from namecheck.settings.config import Configuration, Misconfigured
from namecheck.settings.keys import KEYS, MypySettings
from namecheck.settings.schema import schema_text, settings_schema
from namecheck.settings.settings_text import settings_text
from namecheck.settings.toml_places import Way, places
from namecheck.settings.toml_settings import Table, tables_of

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/configuration.md").read_text()


# Places in TOML


TEXT = '''\
# a comment = [1]
a . "b.c" = 1  # it's
'x\\y' = """
not = 'this'
"""
[ t ]
key = [ # first
  "one, two", 'thr]ee',
  { in = { side = 2 } , other = QQQit'sQQQ },
] # last
"q\\"k" = 1979-05-27T07:32:00Z
[t.inner]
z = -1.5e3
[[list]]
n = 1
[[list]]
n = 2
[list.sub]
m = 3
'''.replace("QQQ", "'" * 3)


def lines_of(positions: dict[tuple[Way, bool], Any]) -> dict[Way, tuple[int, int, int]]:
    return {way: tuple(place) for (way, is_key), place in positions.items() if is_key}


def test_the_places_of_keys() -> None:
    keys = lines_of(places(TEXT))
    assert keys["a",] == (2, 1, 1)
    assert keys["a", "b.c"] == (2, 5, 5)
    assert keys["x\\y",] == (3, 1, 5)
    assert keys["t", "key"] == (7, 1, 3)
    assert keys["t", "key", 2, "in", "side"] == (9, 12, 4)
    assert keys["t", 'q"k'] == (11, 1, 6)
    assert keys["t", "inner"] == (12, 4, 5)
    assert keys["list", 1, "n"] == (17, 1, 1)
    assert keys["list", 1, "sub", "m"] == (19, 1, 1)


def test_the_places_of_values() -> None:
    values = {way: tuple(place) for (way, is_key), place in places(TEXT).items() if not is_key}
    assert values["a", "b.c"] == (2, 13, 1)
    assert values["x\\y",] == (3, 9, 3)
    assert values["t", "key", 0] == (8, 3, 10)
    assert values["t", "key", 1] == (8, 15, 8)
    assert values["t", "key", 2, "other"] == (9, 33, 10)
    assert values["t", 'q"k'] == (11, 10, 20)


KEY = st.text("ab'\".\\ #=[]é", min_size=1, max_size=4) | st.sampled_from(["a", "b-c", "1"])
VALUE = st.recursive(
    st.integers() | st.booleans() | st.text("ab'\"\\\n#,]}=é", max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEY, inner, max_size=3),
    max_leaves=6,
)


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def inline(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case str():
            return quoted(value)
        case list():
            return "[ " + " , ".join(map(inline, value)) + " ]"
    return "{" + ", ".join(f"{quoted(key)}={inline(item)}" for key, item in value.items()) + "}"


def written(table: dict[str, Any], way: tuple[str, ...], dotted: bool) -> str:
    """A table as TOML, with nested tables as headers or as dotted keys."""
    plain = {key: item for key, item in table.items() if not isinstance(item, dict) or not item}
    text = "".join(f"{quoted(key)} = {inline(item)}\n" for key, item in plain.items())
    for key, item in table.items():
        if key in plain:
            continue
        if dotted:
            text += "".join(f"{quoted(key)} . {quoted(k)} = {inline(v)}\n" for k, v in item.items())
    for key, item in table.items():
        if key not in plain and not dotted:
            header = ".".join(map(quoted, (*way, key)))
            text += f"[{header}] # [x]\n" + written(item, (*way, key), dotted)
    return text


def leaves(value: Any, way: Way = ()) -> dict[Way, Any]:
    match value:
        case dict():
            return {w: v for k, item in value.items() for w, v in leaves(item, (*way, k)).items()}
        case list():
            many = enumerate(value)
            return {w: v for k, item in many for w, v in leaves(item, (*way, k)).items()}
    return {way: value}


@given(table=st.dictionaries(KEY, VALUE, max_size=4), dotted=st.booleans())
def test_every_value_has_its_place(table: dict[str, Any], dotted: bool) -> None:
    text = written(table, (), dotted)
    data = tomllib.loads(text)
    assert data == table
    lines = text.split("\n")
    positions = places(text)
    for way, value in leaves(data).items():
        place = positions[way, False]
        literal = lines[place.line - 1][place.column - 1 :][: place.length]
        assert literal == inline(value)
        if isinstance(way[-1], str):
            place = positions[way, True]
            assert lines[place.line - 1][place.column - 1 :][: place.length] == quoted(way[-1])


@given(st.text("ab=[]{}\"'#,.\n ", max_size=20))
def test_any_text_can_be_read(text: str) -> None:
    places(text)


# Settings files


def refused(source: bytes, name: str) -> Misconfigured | None:
    """The reason why a settings file is refused, or None."""
    try:
        tables_of(source, name, ".")
    except Misconfigured as refusal:
        return refusal
    return None


@given(st.text("ab=[]{}\"'#,.\n select", max_size=30) | st.binary(max_size=20))
def test_any_file_is_accepted_or_refused(source: str | bytes) -> None:
    if isinstance(source, str):
        source = source.encode()
    refusal = refused(source, "namecheck.toml")
    assert refusal is None or refusal.format_message().startswith(refusal.message)


STRANGE = st.recursive(
    st.none().map(lambda _: True) | st.integers() | st.text(max_size=3) | st.just("NC2"),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=2)
    ),
    max_leaves=4,
)


@given(st.dictionaries(st.sampled_from([*KEYS]) | st.text(max_size=4), STRANGE, max_size=3))
def test_any_table_is_accepted_or_refused_with_its_line(table: dict[str, Any]) -> None:
    text = "[tool.namecheck]\n" + "".join(
        f"{quoted(key)} = {inline(value)}\n" for key, value in table.items()
    )
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    refusal = refused(text.encode(), "pyproject.toml")
    assert refusal is None or (refusal.place is not None and refusal.place.line > 1)


# The schema


def test_the_published_schema_is_fresh() -> None:
    published = (ROOT / "docs/namecheck.schema.json").read_text()
    assert published == schema_text(), (
        "python -P -m namecheck.settings.schema > docs/namecheck.schema.json"
    )


def test_the_schema_is_a_valid_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(settings_schema())


@pytest.mark.parametrize(
    ("table", "fits"),
    [
        ({}, True),
        ({"select": ["NC2", "misaligned-broadcast", "ALL", "NC202"]}, True),
        ({"select": ["NC777"]}, False),
        ({"select": "NC2"}, False),
        ({"selekt": ["NC2"]}, False),
        ({"strict": "yes"}, False),
        ({"per-file-ignores": {"a/*": ["NC1"]}}, True),
        ({"per-file-ignores": {"a/*": ["nope"]}}, False),
        ({"dims": {"B": "batch"}, "may-meet": [["a", "b"]]}, True),
        ({"dims": {"B": 3}}, False),
        ({"output-format": "concise"}, True),
        ({"output-format": "xml"}, False),
        ({"baseline": "x.json"}, True),
        ({"mypy": {"ignore": ["NC2"], "notes": False}}, True),
        ({"mypy": {"ignores": ["NC2"]}}, False),
    ],
)
def test_the_schema_and_the_reader_admit_the_same(table: dict[str, Any], fits: bool) -> None:
    validator = jsonschema.Draft202012Validator(settings_schema())
    assert validator.is_valid(table) is fits
    source = f"[tool]\nnamecheck = {inline(table)}\n".encode()
    if fits:
        assert tables_of(source, "pyproject.toml", ".")
    else:
        with pytest.raises(Misconfigured):
            tables_of(source, "pyproject.toml", ".")


# The documentation


SECTIONS = dict(re.findall(r"^### `([\w-]+)`\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL))


def test_every_key_is_documented() -> None:
    assert set(SECTIONS) == set(KEYS)


@pytest.mark.parametrize("key", KEYS)
def test_a_documented_key(key: str, tmp_path: Path) -> None:
    default = KEYS[key].default
    if isinstance(default, MypySettings) or callable(KEYS[key].default_factory):
        default = {}
    documented = re.search(r"^Default: (?:`(.*)`|not set)$", SECTIONS[key], re.MULTILINE)
    assert documented is not None
    assert (None if documented[1] is None else tomllib.loads(f"x = {documented[1]}")["x"]) == (
        list(default) if isinstance(default, tuple) else default
    )
    (example,) = re.findall(r"```toml\n(.*?)```", SECTIONS[key], re.DOTALL)
    assert KEYS[key].name in read_example(example, tmp_path)[-1].values


def read_example(text: str, folder: Path) -> tuple[Table, ...]:
    """The tables of a settings file with this text, next to a file that it may extend."""
    (folder / "pyproject.toml").write_text("[tool.namecheck]\n")
    inner = folder / "inner"
    inner.mkdir(exist_ok=True)
    name = "pyproject.toml" if "[tool." in text else "namecheck.toml"
    return tables_of(text.encode(), str(inner / name), str(inner))


def test_the_other_examples_of_the_page_are_settings(tmp_path: Path) -> None:
    blocks = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) > len(KEYS)
    for block in blocks:
        assert read_example(block, tmp_path)


def test_the_page_shows_the_message_of_a_mistake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (shown,) = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    wrong = re.search(r"^4 \| (.*)$", shown, re.MULTILINE)
    assert wrong is not None
    source = f'[project]\nname = "x"\n[tool.namecheck]\n{wrong[1]}\n'
    with pytest.raises(Misconfigured) as refusal:
        tables_of(source.encode(), "pyproject.toml", ".")
    assert f"Error: {refusal.value.format_message()}\n" == shown


def test_all_settings_are_shown(tmp_path: Path) -> None:
    shown = settings_text("x", Configuration(isolated=True).of("x"))
    table = tomllib.loads(shown)
    assert {*table, "baseline", "extend", "python"} == set(KEYS)
