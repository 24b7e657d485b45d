"""A comment above a statement that takes a part of an unknown value: it may be about that value.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "an index": """
        import torch
        import torch.nn.functional as F
        from torch import nn


        class Model(nn.Module):
            def __init__(self, model):
                super().__init__()
                self.model = model

            def int_index(self, x, y):
                b, c = y.shape
                out = self.model(x)
                # (B, T, C)
                last = out[:, -1]
                return F.mse_loss(last, y)

            def method_on_call(self, x, y):
                b, c = y.shape
                # (B, T, C)
                pooled = self.model(x)[:, 0]
                return F.mse_loss(pooled, y)

            def dict_out(self, x, y):
                b, c = y.shape
                out = self.model(x)
                # [batch, tokens, dim]
                cls = out.last_hidden_state[:, 0, :]
                return F.mse_loss(cls, y)

            def loop(self, xs, y):
                b, c = y.shape
                total = 0
                for x in xs:
                    out = self.model(x)
                    # (B, T, C)
                    last = out[:, -1]
                    total = total + F.mse_loss(last, y)
                return total

            def returned(self, x):
                out = self.model(x)
                # (B, T, C)
                return out[:, -1]

            def uses(self, x, y: torch.Tensor):
                b, c = y.shape
                return F.mse_loss(self.returned(x), y)
        """,
    "a reduction": """
        import torch
        import torch.nn.functional as F
        from torch import nn


        class Model(nn.Module):
            def __init__(self, model):
                super().__init__()
                self.model = model

            def mean(self, x, y):
                b, c = y.shape
                out = self.model(x)
                # (B, T, C)
                pooled = out.mean(1)
                return F.mse_loss(pooled, y)

            def mean_dim(self, x, y):
                b, c = y.shape
                out = self.model(x)
                # B x T x C
                pooled = torch.mean(out, dim=1)
                return F.mse_loss(pooled, y)

            def weighted2(self, x, y):
                b, c = y.shape
                q, w = self.model(x)
                # (B, T, C)
                s = (q * w.unsqueeze(-1)).sum(1) / w.sum(1, keepdim=True)
                return F.mse_loss(s, y)

            def ranges(self, x, y):
                b, c = y.shape
                q = self.model(x)
                # (B, T, C)
                s = F.normalize(q.mean(dim=1), dim=-1)
                return F.mse_loss(s, y)
        """,
    "another op that changes the number of dims": """
        import torch
        import torch.nn.functional as F
        from torch import nn


        class Model(nn.Module):
            def __init__(self, model):
                super().__init__()
                self.model = model

            def squeezed(self, x, y):
                b, c = y.shape
                out = self.model(x)
                # (B, 1, C)
                out = out.squeeze(1)
                return F.mse_loss(out, y)

            def flat(self, x, y):
                n, = y.shape
                out = self.model(x)
                # (B, C, H, W)
                out = out.flatten(1)
                return F.cross_entropy(out, y)

            def unsq(self, x, y):
                b, t, c = y.shape
                out = self.model(x)
                # (B, C)
                out = out.unsqueeze(1)
                return F.mse_loss(out.expand(-1, t, -1), y)

            def stacked(self, x, y):
                b, t, c = y.shape
                q = self.model(x)
                # (B, C)
                s = torch.stack([q, q], 1)
                return F.mse_loss(s, y)

            def einops_mean(self, x, y):
                b, c = y.shape
                q = self.model(x)
                # (B, T, C)
                s = torch.einsum("btc->bc", q)
                return F.mse_loss(s, y)
        """,
    "one of several operands": """
        import torch
        import torch.nn.functional as F
        from torch import nn


        class Model(nn.Module):
            def __init__(self, model):
                super().__init__()
                self.model = model

            def matmul(self, x, y):
                b, c = y.shape
                q, k = self.model(x)
                # (B, H, T)
                s = torch.matmul(q, k)
                return F.mse_loss(s, y)

            def wheres(self, x, y, m):
                b, c = y.shape
                q = self.model(x)
                # (B, T, C)
                last = torch.where(m, q[:, -1], q[:, 0])
                return F.mse_loss(last, y)

            def ternary(self, x, y, flag):
                b, c = y.shape
                q = self.model(x)
                # (B, T, C)
                last = q[:, -1] if flag else q[:, 0]
                return F.mse_loss(last, y)

            def aug(self, x, y):
                b, c = y.shape
                q = self.model(x)
                last = self.model(y)
                # (B, T, C)
                last += q[:, -1]
                return F.mse_loss(last, y)

            def labelled(self, x, y):
                b, c = y.shape
                out = self.model(x)
                # output: (B, T, C)
                last = out[:, -1]
                return F.mse_loss(last, y)

            def prose2(self, x, y):
                b, c = y.shape
                out = self.model(x)
                # shape: [batch, seq_len, hidden]
                last = out[:, -1]
                return F.mse_loss(last, y)
        """,
    "an array": """
        import jax.numpy as jnp
        from jaxtyping import Array, Shaped

        def cost(a: Shaped[Array, "Batch ... Classes"], y: Shaped[Array, "Batch ... Classes"]):
            return jnp.mean(y * a)

        def loss(model, x: Shaped[Array, "Batch Time Feature"], y: Shaped[Array, "Batch Classes"]):
            h, outs = model(x)
            # batch, time, feature
            last = outs[:, -1]
            return cost(last, y)
        """,
    "no part is taken": """
        import torch
        import torch.nn.functional as F
        from torch import nn


        class Model(nn.Module):
            def __init__(self, model):
                super().__init__()
                self.model = model

            def kept(self, x, y):
                b, c = y.shape
                out = self.model(x)
                # (B, T, C)
                h = torch.relu(out)
                return F.mse_loss(h, y)  # NC202

            def product(self, x, y):
                b, c = y.shape
                q, w = self.model(x)
                # (B, T, C)
                h = torch.sigmoid(q) * torch.tanh(w)
                return F.mse_loss(h, y)  # NC202

            def beside(self, x, y):
                b, c = y.shape
                out = self.model(x)
                last = out[:, -1]  # (B, T, C)
                return F.mse_loss(last, y)  # NC202
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str) -> None:
    check_marks(PROGRAMS[name])
