"""Baselines: when two findings are the same, which findings are forgiven, and the file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st

from invoking import invoke
from namecheck.exit_codes import Trouble
from namecheck.running.baseline import Entry, digest, functions, read_baseline, write_baseline
from notebooks import code_cell, notebook

FILE = "namecheck-baseline.json"
MODEL = """import torch


class Net:
    def forward(self):
        x = torch.zeros(3) + torch.zeros(4)
        return x


def f():
    y = torch.zeros(3) + torch.zeros(4)
    y = torch.zeros(3) + torch.zeros(4)
"""


def checked(*arguments: str) -> list[tuple[str, int]]:
    """The files and lines of the findings that the baseline does not forgive."""
    result = invoke("check", "--baseline", FILE, "--output-format", "json", *(arguments or (".",)))
    assert result.exit_code in (0, 1), result.output
    return [
        (finding["filename"], finding["location"]["row"]) for finding in json.loads(result.stdout)
    ]


@pytest.fixture(autouse=True)
def here(here: Path) -> Path:
    (here / "model.py").write_text(MODEL)
    return here


def write(*arguments: str) -> Result:
    result = invoke("baseline", "write", *arguments)
    assert result.exit_code == 0, result.output
    return result


# When two findings are the same


def test_a_baseline_forgives_the_findings_it_was_written_from() -> None:
    assert len(invoke("check", "--output-format", "concise", ".").stdout.splitlines()) == 3
    assert write().stdout.splitlines()[0] == f"{FILE} holds 3 findings."
    result = invoke("check", "--baseline", FILE, ".")
    assert (result.exit_code, result.stdout) == (
        0,
        f"No findings (1 file checked; 3 known in {FILE}).\n",
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("import torch\n", "import os\nimport torch\n\n\n\n"),
        ("        x = ", "        # more\n        x  =  "),
        ("    y = ", "    y=   "),
        ("def f():\n", "def f():\n    z = 1\n"),
        ("\n", "\r\n"),
        ("def f():", "@decorated\nasync def f(\n    a,\n):"),
        ("def f():\n    y", "def f():\n  if 1:\n    y"),
    ],
)
def test_code_may_move_and_be_formatted(here: Path, old: str, new: str) -> None:
    write()
    (here / "model.py").write_bytes(MODEL.replace(old, new).encode())
    assert MODEL.replace(old, new) != MODEL
    assert checked() == []
    assert invoke("baseline", "check").exit_code == 0


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        pytest.param("        x = ", "        z = ", [6], id="the line"),
        pytest.param("def f()", "def g()", [11, 12], id="the function's name"),
        pytest.param("class Net", "class Network", [6], id="the class's name"),
        pytest.param(
            "def f():\n", "def f():\n    y = torch.zeros(3) + torch.zeros(4)\n", [13], id="count"
        ),
        pytest.param(
            "x = torch.zeros(3) + torch.zeros(4)",
            "x = torch.zeros(3) @ torch.zeros(4)",
            [6],
            id="code",
        ),
    ],
)
def test_new_findings_are_reported(here: Path, old: str, new: str, lines: list[int]) -> None:
    write()
    (here / "model.py").write_text(MODEL.replace(old, new))
    assert checked() == [("model.py", line) for line in lines]


def test_a_finding_elsewhere_is_new(here: Path) -> None:
    write()
    (here / "model.py").rename(here / "other.py")
    assert len(checked()) == 3


def test_functions_have_qualified_names() -> None:
    text = (
        "a\n"
        "class A(\n    object):\n"
        "    b\n"
        "    async def f(self): c\n"
        "    @d\n"
        "    def g(self):\n"
        "        '''\ndef no():\n'''\n"
        "        def h(): pass\n"
        "\n"
        "        if e:\n"
        "            i\n"
        "j\n"
    )
    at = functions(text)
    assert [at(line) for line in range(1, 16)] == [
        "",
        *["A"] * 3,
        "A.f",
        "A",
        *["A.g"] * 4,
        "A.g.h",
        "A.g.h",
        "A.g",
        "A.g",
        "",
    ]
    assert functions("")(1) == ""
    assert functions("\n\nx\n")(1) == ""


@given(st.text(), st.text(alphabet=" \t\f"))
def test_white_space_does_not_count(line: str, space: str) -> None:
    assert digest(space.join(line)) == digest(line) == digest(f"{space}{line}{space}\r\n")


def test_the_text_of_a_line_counts() -> None:
    assert digest("x = a - b") != digest("x = b - a")


# Which findings count


def test_suppression_comments_come_before_the_baseline(here: Path) -> None:
    text = MODEL.replace("(4)\n        return", "(4)  # namecheck: ignore[NC201]\n        return")
    (here / "model.py").write_text(text)
    assert write().stdout.startswith(f"{FILE} holds 2 findings.")


def test_unselected_findings_are_not_written() -> None:
    assert write("--ignore", "NC2").stdout.startswith(f"{FILE} holds 0 findings.")
    assert len(checked()) == 3
    assert json.loads(Path(FILE).read_text())["findings"] == []


def test_findings_about_the_tool_itself_are_always_reported(here: Path) -> None:
    (here / "broken.py").write_text("x = (\n")
    (here / "unused.py").write_text("x = 1  # namecheck: ignore[NC202]\n")
    result = invoke("baseline", "write")
    assert result.exit_code == 1
    assert result.stdout.startswith(f"{FILE} holds 3 findings.")
    assert "NC900" in result.stdout
    assert checked() == [("broken.py", 1), ("unused.py", 1)]


def test_a_notebook_has_entries_by_function_and_not_by_cell(here: Path) -> None:
    first, second = code_cell("import torch\n"), code_cell("x = torch.zeros(3) + torch.zeros(4)\n")
    (here / "n.ipynb").write_bytes(notebook(first, second))
    write("n.ipynb")
    assert checked("n.ipynb") == []
    (here / "n.ipynb").write_bytes(
        notebook(first, code_cell("1\n"), code_cell("y = 2\n" + second["source"]))
    )
    assert checked("n.ipynb") == []
    (here / "n.ipynb").write_bytes(notebook(first, second, second))
    assert len(checked("n.ipynb")) == 1


# Stale entries


def test_entries_of_fixed_findings_are_stale(here: Path) -> None:
    write()
    (here / "model.py").write_text(
        MODEL.replace("    y = torch.zeros(3) + torch.zeros(4)\n", "", 1)
    )
    assert checked() == []
    result = invoke("baseline", "check")
    assert result.exit_code == 1
    assert "Stale: model.py: NC201 in f is found 1 of 2 times\n" in result.stdout

    strict = ["check", "--baseline", FILE, "--error-stale-baseline"]
    result = invoke(*strict, ".")
    assert result.exit_code == 1
    assert "NC201 in f is found 1 of 2 times\n" in result.stderr
    assert invoke(*strict, "--exit-zero", ".").exit_code == 0

    result = invoke("baseline", "prune")
    assert result.exit_code == 0
    assert result.stdout.endswith(f"{FILE} holds 2 findings.\n")
    assert invoke("baseline", "check").exit_code == 0
    assert invoke(*strict, ".").exit_code == 0
    assert invoke("baseline", "prune").stdout == "Nothing to remove.\n"
    (here / "model.py").write_text(MODEL)
    assert checked() == [("model.py", 12)]


def test_only_entries_of_checked_files_are_stale(here: Path) -> None:
    (here / "part").mkdir()
    (here / "part/gone.py").write_text(MODEL)
    write()
    before = Path(FILE).read_bytes()
    (here / "model.py").write_text("x = 1\n")
    (here / "part/gone.py").unlink()
    assert invoke("baseline", "prune", "part").stdout.endswith(f"{FILE} holds 3 findings.\n")
    assert invoke("baseline", "prune", "--ignore", "NC2").stdout == "Nothing to remove.\n"
    (here / "model.py").write_text("x = (\n")
    assert invoke("baseline", "prune").stdout == "Nothing to remove.\n"
    (here / "model.py").write_text("x = 1\n")
    assert invoke("baseline", "prune").stdout.endswith(f"{FILE} holds 0 findings.\n")
    assert Path(FILE).read_bytes() != before


def test_check_reports_new_findings(here: Path) -> None:
    write()
    (here / "new.py").write_text(MODEL)
    result = invoke("baseline", "check")
    assert result.exit_code == 1
    assert result.stdout.count("error[NC201]") == 3


def test_writing_again_keeps_the_entries_of_unchecked_files(here: Path) -> None:
    (here / "other.py").write_text(MODEL)
    write()
    (here / "model.py").write_text("x = 1\n")
    assert write("model.py").stdout.startswith(f"{FILE} holds 3 findings.")
    assert checked() == []
    (here / "other.py").unlink()
    assert write("model.py").stdout.startswith(f"{FILE} holds 0 findings.")


# The file


def test_the_file_is_sorted_and_stable(here: Path) -> None:
    (here / "a").mkdir()
    (here / "a/z.py").write_text(MODEL)
    write()
    before = Path(FILE).read_text()
    assert before == (
        '{\n  "namecheck-baseline": 1,\n  "findings": [\n'
        + ",\n".join(
            f'    {{"path": "{path}", "code": "NC201", "function": "{function}",'
            f' "line": "{digest(line)}", "count": {count}}}'
            for path in ("a/z.py", "model.py")
            for function, line, count in [
                ("Net.forward", "x = torch.zeros(3) + torch.zeros(4)", 1),
                ("f", "y = torch.zeros(3) + torch.zeros(4)", 2),
            ]
        )
        + "\n  ]\n}\n"
    )
    write("model.py", "a")
    assert Path(FILE).read_text() == before


def test_paths_are_relative_to_the_file(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "ci").mkdir()
    write("--baseline", f"ci/{FILE}")
    (entry, *_) = json.loads((here / "ci" / FILE).read_text())["findings"]
    assert entry["path"] == "../model.py"
    monkeypatch.chdir(here / "ci")
    assert checked("..") == []
    assert invoke("baseline", "check", "..").exit_code == 0


def test_the_settings_may_name_the_baseline(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "namecheck.toml").write_text('baseline = "known.json"\n')
    assert write().stdout == (
        "known.json holds 3 findings.\n`namecheck check` uses it from now on.\n"
    )
    assert invoke("check", ".").exit_code == 0
    (here / "inner").mkdir()
    monkeypatch.chdir(here / "inner")
    assert invoke("check", "..").exit_code == 0
    assert invoke("check", "--isolated", "..").exit_code == 1
    assert invoke("check", "--config", "baseline = ''", "..").exit_code == 1
    (here / "inner/more.json").write_text('{"namecheck-baseline": 1, "findings": []}')
    assert invoke("check", "--baseline", "more.json", "..").exit_code == 1
    assert invoke("check", "--config", "baseline = 'more.json'", "..").exit_code == 1


ENTRY = '{"path": "a", "code": "NC201", "function": "", "line": "0", "count": 1}'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "there is no baseline namecheck-baseline.json; `namecheck baseline write"),
        ("", "is not a baseline of namecheck: Expecting value"),
        ("{", "is not a baseline of namecheck"),
        ("[" * 100_000, "is not a baseline of namecheck"),
        ("\xff", "is not a baseline of namecheck"),
        ("<<<<<<< HEAD\n{}", "is not a baseline of namecheck"),
        ("[]", "is not a baseline of namecheck"),
        ('{"files": {}}', "is not a baseline of namecheck"),
        ('{"namecheck-baseline": 2}', "is a baseline of version 2; this namecheck reads version 1"),
        ('{"namecheck-baseline": 1}', "missing required field `findings`"),
        ('{"namecheck-baseline": 1, "findings": [{}]}', "$.findings[0]"),
        (f'{{"namecheck-baseline": 1, "findings": [{ENTRY}], "x": 1}}', "unknown field `x`"),
        (
            f'{{"namecheck-baseline": 1, "findings": [{ENTRY.replace("1}", "0}")}]}}',
            "Expected `int` >= 1 - at `$.findings[0].count`",
        ),
    ],
)
def test_a_file_that_is_not_a_baseline_ends_the_run(
    here: Path, content: str | None, message: str
) -> None:
    if content is not None:
        (here / FILE).write_bytes(content.encode("latin-1"))
    for command in (
        ["check", ".", "--baseline", FILE],
        ["baseline", "check"],
        ["baseline", "prune"],
    ):
        result = invoke(*command)
        assert (result.exit_code, result.stdout) == (2, "")
        assert message in result.stderr
        assert len(result.stderr.splitlines()) == 1
    if content is not None:
        assert invoke("baseline", "write").exit_code == 2, (
            "the file of another program is not overwritten"
        )


def test_entries_that_a_merge_duplicated_add_up(here: Path) -> None:
    listed = f"[{ENTRY}, {ENTRY}]"
    (here / FILE).write_text(f'\ufeff{{"findings": {listed}, "namecheck-baseline": 1}}')
    baseline = read_baseline(str(here / FILE))
    assert baseline.counts == {Entry("a", "NC201", "", "0"): 2}


entries = st.builds(Entry, *[st.text(alphabet=st.characters(codec="utf-8"), max_size=5)] * 4)


@given(counts=st.dictionaries(entries, st.integers(1, 10**9), max_size=4))
def test_a_written_baseline_can_be_read(
    tmp_path_factory: pytest.TempPathFactory, counts: dict[Entry, int]
) -> None:
    file = str(tmp_path_factory.mktemp("baseline") / FILE)
    write_baseline(file, counts)
    assert read_baseline(file).counts == counts


@pytest.fixture
def closed(here: Path) -> Iterator[Path]:
    folder = here / "closed"
    folder.mkdir(mode=0o500)
    yield folder
    folder.chmod(0o700)


def test_a_folder_that_cannot_be_written(here: Path, closed: Path) -> None:
    (here / "folder.json").mkdir()
    for place in ("nowhere/b.json", "folder.json"):
        result = invoke("baseline", "write", "--baseline", place)
        assert result.exit_code == 2
        assert result.stderr.startswith("Error: cannot ")
    if os.access(closed, os.W_OK):
        pytest.skip("nothing is closed to root")
    with pytest.raises(
        Trouble, match=r"cannot write the baseline closed/b\.json: Permission denied"
    ):
        write_baseline(str(closed / "b.json"), {})


def test_misspelled_subcommands_get_a_suggestion() -> None:
    result = invoke("baseline", "wirte")
    assert result.exit_code == 2
    assert "Did you mean 'write'?" in result.stderr
    assert invoke("baseline", "write", "nope").exit_code == 2


# A baseline that no option names


def found_by(*arguments: str) -> str:
    """The summary of a check."""
    lines = invoke("check", *arguments).stdout.splitlines()
    return next(line for line in lines if line.startswith(("Found ", "No findings")))


def test_the_nearest_baseline_up_the_tree_is_used(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write()
    assert found_by() == f"No findings (1 file checked; 3 known in {FILE})."
    (here / "inner").mkdir()
    (here / "model.py").rename(here / "inner/model.py")
    assert found_by() == "Found 3 findings in 1 file (1 checked)."
    write()
    assert found_by("inner") == f"No findings (1 file checked; 3 known in {FILE})."
    assert found_by("--no-baseline") == "Found 3 findings in 1 file (1 checked)."
    assert found_by("--isolated") == "Found 3 findings in 1 file (1 checked)."
    assert found_by("--config", "baseline = ''") == "Found 3 findings in 1 file (1 checked)."
    (here / "inner" / FILE).write_text('{"namecheck-baseline": 1, "findings": []}')
    assert found_by() == "Found 3 findings in 1 file (1 checked)."


def test_the_search_stops_at_the_top_of_the_repository(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in ("repository/.git", "repository/part/deep"):
        (here / path).mkdir(parents=True)
    (here / "model.py").rename(here / "repository/part/deep/model.py")
    monkeypatch.chdir(here / "repository")
    write()
    monkeypatch.chdir("part/deep")
    assert "3 known in" in found_by()
    (here / "repository" / FILE).unlink()
    monkeypatch.chdir(here)
    write()
    assert found_by() == f"No findings (1 file checked; 3 known in {FILE})."
    monkeypatch.chdir("repository/part/deep")
    assert found_by() == "Found 3 findings in 1 file (1 checked)."


def test_a_new_baseline_is_written_beside_the_settings(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "namecheck.toml").touch()
    (here / "inner").mkdir()
    (here / "model.py").rename(here / "inner/model.py")
    monkeypatch.chdir(here / "inner")
    assert write().exit_code == 0
    assert (here / FILE).exists()
    assert not (here / "inner" / FILE).exists()
    assert "3 known in" in found_by()


def test_a_broken_baseline_is_reported_and_not_ignored(here: Path) -> None:
    (here / FILE).write_text("{}")
    result = invoke("check")
    assert result.exit_code == 2
    assert f"{FILE} is not a baseline of namecheck" in result.stderr


def test_no_baseline_excludes_the_other_options_of_baselines() -> None:
    for other in ("--baseline=x", "--error-stale-baseline"):
        result = invoke("check", "--no-baseline", other)
        assert result.exit_code == 2
        assert "do not go together" in result.stderr


def test_other_programs_find_the_count_of_known_findings_beside_the_report() -> None:
    write()
    result = invoke("check", "--output-format", "json")
    assert (result.stdout, result.stderr) == ("[]\n", f"Not reported: 3 known in {FILE}.\n")
