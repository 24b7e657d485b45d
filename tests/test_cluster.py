"""`check --cluster`: the workers of a Dask cluster find the same as this process.

The workers here run on this machine and see its disk; what they would open of the project is
refused (`REFUSE`), so that all of it is what they were sent.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from namecheck.main import main
from namecheck.running import processes
from namecheck.running.cache import Cache, Remembered, Task

pytest.importorskip("distributed", reason="`distributed` is not installed (the extra `cluster`)")

from namecheck.running import cluster

ROOTS = [str(Path(__file__).parents[1] / root) for root in ("runtime", "namecheck", "plugin")]

REFUSE = """\
import os, sys, time

project, orders = {project!r}, {orders!r}

def refuse(event, arguments):
    if event in ("open", "os.listdir", "os.scandir") and isinstance(arguments[0], str):
        if os.path.abspath(arguments[0]).startswith(project):
            with open(os.path.join(orders, "opened"), "a") as file:
                file.write(arguments[0] + chr(10))
            raise PermissionError(13, "not on this machine", arguments[0])

sys.addaudithook(refuse)

from namecheck.running.workers import Worker

analyse = Worker.analyse  # a preload may run twice
if analyse.__name__ != "analyse":
    analyse = analyse.__wrapped__

def analyse_as_ordered(worker, task):
    die, once, wait = (os.path.join(orders, name) for name in ("die", "die_once", "wait"))
    if task.path.endswith("model03.py"):
        if os.path.exists(once):
            os.rename(once, once + "d")
            os.kill(os.getpid(), 9)
        if os.path.exists(die):
            os.kill(os.getpid(), 9)
    if os.path.exists(wait):
        open(os.path.join(orders, "waiting"), "w").close()
        while os.path.exists(wait):
            time.sleep(0.05)
    return analyse(worker, task)

analyse_as_ordered.__wrapped__ = analyse
Worker.analyse = analyse_as_ordered
"""
"""What workers load first: they obey the files in the folder `orders`."""

MODEL = """\
import json
import torch
import namecheck_runtime as nt
import toolbox
from package.layers import join
from package import settings

sizes = json.load(open("sizes.json"))

def test_sizes():
    join(torch.ones(2, sizes["width"]), 4)

y = join(torch.ones(2, 3), {n} + 2)
z = torch.ones(2, {n}) + torch.ones(3, {n})
w = toolbox.double(torch.ones(2, {n})) + torch.ones(3, {n})
v = torch.ones(settings.SIZE, 2) + torch.ones(7, 2)

