"""Comments that the code beside them contradicts: chains, unpackings, arguments, and messages.

A line that ends in "# !" is reported as NC402, at the line itself.
"""

from __future__ import annotations

from textwrap import dedent

import pytest

from namecheck.analysis import analyze_text

PROGRAMS = {
    "a chain above the line that makes it": """
        import numpy as np
        import torch

        def flattened(x):
            # (B, C, H, W) -> (B, H*W, C)
            y = x.view(x.shape[0], x.shape[1], -1)  # !
            return y

        def last(x):
            # Flatten [B, E, Ef] -> [Ef, B*E]
            y = x.view(-1, x.shape[-1])  # !
            return y

        def turned(image):
            # (channels, height, width) -> (height, channels, width)
            image = np.transpose(image, (1, 2, 0))  # !
            return image

        class Capsules(torch.nn.Module):
            def forward(self, u: torch.Tensor):
                # (b, caps, size) -> (b, caps, 1, size, 1)
                u = u.unsqueeze(1).unsqueeze(4)  # !
                return u

        def weighted(dice, weights: torch.Tensor):
            # weights: (C,) -> (C, 1) for broadcasting
            y = dice * weights.unsqueeze(0)  # !
            return y

        def right(x, image, u: torch.Tensor, dice, weights: torch.Tensor):
            # (B, C, H, W) -> (B, C, H*W)
            y = x.view(x.shape[0], x.shape[1], -1)

            # (channels, height, width) -> (height, width, channels)
            image = np.transpose(image, (1, 2, 0))

            # (b, caps, size) -> (b, 1, caps, size, 1)
            u = u.unsqueeze(1).unsqueeze(4)

            # weights: (C,) -> (1, C) for broadcasting
            z = dice * weights.unsqueeze(0)
            return y, image, u, z
        """,
    "a chain that several lines make": """
        def two(x):
            # (B, C, H, W) -> (B, H*W, C)
            y = x.flatten(2)
            y = y.transpose(1, 2)
            return y

        def other_names(x):
            # (B, C, H, W) -> (B, H*W, C)
            y = x.flatten(2)
            z = y.transpose(1, 2)
            return z

        def returned(x):
            # (B, C, H, W) -> (B, H*W, C)
            y = x.flatten(2)
            return y.transpose(1, 2)

        def new_names(x):
            # (B, C, H, W) -> (B, N, D)
            y = x.flatten(2)
            return y

        def of_an_example(x):
            # For example:
            # (B, C, H, W) -> (B, H*W, C)
            y = x.flatten(2)
            return y
        """,
    "a chain behind the line that makes it": """
        import jax.numpy as jnp
        import torch

        def squeezed(cls, x):
            y = cls(x).squeeze(3).squeeze(2)  # (B,N,1,1)->(N,B)  # !
            z = cls(x).squeeze(3).squeeze(2)  # (B,N,1,1)->(B,N)
            return y, z

        def merged(x: torch.Tensor):
            y = x.flatten(2)  # (B, C, H, W) -> (B, H*W, C)  # !
            z = x.flatten(2)  # (B, C, H, W) -> (B, C, H*W)
            return y, z

        def swapped(x: jnp.ndarray):
            y = jnp.swapaxes(x, 1, 2)  # (B, T, C) -> (C, B, T)  # !
            z = jnp.swapaxes(x, 1, 2)  # (B, T, C) -> (B, C, T)
            return y, z

        def known(x):
            b, c, h, w = x.shape
            y = x.mean(3).mean(2)  # (N, K, H, W) -> (K, N)  # !
            return y

        def known_and_right(x):
            b, c, h, w = x.shape
            y = x.mean(3).mean(2)  # (N, K, H, W) -> (N, K)
            return y
        """,
    "an unpacked shape": """
        import numpy as np

        def f(x):
            B, C, H, W = x.shape  # (C, B, H, W)  # !
            return x.reshape(B, -1)

        def shape_of(x):
            b, t, d = x.size()  # [B, D, T]  # !
            return b, t, d

        def begun(x):
            B, C, *_ = x.shape  # (C, B, H, W, D)  # !
            return x.reshape(B, C, -1)

        def right(x, y, z, i, o):
            B, C, H, W = x.shape  # (B, C, H, W)
            n, c, *rest = y.shape  # (N, C, H, W)
            k, l = np.shape(i)  # (l, k)
            rows, cols = z.shape  # (height, width)
            b, t, _ = o.shape  # (heads, t, b)
            return B, C, H, W, n, c, rest, rows, cols, k, l, b, t

        def two_letters(x):
            n, N = x.shape  # (N, n)
            return n, N
        """,
    "a size that is read of another dim": """
        import torch

        def patches(x):
            # x: (batch, n_patches, n_chans, patch_size)
            n_chans = x.shape[1]  # !
            return x[:, :n_chans]

        class Encoder(torch.nn.Module):
            def forward(
                self,
                x,  # (batch, steps, width)
            ):
                width = x.size(1)  # !
                return x[:, :width]

        def right(x):
            # x: (batch, n_patches, n_chans, patch_size)
            n_chans = x.shape[2]
            count = x.shape[1]
            return x[:, :count, :n_chans]

        def moved(x):
            # x: (batch, n_patches, n_chans, patch_size)
            x = x.transpose(1, 2)
            n_chans = x.shape[1]
            return x[:, :n_chans]

        def letters(a, b):
            '''Products of columns.

            Parameters
            ----------
            a : (n, k) array
            b : (m, k) array
            '''
            m = a.shape[0] * b.shape[0]
            n = a.shape[1]
            return torch.zeros(m, n)

        def used_before(x, width):
            # x: (batch, steps, width)
            if width is None:
                width = x.shape[1]
            return x[:, :width]
        """,
    "the message of a guard": """
        import numpy as np
        import torch

        def of_three(x):
            if x.ndim != 3:
                raise ValueError(f"x must be (B, C, N); got {tuple(x.shape)}")
            y = torch.relu(x)  # (C, B, N)  # !
            z = torch.relu(x)  # (B, C, N)
            return y, z

        def asserted(points):
            assert points.ndim == 2, "expected points of shape (n_points, n_dims)"
            y = np.abs(points)  # (n_dims, n_points)  # !
            z = np.abs(points)  # (n_points, n_dims)
            return y, z

        class Spectral(torch.nn.Module):
            def forward(self, x: torch.Tensor):
                if x.dim() != 3:
                    raise ValueError(f"Spectral expects (B, C, N); got {tuple(x.shape)}")
                y = torch.fft.rfft(x, dim=-1)  # (C, B, n//2+1)  # !
                return y

        def other_words(x):
            if x.ndim != 3:
                raise ValueError("x must be (B, C, N)")
            y = torch.relu(x)  # (N, L, D)
            return y

        def one_of_two(x):
            if x.ndim != 3:
                raise ValueError("x must be (B, C, N) or (C, N)")
            y = torch.relu(x)  # (C, B, N)
            return y

        def of_other_rank(x):
            if x.ndim != 3:
                raise ValueError("x must be (C, N)")
            y = torch.relu(x)  # (N, C, B)
            return y

        def turned(x):
            if x.ndim != 3:
                raise ValueError("x must be (B, C, N)")
            y = x.transpose(0, 1)  # (C, B, N)
            return y
        """,
    "comments beside arguments": """
        import numpy as np
        import torch

        def joined(x, y):
            B, H, D = y.shape
            z = torch.cat([
                x,  # (B, T, D)
                y,  # (H, B, D)  # !
            ], dim=1)
            w = np.concatenate((
                y.reshape(B, H * D),  # (B, H*D)
                y.reshape(B, H * D),  # (H*D, B)  # !
            ))
            v = x.other(
                left=y.reshape(B * H, D),  # (D, B*H)  # !
                right=y.reshape(B * H, D),  # (B*H, D)
            )
            return z, w, v

        def contracted(scores, keys, i, j):
            out = torch.einsum(
                "eh,ehd->ed",
                scores,  # [num_edges, num_heads]
                keys[i, j],  # [num_edges, key_dim, num_heads]  # !
            )
            return out

        def returned(y):
            B, H, D = y.shape
            return torch.stack((
                y.reshape(B, H * D),  # (B, H*D)
                y.reshape(B, H * D),  # (H*D, B)  # !
            ))

        def several_on_a_line(x, y):
            B, H, D = y.shape
            z = torch.cat([
                x, y,  # (H, B, D)
            ], dim=1)
            return z
        """,
    "one label at two dims": """
        import jax.numpy as jnp
        import torch

        def covariance(channels, blades, x: torch.Tensor):
            x = x.reshape(channels, blades, -1)
            wrong = torch.matmul(x, x.transpose(1, 2))  # (I, C, I)  # !
            right = torch.matmul(x, x.transpose(1, 2))  # (C, I, I)
            return wrong, right

        def gram(x):
            B, C, T = x.shape
            wrong = jnp.matmul(x, jnp.swapaxes(x, 1, 2))  # (d, n, d)  # !
            right = jnp.matmul(x, jnp.swapaxes(x, 1, 2))  # (n, d, d)
            words = jnp.matmul(x, jnp.swapaxes(x, 1, 2))  # (n, c, d)
            return wrong, right, words
        """,
    "the 1 stands at another dim": """
        import torch

        def f(target: torch.Tensor, x: torch.Tensor, wave: torch.Tensor):
            a = (target > 0).float().unsqueeze(1)  # (1, B, H, W)  # !
            b = torch.amax(x, dim=1, keepdim=True)  # (batch, heads, 1)  # !
            c = x.mean(dim=0, keepdim=True)  # (hidden, 1)  # !
            d = (target > 0).float().unsqueeze(1)  # (B, 1, H, W)
            e = wave.unsqueeze(1)  # (1, C, T)
            g = wave.unsqueeze(0)  # (B, 1, T)
            h = torch.amax(x, dim=1, keepdim=True)  # (batch, 1, heads)
            return a, b, c, d, e, g, h
        """,
    "words that are variables": """
        def f(data):
            C, shelf, price = data.shape
            a = data.permute(0, 2, 1).reshape(-1, shelf)  # (shelf, C*price)  # !
            b = data.permute(0, 2, 1).reshape(-1, shelf)  # (C*price, shelf)
            c = data.permute(0, 2, 1)  # (cosine, tanh, poly)
            return a, b, c

        def along_two_axes(data):
            C, Mx, My = data.shape
            a = data.permute(0, 2, 1)  # (C, Mx, My)  # !
            b = data.permute(0, 2, 1)  # (C, My, Mx)
            return a, b
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_comments_beside_code(name: str) -> None:
    text = dedent(PROGRAMS[name]).lstrip("\n")
    marked = [k for k, line in enumerate(text.splitlines(), 1) if line.endswith("# !")]
    findings = analyze_text("a.py", text.replace("  # !", "")).findings
    assert [(one.span.line, one.code) for one in findings] == [(k, "NC402") for k in marked]
