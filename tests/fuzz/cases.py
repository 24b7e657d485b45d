"""The kinds of cases: how a random case is made, and what has to hold for it.

Each property is a function of a case in a folder of its own, so `__main__` can check it for hours
and the tests for seconds.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from click.testing import CliRunner, Result
from hypothesis import strategies as st

ROOT: Final = Path(__file__).parents[2]
for _folder in (ROOT / "tests", ROOT / "tests" / "analysis", Path(__file__).parent):
    if str(_folder) not in sys.path:
        sys.path.append(str(_folder))

from bombs import bombs, program  # noqa: E402
from invariants import CACHE, check_one, holds, is_sane  # noqa: E402
from mutations import COMMENTS, mutated, mutated_bytes  # noqa: E402
from sources import ODD, expressions, modules  # noqa: E402
from tensor_programs import tensor_programs  # noqa: E402

from laws.calls import Call, ask, everything  # noqa: E402
from lessons import programs  # noqa: E402
from namecheck.findings import Level  # noqa: E402
from namecheck.main import main  # noqa: E402
from namecheck.running import cache_index  # noqa: E402
from namecheck.running.cache_key import cache_key  # noqa: E402
from namecheck.text.chunks import split  # noqa: E402

__all__ = ["KINDS", "Kind", "bombs_of", "is_answered", "own_programs", "real_programs"]

WRONG: Final = "import torch\n\na = torch.zeros(2, 3)\nb = a @ torch.zeros(2, 3)\n"


class Kind(NamedTuple):
    """A kind of cases: how the files of one are made from programs, and what has to hold.

    A case may depend on the number of the round, so that each round covers other things.
    """

    noun: str
    """The name of the cases, in the plural."""
    made: Callable[[Sequence[str], int], st.SearchStrategy[Mapping[str, bytes]]]
    holds: Callable[[Mapping[str, bytes]], None]
    times: int = 1
    """The number of cases for each case of other kinds."""


# Programs to start from


def own_programs() -> list[str]:
    """The programs of the lessons and the examples, and odd texts."""
    texts = list(ODD.values())
    for lesson in sorted((ROOT / "tests" / "cases").glob("*.md")):
        with contextlib.suppress(SyntaxError):
            texts += [program.marks.text for program in programs(lesson)]
    texts += [path.read_text() for path in sorted((ROOT / "docs" / "examples").glob("*.py"))]
    return sorted({text for text in texts if len(text) < 4000})


@functools.cache
def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("**/*.py"))


def real_programs(folders: Sequence[Path], chance: random.Random, number: int) -> list[str]:
    """Files of some folders, and parts of files: a few chunks with some imports of the file."""
    files = [file for folder in folders for file in _files(folder)]
    texts: list[str] = []
    while files and len(texts) < number:
        text = chance.choice(files).read_text("utf-8", "replace")
        if len(texts) % 4 == 3 and 40 < len(text) < 40_000:
            texts.append(text)
            continue
        chunks = [chunk.text for chunk in split(text[:200_000])]
        imports = [chunk for chunk in chunks if chunk.lstrip().startswith(("import ", "from "))]
        start = chance.randrange(len(chunks))
        some = chunks[start : start + chance.randrange(1, 5)]
        piece = "".join([*imports[:2], *some])
        if 40 < len(piece) < 8000:
            texts.append(piece)
    return texts


# Python


def _as_file(name: str) -> Callable[[bytes], Mapping[str, bytes]]:
    return lambda source: {name: source}


def made_programs(texts: Sequence[str], number: int) -> st.SearchStrategy[Mapping[str, bytes]]:
    return mutated(texts).map(_as_file("program.py"))


def made_texts(_: Sequence[str], number: int) -> st.SearchStrategy[Mapping[str, bytes]]:
    """Texts that follow Python's grammar, and texts that follow no grammar."""
    lines = st.sampled_from(["import torch\n", "x = torch.zeros(2, 3)\n", *COMMENTS])
    anything = st.one_of(modules(), expressions, lines, st.text(max_size=30))
    several = st.lists(anything, max_size=4).map("\n".join)
    return several.map(lambda t: {"text.py": t.encode("utf-8", "surrogatepass")})


