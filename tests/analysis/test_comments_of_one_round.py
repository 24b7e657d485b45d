"""Comments on values whose sizes change with the rounds of a loop.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "a slice that the loop widens": """
        import torch

        def forward(x, knn):
            N = x.size(1)
            c = torch.zeros(N, 3)
            stack, r = [], 1
            for _ in range(3):
                stack.append(x[:, :N // r])
                r *= 4
            for _ in range(3):
                r //= 4
                near = knn(c[:N // (4 * r)], c[:N // r])  # shape (B, N, 1)
                x = torch.cat((near, stack.pop()), dim=2)
            return x

        forward(torch.zeros(1, 4096, 7), None)
        """,
    "in other words": """
        import torch

        def by_a_variable(x, pool, levels):
            N = x.size(1)
            maps = []
            for level in range(levels):
                n = N // 2**level
                y = pool(x[:, :n])  # (B, N, 3)
                maps.append(torch.cat((y, torch.zeros(2, n, 4)), dim=2))
            return maps

        def while_it_shrinks(x, net, other):
            T = x.size(1)
            k = T
            while k > 1:
                h = net(x[:, :k])
                # h: (B, T, D)
                g = torch.zeros(x.shape[0], k, 5)
                other(torch.cat((h, g), -1))
                k = k // 2

        def of_two(x, net):
            T = x.size(1)
            for t in range(1, T):
                a, _ = net(x[:, :t])  # (B, T, 8)
                x = x + torch.cat((a, torch.zeros(2, T - t, 8)), 1)
            return x

        forward = by_a_variable(torch.zeros(2, 4096, 7), None, 4)
        """,
    "the sizes are the same in each round": """
        import torch

        def chosen(x, layers, weights):
            B, N, C = x.shape
            for i in range(3):
                y = layers[i](x)  # (B, C, N)
                x = x + y  # NC202
            return x

        def plain(x, layers):
            B, N, C = x.shape
            for layer in layers:
                h = layer(x)  # (B, C, N)
                x = x + h  # NC202
            return x

        def steady_slice(x, net, steps):
            B, N, C = x.shape
            k = C - 1
            for _ in range(steps):
                h = net(x[:, :, :k])  # (B, C, N)
                x = x + h  # NC202
            return x
        """,
    "a label of the round itself": """
        import torch

        def windows(x, net):
            B, N, C = x.shape
            for i in range(1, N):
                n = N // i
                h = net(x[:, :n])  # (B, n, 4)
                g = h.mean(-1)
                h = h - g  # NC202
            return h
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])
