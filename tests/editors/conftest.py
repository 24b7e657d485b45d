"""The session's workplace: made once, and skipped plainly where it cannot be made."""

from __future__ import annotations

import sys

import pytest
from workplace import NotTried, Workplace


@pytest.fixture(scope="session")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Workplace:
    """Everything that the editors' tests need, installed."""
    try:
        made = Workplace(tmp_path_factory.mktemp("editors"))
    except NotTried as reason:
        pytest.skip(f"the editors were NOT tried: {reason}")
    sys.path.append(str(made.tools))  # Playwright
    return made
