"""Dicts that a program changes on some paths, or hands to unknown code: the other entries stay.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

_BLOCK = """
        import torch
        from torch import nn

        class Attention(nn.Module):
            def __init__(self, query_dim: int, heads: int, head_dim: int):
                super().__init__()
                self.to_q = nn.Linear(query_dim, heads * head_dim)
                self.to_out = nn.Linear(heads * head_dim, query_dim)

            def forward(self, x):
                return self.to_out(self.to_q(x))

        class Block(nn.Module):
            def __init__(self, dim: int, heads: int, head_dim: int, other: int = 1):
                super().__init__()
                self.heads, self.head_dim = heads, head_dim
                self.attn = Attention(dim, heads, head_dim)

            def forward(self, x):
                b, t, dim = x.shape
                return (x + self.attn(x)).view(b, t, self.heads, self.head_dim)MARK

        class Net(nn.Module):
            def __init__(self, heads: int, head_dim: int, width: int, extra: bool, opts, name):
                super().__init__()
                kw = dict(dim=DIM, heads=heads, head_dim=head_dim)
                CHANGE
                self.block = Block(**kw)
"""

CHANGES = {
    "nothing": "pass",
    "update under a test": "if extra:\n    kw.update(other=1)",
    "update with a dict": "if extra:\n    kw.update({'other': 1})",
    "an entry under a test": "if extra:\n    kw['other'] = width",
    "both ways": "if extra:\n    kw.update(other=1)\nelse:\n    kw['another'] = 2",
    "or-ed": "if extra:\n    kw |= {'other': 1}",
    "always": "kw.update(other=width)",
    "added and removed": "kw['more'] = 1\nif extra:\n    kw.pop('more')\nelse:\n    del kw['more']",
    "a default": "kw.setdefault('other', 1)",
    "a copy": "if extra:\n    kw.update(other=1)\nkw = dict(kw)",
    "a display": "if extra:\n    kw['other'] = 1\nkw = {**kw, 'other': 3}",
    "twice": "if extra:\n    kw.update(other=1)\nif width > 2:\n    kw['third'] = 1",
    "in a loop": "for k in range(width):\n    kw['other'] = k",
}

UNKNOWN = {
    "update with anything": "kw.update(opts)",
    "an unknown entry": "kw[name] = width",
    "under a test": "if extra:\n    kw.update(opts)",
    "an unknown entry removed": "kw.pop(name, None)",
    "unknown code": "opts.fill(kw)",
}


def _program(dim: str, change: str, mark: str = "") -> str:
    change = change.replace("\n", "\n" + " " * 16)
    return _BLOCK.replace("DIM", dim).replace("CHANGE", change).replace("MARK", mark)


@pytest.mark.parametrize("change", (CHANGES | UNKNOWN).values(), ids=CHANGES | UNKNOWN)
def test_sizes_that_one_dict_ties_stay_tied(change: str) -> None:
    check_marks(_program("heads * head_dim", change))


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_sizes_that_no_dict_ties_are_reported(change: str) -> None:
    check_marks(_program("width", change, "  # NC204"))


PROGRAMS = {
    "entries that are read": """
        import torch

        def kept(flag):
            sizes = {"a": 2, "b": 3}
            if flag:
                sizes["c"] = 4
            return torch.zeros(2) + torch.zeros(sizes["b"])  # NC201

        def got(flag):
            sizes = {"a": 2, "b": 3}
            if flag:
                sizes.update(c=4)
            return torch.zeros(2) + torch.zeros(sizes.get("b"))  # NC201

        def changed(flag):
            sizes = {"a": 2, "b": 3}
            if flag:
                sizes["b"] = 2
            return torch.zeros(2) + torch.zeros(sizes["b"])

        def possible(flag):
            sizes = {"a": 2}
            if flag:
                sizes["c"] = 4
            return torch.zeros(2) + torch.zeros(sizes.get("c", 2))

        def never(flag):
            sizes = {"a": 2}
            if flag:
                sizes["c"] = 4
            return torch.zeros(2) + torch.zeros(sizes.get("d", 3))  # NC201

        def removed(flag):
            sizes = {"a": 2, "b": 3}
            if flag:
                sizes.pop("b")
            return torch.zeros(2) + torch.zeros(sizes.get("b", 2))

        def popped():
            sizes = {"a": 2, "b": 3}
            b = sizes.pop("b")
            torch.zeros(3) + torch.zeros(b)
            return torch.zeros(3) + torch.zeros(sizes["a"])  # NC201

        def overwritten(more):
            sizes = {"a": 2, "b": 3}
            sizes.update(more)
            return torch.zeros(2) + torch.zeros(sizes["b"])

        def set_again(more):
            sizes = {"a": 2, "b": 3}
            sizes.update(more)
            sizes["b"] = 3
            return torch.zeros(2) + torch.zeros(sizes["b"])  # NC201

        def merged(flag):
            more = {"b": 4}
            if flag:
                more["a"] = 3
            sizes = {"a": 2, "b": 3}
            sizes.update(more)
            return torch.zeros(3) + torch.zeros(sizes["a"])

        def walked(flag):
            sizes = {"a": 2, "b": 3}
            if flag:
                sizes["c"] = 4
            return [torch.zeros(4) + torch.zeros(size) for size in sizes.values()]
        """,
    "arguments that may be given": """
        import torch

        def make(n, m=3):
            return torch.zeros(n) + torch.zeros(m)

        def possible(flag):
            kw = {"n": 2}
            if flag:
                kw["m"] = 2
            return make(**kw)

        def by_keywords(flag, **kw):
            kw.setdefault("n", 2)
            return make(**kw)

        def passed(flag):
            kw = {"n": 2}
            if flag:
                kw["m"] = 2
            return by_keywords(flag, **kw)
        """,
    "an argument that is not given": """
        import torch

        def make(n, m=3):
            return torch.zeros(n) + torch.zeros(m)  # NC201

        def other(flag):
            kw = {"n": 2}
            if flag:
                kw["k"] = 2
            return make(**kw)
        """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_programs(program: str) -> None:
    check_marks(program)
