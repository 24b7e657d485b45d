"""The cache in a stranger's project.

Nothing is written or removed through a link, or in a folder that is not ours. A cache is trusted
only if the namecheck of this user has written it.
"""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from namecheck.files import disk
from namecheck.findings import Analysis, Applicability, Edit, Finding, Fix, Level, Span
from namecheck.main import main
from namecheck.running.cache import Cache, Remembered
from namecheck.running.cache_index import fingerprint
from namecheck.running.cache_key import VARIABLE, cache_key

ROOTS = [str(Path(__file__).parents[1] / root) for root in ("runtime", "namecheck", "plugin")]

WRONG = "import torch\n\nz = torch.ones(3) + torch.ones(4)\n"

posix = pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and modes of POSIX")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in the current folder, with a cache and a home of its own."""
    for name in ("NAMECHECK_NO_CACHE", "NAMECHECK_CACHE_DIR", VARIABLE):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home/cache"))
    here = tmp_path / "project"
    here.mkdir()
    monkeypatch.chdir(here)
    (here / "pyproject.toml").write_text("[tool.namecheck]\n")
    (here / "alone.py").write_text(WRONG)
    return here


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[Path]:
    """A folder that must not change, with files that look like our leftovers."""
    folder = tmp_path / "outside"
    folder.mkdir()
    old = time.time() - 400 * 86_400
    for name in ("a.tmp", "b.index", f"{'0' * 16}-{'0' * 12}.index", "notes.txt"):
        (folder / name).write_text("precious")
        os.utime(folder / name, (old, old))
    before = contents(folder)
    yield folder
    assert contents(folder) == before


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def check(*arguments: str, **environment: str) -> Result:
    return CliRunner(env=environment).invoke(main, ["check", "--jobs=1", *arguments, "."])


def clean(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["clean", *arguments])


def codes(*arguments: str, **environment: str) -> list[str]:
    done = check("--output-format=json", *arguments, **environment)
    assert done.exit_code in (0, 1), done.output
    findings: list[dict[str, Any]] = json.loads(done.stdout)
    return [finding["code"] for finding in findings]


# Links


@posix
@pytest.mark.usefixtures("held")
@pytest.mark.parametrize("target", ["../outside", "{outside}", "..", ".", "link", "../nowhere"])
def test_a_cache_that_is_a_link_is_left_alone(project: Path, outside: Path, target: str) -> None:
    (project / "link").symlink_to("../outside")
    (project / ".namecheck_cache").symlink_to(target.format(outside=outside))
    assert cache_key(str(project)) is not None
    around = sorted(project.parent.iterdir()), sorted(project.iterdir())
    for _ in range(2):
        done = check()
        assert done.exit_code == 1
        assert done.stderr.count("is a link") == 1, done.stderr
    done = clean()
    assert done.exit_code == 2
    assert "is a link: its target is left alone" in done.stderr
    assert (sorted(project.parent.iterdir()), sorted(project.iterdir())) == around


@posix
@pytest.mark.usefixtures("held")
@pytest.mark.parametrize("folder", ["link", "link/cache", "./link/deep/cache", "a/../link/c"])
def test_no_folder_on_the_path_within_the_project_may_be_a_link(
    project: Path, outside: Path, folder: str
) -> None:
    (project / "link").symlink_to("../outside")
    done = check("--cache-dir", folder)
    assert done.exit_code == 1
    assert "is a link" in done.stderr
    assert "is a link" in check(NAMECHECK_CACHE_DIR=folder).stderr


@posix
def test_a_link_above_in_the_repository_counts(
    project: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / ".git").mkdir()
    (project / "sub").mkdir()
    (project / "sub/alone.py").write_text(WRONG)
    (project / "pyproject.toml").unlink()
    (project / "link").symlink_to("../outside")
    monkeypatch.chdir(project / "sub")
    assert "is a link" in check("--cache-dir", "../link/cache").stderr


@posix
@pytest.mark.usefixtures("held")
def test_a_cache_that_the_user_names_outside_may_be_a_link(project: Path, tmp_path: Path) -> None:
    (tmp_path / "large").mkdir()
    (tmp_path / "mine").symlink_to("large")
    for folder in (str(tmp_path / "mine"), "../mine/deeper"):
        assert check("--cache-dir", folder).stderr == ""
        assert len(list(Path(folder).glob("*.index"))) == 1
    assert clean("--cache-dir", "../mine/deeper").exit_code == 0
    assert not Path("../mine/deeper").exists()


@posix
def test_a_project_that_is_reached_by_a_link(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "way").symlink_to("project")
    monkeypatch.chdir(tmp_path / "way")
    assert check().stderr == ""
    assert len(list(project.glob(".namecheck_cache/*.index"))) == 1
    assert clean().exit_code == 0
    assert not (project / ".namecheck_cache").exists()