u = nt.zeros(2, 3, names=("lots", "C")).sum("width")
"""


class Machines:
    """A scheduler and its workers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self.environment = os.environ | {"PYTHONPATH": os.pathsep.join(ROOTS)}
        # The scheduler has no namecheck.
        begun = [f"--port={port}", "--host=127.0.0.1", "--no-dashboard"]
        self.scheduler = self._start("scheduler", *begun)

    def _start(self, kind: str, *options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *options]
        with (self.folder / f"{kind}.log").open("ab") as log:
            process = subprocess.Popen(
                command, cwd=self.folder, env=self.environment, stdout=log, stderr=log
            )
        self.processes.append(process)
        return process

    def start_workers(self, count: int, preload: str) -> None:
        """Start workers, without a nanny that would start them again."""
        script = self.folder / "preload.py"
        script.write_text(preload)
        options = ["--nthreads=1", "--no-nanny", "--no-dashboard", f"--preload={script}"]
        for _ in range(count):
            self._start("worker", self.address, *options)

    def wait_for_workers(self, count: int) -> None:
        """Wait until there are so many workers, not more and not fewer."""
        from distributed import Client

        with Client(self.address, timeout=60, set_as_default=False) as client:
            deadline = time.monotonic() + 60
            while len(client.scheduler_info(n_workers=-1)["workers"]) != count:
                assert time.monotonic() < deadline, (self.folder / "worker.log").read_text()
                time.sleep(0.1)

    def end(self) -> None:
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the project and all else; the workers know its path before it is filled."""
    return tmp_path_factory.mktemp("cluster")


@pytest.fixture(scope="module")
def machines(place: Path) -> Iterator[Machines]:
    """A scheduler and three workers."""
    machines = Machines(place)
    try:
        (place / "orders").mkdir()
        preload = REFUSE.format(project=str(place / "project"), orders=str(place / "orders"))
        machines.start_workers(3, preload)
        machines.wait_for_workers(3)
        yield machines
    finally:
        machines.end()


@pytest.fixture
def orders(machines: Machines, place: Path) -> Iterator[Path]:
    """The folder whose files the workers obey; they are as many as before afterwards."""
    folder = place / "orders"
    yield folder
    for file in folder.iterdir():
        file.unlink()
    dead = [p for p in machines.processes[1:] if p.poll() is not None]
    if dead and machines.scheduler.poll() is None:
        machines.processes = [p for p in machines.processes if p not in dead]
        machines.start_workers(len(dead), (machines.folder / "preload.py").read_text())
        machines.wait_for_workers(3)


@pytest.fixture(autouse=True)
def project(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two dozen files that import one another, a package, data and settings."""
    root = place / "project"
    if not root.exists():
        root.mkdir()
        for folder in ("package", "package/inner"):
            (root / folder).mkdir()
            (root / folder / "__init__.py").write_text("")
            for number in range(12):
                text = MODEL.format(n=number) + "# filler\n" * (number % 5)
                (root / folder / f"model{number:02}.py").write_text(text)
        (root / "package/layers.py").write_text(
            "from .deeper import Base\n\n\ndef join(x, n):\n    return Base(n, 4)(x)\n"
        )
        (root / "package/deeper.py").write_text("from torch.nn import Linear as Base\n")
        (root / "package/settings.py").write_text("SIZE = 5\n")
        (root / "sizes.json").write_text('{"width": 9}')
        (root / "broken.py").write_text("def f(:\n")
        (root / "binary.py").write_bytes(b"x = '\xff'\n")
        (root / "stub.pyi").write_text("x: int\n")
        (root / "README.md").write_text("```python\nfrom package.layers import join\n```\n")
        cell = {
            "cell_type": "code",
            "source": ["import torch\n", "torch.ones(2, 3) + torch.ones(4, 3)"],
        }
        book = {"cells": [cell | {"metadata": {}, "outputs": []}], "metadata": {}}
        (root / "book.ipynb").write_text(json.dumps(book | {"nbformat": 4, "nbformat_minor": 5}))
        (root / "pyproject.toml").write_text(
            f'[tool.namecheck]\npython = "{root}/venv"\ndims = {{ lots = "batch" }}\n'
        )
        site = root / "venv/lib/python3.11/site-packages"
        info = site / "toolbox-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text("Name: toolbox\nRequires-Dist: torch\n")
        (info / "RECORD").write_text("toolbox.py,,\n")
        (site / "toolbox.py").write_text("def double(x):\n    return x + x\n")
    monkeypatch.chdir(root)
    return root


def check(*options: str) -> Result:
    return CliRunner().invoke(main, ["check", "--output-format=json", *options, "."])


def alone(*options: str) -> Result:
    return check("--jobs=1", *options)


def test_a_cluster_finds_the_same(machines: Machines, orders: Path) -> None:
    expected = alone("--notes", "--statistics")
    assert expected.stdout.count("NC202") + expected.stdout.count("NC201") > 60
    assert all(word in expected.stdout for word in ("batch", "NC900", "book.ipynb"))
    done = check("--notes", "--statistics", "--cluster", machines.address)
    assert (done.stdout, done.stderr) == (expected.stdout, expected.stderr)
    assert done.exit_code == expected.exit_code
    assert not (orders / "opened").exists(), "the workers have looked at the project's disk"


def index(folder: Path) -> dict[str, Any]:
    """What a cache keeps: the result for each file, and all that has to stay the same for it."""
    cache = Cache(str(folder), [os.getcwd()])
    index = cache._index
    answers = {
        index.versions[number].path: {index.answers[a] for a in index.versions[number].asked}
        for number in range(len(index.versions))
    }
    return {
        entry.path: (
            entry.shown,
            entry.circumstances,
            sorted((v.path, v.digest, v.parts) for v in map(index.versions.__getitem__, n)),
            dict(zip((index.versions[i].path for i in n), entry.definitions, strict=True)),
            answers[entry.path],
            msgspec.msgpack.decode(entry.result, type=Remembered),
        )
        for entry in index.entries
        for n in [entry.versions]
    }


