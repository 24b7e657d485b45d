"""What a function is declared to return, against what it computes or what a subclass returns.

A line ends in the code that is reported there.
"""

from __future__ import annotations

from textwrap import dedent

import pytest
from snippets import check_marks

from namecheck.analysis import analyze

HEAD = """
        import torch
        import jax.numpy as jnp
        from einops import rearrange
        from torch import Tensor
        from jaxtyping import Array, Float
        from elsewhere import load
"""

PROGRAMS = {
    "a subclass draws what the base class leaves open": """
        class Dist:
            def mean(self) -> Float[Array, "n d"]:
                return self.moments()[0]

            @property
            def cov(self) -> Float[Array, "d d"]:
                return self.moments()[1]

            def both(self) -> tuple[Float[Array, "n d"], Float[Array, "d d"]]:
                return self.moments()

        class Scalar(Dist):
            def moments(self):
                return load()

            def score(self, x: Float[Array, " n"]):
                r = x - self.mean()
                return jnp.vstack([r[None], x[None]])

            def other_ops(self, x: Float[Array, "n k"]) -> Float[Array, "k"]:
                m = self.mean() * 2  # (n,)
                w = jnp.where(m > 0, x[:, 0], m)
                losses = [jnp.stack([m, w], 1), rearrange(m, "(b t) -> b t", t=4)]
                return losses, jnp.einsum("n,nk->k", m, x)

            def loaded(self, x: Float[Array, "n k"]):
                m = load()  # (n, k, 1)
                return jnp.einsum("n,nk->k", m, x)

        def consume(s: Float[Array, " n"], c: Float[Array, ""]):
            return s / c

        def main():
            d = Scalar()
            m, c = d.both()
            (n,) = m.shape
            consume(m, c)
            consume(d.mean(), d.cov)
            return jnp.stack([jnp.zeros((n,)), m]).transpose(1, 0)

        def exactly():
            d = Dist()
            return d.mean().transpose(0, 2, 1)  # NC303
    """,
    "a base class may be any of its subclasses": """
        class Sampler:
            def sample(self, n: int) -> Float[Array, "n d"]:
                return load(n)

            def plot(self):
                return self.sample(10)[:, :, 0]

        class Image(Sampler):
            def sample(self, n: int) -> Float[Array, "n h w"]:
                return load(n)

        class Deep(Sampler):
            def sample(self, n: int):
                return super().sample(n).transpose(0, 2, 3, 1)

        class Guarded(Sampler):
            def plot(self, x: Float[Array, " n"]):
                m = self.sample(10)
                assert m.shape == x.shape
                return m[:, None] + x[:, :, None]  # NC301

        class Alone:
            def sample(self, n: int) -> Float[Array, "n d"]:
                return load(n)

            def plot(self):
                return self.sample(10)[:, :, 0]  # NC301
    """,
    "the computed result is what callers see": """
        class Base:
            def pooled(self, x: Float[Tensor, "b c t"]) -> Float[Tensor, "b c"]:
                return x.mean(-1)

        class Sub(Base):
            def run(self, x: Float[Tensor, "b c t"]):
                return self.pooled(x).permute(0, 2, 1)  # NC303

        def energy(x: Float[Tensor, "b c h w"]) -> Float[Tensor, "b c"]:
            return x.sum(1)  # NC401

        def caller(x: Float[Tensor, "b c h w"]):
            return energy(x).flatten(1, 2)
    """,
    "a program that asks for the rank expects others": """
        def feats(path: str) -> Float[Tensor, "n d"]:
            return load(path)

        def by_test(path):
            f = feats(path)
            if f.dim() == 3:
                return f.mean(2)[:, :, None].squeeze(2).permute(1, 0)
            if len(f.shape) > 3:
                return f.permute(0, 3, 1, 2)
            return f

        def by_match(path):
            x = feats(path)
            match x.ndim:
                case 3:
                    return x.permute(0, 2, 1)
            return x

        def in_a_loop(paths):
            total = 0
            for p in paths:
                f = feats(p)
                f = f[None] if f.ndim == 3 else f[None, None]
                total = total + f.permute(0, 3, 1, 2)
            return total

        def without_a_test(path):
            return feats(path).permute(0, 2, 1)  # NC303
    """,
    "an unpacking into another number": """
        class Table:
            def emb(self, ids: Float[Tensor, "b t"]) -> Float[Tensor, "b t d"]:
                return self.table(ids)

            def f(self, ids: Float[Tensor, "b t"]):
                b, t = self.emb(ids).shape  # NC303
                return b, t
    """,
    "an argument that does not fit": """
        def step(
            p: Float[Array, "num states"], a: Float[Array, "s s"]
        ) -> Float[Array, "num states"]:
            return load(a, p)

        def run(ps: Float[Array, "t s"], a: Float[Array, "s s"]):
            return jnp.stack([ps[0], step(ps[0], a)])  # NC404

        def combine(
            a: Float[Array, "n n"], b: Float[Array, "n m"], c: Float[Array, "m m"]
        ) -> Float[Array, "n m"]:
            return load(a, b, c)

        def echo():
            a, b, c = jnp.zeros((4, 4)), jnp.zeros((3, 4)), jnp.zeros((3, 3))
            return combine(a, b, c) + jnp.zeros((7, 8))  # NC404

        def in_a_loop():
            a, b, c = jnp.zeros((4, 4)), jnp.zeros((3, 4)), jnp.zeros((3, 3))
            out = 0
            for _ in range(3):
                out += combine(b=b, c=c, a=a)  # NC404
            return out

        def two_that_do_not_fit():
            return combine(
                jnp.zeros((4, 4)),
                jnp.zeros(4),  # NC404
                jnp.zeros((2, 3)),  # NC404
            )

        def last():
            a, b, c = jnp.zeros((4, 4)), jnp.zeros((4, 2)), jnp.zeros((3, 3))
            return combine(a, b, c)  # NC404
    """,
    "a subclass declares a field again": """
        class P:
            w: Float[Tensor, "n d"]
            v: Float[Tensor, "n d"]

            def f(self):
                return self.w[:, :, 0] + self.v[:, :, 0]  # NC301

        class Q(P):
            w: Float[Tensor, "n d k"]

        def any_of_them(p: P):
            return p.w[:, :, 0]

        def of_the_subclass(q: Q):
            return q.w[:, :, 0, 0]  # NC301

        def exactly():
            return P().w[:, :, 0]  # NC301
    """,
    "a field that does not fit": """
        from dataclasses import dataclass

        @dataclass
        class P:
            A: Float[Array, "hidden hidden"]
            B: Float[Array, "hidden control"]
            T: Float[Array, "control control"]

        p = P(jnp.zeros((4, 4)), jnp.zeros((3, 4)), jnp.zeros((3, 3)))  # NC404
        q = P(jnp.zeros((4, 4)), jnp.zeros((4, 3)), jnp.zeros((4, 4)))  # NC404
    """,
    "an inherited method gives what the subclass declares": """
        class Loss:
            def __call__(self, x: Float[Tensor, "b t"]) -> Float[Tensor, ""]:
                return self.reduced(load(x))

            def computed(self, x: Float[Tensor, "b t"]) -> Float[Tensor, ""]:
                out = self.summed(x)
                return out

            def reduced(self, x: Float[Tensor, "b t"]) -> Float[Tensor, ""]:
                return load(x)

            def summed(self, x: Float[Tensor, "b t"]) -> Float[Tensor, ""]:
                return x.sum()

            def wrong(self, x: Float[Tensor, "b t"]) -> Float[Tensor, ""]:
                return x.sum(-1)  # NC401

        class Between(Loss):
            pass

        class OfEachSample(Between):
            def reduced(self, x: Float[Tensor, "b t"]) -> Float[Tensor, "b"]:
                return load(x)

            def summed(self, x: Float[Tensor, "b t"]) -> Float[Tensor, "b"]:
                return x.sum(-1)

        class Model:
            def __init__(self):
                self.each, self.all = OfEachSample(), Between()

            def step(self, x: Float[Tensor, "b t"]) -> Float[Tensor, "b"]:
                return self.each(x)

            def computing(self, x: Float[Tensor, "b t"]) -> Float[Tensor, "b"]:
                return self.each.computed(x)

            def two_dims(self, x: Float[Tensor, "b t"]) -> Float[Tensor, "b t"]:
                return self.each.computed(x)  # NC401

            def of_all(self, x: Float[Tensor, "b t"]) -> Float[Tensor, "b"]:
                return self.all.computed(x)  # NC401
    """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(_whole(name))


def _whole(name: str) -> str:
    return dedent(HEAD) + dedent(PROGRAMS[name])


def test_what_rests_on_a_declared_result_is_a_warning_that_cites_it() -> None:
    program = """
        def feats(path: str) -> Float[Tensor, "n d"]:
            return load(path)

        def permuted(path):
            return feats(path).permute(0, 2, 1)
    """
    (finding,) = analyze("x.py", (dedent(HEAD) + dedent(program)).encode()).findings
    assert finding.level.value == "warning"
    notes = [note.text for note in finding.notes]
    assert 'the value that feats returns is annotated "n d"' in notes


def test_dims_that_a_base_class_declares_are_not_shown_of_a_subclass() -> None:
    program = """
        class Base:
            def sample(self, n: int) -> Float[Array, "n d"]:
                return load(n)

        class Sub(Base):
            pass

        base = Base().sample(3)
        sub = Sub().sample(3)
    """
    shapes = analyze("x.py", (dedent(HEAD) + dedent(program)).encode()).shapes
    assert [shape.target for shape in shapes if shape.kind != "return"] == ["base"]