def made_projects(texts: Sequence[str], number: int) -> st.SearchStrategy[Mapping[str, bytes]]:
    """Two files, each of which imports from the other."""

    def joined(first: bytes, second: bytes) -> Mapping[str, bytes]:
        return {"one.py": b"from two import *\n" + first, "two.py": b"import one\n" + second}

    return st.builds(joined, mutated(texts), mutated(texts))


def python_holds(files: Mapping[str, bytes]) -> None:
    holds(sorted(files))


# Tensor programs


def made_tensor_programs(
    texts: Sequence[str], number: int
) -> st.SearchStrategy[Mapping[str, bytes]]:
    return tensor_programs().map(_as_file("program.py"))


# Bombs

_OPS_IN_A_ROUND: Final = 160
"""As many as there are cases: eight rounds cover all ops, in less than half an hour."""


def made_bombs(texts: Sequence[str], number: int) -> st.SearchStrategy[Mapping[str, bytes]]:
    """An op or a layer, and a seed for its calls: each round takes the next ones of the list."""
    names = everything()
    first = number * _OPS_IN_A_ROUND
    some = [names[(first + k) % len(names)] for k in range(_OPS_IN_A_ROUND)]
    return st.sampled_from(some).map(lambda name: {"bomb": _json([name, number])})


_LINES: Final = 30
"""The number of calls of an op that are written as a program."""

SLOWEST: Final = 10.0
"""Seconds of CPU that a program of huge numbers may take."""


def bombs_of(name: str, number: int) -> list[Call]:
    """The calls of an op or layer in a round."""
    return list(bombs(name, random.Random(f"{name} {number}")))


def bombs_hold(files: Mapping[str, bytes]) -> None:
    """Check that every call is answered at once, and some of them as lines of a program."""
    name, number = json.loads(files["bomb"])
    calls = bombs_of(name, number)
    for call in calls:
        is_answered(call)
    some = random.Random(number).sample(calls, min(_LINES, len(calls)))
    _is_checked(some)


def is_answered(call: Call) -> None:
    """Raises AssertionError if a call of a rule fails or is slow."""
    begun = time.process_time()
    try:
        ask(call)
    except BaseException as failure:
        raise AssertionError(f"{call} raises {type(failure).__name__}: {failure}") from failure
    assert time.process_time() - begun < 1, f"{call} takes too long"


def _is_checked(calls: list[Call]) -> None:
    """Check that a program of these calls is checked at once; on failure, try each line alone."""
    try:
        _check_program(calls)
    except BaseException:
        for call in calls:
            _check_program([call])
        raise


def _check_program(calls: list[Call]) -> None:
    begun = time.process_time()
    text = program(calls)
    Path("program.py").write_text(text)
    try:
        is_sane(check_one(["program.py"]))
    except BaseException as failure:
        raise AssertionError(f"{text}\nraises {type(failure).__name__}: {failure}") from failure
    assert time.process_time() - begun < SLOWEST, f"{text}\ntakes too long"


# Notebooks

_MAGICS: Final = (
    *("%matplotlib inline\n", "!ls 'x\n", "%%bash\nls\n", "%%time\nx = 1\n", "x?\n", "y = !ls\n"),
    *("%%javascript\nlet x = {\n", "    x = 1\n", "x = \\\n", "x = '''\n", "", "\ud800", "#\r"),
)
_JSON: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@st.composite
def made_notebooks(draw: st.DrawFn, texts: Sequence[str], number: int) -> Mapping[str, bytes]:
    cells: list[Any] = []
    for _ in range(draw(st.integers(0, 4))):
        text = draw(mutated(texts)).decode("utf-8", "replace")
        text = draw(st.sampled_from(("", "", *_MAGICS))) + text
        source: Any = text if draw(st.booleans()) else text.splitlines(keepends=True)
        cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": source}
        if draw(st.integers(0, 4)) == 0:
            cell[draw(st.sampled_from(sorted(cell)))] = draw(_JSON)
        if draw(st.integers(0, 4)) == 0:
            cell["cell_type"] = "markdown"
        cells.append(cell)
    held = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    if draw(st.integers(0, 9)) == 0:
        held = {"worksheets": [{"cells": cells}], "nbformat": 3}
    if draw(st.integers(0, 9)) == 0:
        held["metadata"] = draw(_JSON)
    indent = draw(st.sampled_from((None, 1)))
    source = json.dumps(held, indent=indent, ensure_ascii=draw(st.booleans())).encode(
        "utf-8", "surrogatepass"
    )
    if draw(st.integers(0, 4)) == 0:
        source = draw(mutated_bytes(source))
    return {"book.ipynb": source}


