"""Lists in comments: which of them are shapes of a value, and what rests on those that are.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

from namecheck.analysis import analyze_text

LISTS = """
(x1, y1, x2, y2)
[x_min, y_min, x_max, y_max]
(cx, cy, w, h)
(x, y, w, h)
(xc, yc, w, h, theta)
(label, x, y, w, h)
(image_idx, class, x, y, w, h)
(x, y, z, yaw)
(w, x, y, z)
(px, py, pz, qx, qy, qz, qw)
(fx, fy, cx, cy)
(dx, dy, dw, dh)
(u, v, d)
(r, g, b, a)
(l, r, t, b)
(left, right, top, bottom)
(start, end, step)
[0, 1)
[-1, 1]
(min, max, mean)
(mean, std)
(mu, logvar)
(loss, logits, hidden_states)
(h, c)
(h_n, c_n)
(q, k, v)
[CLS, tokens, SEP]
(0, 2, 1)
(k, s, p)
(kernel, stride, padding)
(channels, kernel_size, stride)
(s, p, o)
(h, r, t)
(src, rel, dst)
(TP, FP, FN, TN)
(S, A, R, S')
(U, S, Vh)
(L, U, P)
(A, C, G, T)
(N, CA, C, O)
(P, Q, R)
[t-1, t, t+1]
(W1, b1, W2, b2)
(Vaswani et al., 2017)
[Ba et al, 2016]
(float32, int64)
(MB, ms, fps)
(img, gt, mask)
(boxes, scores, labels)
(epoch, step, lr)
(x, y, w, h) -> (x1, y1, x2, y2)
(h, w) -> (w, h)
(q, k, v) -> (k, q, v)
(B, 4) -> (x, y, w, h)
"""

BESIDE = {
    "a value of known dims": """
        import torch

        def f(x):
            # x: (B, C, H, W)
            b, c, h, w = x.shape
            y = x.relu()  # LIST
            return y.flatten(2).transpose(1, 2)
        """,
    "two dims of a known value": """
        import torch

        def f(x):
            b, n, c = x.shape
            y = x.mean(1)  # LIST
            return y @ y.t()
        """,
    "an array made of rows": """
        import numpy as np

        def f(rows):
            y = np.array(rows)  # LIST
            y = y[y[:, 0] > 2]
            return y[:, 2:] * y[:, 1:2]
        """,
    "a value that is unpacked": """
        import torch

        def f(g):
            y = g()  # LIST
            a, b = y
            return a[:, :, 1:] + b[:, :, :, :1]
        """,
    "an unknown value whose parts are joined": """
        import torch

        def f(x):
            y = x.f()  # LIST
            return y @ torch.cat([y[0], y[1]], dim=1).transpose(0, 1)
        """,
    "parameters": """
        import torch

        def f(x, rows):
            # x: LIST
            # rows: LIST
            b, n, c = x.shape
            return [x + row[:, :, :1] for row in rows]
        """,
}


@pytest.mark.parametrize("program", list(BESIDE))
@pytest.mark.parametrize("text", LISTS.split("\n")[1:-1])
def test_a_list_of_something_else_is_no_shape(text: str, program: str) -> None:
    check_marks(BESIDE[program].replace("LIST", text))


PROGRAMS = {
    "columns of columns": """
        import torch

        def f(g):
            boxes = g()  # (x1, y1, x2, y2)
            low = boxes[:, :2]  # (x1, y1)
            high = boxes[:, 2:]  # (x2, y2)
            return high - low

        def tails(g):
            triples = g()  # (h, r, t)
            ends = triples[:, [0, 2]]  # (h, t)
            return ends + triples[:, 1:2]  # (h, r)
        """,
    "grids behind a batch are shapes": """
        import torch

        def f(x):
            x = x.float()  # (b, x, y, 16)
            return x @ torch.zeros(8, 4)  # NC203
        """,
    "words that the program reads off a shape": """
        import torch

        def f(x):
            p, q, r = x.shape
            y = x.transpose(1, 2)  # (p, q, r)  # NC402
            return y

        def g(x):
            p, q, r = x.shape
            y = x.transpose(1, 2)  # (p, r, q)
            z = y.transpose(0, 1)  # (s, p, o)
            return y, z
        """,
    "words of other comments": """
        import torch

        def f(x, y):
            # x: (m, k)
            # y: (n, k)
            return x @ y  # NC203

        def g(x, y):
            # x: (m, k, s)
            # y: (m, k, s)
            return torch.cat([x, y[0]], dim=1)
        """,
    "one brace behind another": """
        import torch

        def f(x):
            b, n, c = x.shape
            y = x[..., :2]  # (b, n, 2) (x, y)
            z = x * 2  # (b, n, c) [c, n, b]
            return y, z * 2  # (b, n, 2), (b, n, c)

        def g(x):
            b, n, c = x.shape
            y = x * 2  # (n, b, c) [x, y]  # NC402
            return y
        """,
    "cases": """
        import torch

        def f(layer, x):
            b, s, rank = x.shape
            # if layer is ColumnParallelLinear:
            #     y: [s, b, rank]
            # elif layer is Linear:
            #     y: [b, s, rank]
            y = x * 2
            return y

        def g(x):
            b, s, rank = x.shape
            # When the cache is used:
            #   [s, b, rank]
            y = x * 2
            return y

        def two(x):
            b, s, rank = x.shape
            # tf y: [s, b, rank]
            # y: [s, b, rank]
            # y: [b, s, rank]
            y = x * 2
            return y

        def sure(x):
            b, s, rank = x.shape
            # y: [s, b, rank]
            y = x * 2  # NC402
            return y

        def several(x):
            b, s, rank = x.shape
            y = x * 2  # [s, b, rank], [b, s, rank], etc.
            z = x * 2  # [s, b, rank], and so on
            return y, z
        """,
    "dims that are left out": """
        from jaxtyping import Float
        from torch import Tensor

        def f(q: Float[Tensor, "*sample b t d"], g) -> Float[Tensor, "*sample b t d"]:
            q = g(q)  # (b, t, d)
            return q

        def h(q: Float[Tensor, "... t d"], g) -> Float[Tensor, "... t d"]:
            k = g(q)  # (t, d)
            return q @ k.transpose(-1, -2) @ q

        def rank(q: Float[Tensor, "b h t d"], g) -> Float[Tensor, "b h t d"]:
            q = g(q)  # (h, t, d)
            return q

        def turned(q: Float[Tensor, "b t d"], g) -> Float[Tensor, "b t d"]:
            q = g(q)  # (b, d, t)
            return q  # NC401

        def size(q: Float[Tensor, "b t 16"], g) -> Float[Tensor, "b t 16"]:
            q = g(q)  # (b, t, 8)
            return q  # NC401
        """,
    "the size that -1 stands for": """
        import torch

        def f(x, table, b, s):
            y = table[x]  # (B, L, k, K)
            z = y.view(b, s, -1)  # (B, L, k*K)
            return z

        def g(x):
            b, c, h, w = x.shape
            y = torch.cat([x, x], dim=0)  # (b, 2*c, h, w)  # NC402
            return y
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])


