"""Views of tensors without contents of their own: what fills them decides the order (NC205).

A line ends in the code that is reported there (`snippets`).
"""

from __future__ import annotations

import pytest
from snippets import HEAD, read

FILLED_UNSEEN = {
    "a kernel": """
        def run(x, heads, kernel):
            t, s, c = x.shape
            out = torch.empty_like(x)
            kernel[(t, s)](x, out)
            return out.view(s, t, c)
        """,
    "one dim made of two": """
        def run(x: torch.Tensor, heads: int, dim: int, kernel):
            frames, tokens, channels = x.shape
            if channels != heads * dim:
                raise ValueError
            out = torch.empty_like(x)
            kernel[(heads,)](x, out, frames, tokens)
            return out.view(frames, heads, tokens, dim)
        """,
    "sizes": """
        def run(x, group, kernel):
            m, n = x.shape
            scales = torch.empty((n // group, m), dtype=torch.uint8, device=x.device)
            if m > 0:
                kernel(x, scales.view(torch.uint8))
            return x, scales.view(m, n // group)
        """,
    "zeros that a kernel adds to": """
        def run(x, ops):
            b, t, d = x.shape
            sums = x.new_empty(b, t, d)
            sums.zero_()
            ops.add_rows(x, sums)
            return sums.float().reshape(b, d, t)
        """,
    "a part of a workspace": """
        def run(x, n, ops):
            t, s, c = x.shape
            space = torch.empty(2, t, s, c)
            ops.fill(x, space)
            first, second = space.unbind(0)
            space[:, n:] = 0
            return first.view(s, t, c), space[1].view(t, c, s), second.squeeze(0).view(c, t, s)
        """,
    "made in a function": """
        def made(x):
            return torch.empty_like(x)

        def run(x, kernel):
            t, s, c = x.shape
            out = made(x)
            kernel(x, out)
            return out.view(s, t, c)
        """,
    "in a loop": """
        class Runner:
            def run(self, xs):
                results = []
                for x in xs:
                    t, s, c = x.shape
                    out = torch.empty(t, s, c)
                    self.library.launch(x.data_ptr(), out.data_ptr())
                    results.append(out.view(s, t, c))
                return results
        """,
    "numpy": """
        import numpy as np

        def run(x, library):
            t, s = x.shape
            out = np.empty((t, s), np.float32)
            library.transpose(x.ctypes.data, out.ctypes.data)
            return out.reshape(s, t)
        """,
    "all of it, by an unknown value": """
        def run(x, kernel):
            t, s, c = x.shape
            out = torch.empty(t, s, c)
            out[:] = kernel(x)
            return out.view(s, t, c)
        """,
    "made again for each call": """
        def made(x):
            return torch.empty_like(x)

        def other(x):
            out = made(x)
            out.copy_(x)
            return out

        def run(x, kernel):
            t, s, c = x.shape
            other(x)
            out = made(x)
            kernel(x, out)
            return out.view(s, t, c)
        """,
    "what is computed from nothing else": """
        def run(x, kernel):
            t, s, c = x.shape
            out = torch.empty_like(x).pin_memory().requires_grad_(False)
            kernel(x, out)
            out = out.flatten(0, 1)
            return out.view(s, t, c)
        """,
    "one number for all": """
        def run(x, kernel):
            t, s, c = x.shape
            out = 2 * torch.empty(t, s, c)
            out.fill_(3)
            kernel(out)
            return out.view(s, t, c)
        """,
}

FILLED_HERE = {
    "by a copy": """
        def run(x):
            t, s, c = x.shape
            out = torch.empty_like(x)
            out.copy_(x)
            return out.view(s, t, c)  # <- NC205
        """,
    "element by element": """
        def run(x, block):
            t, s, c = x.shape
            out = torch.empty(t, s, c)
            for i in range(t):
                out[i] = block(x[i])
            return out.view(s, t, c)  # <- NC205
        """,
    "as the output of an op": """
        def run(x, y):
            t, s, c = x.shape
            out = torch.empty(t, s, c)
            torch.mul(x, y, out=out)
            return out.view(s, t, c)  # <- NC205
        """,
    "by a sum": """
        def run(x):
            t, s, c = x.shape
            out = torch.empty(t, s, c)
            out += x
            return out.view(s, t, c)  # <- NC205
        """,
    "by a value for all of it": """
        def run(x):
            t, s, c = x.shape
            out = torch.empty_like(x)
            out[...] = x
            return out.view(s, t, c)  # <- NC205
        """,
    "by indices": """
        def run(x, index):
            t, s, c = x.shape
            out = torch.empty(t, s, c)
            out.index_add_(0, index, x)
            return out.view(s, t, c)  # <- NC205
        """,
    "in a function": """
        def fill(out, x):
            out[0] = x

        def run(x):
            t, s, c = x.shape
            out = torch.empty(t, s, c)
            fill(out, x[0])
            return out.view(s, t, c)  # <- NC205
        """,
    "added to what has an order": """
        def run(x):
            t, s, c = x.shape
            out = x + torch.empty(t, s, c)
            return out.view(s, t, c)  # <- NC205
        """,
    "by an op in a loop": """
        def run(x, indices):
            t, s, c = x.shape
            out = torch.empty(t, s, c)
            for index in indices:
                out.index_add_(0, index, x)
            return out.view(s, t, c)  # <- NC205
        """,
    "with weights": """
        def run(x, y, kernel):
            t, s, c = x.shape
            c, d = y.shape
            out = torch.empty(t, s, c)
            kernel(x, out)
            out = out @ y
            return out.view(s, t, d)  # <- NC205
        """,
    "when it is made": """
        def run(x):
            t, s, c = x.shape
            out = torch.zeros(t, s, c)
            return out.view(s, t, c)  # <- NC205
        """,
    "numpy's copyto": """
        import numpy as np

        def run(x: np.ndarray):
            t, s = x.shape
            out = np.empty((t, s), np.float32)
            np.copyto(out, x)
            return out.reshape(s, t)  # <- NC205
        """,
}


def _reported(body: str) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    analysis, marks = read(body)
    above = HEAD.count("\n")
    return [(f.span.line - above, f.code) for f in analysis.findings], marks


@pytest.mark.parametrize("name", list(FILLED_UNSEEN))
def test_the_order_of_what_unseen_code_fills_is_not_known(name: str) -> None:
    found, marks = _reported(FILLED_UNSEEN[name])
    assert (found, marks) == ([], [])


@pytest.mark.parametrize("name", list(FILLED_HERE))
def test_what_the_program_fills_lies_in_the_dims_of_the_tensor(name: str) -> None:
    found, marks = _reported(FILLED_HERE[name])
    assert found == marks != []
