"""Saving under faults: processes that are killed or save at once, full disks, altered files."""

from __future__ import annotations

import os
import pickle
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import namecheck_runtime as nt
from namecheck_runtime.serialization import UnreadableFileError

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="starts processes by fork")


def started(work: Callable[[], None]) -> int:
    """A process that does some work and ends."""
    process = os.fork()
    if process == 0:
        try:
            work()
        finally:
            os._exit(1)
    return process


def saving(path: Path, number: int, pickled: bool = False) -> Callable[[], None]:
    """Work that saves for ever: tensors whose elements are all `number`, `number + 1`, ..."""

    def save() -> None:
        value = float(number)
        while True:
            nest = {"a": nt.full((300, 300), value), "b": nt.full((7,), value), "n": value}
            nt.save(nest, path, pickle if pickled else None)
            value += 1

    return save


def whole(path: Path) -> float:
    """The number in a file, which must be one state of what was saved."""
    nest = nt.load(path, weights_only=False)
    assert (nest["a"] == nest["n"]).all()
    assert (nest["b"] == nest["n"]).all()
    return float(nest["n"])


def kill(process: int) -> None:
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)


@pytest.mark.parametrize("pickled", [False, True])
def test_a_killed_save_leaves_the_old_or_the_new_file(tmp_path: Path, pickled: bool) -> None:
    path = tmp_path / "file"
    draw = random.Random(29)
    begun = time.monotonic()
    for _ in range(5):
        nt.save({"a": nt.zeros(300, 300), "b": nt.zeros(2), "n": 0.0}, path)
    patience = time.monotonic() - begun
    last = 0.0
    for _ in range(30):
        process = started(saving(path, int(last) + 1, pickled))
        time.sleep(draw.uniform(0, patience))
        kill(process)
        number = whole(path)
        assert number >= last
        if not number:
            patience *= 1.5  # the machine is busy: nothing has been saved yet
        last = number
    assert last > 0
    # What was being written is beside it, under no name that anything reads.
    others = {other.name for other in tmp_path.iterdir()} - {"file"}
    assert all(name.startswith(".") for name in others)


def test_two_processes_save_to_one_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    nt.save({"a": nt.zeros(2), "b": nt.zeros(2), "n": 0.0}, path)
    processes = [started(saving(path, number)) for number in (1, 1_000_000)]
    try:
        end = time.monotonic() + 1.5
        seen = set()
        while time.monotonic() < end:
            seen.add(whole(path))
    finally:
        for process in processes:
            kill(process)
    assert len(seen) > 2
    whole(path)


def test_a_save_that_fails_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    nt.save({"x": nt.ones(3)}, path)

    def fail(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space left"):
        nt.save({"x": nt.zeros(3)}, path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]
    assert nt.load(path)["x"].sum() == 3


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_a_full_disk_is_an_os_error() -> None:
    with pytest.raises(OSError, match="No space left"):
        nt.save({"x": nt.ones(3)}, "/dev/full")


def written(path: Path) -> bytes:
    x = nt.arange(12.0).reshape(3, 4)
    nt.save({"x": x, "row": x[1], "turned": nt.ones(2, 3).T, "n": (1, "text")}, path)
    return path.read_bytes()


def test_every_truncated_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    data = written(path)
    for length in range(len(data)):
        path.write_bytes(data[:length])
        for mmap in (None, True):
            with pytest.raises(UnreadableFileError, match="cannot load this file: "):
                nt.load(path, mmap=mmap)


def test_every_altered_byte_is_refused(tmp_path: Path) -> None:
    """But for spaces in JSON, and what the format says to other programs."""
    path = tmp_path / "file"
    data = written(path)
    length = int.from_bytes(data[:8], "little")
    for place in range(len(data)):
        altered = bytearray(data)
        altered[place] ^= 1
        path.write_bytes(altered)
        try:
            read = nt.load(path)
        except UnreadableFileError:
            continue
        assert place < 8 + length, "the elements have checksums"
        assert read["x"].sum() == 66
        assert read["n"] == (1, "text")


def test_a_sentence_says_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "file"
    data = written(path)
    cases = {
        data[:-1]: "the safetensors file is truncated or was altered",
        data[:-1] + b"\xff": "the elements of '.*' were altered",
        data.replace(b'"x":{"dtype":"F32"', b'"x":{"dtype":"I32"'): "another dtype",
        data.replace(b'"entry\\":\\"x', b'"entry\\":\\"y'): "its metadata were altered",
        b"": "it is empty",
        b"text": "none of the formats",
    }
    for content, sentence in cases.items():
        assert content != data
        path.write_bytes(content)
        with pytest.raises(UnreadableFileError, match=sentence):
            nt.load(path)


def load_altered(number: int, seed: int) -> None:
    script = Path(__file__).parent / "altered_files.py"
    done = subprocess.run(
        [sys.executable, script, str(number), str(seed)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_altered_files_load_or_are_refused() -> None:
    load_altered(1500, 0)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(1, 6))  # several, so that they run beside each other
def test_many_altered_files_load_or_are_refused(seed: int) -> None:
    load_altered(10_000, seed)
