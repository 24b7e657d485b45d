"""Tensors that a program gives to other code for its effect: it may give them other dims.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "a library that is not known": """
        import caffe2
        import torch
        from foo import workspace

        def interop():
            z = torch.ones((4,))
            workspace.FeedBlob("bar", z)
            workspace.Reshape("bar", (2, 2))
            z[0, 1] = 123

        def interop2():
            z = torch.ones((4,))
            caffe2.python.workspace.FeedBlob("bar", z)
            return z.transpose(0, 1)

        def interop3(lib):
            z = torch.ones((4,))
            workspace.resize(out=z)
            a, b = z.shape
            return a, b
        """,
    "a function of the program that gives it to a library": """
        import caffe2
        import torch

        def feed(name, value):
            engine = caffe2.current()
            return _feed(engine, name, value)

        def _feed(engine, name, value):
            return engine.create(name).feed(value)

        def interop5():
            z = torch.ones((4,))
            feed("bar", z)
            z[0, 1] = 123
            y = torch.ones((4,))
            feed("bar", y)
            y[0, 1] = 123
        """,
    "a call that is no reason": """
        import torch
        import wandb
        from foo import workspace

        def wrong():
            z = torch.ones((4,))
            print(z)
            z[0, 1] = 123  # NC301

        def wrong2():
            z = torch.ones((4,))
            y = workspace.foo(z)
            return z.transpose(0, 1), y  # NC301

        def wrong3():
            z = torch.ones((4,))
            torch.nn.init.normal_(z)
            return z.transpose(0, 1)  # NC301

        def wrong4():
            z = torch.ones((4,))
            wandb.log(z)
            y = z * 2
            return y.transpose(0, 1)  # NC301

        def check(x):
            assert x.shape[0] == 4

        def wrong5():
            z = torch.ones((4,))
            check(z)
            z[0, 1] = 123  # NC301
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])
