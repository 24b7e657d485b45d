"""Tensors that get other dims in place, under tests, in loops and in functions that are called.

A line ends in the code that is reported there.
"""

from __future__ import annotations

from textwrap import dedent

import pytest
from snippets import HEAD, check_marks

PROGRAMS = {
    "under a test that decides the rank before": """
        def read(path, reader):
            img = torch.from_numpy(reader(path))
            if img.ndim == 2:
                img.unsqueeze_(-1)
            h, w, c = img.shape
            return img.permute(2, 0, 1)

        def back(img):
            grey = img.dim() == 2
            if grey:
                img.unsqueeze_(0)
            c, h, w = img.shape
            if grey:
                img.squeeze_(0)
            return img

        def known():
            img = torch.zeros(4, 5)
            if img.dim() == 2:
                img.unsqueeze_(2)
            h, w = img.shape  # NC303
            return h
        """,
    "under a flag": """
        def of_parameter(img, flat):
            if flat:
                img.unsqueeze_(2)
            h, w, c = img.size()
            return h

        def nested(x, flag, other):
            if flag:
                if other:
                    x.unsqueeze_(0)
                else:
                    x.t_().unsqueeze_(0)
            c, h, w = x.shape
            return x.permute(1, 2, 0)

        def inner(flag, other):
            x = torch.zeros(2, 3)
            if flag:
                if other:
                    x.unsqueeze_(2)
            h, w, c = x.shape
            return h

        def either(flag, context):
            x = torch.zeros(2, 3)
            with context:
                if flag:
                    x.unsqueeze_(0)
                else:
                    x.unsqueeze_(1)
            a, b = x.shape  # NC303
            return a
        """,
    "in a loop": """
        def some(flags):
            x = torch.zeros(2, 3)
            for flag in flags:
                if flag:
                    x.unsqueeze_(0)
            h, w, c = x.shape
            return h

        def until(n):
            x = torch.zeros(3)
            while x.dim() < n:
                x.unsqueeze_(0)
            a, b, c = x.shape
            return x

        def each_time():
            for k in range(3):
                x = torch.zeros(2, 3)
                x.t_()
                y = x + torch.zeros(2, 3)  # NC201
            return y
        """,
    "in a function that is called": """
        def grow(img, grey):
            if grey:
                img.unsqueeze_(2)

        def once(grey):
            img = torch.zeros(2, 3)
            grow(img, grey)
            h, w, c = img.shape
            return h

        def twice(grey):
            img, other = torch.zeros(2, 3), torch.zeros(2, 3)
            grow(img, grey)
            grow(other, grey)
            h, w, c = other.shape
            return h

        def always(img):
            img.unsqueeze_(0)

        def wrong():
            img, other = torch.zeros(2, 3), torch.zeros(2, 3)
            always(img)
            always(other)
            h, w, c = img.shape
            h, w = other.shape  # NC303
            return h
        """,
    "where an exception may come before": """
        def load(path):
            x = torch.zeros(2, 3)
            try:
                x.set_(torch.load(path))
            except OSError:
                pass
            a, b, c = x.shape
            return a
        """,
    "with sizes that are not known": """
        def starred(sizes):
            x = torch.zeros(2, 3)
            x.resize_(*sizes)
            a, b, c = x.shape
            return a

        def of_unknown(x):
            x.squeeze_()
            a, b = x.shape
            return a
        """,
    "by assignments": """
        def of_elements(flag, context):
            x = torch.zeros(2, 3)
            with context:
                if flag:
                    x.data = torch.zeros(3, 2)
            return x + torch.zeros(3, 2)

        def of_shape(flag, context):
            a = np.zeros((2, 3))
            with context:
                if flag:
                    a.shape = (3, 2)
            return a + np.zeros((3, 2))

        def plain():
            x = torch.zeros(2, 3)
            x.data = torch.zeros(3, 2)
            return x + torch.zeros(2, 3)  # NC201
        """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=list(PROGRAMS))
def test_a_tensor_may_have_the_dims_of_either_path(program: str) -> None:
    check_marks(HEAD + dedent(program))
