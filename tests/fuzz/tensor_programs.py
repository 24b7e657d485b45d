"""Random programs with tensors: branches, loops, functions, classes, comments.

They follow the grammar and have no purpose: most of their lines would fail.  They test the
evaluation: each statement may be in any other one, and values of each kind reach each op.
Hypothesis draws them, so it can make a failing one small: fewer statements, and the first choices.
"""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

__all__ = ["tensor_programs"]

_HEADER: Final = """import functools
import torch, numpy as np, jax, jax.numpy as jnp
from torch import nn, Tensor
import torch.nn.functional as F
from einops import rearrange, repeat, reduce
from jaxtyping import Float
"""


def _apart(table: str) -> tuple[str, ...]:
    """The entries of a table, separated by three spaces or by the end of a line."""
    return tuple(
        entry for line in table.splitlines() for entry in line.strip().split("   ") if entry
    )


_TENSORS: Final = ("x", "y", "z", "w", "self.buffer", "self.weight")
_NUMBERS: Final = _apart("""
    0   1   2   3   -1   B   T   C   H   B*T   C//H   T + 1   2**k   n   len(x)   x.shape[0]
    y.size(-1)   x.ndim   int(T*0.5)   max(B, T)   T % 3   10**9   -10**9   self.dim
    self.config.width   x.shape[-1] // H   n * n + B   1 if flag else C
""")
_DIMS: Final = _apart("""
    0   1   -1   -2   2   (0, 1)   None   n   (-1,)   tuple(range(x.ndim))
""")
_PATTERNS: Final = _apart("""
    'b t c -> b c t'   'b (h d) -> b h d'   '... a -> a ...'   'a b -> a b c'   'a a -> a'
    '(a b) -> a b'   'b h w c -> b (h w) c'   '() b -> b'   'a b -> (a b 1)'   pattern
""")
_EQUATIONS: Final = _apart("""
    'ij,jk->ik'   'bhqd,bhkd->bhqk'   '...i,...i->...'   'ii->i'   equation
""")
_ANNOTATIONS: Final = _apart("""
    Tensor   torch.Tensor   Float[Tensor, 'B T C']   Float[Tensor, '*b n n']   int   None
    Float[np.ndarray, '3 h w']   'Float[Tensor, "B T+1"]'   Tensor | None   tuple[Tensor]
""")
_COMMENTS: Final = _apart("""
    # (B, T, C)   # [B, T]   # shape: (C, H)   # B x T   # (B, T) or (B, C)
    # (B, T*C) -> (B, T, C)   # (b, n, *)   # 3 x 4   # namecheck: ignore[NC201]
""")

