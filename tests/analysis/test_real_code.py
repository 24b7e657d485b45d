"""Code from real packages that once caused a false alarm, and the mistakes that are still found in
such code.

The programs are ours: each keeps only the construct that mattered. For programs in general see
`test_evaluate_findings`.
"""

from __future__ import annotations

import pytest
from snippets import read, reported

from namecheck.analysis import analyze

SILENT = {
    "a layer called as a tensor's method is, in a method behind a decorator": """
        from elsewhere import adapted

        class Model(nn.Module):
            def __init__(self, config, encoder):
                super().__init__()
                self.encoder = encoder
                self.norm = nn.LayerNorm(config.width)

            @adapted
            def forward(self, tokens):
                out = self.encoder(tokens)
                hidden = self.norm(out.hidden)
                return hidden[:, 0, :]
    """,
    "a layer of an object that is passed in": """
        def pooled(model, tokens):
            hidden = model.norm(tokens)
            return hidden[:, 0, :], hidden.flatten(2)
    """,
    "tensors of one element for sizes, dims and indices": """
        def f(x, lens):
            n = torch.prod(x)
            kernel = torch.diag(torch.ones(n)).view(n, 1, n)
            rows = np.empty(np.count_nonzero(x))
            some = torch.full((lens.sum(),), 3)
            bins = np.zeros(lens.max() + 2, float)
            bins[n:] = rows[: lens[0]]
            one = torch.zeros(2, 3).sum(torch.argmax(x))
            return kernel, F.pad(some, (1, 0)), bins[::-1], one[0]
    """,
    "arrays that begin empty": """
        def f(x):
            seeds = np.array([], dtype=float)
            seeds = np.concatenate((seeds, np.unique(x)))
            boxes = torch.tensor([]).reshape(0, 4)
            return seeds, boxes, np.array([]).reshape((0, 1))
    """,
    "dims of size 1 that are dropped or expected": """
        class Pool(nn.Module):
            def __init__(self, groups=1):
                super().__init__()
                self.groups = groups
                self.parts = [(4, 1, True)]

            def pack(self, x):
                batch, channels, frames, height, width = x.shape
                return x.view(batch, channels, height * width)

            def depth(self, x):
                n, _, d, h, w = x.shape
                return x.reshape(n * d, 1, h, w)

            def scalars(self, x, scalar):
                b, m, d = x.shape
                x = x * d
                if scalar:
                    return x.reshape(b, m)
                return x

            def spread(self, x):
                b, c = x.shape
                return x.reshape(b, c, self.groups)
    """,
    "a comment that says that a product of letters is square": """
        def f(p, v):
            r = torch.einsum("bij,bjk->bik", p, v).sum(0)
            r = 2 * r  # (r, r)
            a = torch.zeros(r.shape[1], 8)
            b = torch.zeros(5, r.shape[0])
            return b @ r @ a, r @ r
    """,
    "an array made of a tensor, turned about as only arrays can be": """
        def f(images):
            found = (255 * images).cpu().permute(0, 2, 3, 1).float().numpy()
            return found[:, :, :, ::-1]
    """,
    "a picture made into an array": """
        def f(image, size):
            pixels = np.array(image.convert("RGB").resize((size[1] * 8, size[0] * 8)))
            return pixels[None].transpose(0, 3, 1, 2)
    """,
    "a word in a sentence that a variable is called by too": """
        def f(q, k, mask):
            # Construct the attention mask, shape: (B, 1, 1, 1 + L).
            allowed = mask[:, None, None, :].bool()  # (B, 1, 1, L)
            allowed = F.pad(allowed, (1, 0), value=True)  # (B, 1, 1, L + 1)
            q = q.unsqueeze(2)  # (B, H, 1, D)
            k = k.transpose(1, 2)  # (B, H, L + 1, D)
            return F.scaled_dot_product_attention(q, k, k, attn_mask=allowed)
    """,
    "several pieces, nobody knows how many": """
        def f(x, n):  # x: (b, 4, 64, 64)
            parts = x.chunk(2 + n)  # (b, 4, 64, 64)
            rest = parts[2:]
            out = torch.zeros((len(rest), *parts[0].shape))
            for c, one in enumerate(rest):
                weights = (parts[0] - one).sum(dim=(1, 2, 3))
                out[c, :, :, :, :] = one
            return weights, torch.einsum("cb,cbijk->bijk", out[:, :, 0, 0, 0], out)
    """,
    "a comment that forgets, or makes up, a dim": """
        def pooled(freq):
            real = freq.real  # [B, C, L]
            real = real.transpose(0, 1).unsqueeze(0)
            return F.avg_pool1d(real, 2, 2)

        def points(grid, camera):
            xyz = camera[:, None, None] * grid  # HxWx3
            return xyz

        def normals(depth, camera):
            return points(depth.squeeze(1), camera).permute(0, 3, 1, 2)  # Bx3xHxW

        def warped(depth, camera):
            xyz = points(depth.squeeze(1), camera)  # BxHxWx3
            return xyz
    """,
    "lists and rows of layers that are filled later": """
        class Constraints:
            def __init__(self, functions):
                self.functions = functions
                self.prepared = []

            def prepare(self):
                for function in self.functions:
                    self.prepared.append(function)

            def violation(self, x):
                return np.concatenate([one(x) for one in self.prepared])

        class Late(nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = nn.ModuleList()

            def build(self, dim):
                self.layers.append(nn.Linear(dim, 2 * dim))

            def forward(self, x):
                return torch.cat([layer(x) for layer in self.layers])
    """,
    "a label of einsum that only JAX knows": """
        import jax.numpy as jnp

        def f(weights, value):
            return jnp.einsum("...hgqk,...kh1d->...qhgd", weights, value)
    """,
    "degrees of a graph, and two reductions of one square": """
        def normalised(adj):
            B, N, _ = adj.size()
            degree = adj.sum(dim=-1)
            return degree.unsqueeze(-1) * adj * degree.unsqueeze(-2)

        def matched(logits, n):
            assert logits.shape == (n, n)
            d = logits.logsumexp(0)
            s = (logits - d).logsumexp(-1, True)
            return (logits - (d + s)).exp()

        def both_ways(z, mu):  # z: (l, b, c, d), mu: (b, c, d)
            turned = torch.transpose(mu, -1, -2)
            return (z - mu) * (z + turned)
    """,
    "a block mask: copies of a dim stand one after the other": """
        def mask(dim, rows, columns):
            eye = torch.eye(dim).unsqueeze(-1)
            return eye.repeat(1, rows // dim, columns // dim).view(rows, columns)
    """,
    "lists that a hook, or a class of its own, fills": """
        class Scores:
            def __init__(self):
                self.stats = dict(tp=[], conf=[])

            def score(self, x):
                raise NotImplementedError

            def all(self, xs):
                found = []
                for x in xs:
                    found.append(self.score(x))
                return torch.cat(found), {k: np.concatenate(v, 0) for k, v in self.stats.items()}

        def watched(model, x):
            seen = []

            def hook(module, given, out):
                seen.append(out)

            model.register_forward_hook(hook)
            model(x)
            return torch.cat(seen, 2)
    """,
    "a place kept for a tensor that comes later": """
        class Head(nn.Module):
            anchors = torch.empty(0)
            strides = torch.empty(0)

            def fit(self, X):
                self.trees = np.empty((0, 0))
                return self.predict(X)

            def predict(self, X):
                return self.trees[0, 0] + X

            def forward(self, x):
                return x * self.anchors[0] + self.strides[1]
    """,
    "arrays of objects, buffers, and masks of what is unknown": """
        def votes(labels, inliers):
            found = np.zeros(len(labels), dtype=object)
            return [np.bincount(one) for one in found[inliers]]

        def dummy(X: np.ndarray, value):
            n, d = X.shape
            return np.concatenate((np.full(n, value), X.data))

        def ranked(preds, target):
            n, labels = preds.shape
            relevant = target == 1
            count = relevant.sum(dim=1)
            mask = (count > 0) & (count < labels)
            return preds[mask].argsort(dim=1)
    """,
    "things of one list that differ in length": """
        class Decoder(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.up2 = nn.ConvTranspose1d(dim, dim, 4, 4)
                self.up4 = nn.ConvTranspose1d(dim, dim, 2, 2)

            def forward(self, hs):
                hs = [h.mean(-1) for h in hs]
                return self.up2(hs[0]) + self.up4(hs[1])
    """,
    "a way through a function that its caller never takes": """
        def to_corners(boxes):
            boxes[..., 2:] += boxes[..., :2]
            return boxes

        def convert(boxes, kind):
            if kind == "center":
                boxes = to_corners(boxes)
            elif kind == "rotated":
                boxes = boxes[..., :5]
            return boxes

        def f():
            return convert(torch.zeros(3, 8), pick())
    """,
    "a comment beside sizes": """
        def f(scores):
            anchors, classes = scores.shape[1:]  # i.e. shape(16, 8400, 80)
            index = scores.flatten(1).argmax(1, keepdim=True)
            return (index // classes)[..., None].expand(-1, -1, 4)
    """,
    "a method that tensors have as well, of something that gives several": """
        def keys(sequence, num: int):
            return torch.stack(sequence.take(num))
    """,
    "a constructor's parameter that is an array": """
        class Transform:
            def __init__(self, matrix):
                self.params = matrix

            def scale(self, count):
                squares = np.sum(self.params**2, axis=0)
                squares[1] = squares[1] / 2
                return np.sqrt(squares)[:count]
    """,
    "what is left of a callee when it may have returned": """
        def each(x, axes):
            if axes == ():
                return x.sum()
            return x[0]

        def f(x, size, axes):
            if x.ndim == 0 and size == ():
                return each(x, axes)
            return x
    """,
    "a whole shape given by keyword": """
        def padded(image, target):
            new_shape = image.shape[:-2] + target
            new = np.zeros_like(image, shape=new_shape)
            new[..., 2:, 2:] = image
            full = np.full_like(image, 0, shape=target)
            full[:3, :4] = image
            return new, full
    """,
}

WRONG = {
    "a method behind a decorator that nobody knows": """
        from elsewhere import adapted

        class Model(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.up = nn.Linear(width, 4 * width)

            @adapted
            def forward(self, tokens):
                return self.up(self.up(tokens))  # <- NC208
    """,
    "a dim that is read elsewhere and forgotten in a reshape": """
        def f(x):
            B, T, H, D = x.shape
            scale = (H * D) ** -0.5
            return (x * scale).reshape(B, T, D)  # <- NC211
    """,
}


@pytest.mark.parametrize("name", SILENT)
def test_right_programs_are_silent(name: str) -> None:
    analysis, _ = read(SILENT[name])
    assert not analysis.findings


@pytest.mark.parametrize("name", WRONG)
def test_mistakes_are_reported(name: str) -> None:
    analysis, marks = read(WRONG[name])
    assert marks
    assert reported(analysis) == marks


def test_a_method_of_an_array_or_a_tensor_is_no_mistake_in_a_file_that_uses_both() -> None:
    program = """
import numpy as np

if np.lib:
    import torch

def f(video):
    if video.shape[-3] == 1:
        return video.repeat(3, -3)
    return video
"""
    assert not analyze("snippet.py", program.encode()).findings
