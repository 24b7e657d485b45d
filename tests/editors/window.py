"""A window of VS Code in a browser, as a user sees it and uses it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

from workplace import ROOT, Code, Workplace

PATIENCE = 60_000
"""Milliseconds within which something has to appear, on a loaded machine."""

TRIES = (5_000, 15_000, PATIENCE)
"""Milliseconds for each try of what VS Code may drop, as a key that comes too early."""

PICTURES = "NAMECHECK_PICTURES"
"""The variable that has the pictures of the docs made anew."""


PLACE_OF_WORD = """(line, word) => {
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  let place = null;
  while (walker.nextNode()) {
    const start = walker.currentNode.data.lastIndexOf(word);
    if (start >= 0) {
      const range = document.createRange();
      range.setStart(walker.currentNode, start);
      range.setEnd(walker.currentNode, start + word.length);
      const box = range.getBoundingClientRect();
      place = [box.x + box.width / 2, box.y + box.height / 2];
    }
  }
  return place;
}"""
"""The middle of a word in a line of the editor: its elements follow the colours, not the words."""


class Window:
    """A browser's window with VS Code."""

    def __init__(self, page: Any, code: Code, pictures: Path, ending: str) -> None:
        self.page = page
        self.code = code
        self._pictures = pictures
        self._ending = ending
        page.set_default_timeout(PATIENCE)

    def open(self, file: str) -> float:
        """Open a file in a window that begins anew. Returns the seconds until the first squiggle
        is there.
        """
        begin = monotonic()
        self.page.goto(self.code.address(file))
        self.squiggles().first.wait_for()
        return monotonic() - begin

    def show(self, file: str) -> None:
        """Open a file of the folder in this window."""
        self.pick("ControlOrMeta+P", file)
        self.page.locator(".tab.active", has_text=file).wait_for()

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def command(self, title: str) -> None:
        """Run a command of the palette."""
        self.pick("F1", f">{title}")

    def pick(self, key: str, text: str) -> None:
        """Open the palette by a key, type into its box, and take the first choice.

        The palette closes when something else takes the focus, as a view that opens late does: then
        once more.
        """
        from playwright.sync_api import Error

        box = self.page.locator(".quick-input-widget:visible input")
        sought = text.lstrip(">").split(":")[-1].strip()
        row = self.page.locator(".quick-input-list .monaco-list-row", has_text=sought).first
        for patience in TRIES:
            self.press(key)
            try:
                box.fill(text, timeout=patience)
                row.click(timeout=patience)
                return
            except Error:
                if patience == PATIENCE:
                    raise
                self.press("Escape")

    def fixes(self, line: str, word: str) -> Any:
        """Ask for the quick fixes at a word. Returns their menu.

        VS Code opens no menu as long as the file's findings have not come, and a squiggle on the
        screen may still be that of the file before: then once more.
        """
        from playwright.sync_api import Error

        menu = self.page.locator(".action-widget:visible")
        for patience in TRIES:
            self.point_at(line, word)
            self.press("ControlOrMeta+.")
            try:
                menu.wait_for(timeout=patience)
                break
            except Error:
                if patience == PATIENCE:
                    raise
                self.press("Escape")
        return menu

    def line(self, text: str) -> Any:
        """The line of the editor that has a text."""
        return self.page.locator(".editor-instance .view-line", has_text=text).first

    def point_at(self, line: str, word: str, click: bool = True) -> None:
        """Point at the last occurrence of a word in a line, and click there."""
        self.line(line).wait_for()
        x, y = self.line(line).evaluate(PLACE_OF_WORD, word)
        self.page.mouse.move(x, y)
        if click:
            self.page.mouse.click(x, y)

    def squiggles(self) -> Any:
        """The underlined places."""
        return self.page.locator(".squiggly-error, .squiggly-warning")

    def no_squiggles(self) -> None:
        """Wait until nothing is underlined."""
        self.page.wait_for_function(
            "!document.querySelector('.squiggly-error, .squiggly-warning')", timeout=PATIENCE
        )

    def text(self) -> str:
        """The lines of the editor that are in view, with hints."""
        lines = self.page.locator(".editor-instance .view-line").all()
        placed = [(line.bounding_box()["y"], line.inner_text()) for line in lines]
        return "\n".join(text.replace("\xa0", " ") for _, text in sorted(placed))

    def set(self, **changed: object) -> None:
        """Change the user's settings, as a user does in the file that has them. None removes one.

        code-server has no watcher of files here, so a change from outside would not be noticed.
        """
        now: dict[str, object] = json.loads(self.code.settings.read_text()) | changed
        kept = {key: value for key, value in now.items() if value is not None}
        self.command("Preferences: Open User Settings (JSON)")
        self.page.locator(".tab.active", has_text="settings.json").wait_for()
        self.line('"chat.disableAIFeatures"').wait_for()
        self.press("ControlOrMeta+A")
        self.page.keyboard.insert_text(json.dumps(kept))
        self.press("ControlOrMeta+S")
        self.page.locator(".tab.active:not(.dirty)", has_text="settings.json").wait_for()
        self.command("View: Close Editor")
        assert json.loads(self.code.settings.read_text()) == kept

    def dims(self) -> Any:
        """The page in the view Dims."""
        outer = self.page.frame_locator("iframe.webview").first
        return outer.frame_locator("iframe#active-frame").locator("#shown")

    def picture(self, name: str, aside: bool = True) -> None:
        """Keep a picture of the window for the docs, with the pointer aside or where it is."""
        if aside:
            self.page.mouse.move(600, 5)
        self.page.screenshot(path=self._pictures / f"vscode-{name}{self._ending}.png")


@contextmanager
def window(workplace: Workplace, code: Code, ending: str = "") -> Iterator[Window]:
    """A window of a browser. The names of its pictures have an ending."""
    from playwright.sync_api import sync_playwright

    pictures = workplace.folder / "pictures"
    if os.environ.get(PICTURES):
        pictures = ROOT / "docs" / "assets" / "editors"
    pictures.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        libraries = {"LD_LIBRARY_PATH": workplace.libraries} if workplace.libraries else {}
        browser = playwright.chromium.launch(
            executable_path=workplace.chromium,
            args=["--no-sandbox", "--disable-gpu"],
            env={**os.environ, **libraries},
        )
        page = browser.new_page(viewport={"width": 1120, "height": 680})
        try:
            yield Window(page, code, pictures, ending)
        except BaseException:
            failure = workplace.folder / "failure.png"
            page.screenshot(path=failure)
            print(f"the window as it was: {failure}")
            raise
        finally:
            browser.close()
