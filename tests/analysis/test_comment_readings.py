"""What a comment may be about besides the result of its line: an operand, a part, the next value.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "the operand of the line below": """
        import numpy as np
        import torch
        import torch.nn.functional as F
        import jax.numpy as jnp
        from einops import rearrange

        class Encoder:
            def __init__(self, blocks):
                self.blocks = blocks

            def forward(self, x):
                B, C, H, W = x.shape
                # (B, C, H, W)
                x = x.flatten(2).transpose(1, 2)
                # (B, H*W, C)
                x = self.blocks(x)
                # (B, H*W, C)
                return x.mean(1)

            def element(self, outs, i):
                B, T, C = outs[i].shape

                # (B, T, C)
                y = outs[i].permute(0, 2, 1).reshape(B, C * T)
                return y

            def windows(self, mask, steps):
                b, n, h, t, c = mask.shape
                for i in range(steps):
                    # [b, n, h, t, c]
                    window = mask[i, :, 0]
                    yield window

            def joined(self, a, b):
                B, N, C = a.shape

                # (B, N, C)
                x = torch.stack([a, b], 1).flatten(0, 1)
                return x

        def of_numpy(img):
            h, w, c = img.shape
            # (h, w, c)
            img = np.transpose(img, (2, 0, 1))
            # (c, h, w)
            img = img[None]
            # (1, c, h, w)
            return img

        def of_jax(x, w):
            b, t, d = x.shape
            # [b, t, d]
            y = jnp.einsum("btd,de->bte", x, w).mean(1)
            # [b, e]
            return y

        def of_functions(x):
            b, t, d = x.shape

            # b t d
            y = F.avg_pool1d(x.transpose(1, 2), 2)

            # [b, t, d]
            z = torch.mean(x, dim=1)

            # [b, t, d]
            w = rearrange(x, "b t d -> (b t) d")
            return y, z, w

        class Stored:
            def keep(self, x, bias):
                b, t, c = x.shape

                # (b, t, c)
                self.cache = x.transpose(1, 2)
                y = torch.zeros(b, c, t)

                # (c, t)
                y += bias

                # (b, t, c)
                z = torch.flatten(input=x, start_dim=1)
                return y, z

            def wrong(self, x):
                b, t, c = x.shape

                # (c, t, b)
                self.cache = x.transpose(1, 2)  # NC402

                y = torch.zeros(b, c, t)

                # (t, c)
                y += x.transpose(1, 2)  # NC402
                return y

        def of_conditional(x, flag):
            b, t, c = x.shape
            # (b, t, c)
            y = x.transpose(1, 2) if flag else x.permute(0, 2, 1)
            # (b, c, t)
            y = -y.flatten(1)
            return y
        """,
    "an operand of which nothing is known": """
        import torch

        class Net:
            def __init__(self, stem, blocks):
                self.stem, self.blocks = stem, blocks

            def forward(self, x):
                B, C, H, W = x.shape
                y = self.stem(x)

                # (B, C, H, W)
                y = y.reshape(B, C, H * W)
                return y

            def of_a_call(self, x):
                B, T, C = x.shape

                # (B, heads, T, D)
                return self.blocks(x).transpose(1, 2).reshape(B, T, C)

            def behind_a_branch(self, x, keep):
                B, T, C = x.shape
                x = x.reshape(B * T, C)
                if keep:
                    x = self.blocks(x)

                # (B*T, C)
                x = x[: B * T].view(B, T, C)
                return x

        def not_adopted(f, src):
            b, c, t = src.shape
            y = f(src)

            # (t, b, c)
            z = y.permute(1, 2, 0)
            w = z.transpose(0, 1)  # (c, b, t)
            return w + src.transpose(0, 1)

        def other_rank(f, x):
            b, t, c = x.shape
            y = f(x)

            # (c, t)
            z = y.permute(0, 2, 1).reshape(t, c)  # NC402
            return z
        """,
    "neither the result nor the operand": """
        import torch

        def turned(x: torch.Tensor):
            b, t, c = x.shape

            # (c, b, t)
            y = x.transpose(1, 2)  # NC402
            return y

        def of_other_rank(x: torch.Tensor):
            b, t, c = x.shape

            # (b, t, t, c)
            y = x.mean(1)  # NC402
            return y

        def a_part_of_the_operand(x: torch.Tensor):
            b, n, t, f = x.shape
            # b, t, f
            y = x[:, 0].unsqueeze(1).permute(0, 3, 2, 1).squeeze(-1)  # NC402
            return y

        def the_authors_results(x: torch.Tensor):
            b, t, c = x.shape

            # (b, c)
            m = x.mean(1)

            # (b, c, 1)
            m = m.unsqueeze(2)

            # (b, t, c)
            y = x.transpose(1, 2)  # NC402
            return y, m

        def an_arrow(x: torch.Tensor, h: int):
            b, n, d = x.shape
            q = x.view(b, n, h, d // h)
            # split the heads -> (b, n, h, e)
            return q.transpose(1, 2)  # NC402

        def into(x: torch.Tensor):
            b, t, c = x.shape

            # turn it into (b, t, c)
            y = x.transpose(1, 2)  # NC402

            return y

        def of_the_output(x: torch.Tensor):
            b, t, c = x.shape
            # out: (b, t, c)
            y = x.transpose(1, 2)  # NC402
            return y
        """,
    "what follows": """
        import torch

        def a_loop(x, layers):
            B, T, C = x.shape
            x = x.mean(1)
            # B, T, T, C

            for layer in layers:
                x = layer(x)
            return x

        def a_block(x, h):
            B, T, C = x.shape
            q = x.mean(1)
            # (B, C, T)

            with torch.no_grad():
                y = x.transpose(1, 2)
            return q, y

        def a_statement(x):
            B, T, C = x.shape
            q = x.mean(1)
            # (B, C, T)

            y = x.transpose(1, 2)
            return q, y

        def a_statement_that_it_does_not_fit(x):
            B, T, C = x.shape
            q = x.mean(1)  # NC402
            # (B, T, C)

            y = x.transpose(1, 2)
            return q, y

        def a_statement_without_a_value(x):
            B, T, C = x.shape
            q = x.mean(1)  # NC402
            # (B, T, C)

            print(q)
            return q
        """,
    "a product inside the line": """
        import torch

        def inside(q, k, v):
            # q: (B, T, D)
            # k: (B, S, D)
            # v: (B, S, D)
            a = torch.bmm(q, k.transpose(1, 2)).unsqueeze(1)  # (B, T, D) @ (B, D, S) -> (B, T, S)
            b = (q @ k.transpose(1, 2)).mean(
                1
            )  # (B, T, D) @ (B, D, S) -> (B, T, S)
            c = torch.matmul(q, k.mT).flatten(1)  # (B, T, D) x (B, D, S) -> (B, T, S)
            d = 2 * (q @ k.mT).sum(1) + 1  # (B, T, D) x (B, D, S) -> (B, T, S)
            return a.squeeze(1) @ v, b + 1, c, d

        def unknown(f, x):
            # x: (B, T, D)
            y = f(x).squeeze(2)  # (B, T, D, N) @ (B, T, N, 1) -> (B, T, D, 1)
            return y + x

        def wrong(q, k):
            # q: (B, T, D)
            # k: (B, D, S)
            y = q @ k  # (B, T, D) @ (B, D, S) -> (B, S, T)  # NC402
            z = torch.bmm(q, k.abs())  # (B, T, D) x (B, D, S) -> (B, S, T)  # NC402
            w = q.matmul(k.abs()) / 2  # (B, T, D) x (B, D, S) -> (B, S, T)  # NC402
            return y, z, w
        """,
    "a chain that goes on": """
        import torch

        def right(x: torch.Tensor):
            b, c, h, w = x.shape
            y = x.permute(0, 2, 3, 1)  # (b, h, w, c) -> (b, h*w, c)
            y = y.reshape(b, h * w, c)
            z = x.mean(1)  # (b, h, w) -> (b, h * w)
            z = z.flatten(1)
            return y, z

        def wrong(x: torch.Tensor):
            b, t, c = x.shape
            y = x.mean(1)  # (b, t, c) -> (b, c, t)  # NC402
            z = x.transpose(1, 2)  # (b, c, t) -> (b, t, c)  # NC402
            w = x.relu()  # (b, t, c) -> (b, c)  # NC402
            return y, z, w
        """,
    "more factors than the operand has": """
        import torch
        from torch import nn

        class Pool(nn.Module):
            def __init__(self, num_heads, embed_dim):
                super().__init__()
                self.q_proj = nn.Linear(embed_dim, embed_dim)
                self.num_heads = num_heads
                self.dim_per_head = embed_dim // num_heads

            def forward(self, x):
                bs, length, width = x.size()

                def heads(x):
                    x = x.view(bs, -1, self.num_heads, self.dim_per_head).transpose(1, 2)
                    return x.reshape(bs * self.num_heads, -1, self.dim_per_head).transpose(1, 2)

                token = x.mean(dim=1, keepdim=True)
                # the keys
                k = heads(self.q_proj(token))
                # (bs*n_heads, token_length, dim_per_head)
                q = heads(self.q_proj(token))  # NC402
                return q, k

        def folded(x, y):
            b, t, c = x.shape
            z = x.reshape(b * t, c)
            # (b*t, c)
            z = z.t()
            # (b*t, c)
            w = (x + y).reshape(b * t, c)
            return z, w
        """,
    "an arrow says what becomes of a variable": """
        import numpy as np
        import torch

        def product(bm, v):
            batch = bm.size(0)
            # v -> (batch x dim2 x 1)
            bv = v.unsqueeze(0).expand(batch, v.size(0)).unsqueeze(2)
            return bm.bmm(bv)

        def repeated(w, n):
            # w => (n, k, 1)
            return w.reshape(1, -1).repeat(n, 1)[:, :, None]

        def flat(x):
            B, T, C = x.shape
            y = x.flatten(1)  # x → (B, T*C)
            return y

        class Lifted:
            def __call__(self, x):
                B, C = x.shape
                for _ in range(3):
                    # x --> (B, 1, C)
                    y = np.expand_dims(x, 1)
                return y

        def assigned(x: torch.Tensor):
            B, T, C = x.shape
            # x -> (T, B, C)
            x = x.transpose(1, 2)  # NC402
            return x

        def not_read(x, y):
            B, T, C = x.shape
            # x -> (B, C, T)
            y = y + 1  # NC402
            return x, y
        """,
    "a chain of steps": """
        import numpy as np
        import torch

        def expanded(y, ensemble):
            B, O = y.shape
            y = y.unsqueeze(-1).expand(-1, -1, ensemble)  # B x O > B x O x 1 > B x O x E
            return y

        def of_an_array(y, k):
            B, O = y.shape
            z = np.repeat(y[:, :, None], k, 2)  # (B, O) >> (B, O, 1) >> (B, O, k)
            return z

        def wrong(x: torch.Tensor):
            B, T, C = x.shape
            y = x.transpose(1, 2)  # [B, T, C] > [B, T, C]  # NC402
            return y
        """,
    "behind a line it is the result": """
        import torch

        def wrong(x: torch.Tensor):
            b, t, c = x.shape
            y = x.transpose(1, 2)  # (b, t, c)  # NC402
            return y
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])
