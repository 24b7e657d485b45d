"""Assignments to attributes of an array or a tensor that change what it is, for all its names.

A line ends in the code that is reported there.
"""

from __future__ import annotations

from textwrap import dedent

import pytest
from snippets import HEAD, check_marks

PROGRAMS = {
    "another dtype": """
        def as_float(x):
            assert len(x.shape) == 3 and x.shape[2] == 4
            y = x.copy()
            y.dtype = np.float32
            return y.reshape(x.shape[:2])

        def of_another_name():
            x = np.zeros((2, 8), np.uint8)
            y = x
            y.dtype = "int32"
            return x + np.zeros((2, 2))

        def of_records():
            x = np.zeros((2, 8))
            x.dtype = [("a", "f8", (4,))]
            return x + np.zeros((2, 2, 4))

        def in_a_loop(many):
            for x in many:
                x = np.zeros((5, 4), np.uint8)
                for dtype in (np.uint16, np.uint32):
                    x.dtype = dtype
                yield x.reshape(5)

        def cast(x):
            x.dtype = np.uint8

        def across_a_call():
            x = np.zeros((5, 2))
            cast(x)
            return x + np.zeros((5, 16))

        class Frame:
            def __init__(self):
                self.data = np.zeros((5, 2))

            def read(self):
                self.data.dtype = np.uint8
                return self.data + np.zeros((5, 16))

        def other_dims_stay():
            x = np.zeros((5, 7, 4), np.uint8)
            x.dtype = np.float32
            return x + np.zeros((6, 7, 1))  # NC201

        def the_rank_stays():
            x = np.zeros((5, 7, 4), np.uint8)
            x.dtype = np.float32
            a, b = x.shape  # NC303
            return a

        def by_name():
            x = np.zeros((5, 2))
            setattr(x, "dtype", np.uint8)
            return x + np.zeros((5, 16))
        """,
    "another shape": """
        def of_an_unknown_value(x):
            h = x.shape[0]
            x.shape = (h // 2, 2)
            return np.concatenate([x, np.zeros((3, 2))])

        def of_unknown_sizes(shape):
            x = np.zeros((2, 3))
            x.shape = shape
            a, b, c = x.shape
            return x

        def computed():
            x = np.zeros((2, 3))
            y = x
            y.shape = 3, 2
            return x + np.zeros((2, 3))  # NC201

        def longer():
            x = np.zeros((2, 3))
            x.shape += (1,)
            a, b, c = x.shape
            return x + np.zeros((2, 4, 1))  # NC201

        def by_name(n):
            x = np.zeros((2, 3))
            setattr(x, "shape", (6,))
            return x + np.zeros(6)
        """,
    "attributes that keep the dims": """
        def elements():
            x = np.zeros((2, 3), complex)
            x.real = 1
            x.flat = 0
            return x + np.zeros((3, 2))  # NC201

        def strides(x):
            x = np.zeros((2, 3))
            x.strides = (8, 16)
            return x + np.zeros((3, 2))  # NC201

        def gradient(x):
            x = torch.zeros(2, 3)
            x.requires_grad = True
            x.grad = None
            return x + torch.zeros(3, 2)  # NC201
        """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=list(PROGRAMS))
def test_only_the_marked_lines_are_reported(program: str) -> None:
    check_marks(HEAD + dedent(program))
