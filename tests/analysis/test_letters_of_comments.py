"""Letters of comments: a comment's own alphabet, and the batch where the program has one sample.

A line ends in the code that is reported there (`snippets`).
"""

from __future__ import annotations

import pytest
from snippets import HEAD, read

PROGRAMS = {
    "the indices of an einsum, exchanged throughout": """
        def norm(x, w):
            # x: (B, H, W, C)
            y = torch.einsum("bwhc,c->bwh", x * x, w)
            return y + torch.einsum("bwhc->bwh", x)


        def turned(x, w):
            # x: (B, H, W, C)
            return torch.einsum("bwhc,c->bhw", x * x, w)  # <- NC304


        def kept(x):
            # x: (B, H, W, C)
            return torch.einsum("bwhc->bw", x)  # <- NC304


        def contracted(x, y):
            # x: (B, H, W, C)
            return torch.einsum("bwhc,hk->bwk", x, y)  # <- NC304


        def named(x):
            # x: (B, H, W, C)
            return rearrange(x, "b w h c -> b w (h c)")  # <- NC304
    """,
    "a batch of one sample": """
        def wav(pred, i, r):
            w = pred[i].unsqueeze(0).unsqueeze(-1).repeat(1, 1, r)  # (B, T, r)
            w = w.view(1, -1)  # (B, T * r)
            return w


        def wav2(pred, i, r):
            w = pred[i][None].repeat(1, 2, r)  # (N, C, T)
            w = w.reshape(1, 2 * 3, -1)  # (N, 2 * C, T)
            return w


        def flat(x):
            x = x[0].unsqueeze(0)  # (batch, time, freq)
            return x.reshape(1, -1)  # (batch, time * freq)


        def one(x):
            B, T, C = x.shape
            y = x[0].unsqueeze(0)  # (B, T, C)
            z = y.flatten(1)  # (B, T * C)
            return z + x.flatten(1)


        def one2(x):
            B, T, C = x.shape
            y = x[:1]  # (B, T, C)
            return y.reshape(1, T * C)  # (B, T * C)


        def one3(x):
            B, T, C = x.shape
            y = x.mean(0, keepdim=True)  # (B, T, C)
            return y.transpose(1, 2)  # (B, C, T)


        def one4(x):
            B, T, C = x.shape
            y = x.mean(0).unsqueeze(0)
            return y.view(1, C * T)  # (B, T * C)


        def loop(xs, r):
            out = []
            for x in xs:
                x = x.unsqueeze(0)  # (B, T)
                x = x.unsqueeze(-1).expand(-1, -1, r)  # (B, T, r)
                x = x.reshape(1, -1)  # (B, T*r)
                out.append(x)
            return torch.cat(out)  # (B, T*r)

        def of_any_letter(x):
            x = x[0].unsqueeze(0)  # (N, T, C)
            return x.reshape(1, -1)  # (N, T * C)
        """,
    "a factor at another dim": """
        def joined(x):
            B, C = x.shape
            y = torch.cat([x, x])
            return y  # (B, 2*C)  # <- NC402

        def merged(x):
            B, T, C = x.shape
            y = x.reshape(B * T, C)
            return y  # (B, T*C)  # <- NC402

        def turned(x):
            B, C = x.shape
            y = x.sum(1, keepdim=True).t()
            return y  # (B, 1)  # <- NC402
        """,
    "a size that -1 computed": """
        class Heads(nn.Module):
            def __init__(self, i, out_channels, heads):
                super().__init__()
                self.out_channels, self.heads = out_channels, heads
                self.lin = nn.Linear(i, out_channels)

            def forward(self, x):
                '''Run.

                Args:
                    x: cells of shape (n_cells, channels)
                '''
                m = self.lin(x).view(-1, self.heads, self.out_channels // self.heads)
                a = self.aggregate(m)  # (n_cells, H, C)
                return a.view(-1, self.out_channels)  # (n_cells, H * C)
        """,
    "letters of the comment alone": """
        def forward(feat, c):
            '''Run.

            Args:
                feat: features of shape (batch_size, num_proposals, dims)
            '''
            N, num_proposals = feat.shape[:2]
            # [B, N, K*K*C] -> [B, N, K*K, C]
            feat = feat.reshape(N, num_proposals, -1, c)
            return feat


        def two(x):
            N, num_queries, C = x.shape
            y = x * 2  # (B, N, C)
            z = y.transpose(1, 2)  # (B, C, N)
            return z


        def three(x, w):
            N, L, D = x.shape
            # (B, N, D)
            y = torch.relu(x)
            s = y @ y.transpose(1, 2)  # (B, N, N)
            return s


        def four(x):
            N, M, C = x.shape
            x = x.permute(2, 0, 1)  # C x B x N
            x = x.reshape(C, N * M)  # (C, B * N)
            return x


        def five(q):
            T, B, C = q.shape
            q = q.permute(1, 2, 0)  # (N, C, L)
            return q.flatten(1)  # (N, C * L)
        """,
    "letters of the program": """
        def wrong(x):
            B, T, C = x.shape
            y = x.mean(0)
            return y  # (B, C)  # <- NC402


        def wrong2(x):
            N, T, C = x.shape
            y = x.mean(0)
            return y  # (N, C)  # <- NC402


        def wrong3(x):
            N, T, C = x.shape
            y = x.transpose(1, 2)
            return y  # (N, T, C)  # <- NC402
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    analysis, marks = read(PROGRAMS[name])
    above = HEAD.count("\n")
    assert [(f.span.line - above, f.code) for f in analysis.findings] == marks
