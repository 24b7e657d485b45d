"""Instances of pytrees that hold several, stacked along a leading dim (NC404).

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "a dataclass that is registered": """
        import dataclasses, jax, jax.numpy as jnp
        from functools import partial
        from jaxtyping import Array, Float, Int

        @jax.tree_util.register_dataclass
        @dataclasses.dataclass
        class Cache:
            key: Float[Array, "b n d"]
            index: Int[Array, "b"]
            length: int = 0

        def layer(x: Float[Array, "b d"], cache: Cache):
            return x + cache.key.sum(1), cache

        def run(x: Float[Array, "b d"]):
            cache = Cache(key=jnp.zeros((20, 4, 6, 8)), index=jnp.zeros((20, 4)), length=3)
            return jax.lax.scan(layer, x, cache)

        def alone():
            return Cache(jnp.zeros((4, 6, 8)), jnp.zeros(4))

        def one_field():
            return Cache(jnp.zeros((20, 4, 6, 8)), jnp.zeros(4))  # NC404

        def the_other_field():
            return Cache(jnp.zeros((4, 6, 8)), jnp.zeros((20, 4)))  # NC404

        def other_batches():
            return Cache(
                jnp.zeros((20, 4, 6, 8)),  # NC404
                jnp.zeros((20, 5)),  # NC404
            )

        def turned():
            return Cache(
                jnp.zeros((20, 4, 6, 8)),  # NC404
                jnp.zeros((4, 20)),  # NC404
            )
        """,
    "registered with options, or below": """
        import jax, jax.numpy as jnp
        from dataclasses import dataclass
        from functools import partial
        from jax.tree_util import register_dataclass, register_pytree_node
        from jaxtyping import Array, Float

        @partial(register_dataclass, data_fields=["h"], meta_fields=[])
        @dataclass
        class Options:
            h: Float[Array, "d"]

        @dataclass(frozen=True)
        class Below:
            h: Float[Array, "d"]

        register_dataclass(Below, data_fields=["h"], meta_fields=[])

        @jax.tree_util.register_pytree_node_class
        @dataclass
        class WithMethods:
            h: Float[Array, "d"]

            def tree_flatten(self):
                return (self.h,), None

        @dataclass
        class Plain:
            h: Float[Array, "d"]

        def build(layers: int, d: int):
            a = Options(jnp.zeros((layers, d)))
            b = Below(h=jnp.zeros((layers, 2, d)))
            c = WithMethods(jnp.zeros((3, 4)))
            return a, b, c, Plain(jnp.zeros((layers, d)))  # NC404
        """,
    "modules of equinox": """
        import equinox as eqx
        import jax, jax.numpy as jnp
        from jaxtyping import Array, Float, PRNGKeyArray

        class Affine(eqx.Module):
            scale: Float[Array, "out in"]
            shift: Float[Array, "out"]

            def __call__(self, x: Float[Array, "in"]) -> Float[Array, "out"]:
                return self.scale @ x + self.shift

        def ensemble(x, members: int):
            many = Affine(jnp.ones((members, 3, 4)), shift=jnp.zeros((members, 3)))
            return jax.vmap(lambda one: one(x))(many)

        def two_stacks(layers: int):
            return Affine(jnp.ones((layers, 2, 3, 4)), jnp.zeros((layers, 2, 3)))
        """,
    "a named tuple": """
        from typing import NamedTuple
        import jax, jax.numpy as jnp
        from jaxtyping import Array, Float

        class State(NamedTuple):
            position: Float[Array, "d"]
            velocity: Float[Array, "d"]

        def step(state: State):
            return state.position + state.velocity

        def many(n: int):
            states = State(jnp.zeros((n, 3)), jnp.zeros((n, 3)))
            return jax.vmap(step)(states)

        def one(n: int):
            return State(jnp.zeros((n, 3)), jnp.zeros(3))  # NC404
        """,
    "a parameter may be given several": """
        import jax.numpy as jnp
        from typing import NamedTuple
        from jaxtyping import Array, Float, Integer

        class Fragment(NamedTuple):
            texture: Integer[Array, ""] = jnp.array(0)
            uv: Float[Array, "2"] = jnp.zeros((2,))

        class Plain(NamedTuple):
            texture: Array = jnp.array(0)

        def first(values: Fragment, uv: Array) -> Fragment:
            return Fragment(texture=values.texture[0], uv=uv)

        def first_of_plain(values: Plain) -> Plain:
            return values._replace(texture=values.texture[0])

        def last_dim(values: Fragment):
            return values.uv.reshape(-1, 2) @ jnp.zeros((3, 2))  # NC203
        """,
    "no tree": """
        from typing import NamedTuple
        import torch
        from jaxtyping import Float
        from torch import Tensor

        class State(NamedTuple):
            position: Float[Tensor, "d"]
            velocity: Float[Tensor, "d"]

        def many(n: int):
            p = torch.zeros(n, 3)
            return State(p, torch.zeros(3))  # NC404
        """,
    "a number stands for an array of one instance": """
        import dataclasses, jax, jax.numpy as jnp
        from jaxtyping import Array, Float, Int

        @jax.tree_util.register_dataclass
        @dataclasses.dataclass
        class Carry:
            step: Int[Array, ""]
            h: Float[Array, "d"]

        def first(d: int):
            return Carry(step=0, h=jnp.zeros((2, d)))  # NC404

        def stacked(d: int):
            return Carry(step=jnp.zeros(2), h=jnp.zeros((2, d)))
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])
