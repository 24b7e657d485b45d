"""The part of YAML in which configurations are written, against PyYAML where that is installed."""

from __future__ import annotations

from typing import Any

import pytest

from namecheck.text.data_formats import read_data
from namecheck.text.yaml_subset import UNCLEAR, Unreadable, read_yaml

READ = {
    "a: 1\nb: -2\nc: 1.5\nd: 1.0e-4\n": {"a": 1, "b": -2, "c": 1.5, "d": 1e-4},
    "a: true\nb: null\nc: ~\nd:\ne: False\n": {
        "a": True,
        "b": None,
        "c": None,
        "d": None,
        "e": False,
    },
    "a: word\nb: two words\nc: 'x: y'\nd: \"#1\"\n": {
        "a": "word",
        "b": "two words",
        "c": "x: y",
        "d": "#1",
    },
    "a:\n  b:\n    c: 3  # deep\n  d: [1, 2, [3]]\n": {"a": {"b": {"c": 3}, "d": [1, 2, [3]]}},
    "a:\n- 1\n- 2\nb:\n  - x: 1\n    y: 2\n  - x: 3\n": {
        "a": [1, 2],
        "b": [{"x": 1, "y": 2}, {"x": 3}],
    },
    "- - 1\n  - 2\n- {a: 1, b: [x, 'y']}\n": [[1, 2], {"a": 1, "b": ["x", "y"]}],
    "---\n# only one document\na: don't\n": {"a": "don't"},
    "path: a/b.txt\nurl: http://x.org/#top\n": {"path": "a/b.txt", "url": "http://x.org/#top"},
    "": None,
    "word": "word",
}


@pytest.mark.parametrize("text", READ)
def test_what_is_read(text: str) -> None:
    assert read_yaml(text) == READ[text]
    yaml = pytest.importorskip("yaml")
    assert yaml.safe_load(text) == READ[text]


@pytest.mark.parametrize(
    "value", ["1e-4", "010", "0x1f", "1_000", "yes", "off", "2024-01-02", ".5"]
)
def test_values_of_which_readers_differ(value: str) -> None:
    assert read_yaml(f"a: {value}\nb: 2\n") == {"a": UNCLEAR, "b": 2}
    assert read_yaml(f"[{value}, 2]") == [UNCLEAR, 2]


def test_texts_over_several_lines_are_not_known() -> None:
    text = "a: |\n  b: 1\n  c\n\n  d\ne: 2\nf: >-\n  g\n"
    assert read_yaml(text) == {"a": UNCLEAR, "e": 2, "f": UNCLEAR}
    assert read_yaml("a: ${b}/c\nb: 1\n") == {"a": UNCLEAR, "b": 1}


@pytest.mark.parametrize(
    "text",
    [
        "a: &x 1\nb: *x\n",
        "<<: *x\n",
        "a: !!int 3\n",
        "a: 1\n---\nb: 2\n",
        "a: 1\na: 2\n",
        "a:\n\t- 1\n",
        "a: one\n  two\n",
        "a: [1,\n  2]\n",
        'a: "x\\n"\n',
        "a: 'it''s'\n",
        "? a\n: 1\n",
        "a: {b: 1\n",
        "a: b: 1\n",
    ],
)
def test_what_goes_beyond_that(text: str) -> None:
    with pytest.raises(Unreadable):
        read_yaml(text)


@pytest.mark.parametrize("form", ["json", "toml", "yaml"])
def test_files_that_cannot_be_read(form: str) -> None:
    text: Any = "[1" if form != "toml" else "a = "
    assert read_data(form, text) is UNCLEAR
    assert read_data("json", "[" * 100_000) is UNCLEAR
