"""After a comment denied what the program shows, no later one takes the place of those dims.

Nor does a label that comments alone have bound deny the name that an annotation gives to the same
dim. A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "chains above methods": """
        def f(x, N: int):
            B, C, W, H = x.shape
            # BxCxHxW -> Bx1xCxHxW
            x = x[:, None]  # NC402
            # Bx1xCxHxW -> BxNxCxHxW
            x = x.expand(-1, N, -1, -1, -1)
            # BxNxCxHxW -> (B*N)xCxHxW
            x = x.reshape((B * N), C, W, H)
            return x
        """,
    "functions, and a line without a comment between": """
        import torch

        def f(x):
            B, C, W, H = x.shape
            y = x * 2  # (B, C, H, W)  # NC402
            y = torch.relu(y)
            z = torch.relu(y + 1)  # (B, C, H, W)
            return z.reshape(B * C, W, H)
        """,
    "a layer": """
        from torch import nn

        class M(nn.Module):
            def __init__(self):
                super().__init__()
                self.drop = nn.Dropout(0.1)

            def forward(self, x):
                B, T, C = x.shape
                x = x.transpose(1, 2)  # (B, T, C)  # NC402
                x = self.drop(x)  # (B, T, C)
                return x.reshape(B * C, T)
        """,
    "a loop": """
        def f(x, n: int):
            B, T, C = x.shape
            for _ in range(n):
                y = x.transpose(1, 2)  # (B, T, C)  # NC402
                y = y + 1  # (B, T, C)
                z = y.reshape(B * C, T)
            return z
        """,
    "NumPy": """
        import numpy as np

        def f(x: np.ndarray):
            B, C, W, H = x.shape
            y = x * 2  # (B, C, H, W)  # NC402
            z = np.exp(y)  # (B, C, H, W)
            return z.reshape(B * C, W, H)
        """,
    "comments that are right": """
        import torch

        def f(x):
            B, C, W, H = x.shape
            y = torch.relu(x * 2)  # (B, C, W, H)
            return y.reshape(B * C, H, W)  # NC205
        """,
    "another value": """
        import torch

        def f(x, u):
            B, C, W, H = x.shape
            y = x * 2  # (B, C, H, W)  # NC402
            u = torch.relu(u)  # (B, C, W, H)
            return y, u.reshape(B * C, H, W)  # NC205
        """,
    "what unknown code makes of it": """
        def f(x, layer):
            B, C, W, H = x.shape
            y = x * 2  # (B, C, H, W)  # NC402
            u = layer(y)  # (B, C, W, H)
            return u.reshape(B * C, H, W)  # NC205
        """,
    "two names of one axis": """
        import equinox as eqx
        from jaxtyping import Array, Float, Int
        from torch import Tensor

        class Circuit(eqx.Module):
            ops: Int[Array, "num_gates K B max_l"]
            sites: Int[Array, "num_gates l"]

        def above(circuit: Circuit):
            # (num_gates, K, B, locality)
            ops = circuit.ops
            # (num_gates, locality)
            sites = circuit.sites
            return ops, sites

        def beside(circuit: Circuit, n: int):
            for _ in range(n):
                ops = circuit.ops  # (num_gates, K, B, locality)
                sites = circuit.sites  # (num_gates, locality)
                yield ops, sites

        def of_parameters(a: Float[Tensor, "rows cols"], b: Float[Tensor, "rows kinds"]):
            x = a + 1  # (items, width)
            y = b  # (items, width)
            return x, y
        """,
    "what is computed has the names that the program shows": """
        from jaxtyping import Float
        from torch import Tensor

        def reduced(x: Float[Tensor, "b t c"]):
            y = x + 1  # (batch, seq, dim)
            return y.mean(1)  # (batch, seq)  # NC402

        def turned(x: Float[Tensor, "b t c"]):
            y = x + 1  # (batch, seq, dim)
            return y.transpose(1, 2)  # (batch, seq, dim)  # NC402

        def own(x: Float[Tensor, "b t c"], z: Float[Tensor, "b c"]):
            y = z  # (b, t)  # NC402
            return x, y
        """,
    "a rank that a test of the source denies": """
        import torch
        import numpy as np
        from torch import nn

        class Deep(nn.Module):
            def __init__(self, n, hidden):
                super().__init__()
                self.n = n
                self.phi = nn.Sequential(nn.Linear(1, hidden), nn.ReLU())

            def forward(self, x: torch.Tensor):
                x_sym = x[..., :self.n]
                x_sym = x_sym.unsqueeze(-1) # (B, n, 1)
                phi_out = self.phi(x_sym) # (B, n, hidden)
                agg = torch.mean(phi_out, dim=-2, keepdim=True)
                if len(x.shape) == 1:
                    # vmapped
                    agg = agg.expand(self.n, -1)  # (B, n, hidden)
                    both = torch.cat([phi_out, agg], dim=-1)  # (B, n, 2*hidden)
                    first = agg[0, :]  # (B, hidden)
                    first = torch.cat([agg[0, :], first], -1)  # (B, 2*hidden)
                else:
                    agg = agg.expand(-1, self.n, -1)
                    both = torch.cat([phi_out, agg], dim=-1)
                return both

            def wrong(self, x: torch.Tensor):
                x_sym = x[..., :self.n]
                x_sym = x_sym.unsqueeze(-1) # (B, n, 1)
                phi_out = self.phi(x_sym) # (B, n, hidden)
                agg = torch.mean(phi_out, dim=-2, keepdim=True)
                if len(x.shape) == 1:
                    agg = agg.expand(self.n, -1)
                else:
                    agg = agg.expand(self.n, -1)  # NC206
                return agg

            def of_another(self, x: torch.Tensor, z: torch.Tensor):
                phi_out = self.phi(x) # (B, n, hidden)
                agg = torch.mean(phi_out, dim=-2, keepdim=True)
                if z.ndim == 1:
                    agg = agg.expand(self.n, -1)  # NC206
                return agg

        def below(x, f):
            y = f(x)  # (B, T, C)
            if x.dim() < 3:
                y = y.expand(4, 5)
            elif x.dim() == 3:
                y = y.expand(4, 5)  # NC206
            return y

        def of_sources(x, f):
            z = x[0]
            y = torch.abs(f(x))  # (B, T, C)
            if x.ndim != 3:
                return y.expand(4, 5)
            return y.expand(4, 5)  # NC206

        def of_a_part(x, f):
            z = x[0]
            y = torch.abs(f(x))  # (B, T, C)
            if z.ndim == 1:
                return y.expand(4, 5)
            return y

        def of_numpy(x, f):
            y = np.abs(f(x))  # (B, T, C)
            if x.ndim == 2:
                return np.broadcast_to(y, (4, 5))
            return np.broadcast_to(y, (4, 5))  # NC206

        def known(x, f):
            B, T, C = x.shape
            y = f(x)  # (B, T, C)
            if x.ndim == 2:
                return y
            return y.expand(4, 5)  # NC206
        """,
}


@pytest.mark.parametrize("title", PROGRAMS)
def test_dims_that_a_comment_denied(title: str) -> None:
    check_marks(PROGRAMS[title])
