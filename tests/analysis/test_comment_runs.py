"""Comments above several statements that go on with one variable, and those of two claims.

A line ends in a mark with the code that is reported there; the marks are no comments.
"""

from __future__ import annotations

import pytest
from snippets import read, reported

PROGRAMS = {
    "a sentence above two statements contradicts all their values": """
        import torch

        def back(features, width):
            batch, dim, height, width = features.shape
            x = features.flatten(2).transpose(1, 2)
            # Rearrange back to (dim, batch, height, width)
            x = x.transpose(1, 2)
            x = x.view(batch, dim, height, width)  # <- NC402
            return x

        def fits_the_last(features, width):
            batch, dim, height, width = features.shape
            x = features.flatten(2).transpose(1, 2)
            # Rearrange back to (batch, dim, height, width)
            x = x.transpose(1, 2)
            x = x.view(batch, dim, height, width)
            return x

        def fits_the_value_between(features, width):
            batch, dim, height, width = features.shape
            # Rearrange to (batch, dim, height * width)
            x = features.flatten(2)
            x = x.transpose(1, 2)
            return x

        def fits_what_comes_in(features):
            batch, dim, height, width = features.shape
            y = features.permute(1, 0, 2, 3)
            # merge the positions of (dim, batch, height, width)
            y = y.flatten(2)
            y = y.permute(1, 0, 2)
            return y
        """,
    "a shape above three statements": """
        import torch

        def f(x):
            B, T, C = x.shape
            # (B, C, T)
            x = x.relu()
            x = x * 2
            x = x + 1  # <- NC402
            return x

        def g(x):
            B, T, C = x.shape
            # (B, C, T)
            x = x.relu()
            x = x.transpose(1, 2)
            x = x + 1
            return x

        def h(x, layer):
            B, T, C = x.shape
            # (B, C, T)
            x = layer(x)
            x = x.relu()
            return x
        """,
    "it may be about another operand": """
        import torch

        def known(x, mask):
            B, T, C = x.shape
            b, n, t = mask.shape
            # (b, n, t)
            x = x.mean(1)
            x = x[:, :1] * mask.sum()
            return x

        def unknown(x, other):
            B, T, C = x.shape
            # (C, B, T)
            x = x.mean(1)
            x = torch.einsum("cbt,bc->btc", other, x)
            return x

        def above(x):
            B, T, C = x.shape
            y = x.permute(2, 0, 1)
            # (C, B, T)
            x = x.relu()
            x = x * 2
            return x + y.sum()
        """,
    "the next statement makes something else": """
        import torch

        def of_two(x):
            B, T, C = x.shape
            # to (C, B, T)
            x = x.relu()
            x, y = x.permute(2, 0, 1), x
            return x, y

        def read_on_the_next_line(x):
            B, T, C = x.shape
            # to (C, B, T)
            x = x.relu()
            x = x + 1
            return x.permute(2, 0, 1)

        def elements(x):
            B, T, C = x.shape
            # each (T, B)
            x = x.relu()
            x = x.permute(2, 1, 0)
            return x
        """,
    "between a statement and a branch": """
        import torch

        def wrong(x, cut: int):
            batch, channels, h, w = x.shape
            x = x.flatten(2)
            # [batch, positions, channels]
            if cut > 0:
                x = x[:, :, :-cut]  # <- NC402
            return x

        def fits_above(x, cut: int):
            batch, channels, h, w = x.shape
            x = x.flatten(2)
            # [batch, channels, positions]
            if cut > 0:
                x = x[:, :, :-cut]
            return x

        def fits_inside(x, turn: bool):
            batch, channels, h, w = x.shape
            x = x.flatten(2)
            # [batch, positions, channels]
            if turn:
                x = x.transpose(1, 2)
            return x

        def of_the_test(x, mask=None):
            batch, channels, h, w = x.shape
            x = x.flatten(2)
            # (channels, batch)
            if mask is not None:
                x = x[:, :4]
            return x

        def two_ways(x, turn: bool):
            batch, channels, h, w = x.shape
            x = x.flatten(2)
            # [batch, positions, channels]
            if turn:
                x = x[:, 1:]
            else:
                x = x.transpose(1, 2)
            return x

        def more_is_done(x, turn: bool):
            batch, channels, h, w = x.shape
            x = x.flatten(2)
            # [batch, positions, channels]
            if turn:
                x = x[:, 1:]
                x = x.transpose(1, 2)
            return x
        """,
    "a test makes a label 1 on one path": """
        import torch

        def wrong(x, ratio=None):
            batch, tiles, patches, dim = x.shape
            if ratio is None:
                if tiles > 1:
                    raise ValueError("no ratio")
                ratio = torch.ones(batch, 2)
            x = x.reshape(batch, tiles, -1)  # (batch, tokens, tiles)  # <- NC402
            return x, ratio

        def right(x, ratio=None):
            batch, tiles, patches, dim = x.shape
            if ratio is None:
                if tiles > 1:
                    raise ValueError("no ratio")
                ratio = torch.ones(batch, 2)
            x = x.reshape(batch, tiles, -1)  # (batch, tiles, tokens)
            return x, ratio

        def turned(x):
            batch, tiles, dim = x.shape
            if tiles == 1:
                x = x.transpose(1, 2)
            else:
                x = x.mean(1, keepdim=True).transpose(1, 2)
            y = x * 2  # (batch, dim, tiles)
            return y
        """,
    "the docstring and a comment have the labels of the returned variable in two orders": """
        import torch

        def wrong(output, layer):
            '''
            Returns:
                torch.Tensor of shape (batch, steps, channels)
            '''
            output = layer(output)
            if isinstance(output, tuple):
                output = tuple(z.transpose(2, 1) for z in output)
            else:
                output = output.transpose(2, 1)  # [steps, batch, channels]
            return output  # <- NC402

        def right(output, layer):
            '''
            Returns:
                torch.Tensor of shape (batch, steps, channels)
            '''
            output = layer(output)
            if isinstance(output, tuple):
                output = tuple(z.transpose(2, 1) for z in output)
            else:
                output = output.transpose(2, 1)  # [batch, steps, channels]
            return output

        def turned_below(output, layer, batch_first):
            '''
            Returns:
                torch.Tensor of shape (batch, steps, channels)
            '''
            output = layer(output)  # (steps, batch, channels)
            if batch_first:
                output = layer.turn(output)
            return output

        def other_variable(output, layer):
            '''
            Returns:
                torch.Tensor of shape (batch, steps, channels)
            '''
            hidden = layer(output)  # (steps, batch, channels)
            output = layer.back(hidden)
            return output
        """,
    "operands and the result of an op that a later statement has": """
        import jax.numpy as jnp

        def one(x, weights):
            B, I, M = x.shape
            I, O, M, _ = weights.shape
            # (B, I, M), (I, O, M) -> (B, O, M)
            cweights = torch.view_as_complex(weights)
            return torch.einsum("bix,iox->box", x, cweights)

        def one_wrong(x, weights):
            B, I, M = x.shape
            I, O, M, _ = weights.shape
            # (B, I, M), (I, O, M) -> (B, M, O)
            cweights = torch.view_as_complex(weights)
            return torch.einsum("bix,iox->box", x, cweights)  # <- NC402

        def lines(x, weights):
            B, I, M = x.shape
            I, O, M = weights.shape
            # (B, I, M),
            #   (I, O, M)
            #   -> (B, O, M)
            w = jnp.conj(weights)
            y = jnp.einsum("bix,iox->box", x, w)
            return y

        def lines_wrong(x, weights):
            B, I, M = x.shape
            I, O, M = weights.shape
            # (B, I, M),
            #   (I, O, M)
            #   -> (O, B, M)
            w = np.conj(weights)
            scale = 3.0
            y = np.einsum("bix,iox->box", x, w)  # <- NC402
            return y

        def direct(a, b):
            B, T, C = a.shape
            C, D = b.shape
            # (B, T, C) x (C, D) -> (B, T, D)
            y = a @ b
            # (B, T, C), (C, D) -> (D, B, T)
            z = a @ b  # <- NC402
            # (B, T, C), (C, D)
            # -> (B, D, T)
            u = torch.matmul(a, b)  # <- NC402
            return y, z, u

        def method(a, b):
            B, T, C = a.shape
            C, D = b.shape
            # (B, T, C), (C, D) -> (B, T, D)
            b = b.contiguous()
            y = a.matmul(b)
            return y

        def method_wrong(a, b):
            B, T, C = a.shape
            C, D = b.shape
            # (B, T, C), (C, D) -> (B, C, D)
            b = b.contiguous()
            y = a.matmul(b)  # <- NC402
            return y

        def never(a, b):
            B, T, C = a.shape
            C, D = b.shape
            # (B, T, C), (C, D) -> (B, T, D)
            b = b.contiguous()
            b = b.float()
            a = a.float()
            a = a.double()
            y = a.matmul(b)
            return y

        def previous(a, b):
            B, T, C = a.shape
            C, D = b.shape
            w = b.contiguous()
            # (B, T, C), (C, D) -> (B, T, D)
            b = w.float()
            return a.matmul(b)

        class M(torch.nn.Module):
            def __init__(self, c):
                super().__init__()
                self.w = torch.nn.Parameter(torch.zeros(c, 3 * c))
            def forward(self, x):
                B, T, C = x.shape
                # (B, T, C), (C, D) -> (B, T, D)
                w = self.w.t().t()
                return x @ w

        batch, inner = load().shape
        x = torch.zeros(batch, 3, inner)
        w = torch.zeros(inner, 5)
        # (batch, 3, inner), (inner, 5) -> (batch, 3, 5)
        v = w.abs()
        y = torch.matmul(x, v)
        # (batch, 3, inner), (inner, 5) -> (5, 3, batch)
        v = w.abs()
        y = torch.matmul(x, v)  # <- NC402
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_run(name: str) -> None:
    analysis, expected = read(PROGRAMS[name])
    assert reported(analysis) == expected
