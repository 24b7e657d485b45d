"""Measures the results of JAX's transforms of functions, and writes transforms_jax.jsonl.

    /path/to/python-with-jax-and-equinox read_jax_transforms.py

See README.md for the rows.
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent

MAPS = """
jax.vmap(jnp.dot)(z((3, 4)), z((3, 4)))
jax.vmap(jnp.dot)(z((3, 4)), z((5, 4)))
jax.vmap(jnp.add)(z((3, 4)), z((1, 4)))
jax.vmap(jnp.dot, in_axes=(0, None))(z((3, 4)), z((4, 5)))
jax.vmap(jnp.dot, in_axes=[0, None])(z((3, 4)), z((4, 5)))
jax.vmap(jnp.dot, (1, None), -1)(z((4, 3)), z((4, 5)))
jax.vmap(lambda x: x, out_axes=-1)(z((3, 4, 5)))
jax.vmap(lambda x: x, out_axes=1)(z((3, 4, 5)))
jax.vmap(lambda x: x, out_axes=3)(z((3, 4, 5)))
jax.vmap(lambda x: x, out_axes=-3)(z((3, 4, 5)))
jax.vmap(lambda x: x, out_axes=-4)(z((3, 4, 5)))
jax.vmap(lambda x: x, in_axes=-1)(z((3, 4, 5)))
jax.vmap(lambda x: x, in_axes=3)(z((3, 4, 5)))
jax.vmap(lambda x: x, in_axes=-4)(z((3, 4, 5)))
jax.vmap(lambda x: 1.0)(z((3,)))
jax.vmap(lambda x: (None, x))(z((3,)))
jax.vmap(lambda x, y: y, in_axes=(0, None))(z((3,)), z((7, 8)))
jax.vmap(lambda x, y: (x, y), in_axes=(0, None), out_axes=(0, None))(z((3,)), z((7, 8)))
jax.vmap(lambda d: {"a": d["x"].sum(), "b": d["y"]})({"x": z((3, 4)), "y": z((3, 5, 6))})
jax.vmap(lambda d: d["x"] @ d["y"], ({"x": 0, "y": None},))({"x": z((3, 4)), "y": z((4, 6))})
jax.vmap(lambda x, y: x + y)(z((3, 4)), y=z((3, 4)))
jax.vmap(lambda x, y: x + y, in_axes=1)(z((4, 3)), y=z((3, 4)))
jax.vmap(lambda x, y: x + y, in_axes=(0, 1))(z((3, 4)), z((4, 3)))
jax.vmap(lambda x: x, in_axes=None, axis_size=7)(z((3, 4)))
jax.vmap(jax.vmap(lambda a, b: a @ b, in_axes=(None, 0)), in_axes=(0, None))(z((3, 4)), z((5, 4)))
jax.vmap(lambda l: l[0] + l[1])([z((3, 4)), z((3, 4))])
jax.vmap(lambda l: l[0])([z((3, 4)), z((5, 4))])
jax.vmap(lambda t: t[0])((z((3, 4)), z((5, 4))))
jax.vmap(lambda x: (x, x), out_axes=(0, 1))(z((3, 4)))
jax.vmap(lambda x: [x, x])(z((3, 4)))
jax.vmap(lambda x: jnp.concatenate([x, x]))(z((3, 4)))
jax.vmap(lambda x: x @ jnp.zeros((5, 6)))(z((3, 4)))
jax.vmap(functools.partial(jnp.sum, axis=0))(z((3, 4, 5)))
functools.partial(jax.vmap, in_axes=(None, 0))(jnp.dot)(z((4,)), z((3, 4)))
jax.jit(jax.vmap(jnp.dot))(z((3, 4)), z((3, 4)))
jax.vmap(jax.jit(jnp.dot))(z((3, 4)), z((3, 4)))
jax.vmap(jax.checkpoint(lambda x: x.sum()))(z((3, 4)))
eqx.filter_vmap(lambda x, s: (x.sum(), s))(z((3, 4)), 2.0)
eqx.filter_vmap(lambda x, s: x)(z((3, 4)), "a")
eqx.filter_vmap(lambda x, s: x)(z((3, 4)), z(5))
eqx.filter_vmap(lambda x, s: x + s, in_axes=(0, None))(z((3, 4)), z(4))
eqx.filter_vmap(lambda x: x, out_axes=1)(z((3, 4)))
eqx.filter_vmap(in_axes=(0, None))(lambda x, y: x + y)(z((3, 4)), z((4,)))
jax.vmap(linear)(z((3, 4)))
jax.vmap(jax.vmap(linear))(z((2, 3, 4)))
jax.vmap(linear)(z((3, 7)))
jax.vmap(jax.vmap(linear, in_axes=1), in_axes=-1)(z((4, 3, 2)))
"""
"""Calls; `z` makes zeros, `linear` is a layer from 4 features to 5."""

GRADIENTS = """
jax.grad(lambda w, x: (x @ w).sum())(z((4, 5)), z((3, 4)))
jax.grad(lambda w, x: (x @ w).sum(), argnums=1)(z((4, 5)), z((3, 4)))
jax.grad(lambda w, x: (x @ w).sum(), argnums=(0, 1))(z((4, 5)), z((3, 4)))
jax.grad(lambda w, x: (x @ w).sum(), (0,))(z((4, 5)), z((3, 4)))
jax.grad(lambda w, x: (x @ w).sum(), argnums=-1)(z((4, 5)), z((3, 4)))
jax.grad(lambda w, x: ((x @ w).sum(), x), has_aux=True)(z((4, 5)), z((3, 4)))
jax.value_and_grad(lambda w, x: (x @ w).sum())(z((4, 5)), z((3, 4)))
jax.value_and_grad(lambda w, x: ((x @ w).sum(), x), has_aux=True)(z((4, 5)), z((3, 4)))
jax.value_and_grad(lambda w, x: ((x @ w).sum(), x), (0, 1), True)(z((4, 5)), z((3, 4)))
jax.grad(lambda x: x * 2)(2.0)
jax.grad(lambda p: (p["a"] @ p["b"]).sum())({"a": z((2, 3)), "b": z((3, 4))})
jax.grad(lambda w, x: (x @ w).sum())(z((4, 5)), x=z((3, 4)))
jax.grad(lambda w, x: (x @ w).sum())(z((4, 5)), z((3, 5)))
eqx.filter_grad(lambda w, x: (x @ w).sum())(z((4, 5)), z((3, 4)))
eqx.filter_value_and_grad(lambda w, x: (x @ w).sum())(z((4, 5)), z((3, 4)))
eqx.filter_value_and_grad(lambda w, x: ((x @ w).sum(), x), has_aux=True)(z((4, 5)), z((3, 4)))
eqx.filter_grad(lambda w, x: ((x @ w).sum(), x), has_aux=True)(z((4, 5)), z((3, 4)))
jax.vmap(jax.grad(lambda x: (x * x).sum()))(z((3, 4)))
jax.vmap(jax.value_and_grad(lambda w, x: w @ x), in_axes=(None, 0))(z((4,)), z((3, 4)))
"""
"""Gradients."""

CALLING = """
jax.tree.map(lambda x: x.sum(0), {"a": z((2, 3)), "b": (z((4, 5)), [z((1, 7))])})
jax.tree.map(lambda x, y: x + y, (z(3), z(4)), (z(3), z(4)))
jax.tree.map(lambda x, y: x + y, (z(3), z(4)), (z(3), z(5)))
jax.tree.map(lambda x: x[None], z(3))
jax.tree.map(lambda x: x, (None, z(3)))
jax.tree.map(lambda x, y: x + y[0], (z(3), z(4)), ((z(3),), (z(4), z(5))))
jax.tree_util.tree_map(jnp.sum, [z((2, 3)), z(4)])
jax.tree.leaves({"b": z(3), "a": (z(4), None, [z(5)])})
jax.lax.map(lambda x: x.sum(), z((3, 4)))
jax.lax.map(lambda t: t[0] + t[1], (z((3, 4)), z((3, 4))))
jax.lax.map(lambda t: t[0], (z((3, 4)), z((5, 4))))
jax.lax.scan(lambda c, x: (c + x, c * 2), z(4), z((7, 4)))
jax.lax.scan(lambda c, x: (c, c), z(4), None, length=5)
jax.lax.scan(lambda c, x: (c, x[0]), z(4), (z((7, 4)), z((6, 4))))
jax.lax.scan(lambda c, x: (c + x, None), 0.0, z((7,)))
jax.lax.scan(lambda c, x: ({"h": c["h"] + x}, (x, c["h"][0])), {"h": z(4)}, xs=z((7, 4)))
jax.lax.scan(lambda c, x: (c + x @ jnp.zeros((5, 4)), c), z(4), z((7, 4)))
jax.lax.fori_loop(0, 3, lambda i, c: c + 1, z(4))
jax.lax.fori_loop(0, 3, lambda i, c: (c[0] + c[1][i], c[1]), (z(4), z((3, 4))))
jax.lax.while_loop(lambda c: c[0].sum() < 3, lambda c: (c[0] + 1, c[1]), (z(4), z(5)))
jax.lax.cond(True, lambda x: x + 1, lambda x: x * 2, z(4))
jax.lax.cond(True, lambda: z(4), lambda: jnp.ones(4))
jax.lax.cond(True, lambda x: x @ jnp.zeros((5, 4)), lambda x: x, z(4))
jax.lax.switch(0, [lambda x: (x, 1.0), lambda x: (x + 1, 2.0)], z(4))
jax.lax.associative_scan(jnp.add, z((3, 4)))
jax.eval_shape(lambda x: x[0], z((3, 4)))
jax.named_call(lambda x: x.sum(0), name="a")(z((3, 4)))
jax.lax.stop_gradient(z((3, 4)))
"""
"""Functions that call their arguments."""

UNTOLD = """
jax.grad(lambda x: x)(z((4,)))
jax.tree.map(lambda x, y: x + y, (z(3), z(4)), (z(3),))
jax.lax.scan(lambda c, x: (jnp.concatenate([c, x]), c), z(4), z((7, 4)))
jax.lax.scan(lambda c, x: (c, x), z(4), z((7, 4)), length=6)
jax.lax.fori_loop(0, 3, lambda i, c: c[None], z(4))
jax.lax.cond(True, lambda x: x[None], lambda x: x * 2, z(4))
jax.vmap(lambda x: x)(z(()))
eqx.filter_vmap(lambda x, y: x + y)(z((3, 4)), z(()))
jax.vmap(lambda x: x)(1.0)
jax.vmap(lambda l: l)([1, 2, 3])
jax.vmap(lambda x, y: (x, y), in_axes=(0, None), out_axes=(None, 0))(z((3,)), z((7, 8)))
jax.vmap(lambda x, y: x + y, in_axes=(0,))(z((3, 4)), z((3, 4)))
jax.vmap(lambda x: x, in_axes=None)(z((3, 4)))
jax.vmap(lambda x: x, axis_size=7)(z((3, 4)))
eqx.filter_vmap(lambda x, s: x + s, in_axes=dict(s=None))(z((3, 4)), z(4))
eqx.filter_vmap(lambda x, y: x + y)(z((3, 4)), y=z((3, 4)))
jax.vmap(lambda x: jax.lax.psum(x, "i"), axis_name="i")(z((3, 4)))
"""
"""Calls that the analyzer does not know, or knows only in part."""


def leaves(value: Any) -> Any:
    """A tree as JSON, with the sizes of each array in its place."""
    if isinstance(value, dict):
        return {key: leaves(leaf) for key, leaf in value.items()}
    if isinstance(value, (tuple, list)):
        return {str(index): leaves(leaf) for index, leaf in enumerate(value)}
    return list(value.shape) if hasattr(value, "shape") else None


def main() -> None:
    jax, eqx = import_module("jax"), import_module("equinox")
    names = {
        "jax": jax,
        "jnp": import_module("jax.numpy"),
        "eqx": eqx,
        "functools": import_module("functools"),
        "z": import_module("jax.numpy").zeros,
        "linear": eqx.nn.Linear(4, 5, key=jax.random.key(0)),
    }
    rows = []
    for calls, untold in ((MAPS + GRADIENTS + CALLING, False), (UNTOLD, True)):
        for call in filter(None, calls.splitlines()):
            row: dict[str, Any] = {"call": call} | ({"untold": True} if untold else {})
            try:
                row["gives"] = leaves(eval(call, names))
            except Exception as wrong:
                row["raises"] = f"{type(wrong).__name__}: {wrong}".splitlines()[0]
            rows.append(json.dumps(row))
    (HERE / "transforms_jax.jsonl").write_text("\n".join(rows) + "\n")


main()