# {t} stands for a tensor, {e} for an expression, {n} for a number, {d} for a dim, {p} for a pattern
# of einops, {q} for an equation, {f} for a function of the program.
_EXPRESSIONS: Final = _apart("""
    {t}   {t} + {e}   {e} @ {e}   {e} * {n}   -{t}   {t} > {n}   ({t}).T   {t}.mT   {t}.sum({d})
    {t}.mean({d}, keepdim=True)   {t}.max({d}).values   {t}.topk({n}, {d})[1]
    {t}.view({n}, {n})   {t}.view(*{t}.shape[:-1], {n}, -1)   {t}.reshape(-1)   {t}.flatten({d})
    {t}.transpose({d}, {d})   {t}.permute(0, 2, 1)   {t}.unsqueeze({d})   {t}.squeeze({d})
    {t}.expand(-1, {n}, {n})   {t}.repeat({n}, {n})   {t}.chunk({n}, {d})[0]   {t}.unbind({d})
    {t}.split({n}, {d})[-1]   {t}.unfold({d}, {n}, {n})   {t}.diagonal({n}, {d}, {d})
    {t}.as_strided(({n},), ({n},))   {t}[{n}:]   {t}[..., None]   {t}[:, {n}]   {t}[{t} > 0]
    {t}[{t}]   {t}[None, :{n}, ::{n}]   {t}.gather({d}, {t})   {t}.contiguous()   {t}.clone()
    torch.cat([{e}, {e}], {d})   torch.stack([{e}, {t}], {d})   torch.zeros({n}, {n})
    torch.randn({n})   torch.arange({n})   torch.arange({n}, {n}, {n})   torch.eye({n})
    torch.where({t} > 0, {e}, {e})   torch.matmul({e}, {e})   torch.bmm({t}, {e})
    torch.tensor([[{n}, {n}], [{n}, {n}]])   torch.einsum({q}, {t}, {e})   torch.outer({t}, {t})
    torch.meshgrid({t}, {t})[0]   torch.linalg.svd({e})[0]   torch.tensordot({t}, {e}, {n})
    F.softmax({e}, {d})   F.pad({t}, ({n}, {n}))   F.interpolate({t}, scale_factor={n})
    F.scaled_dot_product_attention({e}, {t}, {t})   F.mse_loss({e}, {e})   F.one_hot({t}, {n})
    nn.Linear({n}, {n})({e})   nn.Conv2d({n}, {n}, 3)({t})   nn.LayerNorm({n})({t})
    nn.Embedding({n}, {n})({t})   nn.Sequential(nn.Linear({n}, {n}), nn.ReLU())({t})
    rearrange({e}, {p})   rearrange({t}, {p}, h={n})   repeat({t}, {p}, c={n})
    reduce({t}, {p}, 'mean')   np.concatenate([{e}, {e}], axis={d})   np.swapaxes({t}, {d}, {d})
    jnp.ones(({n}, {n}))   jax.vmap(lambda q: q.sum({d}))({t})
    jax.lax.scan(lambda c, q: (c, q), {t}, {t})   {f}({e})   {f}({t}, *[{e}])
    {f}({t}, y={e}, B={n})   (lambda q: {e})({t})   functools.partial({f}, {t})({t})
    [{e} for x in {t}][0]   sum([{e} for _ in range({n})])   ({e} if flag else {e})   (z := {e})
    self.fc({e})   self.layers({t})   self.norm({e})   {t}.align_to('N', 'C')
    {t}.refine_names('N', ...)   {t}.rename('N', None)   {t}.to({t}.device)   {t}.unknown({e})
    dict(a={e})['a']   ({e}, {e})[0]
""")
_LEAVES: Final = _apart("""
    {t}   {t} + {t}   {t}.sum({d})   {t}[{n}]   torch.zeros({n}, {n})   {t} * {n}
""")

_TARGETS: Final = _apart("""
    x   y   z   w   x, y   self.buffer   (x, *y)   x[{n}:]   n   B, T, C
""")
_SIMPLE: Final = _apart("""
    {v} = {e}   {v} = {e}   {v} = {e}   x += {e}   x *= {e}   y @= {e}   B, T, C = {t}.shape
    b, n = {t}.shape[:2]   n = {n}   n, C = n * C + 1, n + C   x, y = y, {e}   return {e}
    return {e}, {e}   assert {t}.shape == ({n}, {n})   assert n == {n}   {t}.copy_({e})   pass
    if n != {n}: raise ValueError(n)   x = {e}; y = {e}   del y   global G   x: {a} = {e}
    xs = [{e}, {e}]   xs.append({e})   x = torch.cat(xs, {d})   x = torch.stack(xs)[{n}]   {e}
""")
_HEADERS: Final = _apart("""
    if {t}.shape[0] == {n}:   if flag:   if {t}.sum() > 0:   if {t} is None:   if n > {n}:
    for i in range({n}):   for x in {t}:   for x, y in zip({t}, {t}):   while {t}.sum() > 0:
    for i, x in enumerate([{t}, {e}]):   with torch.no_grad():   while n > {n}:
    async def g(q):
""")
_BLOCKS: Final = (
    ("if flag:", "else:"),
    ("if n == {n}:", "elif C == {n}:", "else:"),
    ("for x in xs:", "else:"),
    ("try:", "except (ValueError, RuntimeError) as e:"),
    ("try:", "finally:"),
    ("while n:", "else:"),
)
_DECORATORS: Final = ("@torch.no_grad()", "@jax.jit", "@unknown", "@staticmethod")
_BASES: Final = ("nn.Module", "M0", "torch.nn.Module, M1", "object")
_PARAMETERS: Final = "B=2, T=3, C=4, H=5, k=1, n=3"
_ATTRIBUTES: Final = _apart("""
    self.fc = nn.Linear(dim, {n})   self.norm = nn.LayerNorm({n})   self.dim = dim // heads
    self.layers = nn.Sequential(nn.Linear(dim, {n}), nn.Linear({n}, dim))   self.config = config
    self.layers = nn.ModuleList([nn.Linear(dim, dim) for _ in range({n})])   self.f = f0
    self.weight = nn.Parameter(torch.zeros({n}, dim))   self.fc = M0(dim) if heads else None
    self.register_buffer('buffer', torch.arange({n}))   self.f = M1()   self.fc = nn.GRU(dim, {n})
""")


