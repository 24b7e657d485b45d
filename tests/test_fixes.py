"""Fixes: which ones are proposed for which findings."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from namecheck.analysis.runs.file_analysis import analyze_text
from namecheck.analysis.runs.findings_of import Mistakes
from namecheck.applying.difference import edits_between
from namecheck.applying.writing import Unwritable, encoded, write_bytes
from namecheck.findings import Applicability, Edit, Finding, Span
from namecheck.fixes.code import Code
from namecheck.fixes.edits import Change, applied, changes, collide, moved
from namecheck.fixes.proposals import LONGEST, propose
from namecheck.main import main

SAFE, UNSAFE, DISPLAY = Applicability.SAFE, Applicability.UNSAFE, Applicability.DISPLAY


def proposed(text: str) -> tuple[Finding, ...]:
    mistakes: Mistakes = {}
    analysis = analyze_text("a.py", text, mistakes=mistakes)
    return propose("a.py", text, None, analysis, mistakes).findings


def fixed(text: str, *kinds: Applicability) -> str:
    """The text after every proposed fix of these kinds."""
    code = Code(text)
    edits = [
        edit
        for f in proposed(text)
        if f.fix and f.fix.applicability in kinds
        for edit in f.fix.edits
    ]
    return applied(text, changes(code, edits))


def case(before: str, after: str) -> tuple[str, str]:
    return textwrap.dedent(before).lstrip("\n"), textwrap.dedent(after).lstrip("\n")


CONTIGUOUS = [
    ("y = x.transpose(1, 2).view(8, 3)", "y = x.transpose(1, 2).contiguous().view(8, 3)"),
    ("y = x.mT.view(-1)", "y = x.mT.contiguous().view(-1)"),
    ("y = (x.mT).view(-1)", "y = (x.mT).contiguous().view(-1)"),
    ("y = (x.mT  # ü\n  .view(-1))", "y = (x.mT  # ü\n  .contiguous().view(-1))"),
    ("ü = x.mT; y = ü.view(-1)", "ü = x.mT; y = ü.contiguous().view(-1)"),
]


@pytest.mark.parametrize(("before", "after"), CONTIGUOUS)
def test_a_view_of_a_noncontiguous_tensor(before: str, after: str) -> None:
    head = "import torch\nx = torch.zeros(2, 3, 4)\n"
    assert fixed(head + before + "\n", SAFE) == head + after + "\n"


KEEPDIM = [
    ("x - x.mean(-1)", "x - x.mean(-1, keepdim=True)"),
    ("x.mean(-1) - x", "x.mean(-1, keepdim=True) - x"),
    ("x - x.mean((-1))", "x - x.mean((-1), keepdim=True)"),
    ("x - x.sum(dim=2,)", "x - x.sum(dim=2, keepdim=True,)"),
    ("x / torch.norm(x, dim=2, keepdim=False)", "x / torch.norm(x, dim=2, keepdim=True)"),
    ("torch.sub(x, x.amax(1))", "torch.sub(x, x.amax(1, keepdim=True))"),
    ("x > x.amax(1)", "x > x.amax(1, keepdim=True)"),
    ("x - x.std(axis=1) * 2", "x - x.std(axis=1, keepdim=True) * 2"),
]


@pytest.mark.parametrize(("before", "after"), KEEPDIM)
def test_a_reduction_that_should_keep_its_dim(before: str, after: str) -> None:
    head = "import torch\nx = torch.zeros(5, 6, 7)\ny = "
    assert fixed(head + before + "\n", UNSAFE) == head + after + "\n"
    assert fixed(head + before + "\n", SAFE) == head + before + "\n"


NUMPY = [
    ("import numpy as np", "x - x.mean(-1)", "x - x.mean(-1, keepdims=True)"),
    ("import numpy as np", "x - np.mean(x, 1)", "x - np.mean(x, 1, keepdims=True)"),
    ("import numpy as np", "x - np.ptp(x, 1)", "x - np.ptp(x, 1, keepdims=True)"),
    # If both libraries are imported, a fix uses the keyword that both understand; for methods that
    # only PyTorch's tensors have, it uses PyTorch's.
    ("import numpy as np\nimport torch", "x - x.mean(-1)", "x - x.mean(-1, keepdims=True)"),
]


@pytest.mark.parametrize(("imports", "before", "after"), NUMPY)
def test_numpy_spells_it_keepdims(imports: str, before: str, after: str) -> None:
    head = f"{imports}\nx = np.zeros((5, 6, 7))\ny = "
    assert fixed(head + before + "\n", UNSAFE) == head + after + "\n"


def test_the_reduction_may_be_in_an_assignment() -> None:
    before, after = case(
        """
        def normalised(x):
            B, T, C = x.shape
            mean = x.mean(-1)
            mean = x.mean(-1)
            std = x.std(dim=-1)
            return (x - mean) / std
        """,
        """
        def normalised(x):
            B, T, C = x.shape
            mean = x.mean(-1)
            mean = x.mean(-1, keepdim=True)
            std = x.std(dim=-1, keepdim=True)
            return (x - mean) / std
        """,
    )
    assert fixed(before, UNSAFE) == after


@pytest.mark.parametrize("value", ["x.sum(1) - x.sum(2)", "x.reshape(-1) - x.sum(2).mean(-1)"])
def test_keepdim_that_would_make_a_table_is_not_proposed(value: str) -> None:
    (finding,) = proposed(f"import torch\nx = torch.zeros(5, 6, 7)\ny = {value}\n")
    assert (finding.code, finding.fix) == ("NC201", None)


def test_keepdim_that_breaks_something_else_is_not_proposed() -> None:
    text = """
