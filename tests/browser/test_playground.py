"""The playground in a real browser: Pyodide, the editor, what the checker says of the examples."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "docs/examples").glob("*/*.py"))
LINKED = "import torch\n\nλ = torch.zeros(2, 3)  # 😀\ny = λ + torch.zeros(2, 4)\n"


def address_of(program: str) -> str:
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(program.encode()) + packer.flush()
    return "#program=" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


class Playground:
    """The page, with a program in it."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def settle(self) -> None:
        """Wait for the answer to the program as it is now."""
        state = '[data-state="ready"][data-current="true"]'
        self.page.wait_for_selector(f"#playground-page{state}", timeout=50_000)

    def codes(self) -> list[str]:
        return list(self.page.locator("#playground-findings .code").all_inner_texts())

    def status(self) -> str:
        return str(self.page.inner_text("#playground-status"))

    def dims(self) -> list[str]:
        return list(self.page.locator(".pg-dims").all_inner_texts())

    def link(self, fragment: str) -> None:
        """Follow a link to this page with another fragment."""
        self.page.evaluate(
            """(fragment) => new Promise((done) => {
                addEventListener("hashchange", done, {once: true});
                location.hash = fragment;
            }).then(() => true)""",
            fragment,
        )

    def choose(self, example: str) -> None:
        self.page.select_option("#playground-example", example)
        self.settle()

    def type_at_end(self, text: str) -> None:
        self.page.focus(".cm-content")
        self.page.keyboard.press("Control+End")
        self.page.keyboard.insert_text(text)
        self.settle()


@pytest.fixture(scope="module")
def requests() -> list[str]:
    """The addresses that the page has asked for."""
    return []


