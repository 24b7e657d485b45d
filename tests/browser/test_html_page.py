"""The page of `namecheck show --html` in a real browser: search, keys, cards, paper."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from invoking import invoke

ROOT = Path(__file__).parents[2]
BROADCAST = "docs/examples/mistakes/loss_broadcast.py"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the examples."""
    file = tmp_path_factory.mktemp("page") / "page.html"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        done = invoke("show", "--html", "-o", str(file), "docs/examples")
    assert done.exit_code == 0, done.output
    return file


@pytest.fixture
def page(browser: Any, file: Path) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    failures: list[str] = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.goto(file.as_uri())
    yield page
    context.close()
    assert failures == []


def focused(page: Any) -> str:
    return str(page.evaluate("document.activeElement.id"))


def test_the_search_leaves_what_fits(page: Any) -> None:
    everything = page.locator(".file:visible").count()
    total = page.inner_text("#total")
    assert everything == 16
    page.fill("#search", "NC202")
    shown = page.locator(".file:visible h2").all_inner_texts()
    assert shown == [BROADCAST, "docs/examples/mistakes/missing_keepdim.py"]
    assert page.locator("nav [data-file]:visible").count() == 2
    assert page.inner_text("#total") == "2 findings in 2 files"
    page.fill("#search", "squeeze target")
    assert page.locator(".card:visible").count() == 1
    page.fill("#search", "no such word")
    assert page.locator(".file:visible").count() == 0
    page.fill("#search", "")
    assert page.locator(".file:visible").count() == everything
    assert page.inner_text("#total") == total


def test_a_search_for_one_file_counts_in_the_singular(page: Any) -> None:
    page.fill("#search", "loss_broadcast NC202")
    assert page.inner_text("#total") == "1 finding in 1 file"


def test_keys_lead_from_finding_to_finding(page: Any) -> None:
    page.keyboard.press("n")
    assert focused(page) == "finding-1"
    page.keyboard.press("n")
    assert focused(page) == "finding-2"
    page.keyboard.press("p")
    page.keyboard.press("p")
    assert focused(page) == "finding-8"
    page.keyboard.press("/")
    assert focused(page) == "search"
    page.keyboard.type("np/")
    assert page.input_value("#search") == "np/"


def test_arrows_lead_through_the_expressions_of_a_listing(page: Any) -> None:
    source = page.locator(".file", has_text=BROADCAST).locator(".source")
    source.focus()
    page.keyboard.press("ArrowRight")
    first = page.inner_text("#beside code")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#beside code") != first
    assert page.locator(".x.current").count() == 1
    page.keyboard.press("Escape")
    assert page.locator("#beside:visible").count() == 0


def test_the_card_of_an_expression_leads_to_its_finding(page: Any) -> None:
    page.locator(".file", has_text=BROADCAST).locator(".found .x").first.click()
    page.get_by_role("link", name="NC202: sub of").click()
    assert focused(page) == "finding-2"
    assert page.locator("#beside:visible").count() == 0


@pytest.mark.parametrize("width", [1280, 768, 390])
def test_the_card_of_an_expression_covers_neither_it_nor_its_line(page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = page.locator(".file", has_text=BROADCAST).locator(".found .x").first
    for part in (0.05, 0.5, 0.95):  # where on the screen
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("Escape")
        found.evaluate(
            "(it, part) => scrollBy(0, it.getBoundingClientRect().top - innerHeight * part + 20)",
            part,
        )
        found.click()
        card = page.locator("#beside").bounding_box()
        line = page.locator(".line", has=page.locator(".x.current")).first.bounding_box()
        apart = card["y"] >= line["y"] + line["height"] or card["y"] + card["height"] <= line["y"]
        assert apart, (part, card, line)
        assert card["x"] >= 0
        assert card["x"] + card["width"] <= width
        assert line["y"] >= 0


def test_on_paper_there_is_nothing_to_press(page: Any) -> None:
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator("#search:visible").count() == 0
    assert page.locator(".help:visible").count() == 0
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    source = page.locator(".source").first
    assert source.evaluate("(it) => it.scrollWidth <= it.clientWidth")
