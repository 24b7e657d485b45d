"""The plugin in mypy: a defect of ours is a note, errors can be ignored like all others, the cache
drops the results of older rules, settings are read, and no heavy package is imported.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from mypy.errorcodes import error_codes
from mypy.errors import CompileError

import checked
import namecheck_runtime
from checked import ROOT, mypy, read_reports
from namecheck_plugin import settings, version
from namecheck_plugin.codes import NAMED_TENSOR, name_of
from namecheck_plugin.settings import Settings
from namecheck_runtime.mistakes import CODES
from namecheck_runtime.readers import fingerprint

PROGRAM = """\
import namecheck_runtime as nt

x = nt.randn(2, 3, names=("N", "C"))
x.sum("Q")
x + x.T
x.sum("N")
"""
ANNOTATED = """\
import numpy as np
from jaxtyping import Float


def turned(x: Float[np.ndarray, "b t"]) -> Float[np.ndarray, "t b"]:
    return x
"""


@pytest.fixture
def folder(warm: Path) -> Path:
    (warm / "program.py").write_text(PROGRAM)
    return warm


def errors(folder: Path, *arguments: str) -> list[tuple[int, str]]:
    """Lines and codes of errors in the program."""
    reports = read_reports(mypy(folder, "--output", "json", *arguments, "program.py"))
    return [(report.line, report.code) for report in reports if report.severity == "error"]


BOTH = [(4, "named-tensor-NC103"), (5, "named-tensor-NC101")]


def test_errors_are_reported_and_replayed(folder: Path) -> None:
    assert errors(folder) == BOTH
    assert errors(folder) == BOTH


def test_what_fails_is_one_note_where_it_failed(folder: Path) -> None:
    """A rule at its expression, the comparison with an annotation at its function."""
    (folder / "broken.py").write_text(
        "import namecheck_plugin.calls as calls\n"
        "from namecheck_plugin import plugin\n"
        "honest = calls.infer\n"
        "def infer(spelling, *arguments, **options):\n"
        "    if spelling.path == 'Tensor.sum':\n"
        "        raise ZeroDivisionError('injected')\n"
        "    return honest(spelling, *arguments, **options)\n"
        "calls.infer = infer\n"
        "def mismatch(*arguments):\n"
        "    raise ZeroDivisionError('injected, too')\n"
        "calls.mismatch = mismatch\n"
    )
    (folder / "annotated.py").write_text(ANNOTATED)
    config = checked.CONFIG.replace("plugins = namecheck_plugin", "plugins = ./broken.py")
    (folder / "mypy.ini").write_text(config)
    reports = read_reports(mypy(folder, "--output", "json", "program.py", "annotated.py"))
    notes = [report for report in reports if "NC999" in report.message]
    rules = [report for report in notes if report.file == "program.py"]
    assert [(report.line, report.severity) for report in rules] == [(4, "note"), (6, "note")]
    assert all("Tensor.sum" in report.message for report in rules)
    assert all("ZeroDivisionError: injected" in report.message for report in rules)
    (comparison,) = [report for report in notes if report.file == "annotated.py"]
    assert (comparison.line, comparison.severity) == (5, "note")
    assert "NC999: namecheck failed on the annotations" in comparison.message
    assert "ZeroDivisionError: injected, too" in comparison.message
    errors = [(report.file, report.line) for report in reports if report.severity == "error"]
    assert errors == [("program.py", 5)]


def test_ignores_and_disabled_codes_name_the_code_or_its_parent(folder: Path) -> None:
    def ignored(code: str) -> str:
        return PROGRAM.replace('x.sum("Q")', f'x.sum("Q")  # type: ignore[{code}]')

    def disabled(code: str) -> str:
        return f'# mypy: disable-error-code="{code}"\n' + PROGRAM

    expected = {
        # With `warn_unused_ignores` mypy wants the narrower of the two.
        ignored("named-tensor"): ["unused-ignore", "named-tensor-NC101"],
        ignored("named-tensor-NC103"): ["named-tensor-NC101"],
        ignored("named-tensor-NC101"): [
            *("unused-ignore", "named-tensor-NC103", "named-tensor-NC101")
        ],
        "# mypy: no-warn-unused-ignores\n" + ignored("named-tensor"): ["named-tensor-NC101"],
        disabled("named-tensor"): [],
        disabled("named-tensor-NC103"): ["named-tensor-NC101"],
        disabled("named-tensor-NC101"): ["named-tensor-NC103"],
    }
    files = [f"program{number}.py" for number in range(len(expected))]
    for file, text in zip(files, expected, strict=True):
        (folder / file).write_text(text)
    reports = read_reports(mypy(folder, "--output", "json", *files))
    for file, (text, codes) in zip(files, expected.items(), strict=True):
        reported = [r.code for r in reports if r.file == file and r.severity == "error"]
        assert sorted(reported) == sorted(codes), text


@pytest.mark.deep  # 11 s for what mypy does with the code of a parent
def test_codes_are_disabled_on_the_command_line(folder: Path) -> None:
    assert errors(folder, "--disable-error-code", "named-tensor") == []


def test_json_has_the_place_the_code_and_the_hint(folder: Path) -> None:
    first = read_reports(mypy(folder, "--output", "json", "program.py"))[0]
    assert first == (
        *("program.py", 4, 6, "error", "named-tensor-NC103"),
        "cannot find dim 'Q' for sum in [N=2, C=3]",
        "the dims are named 'N', 'C'",
    )


def test_the_codes_are_those_of_the_rulebook() -> None:
    ours = {
        sub_code.code for sub_code in error_codes.values() if sub_code.sub_code_of is NAMED_TENSOR
    }
    assert ours == {name_of(sub_code) for sub_code in CODES}


# Settings.


def configure(folder: Path, text: str) -> None:
    (folder / "pyproject.toml").write_text(text)


def test_settings_filter_findings_and_are_part_of_the_cache_key(folder: Path) -> None:
    (folder / "program.py").write_text(
        "import namecheck_runtime as nt\n"
        "import namecheck_runtime.nn.functional as F\n"
        "F.mse_loss(nt.zeros(8, 1), nt.zeros(8))\n"
        'nt.zeros(2, names=("N",)).sum("C")\n'
        'nt.zeros(2, 3, names=("N",))\n'
    )
    codes = [(3, "named-tensor-NC202"), (4, "named-tensor-NC103"), (5, "named-tensor-NC107")]
    assert errors(folder) == codes
    configure(
        folder,
        '[tool.namecheck.mypy]\nsuspicions = false\nnotes = false\nignore = ["NC107"]\n',
    )
    reports = read_reports(mypy(folder, "--output", "json", "program.py"))
    assert [(r.line, r.code, r.hint) for r in reports] == [(*codes[1], None)]


def test_unknown_settings_end_the_run(folder: Path) -> None:
    configure(folder, "[tool.namecheck.mypy]\nsuspicion = false\n")
    output = mypy(folder, "program.py", status=(2,))
    assert "pyproject.toml:2: error: unknown key 'suspicion' in [tool.namecheck.mypy]" in output


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            "[tool.namecheck.mypy]\nsuspicion = false\n",
            "error: unknown key 'suspicion' in [tool.namecheck.mypy]; did you mean",
        ),
        (
            '[tool.namecheck.mypy]\nnotes = true\nignore = ["NC1O1"]\n',
            "pyproject.toml:3: error: unknown code 'NC1O1'; did you mean 'NC",
        ),
        (
            '[tool.namecheck.mypy]\nnotes = "no"\n',
            "pyproject.toml:2: error: notes must be true or false, not 'no'",
        ),
        (
            '[tool.namecheck.mypy]\nignore = "NC101"\n',
            "pyproject.toml:2: error: ignore must be a list of codes, not 'NC101'",
        ),
        ("[tool.namecheck]\nmypy = 3\n", "error: [tool.namecheck.mypy] must be a table"),
        ("[tool.namecheck\n", "pyproject.toml: error: "),
    ],
)
def test_settings_are_refused_with_the_place(tmp_path: Path, text: str, complaint: str) -> None:
    configure(tmp_path, text)
    with pytest.raises(CompileError) as refused:
        settings.of_file(tmp_path / "pyproject.toml")
    assert complaint in refused.value.messages[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[project]\n", Settings()),
        ("[tool.namecheck]\n", Settings()),
        ('[tool.namecheck.mypy]\nignore = ["NC1", "NC202"]\n', Settings(("NC1", "NC202"))),
        ("[tool.namecheck.mypy]\nsuspicions = false\n", Settings(suspicions=False)),
        ("[tool.namecheck.mypy]\nnotes = false\n", Settings(notes=False)),
    ],
)
def test_settings_are_read_from_the_folder_of_the_configuration_or_above(
    tmp_path: Path, text: str, expected: Settings
) -> None:
    configure(tmp_path, text)
    below = tmp_path / "below"
    below.mkdir()
    assert settings.read(str(below / "mypy.ini")) == expected


# The cache and the rules.


def copied(folder: Path) -> dict[str, str]:
    """An environment with copies of our packages, whose sources may be changed."""
    for source in (ROOT / "runtime/namecheck_runtime", ROOT / "plugin/namecheck_plugin"):
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(source, folder / source.name, ignore=ignore)
    return checked.environment(PYTHONPATH=str(folder))


def test_the_version_is_that_of_the_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copied(tmp_path)
    monkeypatch.setattr(namecheck_runtime, "__path__", [str(tmp_path / "namecheck_runtime")])
    monkeypatch.setattr(version, "__file__", str(tmp_path / "namecheck_plugin/version.py"))
    digest = version.digest.__wrapped__
    before = digest()
    assert digest() == before
    for file, changes in (
        ("namecheck_runtime/rules/reduce.py", True),
        ("namecheck_runtime/rules/nn/loss.py", True),
        ("namecheck_runtime/mistakes/names.py", True),
        ("namecheck_runtime/algebra.py", True),
        ("namecheck_runtime/_surface.pyi", True),
        ("namecheck_plugin/dims.py", True),
        ("namecheck_runtime/tensors/kernels/reduce.py", False),
    ):
        with (tmp_path / file).open("a") as source:
            source.write("# changed\n")
        after = digest()
        assert (after != before) is changes, file
        before = after


def test_the_record_of_an_installer_replaces_reading(tmp_path: Path) -> None:
    runtime, plugin = tmp_path / "namecheck_runtime", tmp_path / "namecheck_plugin"
    assert fingerprint.recorded(str(runtime), str(plugin)) is None
    folder = tmp_path / f"namecheck_tensors-{namecheck_runtime.__version__}.dist-info"
    folder.mkdir()
    record = folder / "RECORD"
    lines = ["namecheck_runtime/infer.py,sha256=a,1", "namecheck_plugin/entry.py,sha256=b,2"]
    ignored = ["../../bin/namecheck,sha256=c,3", "namecheck_runtime/__pycache__/infer.pyc,,"]
    fingerprints = set()
    for text in (lines, [*reversed(lines), *ignored], [lines[0]], [lines[0] + "0", lines[1]]):
        record.write_text("\n".join([*text, ""]))
        fingerprints.add(fingerprint.recorded(str(runtime), str(plugin)))
    assert len(fingerprints) == 3
    assert None not in fingerprints
    record.write_text("\n".join(ignored))
    assert fingerprint.recorded(str(runtime), str(plugin)) is None


@pytest.mark.slow
def test_no_module_keeps_the_results_of_older_rules(tmp_path: Path) -> None:
    """This includes a module that was not in the first check with the new rules."""
    packages, project = tmp_path / "packages", tmp_path / "project"
    project.mkdir()
    environment = copied(packages)
    for name in ("one.py", "other.py"):
        (project / name).write_text(PROGRAM)
    config = checked.CONFIG.replace(str(ROOT / "runtime"), str(packages))
    (project / "mypy.ini").write_text(config)

    def check(*files: str) -> str:
        command = [sys.executable, "-m", "mypy", *files]
        done = subprocess.run(
            command, cwd=project, env=environment, capture_output=True, text=True, check=False
        )
        return done.stdout

    assert check("one.py", "other.py").count("cannot find dim") == 2
    mistakes = packages / "namecheck_runtime/mistakes/names.py"
    text = mistakes.read_text()
    assert "cannot find dim" in text
    mistakes.write_text(text.replace("cannot find dim", "there is no dim"))
    assert check("one.py").count("there is no dim") == 1
    assert check("other.py").count("there is no dim") == 1


# Imports.


def test_the_plugin_imports_nothing_heavy(folder: Path) -> None:
    (folder / "mypy.ini").write_text(checked.CONFIG)
    code = (
        "import sys; from mypy import api; print(api.run(['program.py'])[0]); "
        "print(sorted({'numpy', 'libcst', 'rich', 'click'} & sys.modules.keys()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=checked.environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "NC103" in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


# The knowledge of mypy itself.

OWN = """\
from functools import partial, singledispatch

import jaxtyping


def f(a: int, b: str) -> int:
    return a


g = partial(f, 1)
reveal_type(g("x"))
g(2)
g()


@singledispatch
def h(x: object) -> int:
    return 1


@h.register
def _(x: int) -> int:
    return 2


h("a", 3)
"""


def test_the_answers_of_mypys_own_plugins_stay(folder: Path) -> None:
    """mypy uses the answer of the first plugin that has one, and asks its own plugins last."""
    (folder / "program.py").write_text(OWN)
    with_it = read_reports(mypy(folder, "--output", "json", "program.py"))
    config = (folder / "mypy.ini").read_text()
    (folder / "mypy.ini").write_text(config.replace("plugins = namecheck_plugin\n", ""))
    without = read_reports(mypy(folder, "--output", "json", "program.py"))
    assert {report.line for report in without} >= {11, 12, 13, 26}
    assert with_it == without