@pytest.fixture(scope="module")
def opened(browser: Any, playground: str, requests: list[str]) -> Iterator[Playground]:
    """The page as a link with a program opens it."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    context.on("request", lambda request: requests.append(request.url))
    failures: list[str] = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.goto(playground + address_of(LINKED))
    opened = Playground(page)
    opened.settle()
    yield opened
    context.close()
    assert failures == []


def test_a_link_carries_a_program(opened: Playground) -> None:
    lines = opened.page.locator(".cm-line").all_inner_texts()
    assert lines[3].endswith(" = λ + torch.zeros(2, 4)")
    assert opened.codes() == ["NC201"]
    # Columns count characters, and the editor's UTF-16 units.
    squiggle = opened.page.locator(".cm-lintRange").all_inner_texts()
    assert "".join(squiggle) == "λ + torch.zeros(2, 4)"
    opened.type_at_end("z = 1\n")
    opened.page.click("#playground-share")
    opened.page.wait_for_selector("#playground-shared:not(:empty)")
    packed = opened.page.url.partition("=")[2]
    program = zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), -15)
    assert program.decode() == LINKED + "z = 1\n"
    opened.link("#program=broken")
    opened.page.wait_for_selector("#playground-failure:visible")
    assert "not complete" in opened.page.inner_text("#playground-failure")


def test_every_example_gives_its_codes(opened: Playground) -> None:
    options = opened.page.locator("#playground-example option:not([hidden])")
    offered = [option.get_attribute("value") for option in options.all()]
    assert sorted(offered) == [f"{path.parent.name}/{path.stem}" for path in EXAMPLES]
    for path in EXAMPLES:
        opened.choose(f"{path.parent.name}/{path.stem}")
        marked = re.findall(r"# (NC\d{3}) here", path.read_text())
        assert opened.codes() == marked, path
        assert bool(marked) == (path.parent.name == "mistakes")


def test_an_edit_changes_findings_and_dims(opened: Playground) -> None:
    opened.choose("correct/layer_size")
    before = opened.dims()
    assert opened.codes() == []
    opened.type_at_end("\na = torch.zeros(7, 11)\nb = a.view(78)\n")
    assert opened.codes() == ["NC204"]
    assert opened.page.input_value("#playground-example") == ""  # the program is nobody's example
    assert opened.page.locator(".cm-lintRange-error").all_inner_texts() == ["a.view(78)"]
    assert "[7, 11]" in set(opened.dims()) - set(before)
    assert re.match(r"1 finding, checked in \d+ ms", opened.status())
    (link,) = opened.page.locator("#playground-findings a.code").all()
    assert link.get_attribute("href").endswith("/rules/NC204/")


def test_a_program_that_is_not_python_is_checked_again_after_the_next_edit(
    opened: Playground,
) -> None:
    opened.choose("mistakes/loss_broadcast")
    dims = opened.dims()
    opened.type_at_end("x = [")
    assert opened.codes() == ["NC900"]
    assert "cannot be read" in opened.status()
    assert opened.dims() == dims
    opened.type_at_end("1]\n")
    assert opened.codes() == ["NC202"]


@pytest.mark.parametrize(
    ("program", "codes"),
    [
        ("def f[T: int](x: T) -> T:\n    return x\n\ntype A[*B] = int\n", []),
        ("match 1:\n    case 2 | [3, *_]:\n        pass\n", []),
        ("match f():\n    case 2:\n        x = torch.zeros(2) + torch.zeros(3)\n", ["NC201"]),
        ("x = 0x8000000000000000\n", ["NC900"]),
        ("\0", ["NC900"]),
    ],
)
def test_what_needs_libcst_elsewhere(opened: Playground, program: str, codes: list[str]) -> None:
    opened.link(address_of(f"import torch\n{program}"))
    opened.settle()
    assert opened.codes() == codes


def test_dims_are_shown_under_the_pointer_and_under_the_cursor(opened: Playground) -> None:
    opened.choose("mistakes/loss_broadcast")
    page = opened.page
    page.locator(".cm-line", has_text="** 2).mean()").hover(position={"x": 124, "y": 8})
    card = page.wait_for_selector(".cm-tooltip .playground-dims", timeout=5_000)
    words = card.inner_text().split()
    assert words[:3] == ["pred", "B", "1"]
    assert "named" in words
    page.mouse.move(0, 0)
    page.get_by_role("link", name="line 21").click()
    assert page.inner_text("#playground-here code") == "pred"
    assert page.locator("#playground-here .axis").all_inner_texts() == ["B", "1"]


def test_the_keyboard_reaches_everything(opened: Playground) -> None:
    opened.choose("mistakes/loss_broadcast")
    page = opened.page
    page.focus("#playground-example")
    seen = []
    for _ in range(4):
        page.keyboard.press("Tab")
        script = "document.activeElement.id || document.activeElement.className"
        seen.append(page.evaluate(script))
    assert seen[0] == "playground-share"
    assert seen[1].startswith("cm-content")
    assert not seen[2].startswith("cm-content")  # no trap
    page.focus(".cm-content")
    page.keyboard.press("F8")
    assert page.evaluate("getSelection().anchorNode.textContent") == "pred - target"


def test_names_for_screen_readers(opened: Playground) -> None:
    page = opened.page
    assert page.get_by_role("combobox", name="Example").count() == 1
    assert page.get_by_role("textbox", name="Program").count() == 1
    assert page.get_by_role("region", name="Findings").count() == 1
    assert page.locator("#playground-status[role=status]").count() == 1


@pytest.mark.parametrize("width", [1280, 768, 390])
def test_nothing_sticks_out(opened: Playground, width: int) -> None:
    page = opened.page
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size({"width": 1280, "height": 900})


def test_a_failure_is_told_in_words(browser: Any, playground: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    context.route("**/pyodide.mjs", lambda route: route.abort())
    page.goto(playground)
    page.wait_for_selector('#playground-page[data-state="failed"]')
    assert "Reload the page" in page.inner_text("#playground-failure")
    context.close()


PUPPET = """
const NOTHING = '{"findings": [], "dims": [], "cards": []}';
postMessage({kind: "ready"});
onmessage = ({data}) => {
  if (data.includes("endless")) return;
  if (data.includes("deep")) postMessage({kind: "failed", text: "stack size"});
  else postMessage({kind: "answer", text: NOTHING, milliseconds: 1});
};
"""
"""A worker that answers at once, never, or stops."""


def test_a_program_that_is_too_much_does_not_end_the_checker(browser: Any, playground: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    options = {"content_type": "text/javascript", "body": PUPPET}
    context.route("**/worker.js", lambda route: route.fulfill(**options))
    page.clock.install()
    page.goto(playground)
    puppet = Playground(page)

    def say(text: str) -> None:
        page.focus(".cm-content")
        page.keyboard.insert_text(text)
        page.clock.run_for(500)

    say("x")
    puppet.settle()
    say(" deep ")
    page.wait_for_selector("#playground-failure:visible")
    assert "too deeply" in page.inner_text("#playground-failure")
    page.keyboard.press("Control+a")
    say("# endless ")
    page.clock.run_for(10_000)
    assert "Checking for" in puppet.status()
    page.clock.run_for(60_000)
    assert "60 seconds" in page.inner_text("#playground-failure")
    page.keyboard.press("Control+a")
    say("y")
    puppet.settle()
    assert page.locator("#playground-failure:visible").count() == 0
    assert puppet.codes() == []
    context.close()


def test_no_request_leaves_the_host(
    opened: Playground, playground: str, requests: list[str]
) -> None:
    assert len(requests) > 10
    hosts = {urlsplit(address).netloc for address in requests if not address.startswith("data:")}
    assert hosts == {urlsplit(playground).netloc}