class _Writer:
    """Writes a program from the choices of hypothesis."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.left = 60
        """Statements that may still be written."""

    def choice(self, options: tuple[str, ...]) -> str:
        return self.draw(st.sampled_from(options))

    def filled(self, template: str, depth: int) -> str:
        """A template with an expression for each of its placeholders."""
        text = ""
        while template:
            before, opened, rest = template.partition("{")
            text += before
            if not opened:
                break
            kind, _, template = rest.partition("}")
            text += self.part(kind, depth)
        return text

    def part(self, kind: str, depth: int) -> str:
        match kind:
            case "e":
                options = _EXPRESSIONS if depth < 3 else _LEAVES
                return f"({self.filled(self.choice(options), depth + 1)})"
            case "v":
                return self.filled(self.choice(_TARGETS), depth)
            case "f":
                return self.choice(("f0", "f1", "f2", "self.f", "unknown", "self.forward"))
        table = {"t": _TENSORS, "n": _NUMBERS, "d": _DIMS, "p": _PATTERNS, "q": _EQUATIONS}
        return self.choice(table.get(kind, _ANNOTATIONS))

    def block(self, indent: str, depth: int) -> list[str]:
        lines: list[str] = []
        for _ in range(self.draw(st.integers(1, 6))):
            if self.left <= 0:
                break
            self.left -= 1
            lines += self.statement(indent, depth)
        return lines or [f"{indent}pass"]

    def statement(self, indent: str, depth: int) -> list[str]:
        kind = self.draw(st.integers(0, 9))
        if depth > 3 or kind < 6:
            text = indent + self.filled(self.choice(_SIMPLE), 0)
            comment = self.draw(st.integers(0, 3)) == 3
            return [text + (f"  {self.choice(_COMMENTS)}" if comment else "")]
        if kind < 8:
            header = self.filled(self.choice(_HEADERS), 1)
            return [indent + header, *self.block(indent + "    ", depth + 1)]
        if kind == 8:
            lines = []
            for header in self.draw(st.sampled_from(_BLOCKS)):
                lines += [indent + self.filled(header, 1), *self.block(indent + "    ", depth + 1)]
            return lines
        lines = [f"{indent}match {self.part('t', 0)}.shape:"]
        for pattern in ("[B, T]", "[n, *_, C] if n > 1", "_"):
            lines += [f"{indent}    case {pattern}:", *self.block(indent + "        ", depth + 1)]
        return lines

    def function(self, name: str, indent: str = "", first: str = "") -> list[str]:
        first_type, second_type, result = (self.choice(_ANNOTATIONS) for _ in range(3))
        lines = []
        if self.draw(st.integers(0, 5)) == 5:
            lines.append(indent + self.choice(_DECORATORS))
        tensors = f"x: {first_type}, y: {second_type} = None"
        parameters = f"{first}{tensors}, {_PARAMETERS}, flag=False, *xs"
        lines.append(f"{indent}def {name}({parameters}) -> {result}:")
        return [*lines, *self.block(indent + "    ", 0)]

    def module(self, name: str) -> list[str]:
        lines = [f"class {name}({self.choice(_BASES)}):"]
        lines.append(f"    def __init__(self, dim=8, heads=2, config=None, {_PARAMETERS}):")
        lines.append("        super().__init__()")
        for _ in range(self.draw(st.integers(1, 5))):
            lines.append("        " + self.filled(self.choice(_ATTRIBUTES), 0))
        for method in ("forward", "f")[: self.draw(st.integers(1, 2))]:
            lines += self.function(method, "    ", "self, ")
        return lines


@st.composite
def tensor_programs(draw: st.DrawFn) -> bytes:
    """A program of one to three functions and classes, and statements of the module."""
    writer = _Writer(draw)
    lines = [_HEADER]
    for number in range(draw(st.integers(1, 3))):
        if draw(st.booleans()):
            lines += writer.function(f"f{number}")
        else:
            lines += writer.module(f"M{number}")
    if draw(st.booleans()):
        lines += writer.block("", 1)
    return "\n".join([*lines, ""]).encode()
