"""The number of dims that a docstring or a comment says, beside what the function needs and gives.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

RETURNED = {
    "one result of another rank": '''
        import torch

        def pooled(x):
            """Pool over time.

            Returns:
                Tensor of shape (B, T, C)
            """
            B, T, C = x.shape
            return x.mean(1)  # NC402

        class Head(torch.nn.Module):
            def forward(self, maps):
                """
                Returns
                -------
                torch.Tensor of shape (n, c)
                    The logits.
                """
                n, c, h, w = maps.size()
                return maps.reshape(n, c, h * w)  # NC402

        def encode(mz, waves):
            """
            Parameters
            ----------
            mz : torch.Tensor of shape (n, k, 1)

            Returns
            -------
            torch.Tensor of shape (n, dim)
            """
            return torch.cat([torch.sin(mz), torch.cos(mz)], dim=-1)  # NC402

        def in_both_ways(x, wide):
            """
            Returns:
                Tensor of shape (B, C)
            """
            B, T, C = x.shape
            if wide:
                return x * 2  # NC402
            return x + 1

        def in_a_loop(x, times):
            """
            Returns:
                np.ndarray: rows, shape (B, T, C)
            """
            B, T, C = x.shape
            total = x.sum(1)
            for _ in range(times):
                total = total + x.sum(1)
            return total  # NC402
        ''',
    "one way gives what is written": '''
        import torch

        def by_flag(x, keep):
            """
            Returns:
                Tensor of shape (B, T, C)
            """
            B, T, C = x.shape
            if not keep:
                return x.mean(1)
            return x

        def by_rank(x):
            """
            Returns:
                Tensor of shape (C, T)
            """
            if x.ndim == 3:
                B, T, C = x.shape
                return x.transpose(1, 2)
            T, C = x.shape
            return x.T[None]

        def unknown(x, other):
            """
            Returns:
                Tensor of shape (B, T, C)
            """
            B, T, C = x.shape
            if other is not None:
                return other(x)
            return x.mean(1)

        def by_mode(x, mode="sum"):
            """
            Returns:
                loss of shape (B, T)
            """
            B, T, C = x.shape
            loss = x.sum(-1)
            if mode == "mean":
                loss = loss.mean(-1)
            return loss
        ''',
    "the docstring leaves it open": '''
        import torch

        def either(x):
            """
            Returns:
                Tensor of shape (B, C) or (B, T, C)
            """
            B, T, C = x.shape
            return x * 2

        def either_below(x):
            """
            Returns:
                Scores. Their shape is (B, C) for one
                step, or (B, T, C) for all.
            """
            B, T, C = x.shape
            return x * 2

        def pairs(a, b):
            """
            Returns:
                matrix of all pairs, shape (N*M)
            """
            N, D = a.shape
            M, _ = b.shape
            return a @ b.T

        def of_a_variable(h):
            """
            :return: isinstance(rates.sum(), float), rates.shape = (users,)
            """
            rates = torch.diag(h.log())
            return rates.sum()

        def of_a_sample(x):
            """
            Returns:
                Tensor of shape (T, C)
            """
            batch_size, T, C = x.shape
            return x * 2

        def said_below(x, y):
            """
            Returns:
                the losses of all pairs

            It calls a function whose result has shape (N,).
            """
            B, T, C = x.shape
            return x * y

        def one_number(x):
            """
            Returns:
                torch.Tensor, shape (1,)
            """
            return x.sum()

        def any_in_front(x):
            """
            Returns:
                Tensor of shape (..., C)
            """
            B, T, C = x.shape
            return x * 2

        def several(x):
            """
            Returns:
                list of tensors of shape (T, C)
            """
            B, T, C = x.shape
            return x * 2

        def both(x):
            """
            Returns:
                Tensor of shape (B, T, C)
            """
            B, T, C = x.shape
            return x * 2, x.mean(1)

        class Base:
            def pool(self, x):
                """
                Returns:
                    Tensor of shape (B, C)
                """
                raise NotImplementedError

        class Pool(Base):
            def pool(self, x):
                B, T, C = x.shape
                return x * 2
        ''',
    "several results": '''
        import torch

        def attend(x):
            """
            Returns:
                out: Tensor of shape (B, T, C)
                scores: Tensor of shape (B, T)
            """
            B, T, C = x.shape
            scores = x @ x.transpose(1, 2)
            return x, scores  # NC402

        def split(x):
            """
            Returns
            -------
            first : Tensor of shape (B, C)
                The first step.
            rest : Tensor of shape (B, C)
            """
            B, T, C = x.shape
            return x[:, 0], x[:, 1:]  # NC402

        def in_another_order(x):
            """
            Returns:
                all: Tensor of shape (B, T, C)
                best: Tensor of shape (B, T)
            """
            B, T, C = x.shape
            return x.argmax(-1), x * 2  # NC402

        def named(x):
            """
            Returns:
                out (torch.Tensor): values of shape (B, C, T)
                last (torch.Tensor): the last ones, of shape (B, C)
            """
            B, T, C = x.shape
            return x.transpose(1, 2), x[:, -1]

        def more(x, states):
            """
            Returns:
                out (torch.Tensor): values of shape (B, T)
                last (torch.Tensor): the last ones, of shape (B, C)
            """
            B, T, C = x.shape
            return x, x[:, -1], states

        def lists_below(x):
            """
            Returns
            -------
            steps : list
                Tensors of shape (B, C)
            out : torch.Tensor
                Tensor of shape (B, T)
                or (B, T, C) for all steps
            """
            B, T, C = x.shape
            return x.transpose(0, 1), x

        def a_list(x):
            """
            Returns:
                out (torch.Tensor): values of shape (B, T, C)
                steps (list): for each step a tensor of shape (B, C)
            """
            B, T, C = x.shape
            return x, x.transpose(0, 1)
        ''',
}

NEEDED = {
    "a parameter that needs more or fewer dims": '''
        import torch
        from einops import rearrange

        def unpacked(x):
            """
            Args:
                x (Tensor): input of shape (b, n)
            """
            b, n, d = x.shape  # NC402
            return x.sum()

        def fewer(x):
            """
            Args:
                x (Tensor): input of shape (b, n, d)
            """
            b, n = x.size()  # NC402
            return x.sum()

        def permuted(x):
            """
            Args:
                x (Tensor): input of shape (b, n)
            """
            return x.permute(0, 2, 1)  # NC402

        class Layer(torch.nn.Module):
            def forward(
                self,
                mask,  # (batch, steps)
            ):
                return mask[:, -1:, :]  # NC402

        def patterned(tokens):
            """
            :param tokens: tensor of shape (b, n)
            """
            return rearrange(tokens, "b n d -> b d n")  # NC402

        def summed(x):
            """
            Args:
                x (np.ndarray): array of shape (b, n)
            """
            return x.sum(2)  # NC402

        def kernels(x, k):
            """
            Args:
                k (Tensor): kernels of shape (n, h, w)
            """
            return torch.nn.functional.conv2d(x, k)  # NC402

        def once(x):  # NC402
            """
            Args:
                x (Tensor): input of shape (b, n)
            """
            y = x.permute(0, 2, 1)
            return y, x.permute(2, 0, 1), x[:, :, 0]
        ''',
    "an order that an option changes": '''
        import torch

        def forward(x: torch.Tensor, batch_first: bool = False):
            """Attend.

            Arguments:
                - x (:obj:`torch.Tensor`): The input with shape (seq_len, bs, width).
                - batch_first (:obj:`bool`): If the input has shape (bs, seq_len, width), set it \\
                    to transpose the dims. Default is False.
            """
            if batch_first:
                x = torch.transpose(x, 1, 0)  # bs x seq_len x width -> seq_len x bs x width
            return x

        def two(x: torch.Tensor, y: torch.Tensor):
            """Attend.

            Args:
                x (Tensor): of shape (seq_len, bs, width).
                y (Tensor): of shape (bs, seq_len, width).
            """
            x = torch.transpose(x, 1, 0)  # (seq_len, bs, width)  # NC402
            return x, y
        ''',
    "a parameter that may be of several kinds": '''
        import torch

        def tested(x):
            """
            Args:
                x (Tensor): input of shape (b, n)
            """
            if x.dim() == 2:
                x = x[..., None]
            b, n, d = x.shape
            return x.permute(0, 2, 1)

        def by_class(x):
            """
            Args:
                x (Tensor): input of shape (b, n)
            """
            if isinstance(x, list):
                x = torch.stack(x)
            return x.permute(0, 2, 1)

        def by_flag(x, video):
            """
            Args:
                x (Tensor): input of shape (b, n)
            """
            if video:
                return x.permute(0, 2, 1)
            return x.T

        def left_early(x, flat=True):
            """
            Args:
                x (Tensor): input of shape (b, n)
            """
            if flat:
                return x.T
            return x.permute(0, 2, 1)

        def tried(x):
            """
            Args:
                x (Tensor): input of shape (b, n)
            """
            try:
                return x.permute(0, 2, 1)
            except RuntimeError:
                return x.T

        def another(x, y):
            """
            Args:
                x (Tensor): input of shape (b, n)
            """
            x = y if x is None else x[:, None]
            return x.permute(0, 2, 1)

        def joined(x, more):
            """
            Args:
                x (Tensor): input of shape (b, n)
            """
            x = torch.stack([x, more], dim=1)
            return x.permute(0, 2, 1)

        def of_a_sample(x):
            """
            Args:
                x (Tensor): input of shape (n, d)
            """
            batch, n, d = x.shape
            return x.sum()

        def heads(x):
            """
            Args:
                x (Tensor): input of shape (n, d, h*c)
            """
            n, d, h, c = x.shape
            return x.sum()

        def alternatives(x):
            """
            Args:
                x (Tensor): input of shape (b, n) or (b, n, d)
            """
            return x.permute(0, 2, 1)

        def made_of(x):
            """
            x: (b, n) -> out: (b, n, d)
            """
            return x.T

        def listed(x):
            """
            Args:
                x (list of Tensor): tensors of shape (b, n)
            """
            return x.permute(0, 2, 1)
        ''',
    "the operand that a pattern does not fit": '''
        import jax.numpy as jnp
        from einops import einsum

        def attend(query, key, value, mask):
            """
            Args:
                query: The queries of shape (batch, length, heads, d).
                key: The keys of shape (batch, length, d).
                value: The values of shape (batch, length, d).
                mask: The causal mask of shape (batch, 1, length, length).
            """
            weights = jnp.einsum("bhqd,bkd->bhqk", query, key)
            mask = jnp.expand_dims(mask, axis=2)
            weights = jnp.where(mask == 1, weights, -jnp.inf)
            return jnp.einsum("bhqk,bkd->bhqd", weights, value)

        def last(weights, value):
            """
            Args:
                weights: (batch, heads, query, key)
                value: (batch, key, dim)
            """
            return jnp.einsum("bhqk,bhkd->bhqd", weights, value)  # NC402

        def words(weights, value):
            """
            Args:
                weights: (batch, heads, query)
                value: (batch, heads, key, dim)
            """
            return einsum(weights, value, "b h q k, b h k d -> b h q d")  # NC402
        ''',
    "a number with another one in parentheses": """
        import jax
        import jax.numpy as jnp

        def gap(
            pos: jax.Array,  # (N, 37(14), 3)
            mask: jax.Array,  # (N, 14)
        ):
            return pos * mask[:, :, None]
        """,
}


@pytest.mark.parametrize("name", RETURNED)
def test_returned_values(name: str) -> None:
    check_marks(RETURNED[name])


@pytest.mark.parametrize("name", NEEDED)
def test_parameters(name: str) -> None:
    check_marks(NEEDED[name])
