"""A real Chromium for the tests of what people see in a browser: the machine's.

Playwright, which drives it, comes from PyPI, and node, where the machine has none, too. Where
something cannot be had, the tests are skipped with one line that says what.
"""

from __future__ import annotations

import fcntl
import importlib.util
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from loading import load_file

ROOT = Path(__file__).parents[2]
NOT_TRIED = "the pages in a browser were NOT tried"
NAMES = ("chromium", "chromium-browser", "google-chrome")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.registry)


@pytest.fixture(scope="session")
def shared(
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[str, Callable[[Path], None]], Path]:
    """Makes a folder once, whatever processes the tests run in."""
    base = tmp_path_factory.getbasetemp()
    common = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def make(name: str, fill: Callable[[Path], None]) -> Path:
        folder = common / name
        with (common / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not folder.is_dir():
                unfinished = common / f"{name}.unfinished"
                shutil.rmtree(unfinished, ignore_errors=True)
                unfinished.mkdir()
                fill(unfinished)
                unfinished.rename(folder)
        return folder

    return make


def install(requirement: str, folder: Path) -> None:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder)]
    done = subprocess.run([*command, requirement], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"{NOT_TRIED}: the package registry does not give {requirement}")


@pytest.fixture(scope="module")
def browser(shared: Callable[..., Path]) -> Iterator[Any]:
    """Chromium, as a `Browser` of Playwright's.

    It ends with the module: as long as it is there, an event loop runs in this thread, and neither
    `asyncio.run` nor a second Playwright can be started.
    """
    binary = next(filter(None, map(shutil.which, NAMES)), None)
    if binary is None:
        pytest.skip(f"{NOT_TRIED}: there is no Chromium on this machine")
    folder = ""
    if importlib.util.find_spec("playwright") is None:
        folder = str(shared("playwright", partial(install, "playwright==1.65.*")))
    sys.path.append(folder)
    try:
        driver = importlib.import_module("playwright.sync_api").sync_playwright()
        with driver as playwright:
            options = ["--no-sandbox", "--font-render-hinting=none"]
            browser = playwright.chromium.launch(executable_path=binary, args=options)
            yield browser
            browser.close()
    finally:
        sys.path.remove(folder)


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[Path], str]]:
    """Serves a folder on this machine, and returns its address."""
    servers = []

    def start(folder: Path) -> str:
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for server in servers:
        server.shutdown()


class _Quiet(SimpleHTTPRequestHandler):
    """A server without a log that knows what browsers want to know of modules."""

    extensions_map = {  # noqa: RUF012  (of the class above)
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="session")
def playground(shared: Callable[..., Path], serve: Callable[[Path], str]) -> str:
    """The address of the site's playground, which is built from the registries."""
    pytest.importorskip("material", reason="mkdocs-material is not installed")
    address = serve(shared("playground", _build_site) / "site")
    return f"{address}/playground/"


def _build_site(folder: Path) -> None:
    hook = load_file(ROOT / "docs/hooks/playground.py")
    built = os.environ.get(hook.VARIABLE) or str(folder / "built")
    try:
        hook.build(Path(built))
    except RuntimeError as failure:
        pytest.skip(f"{NOT_TRIED}: it cannot be built: {str(failure).splitlines()[-1]}")
    # The page alone, in the site's theme: the other pages take longer to make than to build this.
    docs = folder / "docs"
    for name in ("playground/index.md", "assets/site.css"):
        (docs / name).parent.mkdir(parents=True)
        shutil.copy(ROOT / "docs" / name, docs / name)
    settings = folder / "mkdocs.yml"
    settings.write_text(
        f"INHERIT: {ROOT / 'mkdocs.yml'}\ndocs_dir: {docs}\nsite_dir: {folder / 'site'}\n"
        f"nav: [playground/index.md]\nhooks: [{ROOT / 'docs/hooks/playground.py'}]\n"
    )
    roots = os.pathsep.join(str(ROOT / root) for root in ("runtime", "namecheck"))
    environment = {"PYTHONPATH": roots, "NO_MKDOCS_2_WARNING": "1", hook.VARIABLE: built}
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "-f", str(settings)]
    subprocess.run(command, cwd=ROOT, env=os.environ | environment, capture_output=True, check=True)
