"""Docstrings that say what a function takes, and two comments of it that disagree (NC402).

A line ends in the code that is reported there.
"""

from __future__ import annotations

from textwrap import dedent

import pytest
from snippets import check_marks

from namecheck.analysis import analyze_text

PROGRAMS = {
    "a tensor shaped": '''
        import torch
        from torch import Tensor

        def shaped(points: Tensor, boxes: Tensor) -> Tensor:
            """Pairwise.

            Args:
                points: Point (x, y) coordinates, a tensor shaped ``[points, 2]``.
                boxes: Box (x1, y1, x2, y2) coordinates, a tensor shaped ``[boxes, 4]``.

            Returns:
                A tensor shaped ``[points, boxes]``.
            """
            lt = points[:, None, :] - boxes[None, :, :2]  # [boxes, points, 2]  # NC402
            rb = boxes[None, :, 2:] - points[:, None, :]  # [points, boxes, 2]
            deltas = torch.cat((lt, rb), -1)  # [points, boxes, 4]
            return deltas.min(-1).values > 0.0  # [points, boxes]
        ''',
    "words that are no shapes": '''
        import torch

        def resized(image, boxes):
            """Resize.

            Args:
                image: The image, resized (H, W).
                boxes: A list of tensors shaped ``[N, 4]``.
            """
            b, c, h, w = image.shape
            n = boxes[0].shape[0]
            return image.reshape(b, c, h * w), n
        ''',
}

DISPUTED = """
    import torch
    from torch import Tensor

    def both(points: Tensor, boxes: Tensor):
        d = points[:, None, :] - boxes[None, :, :]  # [boxes, points, 2]
        return d * 2  # [points, boxes, 2]
    """


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str) -> None:
    check_marks(PROGRAMS[name])


def test_neither_comment_is_called_wrong() -> None:
    (finding,) = analyze_text("a.py", dedent(DISPUTED)).findings
    assert finding.message.startswith("two comments disagree: ")
    assert finding.fix is None
    assert any(note.span is not None and note.span.line == 6 for note in finding.notes)


DOCUMENTED = '''
    from torch import Tensor, nn

    class Embed(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            """Embed.

            Parameters
            ----------
            x : Tensor
                (batch, n_freq, time)

            Returns
            -------
            out : Tensor
                (batch, time, n_freq)
            """
            x = x.permute(0, 2, 1)
            x = x * 2  {comment}
            x = x.transpose(1, 2)
            return x
    '''


def test_a_docstring_disagrees_with_itself() -> None:
    (finding,) = analyze_text("a.py", dedent(DOCUMENTED.format(comment=""))).findings
    assert finding.message.startswith("the docstring disagrees with itself: it says ")
    assert finding.hint == "correct the one that is wrong, here or above"


def test_a_comment_against_the_docstring() -> None:
    program = DOCUMENTED.format(comment="# (batch, n_freq, time)")
    finding, *_ = analyze_text("a.py", dedent(program)).findings
    assert "but by the docstring the value is [batch, time, n_freq]" in finding.message
    assert finding.hint is not None
    assert "or the docstring or the code" in finding.hint