@posix
@pytest.mark.usefixtures("held")
@pytest.mark.parametrize("name", ["index", ".gitignore", "CACHEDIR.TAG"])
def test_a_link_in_the_cache_is_not_written_through(
    project: Path, outside: Path, name: str
) -> None:
    check()
    folder = project / ".namecheck_cache"
    (index,) = folder.glob("*.index")
    path = index if name == "index" else folder / name
    path.unlink()
    path.symlink_to("../../outside/notes.txt")
    (folder / f"{'1' * 16}-{'1' * 12}.index").symlink_to("../../outside/b.index")
    (project / "alone.py").write_text(WRONG + "\n")
    assert codes() == ["NC201"]
    assert name != "index" or not path.is_symlink(), "a file of ours has replaced it"
    clean()


@posix
@pytest.mark.usefixtures("held")
@pytest.mark.parametrize("name", ["index", ".gitignore", "CACHEDIR.TAG", "alone.py.tmp"])
def test_a_pipe_does_not_block_the_run(project: Path, name: str) -> None:
    check()
    folder = project / ".namecheck_cache"
    (index,) = folder.glob("*.index")
    path = index if name == "index" else folder / name
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    assert codes() == ["NC201"]
    (project / "alone.py").write_text(WRONG + "\n")
    assert codes() == ["NC201"]
    clean()


@posix
def test_an_endless_index(project: Path) -> None:
    check()
    (index,) = project.glob(".namecheck_cache/*.index")
    os.truncate(index, disk.LARGEST + 1)  # a hole
    assert codes() == ["NC201"]
    assert index.stat().st_size < 1 << 20


# Folders that are not ours


@pytest.mark.usefixtures("held")
def test_a_folder_without_our_marker_is_not_written(project: Path) -> None:
    tag = "Signature: 8a477f597d28d172789f06886806bc55\n"
    for name, files in {
        "source": {"a.tmp": "x", "b.index": "x"},
        ".pytest_cache": {".gitignore": "*\n", "CACHEDIR.TAG": f"{tag}# by pytest\n", "v": "x"},
        "index_only": {f"{'0' * 16}-{'0' * 12}.index": "x"},
    }.items():
        folder = project / name
        folder.mkdir()
        for file, text in files.items():
            (folder / file).write_text(text)
        before = contents(folder)
        done = check("--cache-dir", name)
        assert done.exit_code == 1
        assert "it is not a cache of namecheck" in done.stderr
        assert clean("--cache-dir", name).exit_code == 2
        assert contents(folder) == before


def test_clean_leaves_files_that_are_not_ours(project: Path) -> None:
    check()
    folder = project / ".namecheck_cache"
    (folder / "mine").mkdir()
    (folder / "mine.index").write_text("mine")
    done = clean()
    assert done.exit_code == 0
    assert "except for files that are not namecheck's" in done.stderr
    assert {path.name for path in folder.iterdir()} == {
        ".gitignore",
        "CACHEDIR.TAG",
        "mine",
        "mine.index",
    }


def test_only_our_own_leftovers_are_removed(project: Path) -> None:
    check()
    folder = project / ".namecheck_cache"
    old = time.time() - 400 * 86_400
    ours = f"{'0' * 16}-{'0' * 12}.index"
    for name in ("a.tmp", "b.index", ours, f"{ours}.{'0' * 12}.tmp"):
        (folder / name).write_text("x")
        os.utime(folder / name, (old, old))
    (project / "alone.py").write_text(WRONG + "\n")
    check()
    left = {path.name for path in folder.iterdir()}
    assert left >= {"a.tmp", "b.index"}
    assert ours not in left
    assert len(left) == 5


# Planted files


def plant(project: Path, analysis: Analysis, key: str) -> Path:
    """Write an index as the holder of a key would, with this analysis of the file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, key)
        check()  # the rest of an index: stamps, answers, places
        cache = Cache(".namecheck_cache", [str(project)], project=str(project))
        (entry,) = cache._index.entries
        versions = [
            (cache._absolute(v.path), v.digest)
            for v in map(cache._index.versions.__getitem__, entry.versions)
        ]
        consulted = consulted_of(project)
        cache._index = type(cache._index)(cache.base)
        (project / ".namecheck_cache" / cache.name).unlink()
        cache.keep("alone.py", entry.circumstances, versions, Remembered(analysis), consulted)
        cache.save()
        assert not cache.trouble
        return project / ".namecheck_cache" / cache.name


def consulted_of(project: Path) -> Any:
    from namecheck.running.cache import Task
    from namecheck.running.workers import local_worker

    worker = local_worker((".",), {}, {})
    return worker.analyse(Task("alone.py", str(project / "alone.py"), False)).consulted


def as_ours(project: Path, index: Path) -> None:
    """Give an index the name that this run looks for."""
    cache = Cache(".namecheck_cache", project=str(project))
    index.rename(index.with_name(cache.name))


def test_a_planted_index_is_not_trusted(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says that there are no findings. As a cross-check, its writer would trust it."""
    index = plant(project, Analysis(), "theirs")
    assert codes(**{VARIABLE: "theirs"}) == []
    assert codes() == ["NC201"]
    as_ours(project, plant(project, Analysis(), "theirs"))
    assert codes() == ["NC201"], "under another name"
    assert codes() == ["NC201"], "ours has taken its place"
    index.unlink(missing_ok=True)
    monkeypatch.setenv(VARIABLE, "ours")
    as_ours(project, plant(project, Analysis(), "theirs"))
    assert codes() == ["NC201"], "with a key of the environment"


