"""Drives a real JupyterLab in a real browser: `python lab.py FOLDER CHROMIUM [PICTURES]`.

It runs in an environment with our package and its extra `jupyter`, and speaks to Chromium by its
own protocol, with the WebSocket client that Jupyter's server brings. FOLDER has `net.py` and
`scores.ipynb`; what the browser shows of them is printed as JSON.
"""

from __future__ import annotations

import base64
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE = 120.0
"""Seconds within which something has to appear, on a loaded machine."""

SQUIGGLES = ".cm-lintRange-error, .cm-lintRange-warning"
BELOW = ".jp-OutputArea-output .namecheck"


class Page:
    """A page of the browser."""

    def __init__(self, address: str) -> None:
        import websocket

        self._socket = websocket.create_connection(address, timeout=PATIENCE, suppress_origin=True)
        self._number = 0
        # JupyterLab's commands are about what has the focus.
        self.ask("Emulation.setFocusEmulationEnabled", enabled=True)

    def ask(self, method: str, **params: object) -> dict[str, Any]:
        """The answer of the browser to a request."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        self._socket.send(json.dumps(message))
        while (answer := json.loads(self._socket.recv())).get("id") != self._number:
            pass
        assert "error" not in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def value(self, script: str) -> Any:
        """The value of an expression in the page."""
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True)
        return answer["result"].get("value")

    def run(self, command: str, **arguments: object) -> None:
        """Run a command of JupyterLab."""
        self.value(f"void jupyterapp.commands.execute({command!r}, {json.dumps(arguments)})")

    def open(self, address: str) -> None:
        """Go to an address."""
        self.ask("Page.navigate", url=address)

    def texts(self, selector: str) -> list[str]:
        """The texts of all elements that fit."""
        script = f"[...document.querySelectorAll({selector!r})].map((one) => one.innerText)"
        texts: list[str] = self.value(script)
        return texts

    def picture(self, path: Path | None) -> None:
        """Keep a picture of what is shown."""
        if path is not None:
            time.sleep(0.5)  # for the theme's own transitions
            shown = self.ask("Page.captureScreenshot", format="webp", quality=80)
            path.write_bytes(base64.b64decode(shown["data"]))

    def colours(self, selector: str) -> list[list[int]]:
        """The colours of the text and of the ground of the first element that fits."""
        script = f"getComputedStyle(document.querySelector({selector!r}))"
        shown = [self.value(f"{script}.{name}") for name in ("color", "backgroundColor")]
        return [[int(part) for part in re.findall(r"\d+", colour)[:3]] for colour in shown]


@contextmanager
def browser(chromium: str, folder: Path) -> Iterator[Page]:
    """The first page of a browser; what it keeps is in a folder."""
    port = free_port()
    options = ["--headless", "--no-sandbox", "--window-size=1280,1040", "--hide-scrollbars"]
    options += [f"--remote-debugging-port={port}", f"--user-data-dir={folder}"]
    with (folder.parent / "browser.log").open("wb") as log:
        process = subprocess.Popen([chromium, *options, "about:blank"], stdout=log, stderr=log)
        try:
            pages = until(lambda: content(f"http://127.0.0.1:{port}/json"))
            (address,) = [page["webSocketDebuggerUrl"] for page in pages if page["type"] == "page"]
            yield Page(address)
        finally:
            process.terminate()
            process.wait(PATIENCE)


@contextmanager
def lab(folder: Path) -> Iterator[str]:
    """The address of a JupyterLab that serves a folder."""
    port = free_port()
    home = folder.parent / "home"
    settings = home / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True, exist_ok=True)
    answer = json.dumps({"fetchNews": "false"})  # else it asks, above what a picture shows
    (settings / "notification.jupyterlab-settings").write_text(answer)
    surroundings = {
        **os.environ,
        "HOME": str(home),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "IPYTHONDIR": str(home / "ipython"),
    }
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += [f"--port={port}", "--ip=127.0.0.1", "--IdentityProvider.token="]
    command += ["--ServerApp.disable_check_xsrf=True", "--expose-app-in-browser"]
    with (folder.parent / "lab.log").open("wb") as log:
        server = subprocess.Popen(command, cwd=folder, env=surroundings, stdout=log, stderr=log)
        try:
            address = f"http://127.0.0.1:{port}"
            until(lambda: content(f"{address}/api"))
            yield address
        finally:
            server.terminate()
            server.wait(PATIENCE)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def content(address: str) -> Any:
    """The JSON at an address; None if nothing answers yet."""
    try:
        with urllib.request.urlopen(address, timeout=5) as reply:
            return json.load(reply)
    except OSError:
        return None


def until(holds: Callable[[], Any]) -> Any:
    end = time.monotonic() + PATIENCE
    while not (result := holds()):
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.1)
    return result


def seen(page: Page, address: str, pictures: Path | None) -> dict[str, Any]:
    """What the page shows of the file and the notebook, and then below the notebook's cells."""

    def picture(name: str) -> None:
        page.picture(None if pictures is None else pictures / f"jupyterlab-{name}.webp")

    page.open(f"{address}/lab/tree/net.py?reset")
    in_file = until(lambda: page.texts(SQUIGGLES))
    page.run("docmanager:open", path="scores.ipynb", factory="Notebook")
    until(lambda: page.texts(".jp-Notebook"))
    in_notebook = until(lambda: page.texts(f".jp-Notebook :is({SQUIGGLES})"))
    kernel = "jupyterapp.shell.currentWidget.sessionContext.session?.kernel?.status"
    until(lambda: page.value(kernel) == "idle")
    page.run("notebook:run-all-cells")
    until(lambda: len(page.texts(BELOW)) == 2)
    last = f"[...document.querySelectorAll({BELOW!r})].at(-1)"
    page.value(f"{last}.scrollIntoView({{block: 'end'}})")
    picture("light")
    light = page.colours(f"{BELOW} .card")
    page.run("apputils:change-theme", theme="JupyterLab Dark")
    until(lambda: page.value("document.body.dataset.jpThemeLight") == "false")
    page.value(f"{last}.scrollIntoView({{block: 'end'}})")
    picture("dark")
    return {
        "file": in_file,
        "notebook": in_notebook,
        "below": page.texts(BELOW),
        "outputs": page.texts(".jp-OutputArea-output"),
        "light": light,
        "dark": page.colours(f"{BELOW} .card"),
    }


def main(folder: Path, chromium: str, pictures: Path | None) -> None:
    """Print what is seen of the files of a folder."""
    with lab(folder) as address, browser(chromium, folder.parent / "browser") as page:
        try:
            print(json.dumps(seen(page, address, pictures)))
        except AssertionError:
            page.picture(folder.parent / "failed.webp")
            raise


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2], Path(sys.argv[3]) if sys.argv[3:] else None)
