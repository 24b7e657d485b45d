"""Settings of the tests as a whole."""

from __future__ import annotations

import gc
import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# How fast examples are made says something of the machine, and nothing of the code. A change is not
# held up by an example that was drawn at random: looking for new ones is what tests/fuzz/ is for.
settings.register_profile(
    "namecheck",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("namecheck")

# Tests put other analyses in the place of ours, on the same bytes. Those of the cache turn it on.
os.environ["NAMECHECK_NO_CACHE"] = "1"

# Nothing is written to the folders of whoever runs the tests.
os.environ["NAMECHECK_CACHE_KEY"] = "the key of the tests"

if sys.platform == "win32":
    # These drive shells and terminals of POSIX, limit what a process may take, or expect `bin`.
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

# A run in the background begins with Ctrl-C ignored, and so would the commands that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Take what pytest holds of 27,000 tests out of what the collector walks again and again.

    `out=` of another size walks it too (`gc.get_referrers`).
    """
    gc.collect()
    gc.freeze()


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, which is empty."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(params=[True, False], ids=["held", "looked at"])
def held(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With folders that are held open, and as on a system that cannot do that."""
    from namecheck.files import disk

    if not request.param:
        monkeypatch.setattr(disk, "_HELD", False)
