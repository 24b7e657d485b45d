"""Files that a person would not write: at most one finding each, in time, and the others go on."""

from __future__ import annotations

import contextlib
import json
import os
import time
from pathlib import Path

import pytest
from click.testing import Result

from invoking import invoke
from namecheck.analysis.reading.chains import DEEP, LONG, takes_too_long
from namecheck.report import FORMATS
from namecheck.text.layout import read_layout

PROGRAM = b"""\
import torch

a = torch.zeros(2, 3)
b = a @ torch.zeros(2, 3)
"""


@pytest.fixture(autouse=True)
def here(here: Path) -> Path:
    (here / "zz_wrong.py").write_bytes(PROGRAM)
    return here


def run(*arguments: str) -> Result:
    return invoke(*arguments, NO_COLOR="1")


def reported(*arguments: str) -> list[tuple[str, str]]:
    done = run("check", *arguments, "--output-format", "json")
    return [(finding["filename"], finding["code"]) for finding in json.loads(done.stdout)]


DEEPLY = {
    "brackets": "x = " + "(" * 5000 + "1" + ")" * 5000,
    "open brackets": "x = " + "[" * 5000,
    "sum": "x = " + " + ".join(["torch.zeros(2)"] * 3000),
    "attributes": "x = a" + ".b" * 3000,
    "calls": "x = f" + "()" * 3000,
    "subscripts": "x = a" + "[0]" * 3000,
    "signs": "x = " + "-" * 3000 + "1",
    "lambdas": "x = " + "lambda: " * 3000 + "1",
    "conditions": "x = " + " if a else ".join(["b"] * 3000),
    "powers": "x = " + " ** ".join(["b"] * 3000),
    "elif": "if a: pass\n" + "elif a: pass\n" * 3000,
    "blocks": "".join(f"{' ' * n}if a:\n" for n in range(200)) + " " * 200 + "pass",
    "f-strings": "x = " + 'f"{' * 50 + "1" + '}"' * 50,
    "digits": "x = " + "9" * 6000,
}


@pytest.mark.parametrize("name", DEEPLY)
def test_deeply_nested_code(here: Path, name: str) -> None:
    """Python refuses some of these as well, and some only when it runs short of stack."""
    (here / "deep.py").write_text(f"import torch\n{DEEPLY[name]}\n")
    begun = time.process_time()
    findings = reported(".", "--notes")
    assert time.process_time() - begun < 10  # quadratic work would take a minute
    assert ("zz_wrong.py", "NC203") in findings
    codes = {code for path, code in findings if path == "deep.py"}
    assert codes <= {"NC900", "NC802"}
    if codes == {"NC900"}:
        with pytest.raises(SyntaxError):
            compile(DEEPLY[name], "deep.py", "exec")