import torch
x = torch.zeros(5, 6, 7)
mean = x.mean(1)
y = torch.zeros(5, 7) - mean
z = torch.zeros(9, 5, 7) @ torch.zeros(7, 5)
w = x - mean
v = torch.cat([mean, torch.zeros(1, 7)])
"""
    (finding,) = proposed(text)
    assert finding.code == "NC201"
    assert finding.fix is None


COMMENTS = [
    ("y = x.transpose(1, 2)  # (B, T, C)", "y = x.transpose(1, 2)  # (B, C, T)"),
    ("y = x.transpose(1, 2)  # [B,T,C]", "y = x.transpose(1, 2)  # [B,C,T]"),
    ("y = x.transpose(1, 2)  # B x T x C", "y = x.transpose(1, 2)  # B x C x T"),
    ("y = x.transpose(1, 2)  # y: [B, T, C]", "y = x.transpose(1, 2)  # y: [B, C, T]"),
    (
        "y = x.transpose(1, 2)  # shape: (B, T, C) now",
        "y = x.transpose(1, 2)  # shape: (B, C, T) now",
    ),
    ("y = x.mean(1)  # (B, T, C)", "y = x.mean(1)  # (B, C)"),
    ("y = x.mean(1)  # B x T x C", "y = x.mean(1)  # B x C"),
    (
        "y = (  # a view\n        x.mT\n    )  # (B, T, C)",
        "y = (  # a view\n        x.mT\n    )  # (B, C, T)",
    ),
    ("y = x.mT  # (B, T, C) -> (B, T, C)", "y = x.mT  # (B, T, C) -> (B, C, T)"),
    # The comment keeps its own words if only their order is wrong.
    ("y = x.mT.unsqueeze(1)  # [B, heads, T, C]", "y = x.mT.unsqueeze(1)  # [B, heads, C, T]"),
]


@pytest.mark.parametrize(("before", "after"), COMMENTS)
def test_a_comment_is_corrected_in_its_own_style(before: str, after: str) -> None:
    frame = "def f(x):\n    B, T, C = x.shape\n    {}\n    return y\n"
    assert fixed(frame.format(before), UNSAFE) == frame.format(after)
    assert fixed(frame.format(before), SAFE) == frame.format(before)


def test_a_comment_without_readable_dims_is_left_alone() -> None:
    text = """
import torch


def f(x):
    B, T, C = x.shape
    y = torch.cat([x, x, x[:, :, 1:]], 2).mT  # (T, B, C)
    return y
