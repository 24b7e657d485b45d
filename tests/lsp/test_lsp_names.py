"""Names of dims: where they come from (`definition`), and which fit (`completion`)."""

from __future__ import annotations

from lsprotocol import types

from editing import Editor, edited

MODEL = '''\
import torch
from einops import rearrange
from jaxtyping import Float
from torch import Tensor, nn


class Attention(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.q = nn.Linear(width, width)

    def forward(self, x: Float[Tensor, "batch seq width"]) -> Tensor:
        q = self.q(x)
        q = rearrange(q, "b s (h d) -> b h s d", h=self.heads)
        return q.transpose(1, 2)


def mix(x, w):
    """Mix.

    Args:
        x: of shape (N, C)
    """
    # x: (N, C), w: (C, K)
    y = x @ w
    return y.sum(0)


z = torch.zeros(2, 3, names=("A", "Z"))
'''


def place(text: str, marker: str) -> types.Position:
    """The position of `|` in a part of the text that is given with it."""
    before, after = marker.split("|")
    assert text.count(before + after) == 1, marker
    start = text.index(before + after) + len(before)
    line = text.count("\n", 0, start)
    return types.Position(line, start - (text.rfind("\n", 0, start) + 1))


async def goes_to(editor: Editor, name: str, text: str, marker: str) -> list[str]:
    """The code at the definitions of what stands at a marker, each with the line (from 1)."""
    document = types.TextDocumentIdentifier(editor.uri(name))
    params = types.DefinitionParams(document, place(text, marker))
    answer = await editor.client.text_document_definition_async(params)
    found = []
    for one in answer or []:
        if isinstance(one, types.LocationLink):
            uri, range_ = one.target_uri, one.target_selection_range
        else:
            assert isinstance(one, types.Location)
            uri, range_ = one.uri, one.range
        path = uri.rpartition("/")[2]
        line = editor.texts[path].splitlines()[range_.start.line]
        code = line[range_.start.character : range_.end.character]
        found.append(f"{range_.start.line + 1}: {code}")
    return found


async def offered(editor: Editor, name: str, text: str, marker: str) -> list[str]:
    """The completions at a marker, in the client's order."""
    document = types.TextDocumentIdentifier(editor.uri(name))
    params = types.CompletionParams(document, place(text, marker))
    answer = await editor.client.text_document_completion_async(params)
    assert isinstance(answer, list)
    return [item.label for item in sorted(answer, key=lambda item: item.sort_text or "")]


@edited
async def test_names_come_from_their_places(editor: Editor) -> None:
    editor.open("a.py", MODEL)
    here = editor, "a.py", MODEL
    assert await goes_to(*here, "q = self.q(|x)") == ["13: batch", "13: seq", "13: width"]
    heads = ["13: batch", "8: heads", "13: seq", "8: width"]
    assert await goes_to(*here, "return |q.transpose") == heads
    assert await goes_to(*here, "rearrange(|q, ") == ["13: batch", "13: seq", "8: width"]
    assert await goes_to(*here, "y = |x @ w") == ["25: N", "25: C"]
    assert await goes_to(*here, "super().__|init__()") == []
    assert await goes_to(*here, "|import torch\n") == []
    # A name that is written.
    assert await goes_to(*here, '"batch s|eq width"') == ["13: seq"]
    assert await goes_to(*here, "batch seq wid|th") == ["8: width"]
    assert await goes_to(*here, '"|b s (h d)') == ["13: batch"]
    assert await goes_to(*here, "b h |s d") == ["13: seq"]
    assert await goes_to(*here, "of shape (N, |C)") == ["25: C"]
    assert await goes_to(*here, "w: (|C, K)") == ["25: C"]
    assert await goes_to(*here, "w: (C, |K)") == ["25: K"]
    assert await goes_to(*here, 'names=("|A"') == ["30: A"]
    assert await goes_to(*here, '"""Mi|x.') == []


@edited
async def test_names_are_completed_where_they_are_written(editor: Editor) -> None:
    editor.open("a.py", MODEL)

    async def offers(marker: str, replaced: str = "") -> list[str]:
        before, after = marker.split("|")
        text = MODEL.replace(replaced or before + after, before + after)
        editor.change("a.py", text)
        return await offered(editor, "a.py", text, marker)

    # Those of the tensor at that place first, from the next dim on; then those of the function.
    assert await offers("w: (|C, K)") == ["C", "K", "N", *OTHERS]
    assert await offers("w: (C, |K)") == ["K", "C", "N", *OTHERS]
    assert await offers("y = x @ w  # (|", "y = x @ w") == ["N", "K", "C", *OTHERS]
    assert await offers("y = x @ w  # (N, |", "y = x @ w") == ["K", "N", "C", *OTHERS]
    assert (await offers("x: of shape (N, |", "x: of shape (N, C)"))[:2] == ["C", "N"]
    assert (await offers('names=("A", "|Z")'))[:2] == ["Z", "A"]
    # In text that is not Python while the user is typing.
    pattern = 'q, "b s (h d) -> b h s d", h=self.heads)'
    assert (await offers('q, "|', pattern))[:3] == ["batch", "seq", "width"]
    assert await offers('q, "b|', pattern) == ["batch"]
    annotation = 'Float[Tensor, "batch seq width"]) -> Tensor:'
    assert (await offers('Float[Tensor, "batch |', annotation))[:3] == ["seq", "width", "batch"]


OTHERS = ["batch", "seq", "width", "heads", "A", "Z"]


@edited(capabilities="emacs")
async def test_a_client_without_links_and_a_text_that_is_not_python_at_first(
    editor: Editor,
) -> None:
    text = MODEL.replace('names=("A", "Z"))', 'names=("')
    editor.open("a.py", text)
    assert (await offered(editor, "a.py", text, 'names=("|'))[:2] == ["batch", "seq"]
    text = MODEL + 'torch.zeros(2, names="A \\\n'  # a string that goes on where the text ends
    editor.change("a.py", text)
    assert "batch" in await offered(editor, "a.py", text, 'torch.zeros(2, names="A \\\n|')
    editor.change("a.py", MODEL)
    assert await goes_to(editor, "a.py", MODEL, "w: (|C, K)") == ["25: C"]
    code = "impo|rt torch\n", "super(|).__init__", "y.sum(|0)", "self.|heads = heads"
    for marker in (*code, '"""Mi|x.'):
        assert await offered(editor, "a.py", MODEL, marker) == [], marker


@edited(start=False)
async def test_both_can_be_switched_off(editor: Editor) -> None:
    await editor.start(initialization_options={"definition": False, "completion": False})
    editor.open("a.py", MODEL)
    assert await goes_to(editor, "a.py", MODEL, "w: (|C, K)") == []
    assert await offered(editor, "a.py", MODEL, "w: (|C, K)") == []
