"""Shell completion of codes.

The scripts for bash, zsh and fish are click's; docs/ci.md says how to turn them on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = ["code_or_name", "selectors"]


def code_or_name(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The codes that begin with a text, with their names; if there are none, names with codes."""
    from click.shell_completion import CompletionItem

    from namecheck.documentation.pages import pages

    known = pages()
    codes = [CompletionItem(page.code, help=page.name) for page in known]
    names = [CompletionItem(page.name, help=page.code) for page in known]
    typed = incomplete.casefold()
    offered = [item for item in codes if item.value.casefold().startswith(typed)]
    return offered or [item for item in names if item.value.startswith(typed)]


def selectors(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The same for the last item of a list with commas."""
    from click.shell_completion import CompletionItem

    before, comma, last = incomplete.rpartition(",")
    offered = code_or_name(context, parameter, last)
    if last and "ALL".startswith(last.upper()):
        offered.append(CompletionItem("ALL", help="all codes"))
    return [CompletionItem(before + comma + item.value, help=item.help) for item in offered]