def test_the_cache_is_the_same_afterwards(
    machines: Machines, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NAMECHECK_NO_CACHE", raising=False)
    caches = place / "cache_of_one", place / "cache_of_cluster"
    one = alone(f"--cache-dir={caches[0]}")
    several = check(f"--cache-dir={caches[1]}", "--cluster", machines.address)
    assert several.stdout == one.stdout
    assert index(caches[0]) == index(caches[1])
    assert len(index(caches[0])) > 24

    analyse = processes.analyse

    def none_but_unreadable(tasks: Sequence[Task], *others: Any) -> Iterator[Any]:
        assert [task.path for task in tasks] == ["binary.py"]
        return analyse(tasks, *others)

    monkeypatch.setattr(processes, "analyse", none_but_unreadable)
    assert alone(f"--cache-dir={caches[1]}").stdout == one.stdout


def test_a_worker_may_be_killed(machines: Machines, orders: Path) -> None:
    expected = alone()
    (orders / "die_once").touch()
    done = check("--cluster", machines.address)
    assert (orders / "die_onced").exists()
    assert (done.stdout, done.exit_code) == (expected.stdout, expected.exit_code)


def test_a_file_that_ends_every_worker_is_left_to_this_machine(
    machines: Machines, orders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = alone()
    monkeypatch.setattr(cluster, "_WITHOUT_WORKERS", 0.5)
    (orders / "die").touch()
    done = check("--cluster", machines.address)
    assert done.stdout == expected.stdout
    lines = done.stderr.splitlines()
    assert len(lines) == 1
    assert "no workers" in lines[0]
    assert "on this machine" in lines[0]


def test_each_content_is_sent_to_a_worker_once(
    machines: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    contents: dict[str, list[bytes]] = {}
    parcel = cluster.Sender.parcel
    seats: list[cluster._WorkerSeat] = []
    begin = cluster._WorkerSeat.__init__

    def begun(seat: cluster._WorkerSeat, *arguments: Any) -> None:
        begin(seat, *arguments)
        seats.append(seat)

    def watched(sender: cluster.Sender, tasks: Any, questions: Any, sent: Any) -> cluster.Parcel:
        made = parcel(sender, tasks, questions, sent)
        (address,) = [seat.address for seat in seats if seat._sent is sent]
        contents.setdefault(address, []).extend(made.contents)
        return made

    monkeypatch.setattr(cluster._WorkerSeat, "__init__", begun)
    monkeypatch.setattr(cluster.Sender, "parcel", watched)
    check("--cluster", machines.address)
    assert len(contents) == 3
    for digests in contents.values():
        assert len(digests) == len(set(digests))


def test_what_stdin_and_fixes_change_is_analysed_here(machines: Machines, project: Path) -> None:
    text = (project / "package/model01.py").read_text()
    arguments = ["check", "--stdin-filename=package/model01.py", "-"]
    done = CliRunner().invoke(main, [*arguments, f"--cluster={machines.address}"], input=text)
    assert done.stdout == CliRunner().invoke(main, arguments, input=text).stdout


def test_without_a_scheduler_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_CONNECTING", 0.5)
    for address in ("tcp://127.0.0.1:9", "nonsense://here"):
        done = check("--cluster", address)
        assert done.exit_code == 2
        assert f"no scheduler of a cluster at {address}" in done.stderr
        assert done.stdout == ""


def test_without_workers_there_is_an_error(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_WITHOUT_WORKERS", 0.5)
    machines = Machines(place)
    try:
        done = check("--cluster", machines.address)
    finally:
        machines.end()
    assert done.exit_code == 2
    assert "has no workers" in done.stderr


@pytest.mark.parametrize(
    ("theirs", "words"),
    [
        ({"version": "9.9"}, "has namecheck"),
        ({"sources": "other"}, "other sources of namecheck"),
        ({"python": "3.99"}, "has Python"),
        ({"system": "nt"}, "a system of the kind"),
    ],
)
def test_another_namecheck_on_a_worker_is_an_error(
    machines: Machines, monkeypatch: pytest.MonkeyPatch, theirs: dict[str, str], words: str
) -> None:
    mine = cluster._identity()._replace(**theirs)
    monkeypatch.setattr(cluster, "_identity", lambda: mine)
    done = check("--cluster", machines.address)
    assert done.exit_code == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_a_scheduler_that_goes_away_leaves_the_rest_to_this_machine(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = alone()
    machines = Machines(place)
    try:
        machines.start_workers(1, "")
        machines.wait_for_workers(1)
        ended = after_first_reply(monkeypatch, machines.scheduler.kill)
        done = check("--cluster", machines.address)
    finally:
        machines.end()
    assert ended
    assert done.stdout == expected.stdout
    gone = f"Warning: the scheduler at {machines.address} no longer answers"
    assert done.stderr.splitlines() == [f"{gone}; the rest is analysed on this machine"]


def after_first_reply(monkeypatch: pytest.MonkeyPatch, do: Callable[[], object]) -> list[bool]:
    """Do something when the first answer of a worker has come in. The list has an entry then."""
    reply = cluster._WorkerSeat.reply
    done: list[bool] = []

    def replied(seat: cluster._WorkerSeat, batch: Any, result: Any) -> Any:
        if not done:
            done.append(True)
            do()
        return reply(seat, batch, result)

    monkeypatch.setattr(cluster._WorkerSeat, "reply", replied)
    return done


def test_a_worker_without_namecheck_is_an_error(place: Path) -> None:
    machines = Machines(place)
    try:
        machines.start_workers(1, "import sys\nsys.modules['namecheck'] = None\n")
        machines.wait_for_workers(1)
        done = check("--cluster", machines.address)
    finally:
        machines.end()
    assert done.exit_code == 2
    assert "cannot import namecheck" in done.stderr
    assert done.stdout == ""


def test_ctrl_c_ends_the_run_and_not_the_cluster(machines: Machines, orders: Path) -> None:
    (orders / "wait").touch()
    command = [sys.executable, "-m", "namecheck", "check", "--cluster", machines.address, "."]
    environment = machines.environment | {"NAMECHECK_NO_CACHE": "1"}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        deadline = time.monotonic() + 60
        while not (orders / "waiting").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=50)
    (orders / "wait").unlink()
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    assert len(errors.splitlines()) < 3
    assert check("--cluster", machines.address).stdout == alone().stdout


def test_the_page_starts_a_cluster_with_options_that_exist() -> None:
    page = (Path(__file__).parents[1] / "docs/ci.md").read_text(encoding="utf-8")
    commands = re.findall(r"^dask (\w+) (.*)$", page, re.MULTILINE)
    assert [kind for kind, _ in commands] == ["scheduler", "worker"]
    for kind, options in commands:
        command = [sys.executable, "-m", "dask", kind, "--help"]
        known = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        for option in re.findall(r"--\w+", options):
            assert f"{option} " in known
    assert "namecheck check --cluster tcp://scheduler:8786" in page


def test_without_distributed_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = check("--cluster", "tcp://127.0.0.1:9")
    assert done.exit_code == 2
    assert "namecheck-tensors[cluster]" in done.stderr


def test_nothing_is_sent_of_a_task_that_was_sent(project: Path) -> None:
    """A worker may ask for what it was sent, after messages have overtaken each other."""
    from namecheck.running.sent_files import Question, Sender, Sent
    from namecheck.settings.config import Configuration

    path = str(project / "package/model01.py")
    sender = Sender([str(project)], {path: "package/model01.py"}, Configuration())
    sent = Sent()
    task = Task("package/model01.py", path, False)
    first = sender.parcel([task], [], sent)
    assert path in first.sources
    assert str(project / "package/layers.py") in first.sources
    again = sender.parcel([task], [], sent)
    assert not any([again.sources, again.contents, again.names, again.terms])
    asked = sender.parcel([], [Question("source", path), Question("names", str(project))], sent)
    assert asked.contents.keys() == {first.sources[path]}
    assert asked.names.keys() == {str(project)}


def test_what_imports_import_is_sent_as_well(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that lacks a module ends its analysis, forgets all modules, and begins again."""
    from namecheck.running import sent_files
    from namecheck.running.sent_files import Question, Sender, Sent
    from namecheck.settings.config import Configuration

    paths = [str(here / f"part{number}.py") for number in range(5)]
    for number, path in enumerate(paths):
        importing = f"from part{number + 1} import f\n" if path is not paths[-1] else ""
        Path(path).write_text(f"{importing}def f(x): return x\n")
    sender = Sender([str(here)], {paths[0]: "part0.py"}, Configuration())
    task = Task("part0.py", paths[0], False)
    assert sender.parcel([task], [], Sent()).sources.keys() == set(paths)
    monkeypatch.setattr(sent_files, "AHEAD", 1)
    sent = Sent()
    assert sender.parcel([task], [], sent).sources.keys() == {*paths[:2]}
    asked = sender.parcel([], [Question("status", paths[2])], sent)
    assert asked.sources.keys() == {*paths[2:4]}, "what is there is read next"
    monkeypatch.setattr(sent_files, "AHEAD", 1_000)
    assert sender.parcel([task], [], sent).sources.keys() == {paths[4]}, "now there is room"