"""
    (finding,) = proposed(text)
    assert (finding.code, finding.fix) == ("NC402", None)


def test_a_comment_is_left_alone_if_a_dim_has_no_word() -> None:
    text = (
        "def f(x, g):\n    B, T, C = x.shape\n    y = x[:, g(x):].mT  # (B, T, C)\n    return y\n"
    )
    assert fixed(text, UNSAFE) == text


NAMES = [
    case(
        """
        x = torch.zeros(2, 3, names=("N", "C"))
        a = x.sum("C")
        b = torch.mean(x, ("N", "C"), keepdim=True)
        c = torch.softmax(x, dim="C")
        """,
        """
        x = torch.zeros(2, 3)  # (N, C)
        a = x.sum(1)
        b = torch.mean(x, (0, 1), keepdim=True)
        c = torch.softmax(x, dim=1)
        """,
    ),
    case(
        """
        x = torch.zeros(2, 3, names=["N", "C"], dtype=torch.float32)  # data
        y = x.refine_names("N", "C").align_to("C", "N")
        z = y.align_to("N", ...)
        x = x.rename(N="B")
        v = x.rename(None).mean(0)
        x.rename_(None)
        """,
        """
        x = torch.zeros(2, 3, dtype=torch.float32)  # data
        y = x.permute(1, 0)
        z = y.permute(1, 0)
        v = x.mean(0)
        """,
    ),
    case(
        """
        x = torch.zeros(2, 3, 4)
        x.names = ("N", "C", "T")
        y = x.flatten(["C", "T"], "F")
        z = x.unflatten("T", (("a", 2), ("b", 2)))
        if z.shape:
            x.rename_(None)
        """,
        """
        x = torch.zeros(2, 3, 4)
        y = x.flatten(1, 2)
        z = x.unflatten(2, (2, 2))
        if z.shape:
            pass
        """,
    ),
]


@pytest.mark.parametrize(("before", "after"), NAMES)
def test_positions_for_the_names_of_removed_named_tensors(before: str, after: str) -> None:
    head = "from torch import float32\nimport torch\n\n"
    assert fixed(head + before, UNSAFE) == head + after
    assert fixed(head + before, SAFE) == head + before


def test_names_that_the_program_reads_stay() -> None:
    """Code that needs names keeps them, and so does the code that it depends on."""
    text = """