# Other inputs of the command


def run(*arguments: str) -> Result:
    """The result of the command, which has to end with a known exit code."""
    done = CliRunner(env={"NO_COLOR": "1", "NAMECHECK_NO_CACHE": ""}).invoke(main, arguments)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code in (0, 1, 2), done.exit_code
    if done.exit_code == 2:
        assert done.stderr.startswith(("Error: ", "Usage: ", "Warning: ")), done.stderr
    assert "NC999" not in done.stdout, done.stdout
    return done


_SETTINGS: Final = (
    'select = ["NC2", "misaligned-broadcast"]\n',
    'extend-select = ["ALL"]\nignore = ["NC203"]\nstrict = true\nnotes = false\n',
    'exclude = ["*.py", "!a/**", "[z-a]", "{", "\\\\"]\nextend-exclude = []\n',
    '[per-file-ignores]\n"*.py" = ["NC2"]\n"!tests/**" = ["ALL"]\n',
    '[dims]\nB = "batch"\nbatch = "B"\nT = "time"\n',
    'may-meet = [["B", "T"], ["time", "T"]]\noutput-format = "json"\n',
    'required-version = ">=0.1,<99"\nbaseline = "base.json"\nforce-exclude = true\n',
    'respect-gitignore = true\nrequired-version = "==0"\n',
)
_TOML: Final = (
    *('""', '"NC2"', '"ALL"', "1", "-0.5", "inf", "nan", "true", "[]", "{}", "[[]]", '["", "NC"]'),
    *("1979-05-27", "'''\n'''", '"\\u0000"', '"\\ud800"', "[1, 'a']", "{a = 1}", "9" * 5000, "0x"),
)
_WORD: Final = st.sampled_from(_TOML)
_KEY: Final = st.sampled_from(
    ["select", "selekt", "dims", "may-meet", "exclude", "per-file-ignores", "baseline", '""', "a.b"]
)


@st.composite
def made_settings(draw: st.DrawFn, texts: Sequence[str], number: int) -> Mapping[str, bytes]:
    project = draw(st.booleans())
    text = "".join(draw(st.lists(st.sampled_from(_SETTINGS), max_size=3)))
    for key in draw(st.lists(_KEY, max_size=2)):
        text = f"{key} = {draw(_WORD)}\n{text}"
    if project:
        text = "[tool.namecheck]\n" + text.replace("\n[", "\n[tool.namecheck.")
    source = text.encode("utf-8", "surrogatepass")
    if draw(st.booleans()):
        source = draw(mutated_bytes(source))
    name = "pyproject.toml" if project else "namecheck.toml"
    ignored = b"\n".join(draw(st.lists(st.binary(max_size=6), max_size=3)))
    return {name: source, ".gitignore": ignored, "wrong.py": WRONG.encode()}


def settings_hold(files: Mapping[str, bytes]) -> None:
    os.makedirs(".git", exist_ok=True)
    done = run("check", ".")
    shown = run("check", ".", "--show-settings", "--show-files")
    assert done.exit_code != 2 or "baseline" in done.stderr or shown.exit_code == 2
    run("check", "-n", "wrong.py", "--config", "namecheck.toml")
    if shown.exit_code == 0 and "baseline" not in done.stderr:
        assert run("check", ".").stdout == done.stdout


_ENTRY: Final = {
    "path": "wrong.py",
    "code": "NC203",
    "function": "",
    "line": "5acfcbf166b62faf",
    "count": 1,
}


