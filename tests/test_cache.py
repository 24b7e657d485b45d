"""The cache: remembered findings are those of a fresh run, whatever happened to the files."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from namecheck.main import main
from namecheck.running import cache as caching
from namecheck.running import cache_index, processes
from namecheck.running.cache import Cache
from namecheck.running.cache_key import cache_key

ROOTS = [str(Path(__file__).parents[1] / root) for root in ("runtime", "namecheck", "plugin")]

MODEL = """\
from layers import norm
from torch import nn


def f(x):
    B, T, C = x.shape
    return nn.Linear(SIZE, 4)(norm(x))
"""

LAYERS = """\
from sizes import WIDTH


def norm(x):
    B, T, C = x.shape
    return x.view(B, T, WIDTH)
"""


@pytest.fixture(autouse=True)
def project(cached: Path) -> Path:
    """A small project in the current folder, with its cache turned on."""
    (cached / "model.py").write_text(MODEL.replace("SIZE", "8"))
    (cached / "layers.py").write_text(LAYERS)
    (cached / "sizes.py").write_text("WIDTH = 8\n")
    (cached / "alone.py").write_text("import torch\n\nz = torch.ones(3) + torch.ones(4)\n")
    return cached


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """A function that returns the files analysed since its last call."""
    paths: list[str] = []
    analyse = processes.Worker.analyse

    def watched(worker: processes.Worker, task: caching.Task) -> processes.Result:
        paths.append(task.path)
        return analyse(worker, task)

    monkeypatch.setattr(processes.Worker, "analyse", watched)

    def since() -> list[str]:
        names = sorted(paths)
        paths.clear()
        return names

    return since


def check(*arguments: str, **environment: str) -> Result:
    return CliRunner(env=environment).invoke(main, ["check", "--jobs=1", *arguments])


def report(*arguments: str) -> Any:
    """The findings, as plain values."""
    done = check("--output-format=json", "--exit-zero", "--notes", *arguments)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def index(folder: Path) -> Path:
    (path,) = folder.glob(".namecheck_cache/*.index")
    return path


def test_the_second_run_finds_the_same_and_analyses_nothing(
    analysed: Callable[[], list[str]],
) -> None:
    fresh = report("--no-cache", ".")
    assert [finding["filename"] for finding in fresh] == ["alone.py"]
    analysed()
    assert report(".") == fresh
    assert len(analysed()) == 4
    assert report(".") == fresh
    assert analysed() == []


def test_an_edit_analyses_the_dependent_files(
    project: Path, analysed: Callable[[], list[str]]
) -> None:
    report(".")
    analysed()
    (project / "sizes.py").write_text("WIDTH = 16\n")
    assert len(report(".")) == 2
    assert analysed() == ["layers.py", "model.py", "sizes.py"]
    (project / "model.py").write_text(MODEL.replace("SIZE", "16"))
    assert report(".") == report("--no-cache", ".")
    assert len(report(".")) == 1, "the remembered findings apply again"
    (project / "model.py").write_text(MODEL.replace("SIZE", "8"))
    analysed()
    report(".")
    assert analysed() == [], "the earlier state is remembered"


def test_a_new_file_that_an_import_resolves_to_is_noticed(
    project: Path, analysed: Callable[[], list[str]]
) -> None:
    (project / "package").mkdir()
    user = project / "package/user.py"
    user.write_text("from layers import norm\nfrom other import g\n\n\ny = g(3)\n")
    report(".")
    analysed()
    (project / "other.py").write_text("def g(n):\n    return n\n")
    report(".")
    assert analysed() == ["other.py", "package/user.py"]
    # A file beside it comes before the one above.
    (project / "package/layers.py").write_text(LAYERS)
    report(".")
    assert analysed() == ["package/layers.py", "package/user.py"]
    # A package is resolved from another folder, too.
    (project / "package/__init__.py").write_text("")
    report(".")
    assert "package/user.py" in analysed()


def test_a_deleted_file_is_noticed(project: Path, analysed: Callable[[], list[str]]) -> None:
    report(".")
    analysed()
    (project / "layers.py").unlink()
    assert report(".") == report("--no-cache", ".")
    assert "model.py" in analysed()


def test_the_named_folders_count(project: Path, analysed: Callable[[], list[str]]) -> None:
    (project / "pyproject.toml").unlink()
    (project / "a/b").mkdir(parents=True)
    (project / "a/b/user.py").write_text("from far import g\n")
    (project / "a/far.py").write_text("def g(n):\n    return n\n")
    report("a/b/user.py")
    report("a/b/user.py")
    assert analysed() == ["a/b/user.py"]
    report("a")
    assert analysed() == ["a/b/user.py", "a/far.py"]


def test_findings_in_a_callee_are_remembered(project: Path) -> None:
    (project / "helper.py").write_text(
        "from torch import nn\n\n\ndef join(x, n):\n    return nn.Linear(n, 4)(x)\n"
    )
    (project / "caller.py").write_text(
        "import torch\nfrom helper import join\n\ny = join(torch.ones(2, 3), 5)\n"
    )
    fresh = report("--no-cache", ".")
    assert any(finding["filename"] == "helper.py" for finding in fresh)
    assert report(".") == fresh
    assert report(".") == fresh


def test_statistics_have_results_of_their_own(analysed: Callable[[], list[str]]) -> None:
    plain = check("--statistics", "--no-cache", ".").output
    check(".")
    analysed()
    assert check("--statistics", ".").output == plain
    assert len(analysed()) == 4
    assert check("--statistics", ".").output == plain
    assert analysed() == []


@pytest.mark.parametrize("harm", ["cut", "flipped", "foreign", "empty", "folder"])
def test_a_broken_index_is_ignored_and_rewritten(
    project: Path, harm: str, analysed: Callable[[], list[str]]
) -> None:
    fresh = report(".")
    path = index(project)
    data = path.read_bytes()
    path.unlink()
    match harm:
        case "cut":
            path.write_bytes(data[: len(data) // 2])
        case "flipped":
            path.write_bytes(data[:-9] + bytes([data[-9] ^ 1]) + data[-8:])
        case "foreign":
            path.write_bytes(b"SQLite format 3\0" * 20)
        case "empty":
            path.write_bytes(b"")
        case "folder":
            path.mkdir()
    analysed()
    assert report(".") == fresh
    assert len(analysed()) == 4
    assert report(".") == fresh
    assert len(analysed()) == (4 if harm == "folder" else 0)


def test_no_content_of_the_index_is_a_failure(project: Path) -> None:
    """The index is complete and signed, but its content is something else."""
    report(".")
    path = index(project)
    key = cache_key(str(project))
    assert key is not None
    for data in (b"\x90", b"\xc0", b"\x93\x01\x02\x03"):
        path.write_bytes(cache_index.MAGIC + cache_index.sealed(data, path.name, key) + data)
        assert report(".") == report("--no-cache", ".")


def test_a_folder_that_cannot_be_written_is_reported_once(project: Path) -> None:
    (project / ".namecheck_cache").write_text("a file")
    done = check(".")
    assert done.exit_code == 1
    assert done.stderr.count("cannot write the cache in ") == 1
    assert (project / ".namecheck_cache").read_text() == "a file"


def test_a_full_disk_is_not_a_failure(project: Path) -> None:
    """A limit on the size of files simulates it. No half-written index is left."""
    text = f"""