import torch
x = torch.zeros(2, 3, names=("N", "C"))
y = x.sum(x.names[0])
z = x.mean("Q")
"""
    findings = proposed(text)
    assert {f.span.line for f in findings if f.fix and f.fix.applicability is UNSAFE} == set()
    shown = [f.fix.message for f in findings if f.fix and f.fix.applicability is DISPLAY]
    assert shown
    assert all("namecheck_runtime" in message for message in shown)


def test_a_fix_that_would_fail_at_runtime_is_not_shown() -> None:
    """A display-only fix must be proven, too: here the wrong name would stay wrong."""
    text = 'import torch\nx = torch.zeros(2, 3, names=("N", "C"))\nz = x.mean("Q")\n'
    by_code = {f.code: f.fix for f in proposed(text)}
    assert by_code["NC103"] is None


# Edits of text


def test_equal_edits_are_one() -> None:
    code = Code("abc\n")
    edit = Edit(Span(1, 2, 1, 3), "x")
    assert applied(code.text, changes(code, [edit, edit])) == "axc\n"


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (Change(1, 3, ""), Change(3, 4, ""), False),
        (Change(1, 3, ""), Change(2, 4, ""), True),
        (Change(1, 3, ""), Change(1, 1, "x"), True),
        (Change(1, 1, "y"), Change(1, 1, "x"), True),
        (Change(1, 1, "x"), Change(1, 1, "x"), False),
        (Change(2, 2, "x"), Change(1, 3, "x"), True),
        (Change(3, 3, "x"), Change(1, 3, "x"), False),
    ],
)
def test_edits_that_collide(left: Change, right: Change, expected: bool) -> None:
    assert collide([left], [right]) is expected
    assert collide([right], [left]) is expected


def test_how_edits_move_places() -> None:
    edits = [Change(2, 2, "abc"), Change(4, 8, "")]
    assert [moved(place, edits) for place in (0, 2, 3, 4, 6, 8, 9)] == [0, 2, 6, 7, 7, 7, 8]


@pytest.mark.parametrize("text", ["", "a", "a\n", "a\r\nü\x0cb\rc", "\n\n"])
def test_places_and_offsets_are_each_others_inverse(text: str) -> None:
    code = Code(text)
    for offset in range(len(text) + 1):
        assert code.offset(*code.place(offset)) == offset


# The command


VIEW = "import torch\nx = torch.zeros(2, 3, 4)\ny = x.mT.view(-1)\n"
VIEWED = VIEW.replace(".view", ".contiguous().view")
KEPT = "import torch\nx = torch.zeros(5, 6, 7)\ny = x - x.mean(2, keepdim=True)\n"
LOST = KEPT.replace(", keepdim=True", "")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", "--output-format", "concise", *arguments])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "view.py").write_text(VIEW)
    (tmp_path / "mean.py").write_text(LOST)
    return tmp_path


def test_fix_applies_safe_fixes(folder: Path) -> None:
    done = run("--fix", ".")
    assert (folder / "view.py").read_text() == VIEWED
    assert (folder / "mean.py").read_text() == LOST
    assert done.exit_code == 1
    assert "Fixed 1 finding in 1 file." in done.stderr
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == ["mean.py"]


@pytest.mark.parametrize("words", ["NC2O2, NC2O3, NC2O4", "NC2O2 NC2O3", "NC2O2, NC2O3, NC202"])
def test_words_of_one_comment_are_fixed_one_after_another(words: str, folder: Path) -> None:
    """Removing one word shows that its neighbour is wrong as well."""
    (folder / "view.py").write_text(f"{VIEW}z = 1  # namecheck: ignore[{words}]\n")
    run("--fix", "view.py")
    assert (folder / "view.py").read_text() == f"{VIEWED}z = 1\n"


TEXTS = st.lists(st.sampled_from(["a\n", "b\n", "ab\n", "aab\n", "\r\n", "a"]), max_size=6)


@given(TEXTS, TEXTS)
def test_edits_between_two_texts(old: list[str], new: list[str]) -> None:
    before, after = Code("".join(old)), Code("".join(new))
    edits = changes(before, edits_between(before, after))
    assert applied(before.text, edits) == after.text


def test_edits_between_texts_are_small() -> None:
    old, new = Code("a = 1\nb = x.view(2)\n"), Code("a = 1\nb = x.contiguous().view(2)\n")
    assert list(edits_between(old, new)) == [Edit(Span(2, 7, 2, 7), "contiguous().")]


def test_unsafe_fixes_on_request(folder: Path) -> None:
    done = run("--fix", "--unsafe-fixes", ".")
    assert (folder / "view.py").read_text() == VIEWED
    assert (folder / "mean.py").read_text() == KEPT
    assert (done.exit_code, done.stdout) == (0, "")
    assert run("--fix", "--unsafe-fixes", ".").stderr == ""


def test_diff_writes_nothing(folder: Path) -> None:
    done = run("--diff", ".")
    assert done.exit_code == 1
    assert done.stdout == (
        "--- view.py\n+++ view.py\n@@ -1,3 +1,3 @@\n import torch\n x = torch.zeros(2, 3, 4)\n"
        "-y = x.mT.view(-1)\n+y = x.mT.contiguous().view(-1)\n"
    )
    assert (folder / "view.py").read_text() == VIEW
    assert run("--diff", "mean.py").exit_code == 0
    assert "+y = x - x.mean(2, keepdim=True)\n" in run("--diff", "--unsafe-fixes", ".").stdout


def test_fix_only_does_not_report_the_remaining_findings(folder: Path) -> None:
    done = run("--fix-only", ".")
    assert (done.exit_code, done.stdout) == (0, "")
    assert (folder / "view.py").read_text() == VIEWED


def test_ignored_findings_are_not_fixed(folder: Path) -> None:
    assert run("--fix", "--ignore", "NC501", "view.py").exit_code == 0
    assert (folder / "view.py").read_text() == VIEW


AWKWARD = [
    VIEW.replace("\n", "\r\n").encode(),
    VIEW.encode("utf-8-sig"),
    VIEW.rstrip("\n").encode(),
    VIEW.replace("\n", "\r\n", 1).encode(),
    ("# é\n\f\n" + VIEW + "\f# \N{LINE SEPARATOR}\x0c\n\n\n").encode(),
    ("# -*- coding: latin-1 -*-\n# \xe9\n" + VIEW).encode("latin-1"),
    ("# coding: utf-8\n" + VIEW.replace("y", "\N{GREEK SMALL LETTER ALPHA}")).encode(),
    VIEW.replace("\n", "\r").encode(),
    VIEW.replace("4)\n", "4)   \t\n").encode(),
]


@pytest.mark.parametrize("source", AWKWARD)
def test_all_bytes_but_the_edit_are_kept(folder: Path, source: bytes) -> None:
    (folder / "view.py").write_bytes(source)
    run("--fix", "view.py")
    assert (folder / "view.py").read_bytes() == source.replace(b".view", b".contiguous().view")


def test_the_mode_stays(folder: Path) -> None:
    (folder / "view.py").chmod(0o750)
    run("--fix", "view.py")
    assert (folder / "view.py").read_text() == VIEWED
    assert (folder / "view.py").stat().st_mode & 0o777 == 0o750
    assert sorted(os.listdir(folder)) == ["mean.py", "view.py"]


def test_a_letter_that_the_encoding_of_the_file_lacks(folder: Path) -> None:
    """Dims may have names that the encoding of the file has no letters for."""
    text = "# coding: latin-1\n" + VIEW
    with pytest.raises(Unwritable, match="iso-8859-1 has no character 'α'"):
        encoded("a.py", text.encode(), text + "# α\n")


def test_a_file_that_changed_meanwhile_is_left(folder: Path) -> None:
    with pytest.raises(Unwritable, match=r"cannot write view\.py: it was changed"):
        write_bytes("view.py", b"", b"something else")
    assert (folder / "view.py").read_text() == VIEW


FULL_DISK = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
from namecheck.main import main
main(["check", "--isolated", "--fix", *sys.argv[1:]])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit there")
def test_a_full_disk_leaves_the_file_as_it_is(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, "view.py"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.splitlines()[0] == "Error: cannot write view.py: File too large"
    assert (folder / "view.py").read_text() == VIEW
    assert sorted(os.listdir(folder)) == ["mean.py", "view.py"]


AS_NOBODY = """
import contextlib, os
from namecheck.main import main
with contextlib.suppress(SystemExit):  # nobody may read our sources where root has them
    main(["check", "--isolated", "--quiet", "--fix", "other.py"])
os.setuid(65534)
main(["check", "--isolated", "--fix", "view.py"])
"""


@pytest.mark.skipif(
    sys.platform == "win32" or not hasattr(os, "geteuid") or os.geteuid() != 0,
    reason="runs as somebody else",
)
def test_a_file_that_may_not_be_written() -> None:
    """It runs as another user, since root may write everything."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "view.py").write_text(VIEW)
        (folder / "other.py").write_text(VIEW)
        (folder / "view.py").chmod(0o444)
        done = subprocess.run(
            [sys.executable, "-c", AS_NOBODY],
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert done.stderr.splitlines()[:1] == ["Error: cannot write view.py: Permission denied"]
        assert done.returncode == 2
        assert (folder / "view.py").read_text() == VIEW


def test_a_long_file_is_not_analysed_again_and_again() -> None:
    """Each trial takes an analysis. A file of 100,000 lines is generated, and not fixed by hand."""
    text = "import torch\nb = torch.zeros(2, 3).t().view(6)\n"
    assert [finding.fix is not None for finding in proposed(text)] == [True]
    assert [finding.fix is not None for finding in proposed(text + "x = 1\n" * LONGEST)] == [False]