def test_a_planted_fix_is_not_written(project: Path) -> None:
    edit = Edit(Span(3, 1, 3, 2), "__import__('os').system('true'); z")
    finding = Finding(
        "alone.py",
        Span(3, 1, 3, 2),
        "NC201",
        "size-mismatch",
        Level.ERROR,
        "wrong",
        fix=Fix(Applicability.SAFE, "mend it", (edit,)),
    )
    as_ours(project, plant(project, Analysis((finding,)), "theirs"))
    check("--fix")
    assert (project / "alone.py").read_text() == WRONG
    assert "mend it" not in check().output
    plant(project, Analysis((finding,)), "theirs")
    assert "mend it" in check(**{VARIABLE: "theirs"}).output, "its writer would apply it"


def test_an_index_of_another_version_is_not_trusted_under_our_name(project: Path) -> None:
    """The name is signed, too: an older namecheck may have found less."""
    key = "ours"
    index = plant(project, Analysis(), key)
    older = index.with_name(index.name.replace(fingerprint(), "0" * 16))
    index.rename(older)
    assert codes(**{VARIABLE: key}) == ["NC201"]
    index.unlink()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Cache, "name", older.name)
        index.parent.joinpath(older.name).unlink()
        assert plant(project, Analysis(), key).name == older.name
    older.rename(index)
    assert codes(**{VARIABLE: key}) == ["NC201"]


# The key


def key_file() -> Path:
    return Path(os.environ["XDG_CACHE_HOME"]) / "namecheck/cache-key"


def test_the_key_is_made_once_and_belongs_to_the_user(project: Path) -> None:
    assert not key_file().exists()
    assert check().stderr == ""
    key = key_file().read_bytes()
    assert len(key) == 32
    if sys.platform != "win32":
        assert stat.S_IMODE(key_file().stat().st_mode) == 0o600
        assert stat.S_IMODE(key_file().parent.stat().st_mode) == 0o700
    assert os.listdir(key_file().parent) == ["cache-key"]
    assert cache_key(str(project)) == key
    assert cache_key("/elsewhere") == key


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> Callable[[], bool]:
    """A function that returns whether a file was analysed since its last call."""
    from namecheck.running import processes

    paths: list[str] = []
    analyse = processes.Worker.analyse

    def watched(worker: processes.Worker, task: Any) -> processes.Result:
        paths.append(task.path)
        return analyse(worker, task)

    monkeypatch.setattr(processes.Worker, "analyse", watched)

    def since() -> bool:
        was_analysed = bool(paths)
        paths.clear()
        return was_analysed

    return since


def test_a_cache_without_its_key_is_silently_rebuilt(analysed: Callable[[], bool]) -> None:
    for lose in (
        lambda: key_file().unlink(),
        lambda: key_file().write_bytes(b"short"),
        lambda: key_file().write_bytes(b"l" * 33),
        lambda: key_file().write_bytes(b"o" * 32),
    ):
        check()
        analysed()
        assert codes() == ["NC201"]
        assert not analysed()
        lose()
        done = check()
        assert (done.exit_code, done.stderr) == (1, "")
        assert analysed()
        check()
        assert not analysed()
        assert len(key_file().read_bytes()) == 32


def test_the_environment_takes_precedence_over_the_key_file(
    project: Path, analysed: Callable[[], bool]
) -> None:
    check(**{VARIABLE: "secret"})
    assert not key_file().exists()
    analysed()
    check(**{VARIABLE: "secret"})
    assert not analysed()
    check(**{VARIABLE: "another"})
    assert analysed()
    check(**{VARIABLE: "secret"})
    assert not analysed(), "each key has an index of its own"
    check(**{VARIABLE: ""})
    assert key_file().exists(), "an empty key does not count: every user has it"


@posix
def test_a_key_that_others_may_have_read_is_replaced() -> None:
    check()
    key = key_file().read_bytes()
    key_file().chmod(0o644)
    check()
    assert key_file().read_bytes() != key
    assert stat.S_IMODE(key_file().stat().st_mode) == 0o600