import resource, sys
sys.path[:0] = {ROOTS!r}
resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
from namecheck.main import main
main(["check", "."])
"""
    environment = {k: v for k, v in os.environ.items() if k != "NAMECHECK_NO_CACHE"}
    done = subprocess.run(
        [sys.executable, "-c", text], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 1, done.stderr
    assert "cannot write the cache" in done.stderr
    assert "Traceback" not in done.stderr
    left = {entry.name for entry in (project / ".namecheck_cache").iterdir()}
    assert left <= {".gitignore", "CACHEDIR.TAG"}


def test_git_and_backups_ignore_the_cache(project: Path) -> None:
    check(".")
    folder = project / ".namecheck_cache"
    assert "*" in (folder / ".gitignore").read_text().splitlines()
    assert (
        (folder / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806")
    )


def test_the_place_of_the_cache(project: Path) -> None:
    (project / "deep").mkdir()
    (project / "deep/x.py").write_text("x = 1\n")
    os.chdir(project / "deep")
    check("x.py")
    assert not (project / "deep/.namecheck_cache").exists()
    assert index(project)
    check("x.py", "--cache-dir", "here")
    assert list((project / "deep/here").glob("*.index"))
    check("x.py", NAMECHECK_CACHE_DIR=str(project / "there"))
    assert list((project / "there").glob("*.index"))


def test_options_and_variables_turn_the_cache_off(project: Path) -> None:
    check(".", "--no-cache")
    check(".", NAMECHECK_NO_CACHE="1")
    assert not (project / ".namecheck_cache").exists()


def test_clean_removes_the_cache_and_nothing_else(project: Path) -> None:
    check(".")
    done = CliRunner().invoke(main, ["clean"])
    assert done.exit_code == 0
    assert not (project / ".namecheck_cache").exists()
    assert CliRunner().invoke(main, ["clean"]).exit_code == 0
    (project / "precious").mkdir()
    (project / "precious/data").write_text("x")
    done = CliRunner().invoke(main, ["clean", "--cache-dir", "precious"])
    assert done.exit_code == 2
    assert "left alone" in done.stderr
    assert (project / "precious/data").exists()


_INDEX = f"{'0' * 16}-{'0' * 12}.index"


@pytest.mark.parametrize(
    ("contents", "removed"),
    [
        ({}, True),
        ({".gitignore": ""}, True),
        ({".gitignore": "# Made by namecheck.\n*\n"}, True),
        ({".gitignore": "# Made by namecheck.\n*\n", "CACHEDIR.TAG": ""}, True),
        # another run wrote this file while `clean` removed the markers
        ({_INDEX: "namecheck index\nabc"}, True),
        ({_INDEX + "." + "0" * 12 + ".tmp": "namech"}, True),
        ({_INDEX: "other"}, False),
        ({_INDEX: "namecheck index\nabc", "mine": ""}, False),
        ({_INDEX: "namecheck index\nabc", ".gitignore": "*\n"}, False),
        ({".gitignore": "*\n"}, False),
        ({".gitignore": "# Made by namecheck.\n*\n!mine\n"}, False),
        ({".gitignore": "# Made by namecheck.\n*\n", "mine": ""}, False),
        ({"CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55\n", "theirs": ""}, False),
    ],
)
def test_clean_removes_a_cache_that_another_run_is_creating(
    project: Path, contents: dict[str, str], removed: bool
) -> None:
    folder = project / ".namecheck_cache"
    folder.mkdir()
    for name, text in contents.items():
        (folder / name).write_text(text)
    done = CliRunner().invoke(main, ["clean"])
    assert (done.exit_code, folder.exists()) == ((0, False) if removed else (2, True))


def test_clean_leaves_a_file_alone(project: Path) -> None:
    (project / ".namecheck_cache").write_text("x")
    done = CliRunner().invoke(main, ["clean"])
    assert done.exit_code == 2
    assert "is not a cache of namecheck: it is left alone" in done.stderr


def test_a_recent_modification_time_is_not_trusted(project: Path) -> None:
    """An edit of the same size within the tick of a clock."""
    path = project / "alone.py"
    cache = Cache(".namecheck_cache")
    before = cache.digest(str(path))
    assert str(path) not in cache._stamps
    later = Cache(".namecheck_cache")
    later._stamps = cache._stamps
    path.write_text(path.read_text().replace("ones(4)", "ones(3)"))
    assert later.digest(str(path)) != before


def test_an_old_modification_time_saves_reading_the_file(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + 60_000_000_000)
    report(".")
    cache = Cache(".namecheck_cache")
    assert set(cache._stamps) >= {str(project / name) for name in ("model.py", "alone.py")}
    monkeypatch.setattr(caching, "digest_of", None)  # nothing is read
    assert len(cache.digest(str(project / "model.py"))) == 16


def test_two_runs_at_once_keep_the_findings_of_both(project: Path) -> None:
    first, second = Cache(".namecheck_cache"), Cache(".namecheck_cache")
    for cache, name in ((first, "model.py"), (second, "alone.py")):
        worker = processes.local_worker((), {}, {})
        result = worker.analyse(caching.Task(name, str(project / name), False))
        cache.keep(name, "", result.versions, result.remembered, result.consulted)
    first.save()
    second.save()
    both = Cache(".namecheck_cache")
    assert both.recall("model.py", str(project / "model.py"), "")
    assert both.recall("alone.py", str(project / "alone.py"), "")


def test_a_project_that_has_moved_is_remembered(
    project: Path, tmp_path_factory: pytest.TempPathFactory, analysed: Callable[[], list[str]]
) -> None:
    fresh = report(".")
    analysed()
    moved = tmp_path_factory.mktemp("moved") / "project"
    shutil.copytree(project, moved)
    os.chdir(moved)
    assert report(".") == fresh
    assert analysed() == []


def test_a_warm_run_is_light(project: Path) -> None:
    text = f"""
