"""Sizes that must be a certain number: those of data may be, unless the program says otherwise.

A line ends in the code that is reported there (`snippets`).
"""

from __future__ import annotations

import pytest
from snippets import HEAD, read

from namecheck.analysis import analyze_text

PROGRAMS = {
    "one step of a decoder": """
        def decode(x):
            b, t, c = x.shape
            print(t)
            return x.view(b, c)

        class Decoder(nn.Module):
            def forward(self, x):
                steps = x.shape[1]
                self.steps = steps
                return x.reshape(x.shape[0], x.shape[2])
    """,
    "a size that is counted to": """
        def by_loop(x):
            b, t, c = x.shape
            for k in range(t):
                print(k)
            return x.reshape(b, c)  # <- NC211

        def by_positions(x):
            b, t, c = x.shape
            return x.view(b, c), torch.arange(t)

        def by_positions_before(x):
            b, t, c = x.shape
            places = torch.arange(t)
            return x.view(b, c), places  # <- NC211
    """,
    "a size that is multiplied, in the shape or before": """
        def in_the_shape(x):
            b, t, c = x.shape
            return x.reshape(b, t, c).mean(0).reshape(b * t, c)  # <- NC211

        def before(x):
            b, t, c = x.shape
            flat = x.reshape(b * t, c)
            return flat.view(b, c)  # <- NC211

        def squared(x):
            n, c = x.shape
            return (x @ x.T).reshape(n)  # <- NC211
    """,
    "a dim that is averaged": """
        def averaged(x):
            b, t, c = x.shape
            mean = x.mean(1)
            return mean.reshape(b, t, c)  # <- NC211

        def averaged_array(x: np.ndarray):
            b, t, c = x.shape
            mean = x.mean(axis=-2)
            return np.reshape(mean, (b, t, c))  # <- NC211
    """,
    "the two parts of a complex number": """
        class Mix(nn.Module):
            def __init__(self):
                super().__init__()
                self.lin = nn.Linear(128, 128)

            def forward(self, x):
                b, c, h, t, d = x.size()
                y = x.transpose(1, 3).reshape(b * t, h, c, d)
                out = torch.stack((self.lin(y[..., 0]), self.lin(y[..., 1])), dim=-1)
                return out.reshape(b, t, h, c, d).transpose(1, 3)

        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.mix = Mix()

            def forward(self, x):
                b, c, h, t, pair = x.size()
                return self.mix(x)

        def merged(x, y):
            b, t, pair = x.shape
            z = torch.stack([y.reshape(b, t), y.reshape(b, t)], dim=-1)
            return z.reshape(b, t * pair)
    """,
    "a size that fits has that number from there on": """
        def later(x):
            b, t, c = x.shape
            print(t)
            y = x.view(b, c)
            return y, x.view(b, 3 * c)  # <- NC204

        def step(x):
            b, t, c = x.shape
            print(t)
            last = x.view(b, c)
            return last + x[:, 0]
    """,
    "a batch that is 1 for one of two tensors": """
        def of_two_names(q, k, heads, hd):
            assert q.shape[1] == 1
            q_bsz = q.shape[1]
            k_bsz = k.shape[1]
            q = q.reshape(-1, q_bsz * heads, hd).transpose(0, 1)
            k = k.reshape(-1, k_bsz * heads, hd).transpose(0, 1)
            return torch.bmm(q, k.transpose(1, 2))

        def read_twice(q, k, heads, hd):
            assert q.shape[1] == 1
            t, b, _ = q.shape
            s, b2, _ = k.shape
            q = q.view(t, b * heads, hd).transpose(0, 1)
            k = k.view(s, b2 * heads, hd).transpose(0, 1)
            return torch.bmm(q, k.transpose(1, 2))

        def at_most_one(q, k, heads, hd):
            if q.shape[1] > 1:
                raise ValueError
            t, b, _ = q.shape
            q = q.view(t, b * heads, hd).transpose(0, 1)
            s, b, _ = k.shape
            k = k.view(s, b * heads, hd).transpose(0, 1)
            return torch.bmm(q, k.transpose(1, 2))

        def split(x, heads, hd):
            batch, t = x.shape[0], x.shape[1]
            return x.view(t, batch * heads, hd).transpose(0, 1)

        def by_calls(q, k, heads, hd):
            if q.size(0) != 1:
                raise ValueError
            return torch.bmm(split(q, heads, hd), split(k, heads, hd).transpose(1, 2))

        def left_out(q, k, heads, hd):
            t, b, _ = q.shape
            q = q.view(t, heads, hd).transpose(0, 1)
            s, b, _ = k.shape
            k = k.view(s, b * heads, hd).transpose(0, 1)
            return torch.bmm(q, k.transpose(1, 2))  # <- NC211

        def length_of_another(q, k):
            if q.shape[1] != 1:
                raise ValueError
            b, t, c = q.shape
            b, t, c = k.shape
            n = b * t
            return k.view(b, c), n  # <- NC211

        def not_read(q, k, heads, hd):
            s, b, c = k.shape
            k = k.view(s, b * heads, hd).transpose(0, 1)
            q = torch.zeros(heads, 5, hd)
            return torch.bmm(q, k.transpose(1, 2))  # <- NC211
    """,
    "configured sizes and arguments are not read from data": """
        class Heads(nn.Module):
            def __init__(self, heads):
                super().__init__()
                self.heads = heads
                self.lin = nn.Linear(8, 128)

            def split(self, x):
                b, n, _ = x.shape
                return self.lin(x).view(b, n, self.heads, 128)  # <- NC211

            def pairs(self, x):
                b, n, _ = x.shape
                return self.lin(x).view(b, n, self.heads, 64)

        def split(x, heads):
            b, t, c = x.shape
            return x.view(b, t, heads, c)  # <- NC211
    """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    analysis, marks = read(PROGRAMS[name])
    above = HEAD.count("\n")
    assert [(f.span.line - above, f.code) for f in analysis.findings] == marks


def test_a_finding_cites_what_takes_the_size_for_a_larger_one() -> None:
    program = """\
import torch

def decode(x):
    b, t, c = x.shape
    for k in range(t):
        print(k)
    return torch.reshape(x, (b, c))

def later(x):
    b, t, c = x.shape
    print(t)
    y = torch.reshape(x, (b, c))
    return y, torch.reshape(x, (b, 3 * c))
"""
    forced, impossible = analyze_text("a.py", program).findings
    notes = [(note.text, note.span.line) for note in forced.notes if note.span is not None]
    assert ("t is taken for more than 1 in `for k in range(t):`", 5) in notes
    notes = [(note.text, note.span.line) for note in impossible.notes if note.span is not None]
    assert ("b*t*c is b*c since `y = torch.reshape(x, (b, c))`", 12) in notes