def refuses(project: Path, contents: Callable[[], object]) -> None:
    """Check that nothing is remembered, nothing is printed, and the file stays."""
    before = contents()
    for _ in range(2):
        done = check()
        assert (done.exit_code, done.stderr) == (1, "")
    assert contents() == before
    assert cache_key(str(project)) is None
    assert not list(project.glob(".namecheck_cache/*.index"))


@posix
@pytest.mark.parametrize("what", ["link", "link to nothing", "folder", "pipe"])
def test_a_file_that_is_not_a_key_is_not_used(project: Path, tmp_path: Path, what: str) -> None:
    folder = key_file().parent
    folder.mkdir(parents=True, mode=0o700)
    other = tmp_path / "other"
    if what == "link":
        other.write_bytes(b"k" * 32)
        other.chmod(0o600)
    if what.startswith("link"):
        key_file().symlink_to(other)
    elif what == "folder":
        key_file().mkdir()
    else:
        os.mkfifo(key_file())
    refuses(project, lambda: (os.lstat(key_file()).st_ino, other.exists(), os.listdir(folder)))


@posix
@pytest.mark.usefixtures("held")
def test_the_folder_of_the_key_may_not_be_a_link(project: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir(mode=0o700)
    key_file().parent.parent.mkdir(parents=True)
    key_file().parent.symlink_to(tmp_path / "other")
    refuses(project, lambda: os.listdir(tmp_path / "other"))


@posix
def test_a_key_in_a_folder_that_others_may_write_is_not_used(project: Path) -> None:
    key_file().parent.mkdir(parents=True)
    key_file().parent.chmod(0o777)
    refuses(project, lambda: os.listdir(key_file().parent))


@posix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives away")
@pytest.mark.parametrize("whose", ["folder", "file"])
def test_a_key_that_belongs_to_another_user_is_not_used(project: Path, whose: str) -> None:
    check()
    assert clean().exit_code == 0
    os.chown(key_file().parent if whose == "folder" else key_file(), 12345, 12345)
    refuses(project, lambda: key_file().read_bytes())


def test_a_home_that_cannot_be_written(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project.parent / "home").write_text("a file")
    refuses(project, lambda: (project.parent / "home").read_text())
    if sys.platform != "win32":
        monkeypatch.delenv("XDG_CACHE_HOME")
        monkeypatch.setenv("HOME", "nowhere/relative")
        assert cache_key(str(project)) is None


@posix
def test_a_key_in_the_project_is_not_used(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a home in the checkout, the key may come from the repository, too."""
    folder = project / ".cache/namecheck"
    folder.mkdir(parents=True, mode=0o700)
    (folder / "cache-key").write_bytes(b"k" * 32)
    (folder / "cache-key").chmod(0o600)
    monkeypatch.setenv("XDG_CACHE_HOME", str(project / ".cache"))
    refuses(project, lambda: (folder / "cache-key").read_bytes())
    (project.parent / "way").symlink_to("project")
    monkeypatch.setenv("XDG_CACHE_HOME", str(project.parent / "way/.cache"))
    refuses(project, lambda: (folder / "cache-key").read_bytes())
    monkeypatch.setenv(
        "XDG_CACHE_HOME", ".cache"
    )  # by the XDG standard, a relative path does not count
    monkeypatch.setenv("HOME", str(project.parent / "home"))
    check()
    assert (project.parent / "home/.cache/namecheck/cache-key").exists()


def begun(script: str, count: int) -> list[subprocess.Popen[str]]:
    text = f"import sys\nsys.path[:0] = {ROOTS!r}\n{script}"
    return [
        subprocess.Popen(
            [sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(count)
    ]


def test_several_processes_make_one_key(project: Path) -> None:
    go = project.parent / "go"
    script = f"""
import os, time
from namecheck.running.cache_key import cache_key
while not os.path.exists({str(go)!r}):
    time.sleep(0.001)
print(cache_key({str(project)!r}).hex())
"""
    processes = begun(script, 8)
    time.sleep(1)
    go.write_text("")
    outputs = {process.communicate(timeout=60) for process in processes}
    assert len(outputs) == 1, outputs
    assert outputs == {(key_file().read_bytes().hex() + "\n", "")}
    assert os.listdir(key_file().parent) == ["cache-key"]


def test_several_runs_at_once(project: Path, analysed: Callable[[], bool]) -> None:
    """They are the first runs, and create the key, the folder and the index together."""
    script = "from namecheck.main import main\nmain(['check', '--jobs=1', '.'])\n"
    for process in begun(script, 5):
        output, troubles = process.communicate(timeout=120)
        assert (process.returncode, troubles) == (1, ""), troubles
        assert "NC201" in output
    assert codes() == ["NC201"]
    assert not analysed()
    names = {path.name for path in (project / ".namecheck_cache").iterdir()}
    assert len(names) == 3, names