import sys
sys.path[:0] = {ROOTS!r}
from namecheck.main import main
try:
    main(["check", "."])
finally:
    print(*sys.modules, sep="\\n", file=sys.stderr)
"""
    environment = {k: v for k, v in os.environ.items() if k != "NAMECHECK_NO_CACHE"}

    def modules() -> set[str]:
        done = subprocess.run(
            [sys.executable, "-c", text], env=environment, capture_output=True, text=True
        )
        assert done.returncode == 1, done.stderr
        return set(done.stderr.splitlines())

    heavy = {
        "libcst",
        "numpy",
        "rich",
        "multiprocessing",
        "namecheck.analysis",
        "namecheck.running.processes",
        "namecheck_runtime.rules",
        "namecheck_runtime.mistakes",
        "namecheck_runtime.declare",
    }
    assert modules() >= {"namecheck.analysis", "namecheck_runtime.rules"}
    assert not heavy & modules()


def test_the_fingerprint_covers_every_module_of_the_linter(monkeypatch: pytest.MonkeyPatch) -> None:
    from namecheck_runtime.readers import fingerprint

    digested: set[str] = set()
    digest = fingerprint.digest

    def noted(paths: Iterable[str]) -> str:
        digested.update(paths := list(paths))
        return digest(paths)

    monkeypatch.setattr(fingerprint, "digest", noted)
    cache_index.fingerprint()
    sources = {str(path) for path in Path(ROOTS[1], "namecheck").rglob("*.py")}
    assert len(sources) > 100
    assert sources <= digested
