"""Drives a real JupyterLab in a real browser: `python lab.py FOLDER CHROMIUM [PICTURES]`.

It runs in an environment with JupyterLab, our package with its extra `jupyter`, and playwright.
FOLDER has `net.py` and `scores.ipynb`; what the browser shows of them is printed as JSON.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE = 60.0
"""Seconds within which something has to appear, on a loaded machine."""

SQUIGGLE = ".cm-lintRange-error, .cm-lintRange-warning, .cm-lsp-diagnostic"
BELOW = ".jp-OutputArea-output .namecheck"


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@contextmanager
def lab(folder: Path) -> Iterator[str]:
    """The address of a JupyterLab that serves a folder."""
    port = free_port()
    home = folder.parent / "home"
    settings = home / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True, exist_ok=True)
    answer = json.dumps({"fetchNews": "false"})  # else it asks, above what a picture shows
    (settings / "notification.jupyterlab-settings").write_text(answer)
    theme = json.dumps({"theme": "JupyterLab Light"})
    (settings / "themes.jupyterlab-settings").write_text(theme)
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
            until(lambda: answers(f"{address}/api"))
            yield address
        finally:
            server.terminate()
            server.wait(PATIENCE)


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5) as reply:
            return bool(reply.status == 200)
    except OSError:
        return False


def until(holds: Any) -> Any:
    end = time.monotonic() + PATIENCE
    while not (result := holds()):
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.1)
    return result


def messages(page: Any) -> list[str]:
    """The messages of the diagnostics of the language server, as JupyterLab lists them."""
    return [text.strip() for text in page.locator(SQUIGGLE).all_inner_texts()]


def main(folder: Path, chromium: str, pictures: Path | None) -> dict[str, Any]:
    from playwright.sync_api import sync_playwright

    seen: dict[str, Any] = {}
    begun = time.monotonic()

    def picture(page: Any, name: str) -> None:
        if pictures is not None:
            page.screenshot(path=pictures / f"{name}.png")

    with lab(folder) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        seen["started"] = time.monotonic() - begun
        page.goto(f"{address}/lab/tree/net.py?reset")
        page.locator(SQUIGGLE).first.wait_for(timeout=PATIENCE * 1000)
        seen["file"] = messages(page)
        seen["first"] = time.monotonic() - begun
        picture(page, "lab_file")
        page.goto(f"{address}/lab/tree/scores.ipynb?reset")
        page.locator(SQUIGGLE).first.wait_for(timeout=PATIENCE * 1000)
        seen["notebook"] = messages(page)
        picture(page, "lab_notebook")
        page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
        page.locator(BELOW).first.wait_for(timeout=PATIENCE * 1000)
        page.wait_for_timeout(500)
        seen["below"] = page.locator(BELOW).all_inner_texts()
        seen["outputs"] = page.locator(".jp-OutputArea-output").all_inner_texts()
        if pictures is not None:
            for number in range(page.locator(BELOW).count()):
                page.locator(BELOW).nth(number).screenshot(path=pictures / f"below_{number}.png")
        page.locator(BELOW).last.scroll_into_view_if_needed()
        picture(page, "lab_light")
        seen["light"] = colours(page)
        dark = {"theme": "JupyterLab Dark"}
        page.evaluate(
            "(theme) => window.jupyterapp.commands.execute('apputils:change-theme', theme)", dark
        )
        page.wait_for_function("document.body.dataset.jpThemeLight === 'false'")
        page.wait_for_timeout(500)
        picture(page, "lab_dark")
        seen["dark"] = colours(page)
        browser.close()
    seen["seconds"] = time.monotonic() - begun
    return seen


def colours(page: Any) -> list[list[int]]:
    """The colours of the text and of the ground of a finding's card."""
    shown = page.locator(f"{BELOW} .card").first.evaluate(
        "(card) => [getComputedStyle(card).color, getComputedStyle(card).backgroundColor]"
    )
    return [[int(part) for part in re.findall(r"\d+", colour)[:3]] for colour in shown]


if __name__ == "__main__":
    where = Path(sys.argv[1]).resolve()
    print(json.dumps(main(where, sys.argv[2], Path(sys.argv[3]) if sys.argv[3:] else None)))