PARTS = {
    "a row": "for row in x:\n        return row[:, :, 1:]",
    "an element of an unpacking": "first, rest = x\n    return rest[:, :, 1:]",
    "the first of several": "first, *rest = x\n    return first[:, :, 1:]",
    "an index": "return x[0][:, :, 1:]",
    "a piece": "one, two = x.chunk(2)\n    return one[:, :, 1:]",
    "one of many pieces": "for one in x.split(2):\n        return one[:, :, 1:]",
    "a slice of a dataset": "for one in TensorDataset(x):\n        return one[0][:, :, 1:]",
    "packed": "return pack_padded_sequence(x, n).data[:, :, 1:]",
    "an element-wise result": "return torch.relu(x)[:, :, 1:]",
}


@pytest.mark.parametrize("part", list(PARTS))
def test_a_rank_that_a_comment_says_is_no_ground_for_an_error(part: str) -> None:
    head = (
        "import torch\nfrom torch.nn.utils.rnn import pack_padded_sequence\n"
        "from torch.utils.data import TensorDataset\n\n\ndef f(x, y, n):\n    # x: (B, 16)\n    "
    )
    findings = analyze_text("a.py", f"{head}{PARTS[part]}\n").findings
    assert [finding for finding in findings if finding.level.value == "error"] == []