def test_a_long_line_is_not_a_long_chain() -> None:
    def asked(text: str) -> bool:
        return takes_too_long(text, read_layout(text))

    assert not asked("x = [" + "1.25, " * LONG + "]\n")
    assert not asked("x = 1\n" * LONG)
    assert not asked("x = " + " + ".join(["y"] * (DEEP // 2)) + "\n")
    assert asked("x = " + " + ".join(["f(y, z, 12)"] * 1000) + "\n")
    assert asked("x = f" + "(a)" * 4000 + "\n")


ENCODED = {
    "mark": (b"\xef\xbb\xbf" + PROGRAM, 4),
    "windows": (PROGRAM.replace(b"\n", b"\r\n"), 4),
    "old mac": (PROGRAM.replace(b"\n", b"\r"), 4),
    "mixed": (PROGRAM.replace(b"\n", b"\r\n", 1).replace(b"\n\na", b"\n\r\ra"), 5),
    "form feed": (PROGRAM.replace(b"\na", b"\n\x0c\na"), 5),
    "form feed in a line": (PROGRAM.replace(b"\na", b"\n\x0ca"), 4),
    "latin-1": (b"# coding: latin-1\n# \xe9\n" + PROGRAM, 6),
    "shift_jis": ("# coding: shift_jis\n# 日本\n".encode("shift_jis") + PROGRAM, 6),
    "utf-7": (b"# coding: utf-7\n" + PROGRAM.replace(b"@", b"+AEA-"), 5),
    "no end of line": (PROGRAM.rstrip(), 4),
    "end of file": (PROGRAM + b"\x1a", None),
}


@pytest.mark.parametrize("name", ENCODED)
def test_ways_to_write_a_program(here: Path, name: str) -> None:
    source, line = ENCODED[name]
    (here / "p.py").write_bytes(source)
    done = run("check", "p.py", "--output-format", "concise")
    expected = f"p.py:{line}:5: NC203 " if line else "p.py:5:1: NC900 "
    assert done.stdout.startswith(expected)
    assert done.stdout.count("\n") == 1


UNREADABLE = {
    "utf-16": PROGRAM.decode().encode("utf-16"),
    "nothing of the kind": b"\x80\x81\n",
    "null bytes": b"import torch\nx = 1\0\n",
    "half a character": b'# coding: unicode_escape\nx = "\\ud800"\nimport torch\n',
    "half a character, raw": b'# coding: raw_unicode_escape\nx = "\\ud800"\nimport torch\n',
    "no encoding": b"# coding: klingon\n",
    "a codec of bytes": b"# coding: hex\n",
    "a codec of text": b"# coding: rot13\n",
    "undefined": b"# coding: undefined\n",
    "punycode": b"# coding: punycode\nx = 1\n",
    "two encodings": b"\xef\xbb\xbf# coding: latin-1\n",
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_an_unreadable_file_is_one_finding(here: Path, name: str) -> None:
    (here / "p.py").write_bytes(UNREADABLE[name])
    assert reported(".") == [("p.py", "NC900"), ("zz_wrong.py", "NC203")]
    with pytest.raises((SyntaxError, ValueError)):
        compile(UNREADABLE[name], "p.py", "exec")
    for _ in range(2):  # none of these may write to the file
        for option in ("--fix", "--diff", "--add-ignore"):
            run("check", ".", option)
    assert (here / "p.py").read_bytes() == UNREADABLE[name]
    assert run("show", "p.py").exit_code == 1


@pytest.mark.parametrize("name", ["empty.py", "space.py", "end.py"])
def test_files_with_nothing_in_them(here: Path, name: str) -> None:
    contents = {"empty.py": b"", "space.py": b" \n\t\n\x0c", "end.py": b"\\\n"}
    (here / name).write_bytes(contents[name])
    assert [path for path, _ in reported(".")].count(name) == (name == "end.py")
    assert run("show", name).exit_code == (name == "end.py")


def test_paths_that_are_not_files(here: Path) -> None:
    (here / "folder.py").mkdir()
    (here / "folder.py" / "inner.py").write_bytes(PROGRAM)
    (here / "notebook.ipynb").mkdir()
    os.mkfifo(here / "pipe.py")
    (here / "dangling.py").symlink_to("nowhere")
    (here / "loop.py").symlink_to("loop.py")
    (here / "below").mkdir()
    (here / "below" / "above").symlink_to("..")
    assert reported(".") == [("folder.py/inner.py", "NC203"), ("zz_wrong.py", "NC203")]
    # If they are named, each is reported, and the run does not wait for any.
    for name in ("dangling.py", "loop.py"):
        done = run("check", name, "zz_wrong.py")
        assert (done.exit_code, done.stdout) == (2, "")
        assert f"no such file or folder: '{name}'" in done.stderr
    assert reported("pipe.py", "zz_wrong.py") == [("pipe.py", "NC900"), ("zz_wrong.py", "NC203")]


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="no /proc")
@pytest.mark.parametrize("name", ["/proc/self/mem", "/proc/self/attr/exec", "/dev/zero"])
def test_a_file_that_not_even_root_can_read(name: str) -> None:
    if not os.path.exists(name):
        pytest.skip(f"no {name} here")
    assert reported(name, "zz_wrong.py")[-1] == ("zz_wrong.py", "NC203")


NAMES = [
    b"n\xff\xfe.py",
    "half\ud800.py".encode("utf-8", "surrogatepass"),
    "日本.py".encode(),
    b"new\nline.py",
    b"tab\tbell\a\x1b[31m.py",
    "line\u2028separator\u202eright.py".encode(),
    b"-.py",
    b"--fix.py",
    b"a b'c\"d.py",
    b"%s{}&<>.py",
    b"x" * 250 + b".py",
]


@pytest.mark.parametrize("name", NAMES, ids=repr)
def test_names_of_files(here: Path, name: bytes) -> None:
    path = os.fsencode(here) + b"/" + name
    with contextlib.suppress(OSError), open(path, "wb") as file:
        file.write(PROGRAM.replace(b"a @", b"a.t().view(-1) @") + b"c = 1  # noqa: NC203\n")
    if not os.path.exists(path):
        pytest.skip("this file system has no such name")
    for form in FORMATS:
        for option in (".", os.fsdecode(path)):
            done = run("check", option, "--output-format", form)
            assert done.exit_code == 1
            done.stdout_bytes.decode()
    assert "NC999" not in done.stdout
    assert run("show", os.fsdecode(path)).exit_code == 0
    assert run("check", ".", "--diff").exit_code == 1
    assert run("check", ".", "--fix").exit_code == 1
    with open(path, "rb") as file:
        assert b"a.t().contiguous().view(-1)" in file.read()
    assert run("baseline", "write").exit_code == 0
    assert run("check", ".", "--baseline", "namecheck-baseline.json").exit_code == 0


@pytest.mark.parametrize("name", NAMES, ids=repr)
def test_folders_of_any_name(
    here: Path, name: bytes, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The current folder, too, which has to hold the cache."""
    monkeypatch.setenv("NAMECHECK_NO_CACHE", "")
    folder = os.fsencode(here) + b"/" + name.removesuffix(b".py")
    with contextlib.suppress(OSError):
        os.makedirs(folder + b"/inner")
    if not os.path.isdir(folder):
        pytest.skip("this file system has no such name")
    (here / "namecheck.toml").write_text("exclude = []\n")
    for part in (b"", b"/inner"):
        with open(folder + part + b"/m.py", "wb") as file:
            file.write(PROGRAM)
    for _ in range(2):
        assert [code for _, code in reported(".")] == ["NC203"] * 3
        assert run("check", os.fsdecode(folder)).exit_code == 1
    (here / "namecheck.toml").rename(os.fsdecode(folder) + "/namecheck.toml")
    monkeypatch.chdir(os.fsdecode(folder))
    for _ in range(2):
        done = run("check", ".", "--output-format", "json")
        assert [finding["filename"] for finding in json.loads(done.stdout)] == [
            "inner/m.py",
            "m.py",
        ]
        assert done.stderr.count("\n") <= 1  # one warning
    assert run("baseline", "write").exit_code == 0
    assert run("baseline", "check").exit_code == 0
    assert run("check", ".", "--show-settings").exit_code == 0
    assert run("clean").exit_code == 0


def test_an_implicit_call(here: Path) -> None:
    """`map` calls a method of an unknown object; `show` examines it thoroughly."""
    (here / "mapped.py").write_text(
        "def f(x, y, xp):\n"
        "    x, y = map(xp.asarray, (x, y))\n"
        "    B, T, C = x.shape\n"
        "    return x.sum(-1) + y\n"
    )
    done = run("show", "mapped.py")
    assert (done.exit_code, "NC999" in done.stdout) == (0, False)
