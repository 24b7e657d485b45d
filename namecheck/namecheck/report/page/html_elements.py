"""Elements of HTML, made in one line each, and the style sheets and scripts beside this module."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files as resources
from xml.etree.ElementTree import Element

__all__ = ["append_text", "asset", "element"]


def element(
    tag: str, kind: str = "", text: str = "", children: Iterable[Element] = (), **attributes: str
) -> Element:
    """An element of a class (`kind`), with a text and then children in it.

    An underscore at the end of an attribute's name is left out: `for_`; others become hyphens.
    """
    made = Element(tag)
    if kind:
        made.set("class", kind)
    for name, value in attributes.items():
        made.set(name.rstrip("_").replace("_", "-"), value)
    if text:
        made.text = text
    made.extend(children)
    return made


def append_text(parent: Element, text: str) -> None:
    """Add text behind what an element contains."""
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text


def asset(name: str) -> str:
    """The text of a style sheet or script."""
    return resources(__package__).joinpath(name).read_text(encoding="utf-8")