SIZES = {
    "a row": "for row in x:\n        return row @ torch.zeros(8, 4)",
    "an element of an unpacking": "first, rest = x\n    return rest @ torch.zeros(8, 4)",
    "a piece": "one, two = x.chunk(2)\n    return one @ torch.zeros(8, 4)",
    "one of many pieces": "for one in x.split(2):\n        return one @ torch.zeros(8, 4)",
}


@pytest.mark.parametrize("part", list(SIZES))
def test_a_size_that_a_comment_says_makes_a_warning(part: str) -> None:
    program = f"import torch\n\n\ndef f(x, y):\n    # x: (B, T, 16)\n    {SIZES[part]}\n"
    findings = analyze_text("a.py", program).findings
    assert [finding.level.value for finding in findings] == ["warning"]


WORDS = """
like (c, n, b)
cf. (c, n, b)
no longer (c, n, b)
isn't (c, n, b)
later reshaped to (c, n, b)
will become (c, n, b)
to be reshaped to (c, n, b)
would give (c, n, b)
original shape (c, n, b)
same shape as (c, n, b)
broadcastable to (c, n, b)
broadcasts against (c, n, b)
compatible with (c, n, b)
equal to (c, n, b)
(c, n, b) would be wrong
(c, n, b) is what cudnn wants
(c, n, b) is slower
(c, n, b) does not work
>= (c, n, b)
(n, c) per batch
(n, c) for each b
each: (n, c)
with weights of shape (c, n, b)
(c, n, b), etc.
(c, n, b) if time_major else (b, n, c)
(c, n, b) or (b, n, c)
(c, n, b) / (b, n, c)
(n, c)
"""
"""Words that say that a shape is not that of the value, or that it leaves the batch out."""


@pytest.mark.parametrize("text", WORDS.split("\n")[1:-1])
def test_a_shape_of_something_else_contradicts_nothing(text: str) -> None:
    program = """
        def f(x):
            b, n, c = x.shape
            y = x * 2  # LIST
            return y
        """
    check_marks(program.replace("LIST", text))


STATED = """
(c, n, b)
[c, n, b]
y: (c, n, b)
shape (c, n, b)
-> (c, n, b)
now (c, n, b)
output: (c, n, b)
(b, c)
"""


@pytest.mark.parametrize("text", STATED.split("\n")[1:-1])
def test_a_wrong_shape_is_reported(text: str) -> None:
    program = """
        def f(x):
            b, n, c = x.shape
            y = x * 2  # LIST  # NC402
            return y
        """
    check_marks(program.replace("LIST", text))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[BK, S, N]", ""),
        ("[BK, N, S]", "  # NC402"),
        ("[bk, x, y]", ""),
        ("[BR, N, S]", ""),
    ],
)
def test_a_run_of_letters_may_be_a_known_product(text: str, code: str) -> None:
    program = """
        def f(x, model, flag):
            B, N, K, S = x.shape
            # LIST
            y = x.permute(0, 2, 3, 1).contiguous().view(B * K, S, N)CODE
            return model(y)
        """
    check_marks(program.replace("LIST", text).replace("CODE", code))


@pytest.mark.parametrize(
    ("aside", "result", "codes"),
    [
        ("attention-weights like", "(b,c,l,s,h)", []),
        ("attention-weights like", "(b,c,l,h,s)", ["NC402"]),
        ("like those above", "(b,c,l,h,s)", []),
    ],
)
def test_only_what_follows_like_is_compared(aside: str, result: str, codes: list[str]) -> None:
    program = f"""
import torch

def f(B, C):
    # Contraction of C and B to get G ({aside}): sum over the state n, leaving a
    # position-by-position score per head. (b,c,l,h,n) x (b,c,s,h,n) -> {result}.
    G = torch.einsum("bclhn,bcshn->bclsh", C, B)

    # mask
    M = G * 2
    return M
"""
    assert [finding.code for finding in analyze_text("a.py", program).findings] == codes