@st.composite
def made_baselines(draw: st.DrawFn, texts: Sequence[str], number: int) -> Mapping[str, bytes]:
    entry: dict[str, Any] = dict(_ENTRY)
    for key in draw(st.lists(st.sampled_from([*_ENTRY, "x"]), max_size=2)):
        entry[key] = draw(_JSON)
    held: Any = {"namecheck-baseline": 1, "findings": [entry, *draw(st.lists(_JSON, max_size=1))]}
    if draw(st.integers(0, 5)) == 0:
        held = draw(_JSON)
    source = json.dumps(held).encode()
    if draw(st.booleans()):
        source = draw(mutated_bytes(source))
    return {"base.json": source, "wrong.py": WRONG.encode()}


def baselines_hold(files: Mapping[str, bytes]) -> None:
    done = run("check", ".", "--baseline", "base.json", "--error-stale-baseline")
    for command in ("check", "prune", "write"):
        result = run("baseline", command, "--baseline", "base.json")
        assert (result.exit_code == 2) == (done.exit_code == 2)
    with open("base.json", "rb") as file:
        written = file.read()
    if done.exit_code == 2:
        assert written == files["base.json"], "an unreadable baseline was overwritten"
    else:
        assert run("check", ".", "--baseline", "base.json").exit_code == 0


@st.composite
def made_indices(draw: st.DrawFn, texts: Sequence[str], number: int) -> Mapping[str, bytes]:
    """A project and the damage to its cache: replaced bytes, which may be sealed again."""
    flips = st.lists(st.tuples(st.integers(0, 100_000), st.binary(max_size=3)), max_size=6)
    done = {"sealed": draw(st.booleans()), "flips": [(n, b.hex()) for n, b in draw(flips)]}
    done["cut"] = draw(st.sampled_from((0, 0, 1, 100)))
    return {"program.py": draw(mutated(texts)), "wrong.py": WRONG.encode(), "done": _json(done)}


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


def indices_hold(files: Mapping[str, bytes]) -> None:
    paths = ["program.py", "wrong.py"]
    plain = check_one(paths).findings
    check_one(paths, cache=True)
    done = json.loads(files["done"])
    (index,) = Path(CACHE).glob("*.index")
    content = bytearray(index.read_bytes())
    head = len(cache_index.MAGIC) + 16
    for place, new in done["flips"]:
        position = place % len(content)
        if not done["sealed"] or position >= head:
            content[position : position + len(new) // 2] = bytes.fromhex(new)
    if done["cut"]:
        del content[-done["cut"] :]
    # A sealed cache counts as our own: its findings may be wrong, but nothing worse may happen.
    if done["sealed"]:
        key = cache_key(os.getcwd())
        assert key is not None, "there is no key to sign an index with"
        content[len(cache_index.MAGIC) : head] = cache_index.sealed(content[head:], index.name, key)
    index.write_bytes(content)
    findings = check_one(paths, cache=True).findings
    if not done["sealed"]:
        assert findings == plain, "a broken index was believed"
    assert {finding.level for finding in findings} <= set(Level)
    # The entries that went into a new index are read again, whatever they contain.
    assert {finding.level for finding in check_one(paths, cache=True).findings} <= set(Level)


KINDS: Final[Mapping[str, Kind]] = {
    "bomb": Kind("ops and layers, called with huge numbers", made_bombs, bombs_hold, 4),
    "tensors": Kind("random tensor programs", made_tensor_programs, python_holds),
    "program": Kind("mutated programs and real files", made_programs, python_holds),
    "text": Kind("texts", made_texts, python_holds),
    "project": Kind("projects of two files", made_projects, python_holds),
    "notebook": Kind("notebooks", made_notebooks, python_holds),
    "settings": Kind("settings", made_settings, settings_hold),
    "baseline": Kind("baselines", made_baselines, baselines_hold),
    "index": Kind("damaged caches", made_indices, indices_hold),
}


@contextlib.contextmanager
def laid_out(files: Mapping[str, bytes], folder: Path) -> Iterator[None]:
    """Write files into an empty folder, and work in that folder inside the block."""
    import shutil

    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    back = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(back)
