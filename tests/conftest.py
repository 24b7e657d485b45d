"""Settings of the tests as a whole."""

from __future__ import annotations

import gc
import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The speed at which examples are made depends on the machine and not on the code. An example drawn
# at random must not hold up a change: tests/fuzz/ looks for new ones.
settings.register_profile(
    "namecheck",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("namecheck")

# Tests replace the analysis on the same bytes. The tests of the cache turn it on.
os.environ["NAMECHECK_NO_CACHE"] = "1"

# What is installed on this machine must not matter. The tests of installed packages make their own.
os.environ["VIRTUAL_ENV"] = os.devnull

# The tests write nothing into the user's home folder.
os.environ["NAMECHECK_CACHE_KEY"] = "the key of the tests"

if sys.platform == "win32":
    # These drive POSIX shells and terminals, limit the resources of a process, or expect `bin`.
    collect_ignore = [
        "test_disasters.py",
        "test_faults.py",
        "test_hostile_input.py",
        "test_integration.py",
        "test_output.py",
        "test_package.py",
        "test_release.py",
        "test_site.py",
        "test_surroundings.py",
    ]

# A background job starts with Ctrl-C ignored, and the commands that tests start would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Freeze the objects that pytest holds for 27,000 tests, so that the collector skips them.

    `out=` of another size walks all objects, too (`gc.get_referrers`).
    """
    gc.collect()
    gc.freeze()


NOT_TRIED = "NOT tried"
"""The words in the reason of a skipped test that a run has to print: what it is about may be broken
all the same.
"""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line each what could not be tried on this machine."""
    skipped = terminalreporter.stats.get("skipped", ())
    reasons = {str(report.longrepr[2]) for report in skipped if isinstance(report.longrepr, tuple)}
    for reason in sorted(reasons):
        if NOT_TRIED in reason:
            terminalreporter.write_line(reason.removeprefix("Skipped: "), yellow=True)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, which is empty."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def cached(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, which is a project without modules, with its cache turned on."""
    monkeypatch.delenv("NAMECHECK_NO_CACHE")
    monkeypatch.delenv("NAMECHECK_CACHE_DIR", raising=False)
    (here / "pyproject.toml").write_text("[tool.namecheck]\n")
    return here


@pytest.fixture(params=[True, False], ids=["held", "looked at"])
def held(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run with folders held open, and as on a system that cannot hold them."""
    from namecheck.files import disk

    if not request.param:
        monkeypatch.setattr(disk, "_HELD", False)
