"""The pictures of the documentation: `NAMECHECK_PICTURES=1` makes those of docs/assets anew."""

from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import Any

import pytest

from invoking import invoke

ROOT = Path(__file__).parents[2]
ASSETS = ROOT / "docs/assets"
BROADCAST = "docs/examples/mistakes/loss_broadcast.py"
SCALE = 1.5
QUALITY = 70

pytestmark = [
    pytest.mark.skipif(
        "NAMECHECK_PICTURES" not in os.environ, reason="NAMECHECK_PICTURES is not set"
    ),
    pytest.mark.parametrize("scheme", ["light", "dark"]),
]


def opened(browser: Any, scheme: str, width: int, height: int) -> Any:
    size = {"width": width, "height": height}
    context = browser.new_context(viewport=size, device_scale_factor=SCALE, color_scheme=scheme)
    return context.new_page()


def take(page: Any, name: str, box: dict[str, float], margin: float = 12) -> None:
    """Write a part of a page as a picture."""
    clip = {
        "x": box["x"] - margin,
        "y": box["y"] - margin,
        "width": box["width"] + 2 * margin,
        "height": box["height"] + 2 * margin,
        "scale": 1,
    }
    options = {"format": "webp", "quality": QUALITY, "clip": clip, "captureBeyondViewport": True}
    session = page.context.new_cdp_session(page)
    picture = base64.b64decode(session.send("Page.captureScreenshot", options)["data"])
    assert len(picture) < 100_000
    (ASSETS / f"{name}.webp").write_bytes(picture)
    page.context.close()


def test_the_page_of_html(browser: Any, tmp_path: Path, scheme: str) -> None:
    file = tmp_path / "page.html"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        assert invoke("show", "--html", "-o", str(file), BROADCAST).exit_code == 0
    page = opened(browser, scheme, 900, 1200)
    page.goto(file.as_uri())
    page.locator(".found .x").first.hover()
    section = page.locator(".file").bounding_box()
    take(page, f"page-{scheme}", section)


def test_the_playground(browser: Any, playground: str, scheme: str) -> None:
    page = opened(browser, scheme, 1200, 1000)
    page.goto(playground)
    page.wait_for_selector('#playground-page[data-current="true"]', timeout=50_000)
    page.focus(".cm-content")
    page.keyboard.press("Control+End")
    page.keyboard.press("Backspace")  # the time of the first check is no usual one
    page.wait_for_selector('#playground-page[data-current="false"]')
    page.wait_for_selector('#playground-page[data-current="true"]')
    page.evaluate("document.querySelector('.cm-editor').style.height = '31.5rem'")
    page.locator(".cm-line", has_text="** 2).mean()").click(position={"x": 130, "y": 8})
    page.mouse.move(0, 0)
    page.wait_for_selector("#playground-here .axis")
    page.evaluate("document.activeElement.blur()")
    page.wait_for_timeout(500)
    take(page, f"playground-{scheme}", page.locator("#playground-page").bounding_box())
