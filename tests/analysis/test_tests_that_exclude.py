"""Tests that exclude each other: what one branch makes of a value does not reach the other.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "parts of an `and`": """
        import numpy as np
        import torch

        def owlvit(params: dict):
            for k, v in params.items():
                if "w" in k and "out" in k:
                    v = v.reshape(v.shape[0] * v.shape[1], v.shape[2]).T
                if "w" in k and "out" not in k:
                    v = v.reshape(v.shape[0], v.shape[1] * v.shape[2]).T
                print(k, v)

        def ors(params: dict):
            for k, v in params.items():
                if "w" not in k or "out" not in k:
                    v = v.reshape(-1, 4)
                if "w" in k and "out" in k:
                    v = v.transpose(0, 1, 2, 3)
                print(k, v)

        def wrong(k, v, flag):
            if flag and "a" in k:
                v = v.reshape(-1, 4)
            if flag and "a" in k:
                v = v.permute(0, 2, 1)  # NC303
            return v

        def wrong2(k, v, flag):
            if flag:
                v = v.reshape(-1, 4)
            if flag and "b" in k:
                v = v.permute(0, 2, 1)  # NC303
            return v
        """,
    "other spellings of a test": """
        import torch

        def consts(mode):
            x = torch.zeros(2, 3, 4)
            if mode == "a":
                x = x.reshape(6, 4)
            elif mode != "b":
                x = x.reshape(24)
            if mode == "b":
                return x.permute(0, 2, 1)
            return x

        def consts_and(mode, flag):
            x = torch.zeros(2, 3, 4)
            if flag and mode == "a":
                x = x.reshape(6, 4)
            elif not (flag and mode == "b"):
                x = x.reshape(24)
            if flag and mode == "b":
                return x.permute(0, 2, 1)
            return x

        def starts(mode):
            x = torch.zeros(2, 3, 4)
            if not mode.startswith("a"):
                x = x.reshape(6, 4)
            if mode.startswith("a"):
                return x.permute(0, 2, 1)
            return x

        def mirrored(n):
            x = torch.zeros(2, 3, 4)
            if 1 < n:
                x = x.reshape(6, 4)
            if n <= 1:
                return x.permute(0, 2, 1)
            return x

        def oneof(mode, flag):
            x = torch.zeros(2, 3, 4)
            if mode in ("a", "c"):
                x = x.reshape(6, 4)
            if mode == "b":
                return x.permute(0, 2, 1)
            return x

        def oneof2(mode, flag):
            x = torch.zeros(2, 3, 4)
            if mode not in ("b", "c"):
                x = x.reshape(6, 4)
            if mode in ("b", "c"):
                return x.permute(0, 2, 1)
            return x

        def bools(mode, flag):
            x = torch.zeros(2, 3, 4)
            if flag is not True:
                x = x.reshape(6, 4)
            if flag is True:
                return x.permute(0, 2, 1)
            return x

        def rebound(mode, flag):
            x = torch.zeros(2, 3, 4)
            if flag == "a":
                x = x.reshape(6, 4)
            with open(mode) as flag:
                flag = flag
            if flag == "a":
                return x.permute(0, 2, 1)
            return x

        def wrong(mode, flag):
            x = torch.zeros(2, 3, 4)
            if mode in ("b", "c"):
                x = x.reshape(6, 4)
            if mode in ("b", "c"):
                return x.permute(0, 2, 1)  # NC303
            return x

        def wrong2(mode, flag):
            x = torch.zeros(2, 3, 4)
            if mode.startswith("a"):
                x = x.reshape(6, 4)
            if mode.startswith("a"):
                return x.permute(0, 2, 1)  # NC303
            return x

        def wrong3(mode, flag):
            x = torch.zeros(2, 3, 4)
            if flag >= 3:
                x = x.reshape(6, 4)
            if not flag < 3:
                return x.permute(0, 2, 1)  # NC303
            return x
        """,
    "a value that is unknown on one way may be right there": """
        import torch

        def subscripts(v, k):
            if "w" in k and "out" in k:
                v = v.reshape(-1, 2)
            if "w" in k and "z" in k:
                return v[:, :, 0] + v.shape[2]
            return v

        def methods(v, k, w):
            v = k[w]
            if "w" in k and "out" in k:
                v = v.reshape(-1, 2)
            if "w" in k and "z" in k:
                return v.split(2, 3), v.norm(dim=2), v.size(2)
            return v

        def functions(v, k, q):
            v = k[q]
            if "w" in k and "out" in k:
                v = v.reshape(-1, 2)
            if "w" in k and "z" in k:
                return torch.bmm(v, v)
            return v

        def unpackings(v, k, q):
            v = k[q]
            if "w" in k and "out" in k:
                v = v.reshape(-1, 2)
            if "w" in k and "z" in k:
                a, b, c = v.shape
                d, e = v.shape[2:4]
                return a, b, c, d, e
            return v

        def stores(v, k, q):
            v = k[q]
            if "w" in k and "out" in k:
                v = v.reshape(-1, 2)
            if "w" in k and "z" in k:
                v[:, 0, 0] = 1
                v[0, 0, 0] += 1
            return v

        def known(flag):
            x = torch.zeros(2, 3, 4)
            if flag:
                x = x.reshape(6, 4)
            b, t, c = x.shape
            return b

        def both_ways(flag, v):
            v = v.reshape(-1, 2)
            if flag:
                v = v + 1
            a, b, c = v.shape  # NC303
            return v[:, :, 0]

        def one_way_only(v, k):
            if "w" in k:
                v = v.reshape(-1, 2)
            if "w" in k and "z" in k:
                return v.permute(0, 2, 1)  # NC303
            return v
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])
