"""A fix in the editor never silently does nothing: it fixes the rest, or gives the reason."""

from __future__ import annotations

import sys

import pytest
from lsprotocol import types

from editing import Editor, edited
from test_lsp_questions import VIEW, actions, carried_out

FIXED = VIEW.replace(".view", ".contiguous().view")


@edited
async def test_fixes_in_text_that_is_not_plain_python(editor: Editor) -> None:
    """An unfinished cell, newer syntax, and a declared encoding."""
    for name, more in (
        ("n.ipynb", "\n\nz = = 3\n"),
        ("a.py", "type X[T] = list[T]\ns = f'{y['é']}'\n"),
    ):
        editor.open(name, VIEW + more)
        assert "NC501" in await editor.codes(name)
        (action,) = (await actions(editor, name, 0, ["source.fixAll"])).values()
        assert carried_out(action, editor.uri(name), VIEW + more) == FIXED + more
        silenced = (await actions(editor, name, 3))["Ignore NC501 here"]
        assert "  # namecheck: ignore[NC501]\n" in carried_out(
            silenced, editor.uri(name), VIEW + more
        )
    latin = "# -*- coding: latin-1 -*-\n# é\n"
    editor.open("b.py", latin + VIEW)
    (action,) = (await actions(editor, "b.py", 0, ["source.fixAll"])).values()
    assert carried_out(action, editor.uri("b.py"), latin + VIEW) == latin + FIXED


@pytest.mark.skipif(sys.version_info >= (3, 15), reason="what is newer is this Python's own")
@edited
async def test_an_impossible_fix_is_shown_with_the_reason(editor: Editor) -> None:
    editor.open("a.py", VIEW + "lazy import os\n")
    assert await editor.codes("a.py") == ["NC501"]
    ignore = (await actions(editor, "a.py", 3))["Ignore NC501 here"]
    assert ignore.edit is None
    assert ignore.disabled is not None
    assert "syntax is newer than Python" in ignore.disabled.reason
    editor.open("b.py", "# -*- coding: latin-1 -*-\n# €\n" + VIEW)
    (action,) = (await actions(editor, "b.py", 0, ["source.fixAll"])).values()
    assert action.disabled == types.CodeActionDisabled(
        "the text is not in the encoding that it declares"
    )


@pytest.mark.skipif(sys.version_info >= (3, 15), reason="what is newer is this Python's own")
@edited(start=False)
async def test_clients_that_do_not_show_disabled_actions_get_none(editor: Editor) -> None:
    assert editor.capabilities.text_document is not None
    assert editor.capabilities.text_document.code_action is not None
    editor.capabilities.text_document.code_action.disabled_support = None
    await editor.start()
    editor.open("a.py", VIEW + "lazy import os\n")
    assert await editor.codes("a.py") == ["NC501"]
    assert list(await actions(editor, "a.py", 3)) == ["Explain NC501 noncontiguous-view"]
