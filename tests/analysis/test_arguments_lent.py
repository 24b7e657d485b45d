"""What only the annotation of a parameter says of an argument is not reported of its caller.

An unknown value has the dims that a parameter is annotated with, once it is given to it: `k` of
`line(f * k)` would be `[n]`. Such an annotation may be wrong, or hold for `f * k` alone, and then
right uses of `k` look wrong. A mark `# NC404` is at the end of the line that is reported.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "a factor of an argument": """
        from jaxtyping import Array, Float

        Scalar = float | Float[Array, ""]

        def line(x: Float[Array, " n"], w: Scalar) -> Float[Array, " n"]:
            return 2.0 * x * w

        def store(k: Scalar) -> Scalar:
            return k + 1.0

        def modes(f: Float[Array, " n"], k: Scalar) -> Float[Array, " n"]:
            a = store(k)
            return line(f * k, a)

        def blend(x: Float[Array, " n"], low: Scalar, high: Scalar) -> Float[Array, " n"]:
            centre = (low + high) / 2
            return store(centre) * line(x * low, 1.0) + line(x * high, centre)

        def wrong(f: Float[Array, " n"]) -> Float[Array, " n"]:
            return line(f[:, None], 1.0)  # NC404
        """,
    "an entry of a dict": """
        import jax
        from jaxtyping import Array, Float

        Scalar = float | Float[Array, ""]

        def line(x: Float[Array, " n"], c: Float[Array, "2"]) -> Float[Array, " n"]:
            return c[0] * x

        def mix(x: Scalar, scale: Scalar) -> Scalar:
            return x * scale

        def every(x: Float[Array, " n"], info: dict, c: Float[Array, "2"]) -> Float[Array, " n"]:
            scale = info["scale"]
            base = line(x / scale, c)
            return jax.vmap(lambda y: mix(y, scale))(x) + base
        """,
    "a wrong annotation of a callee": """
        import equinox as eqx
        import jax
        import jax.numpy as jnp
        from jaxtyping import Array, Float

        def pairs(
            a: Float[Array, " rows d1"], b: Float[Array, " rows d2"]
        ) -> Float[Array, " all d1+d2"]:
            n, m = a.shape[0], b.shape[0]
            return jnp.concatenate([jnp.repeat(a, m, axis=0), jnp.repeat(b, n, axis=0)], axis=1)

        class Rim(eqx.Module):
            count: int
            edge: Float[Array, " count//2 2 2"]

            def __init__(self, count: int, when, ends):
                self.count = count
                self.edge = pairs(when, ends)

        Rows = Float[Array, " n dim"]

        def mix(state: tuple[Array, Rows]) -> tuple[Array, Rows]:
            key, rows = state
            key, sub = jax.random.split(key)
            return key, jax.random.permutation(sub, rows, axis=0)

        def draw(key, at, size):
            key, order = mix((key, jnp.zeros((5, 3))))
            return jax.lax.dynamic_slice(order, (at,), (size,))  # NC303
        """,
    "the state of a loop": """
        import jax
        import jax.numpy as jnp
        from jaxtyping import Array, Float

        def lag(day: Float[Array, ""]) -> Float[Array, ""]:
            return 0.1 * day * day

        def solve(start):
            def body(i, found):
                return start + lag(found)

            found = jax.lax.fori_loop(0, 6, body, start)
            return found[1]

        def once(start: Float[Array, ""]):
            return lag(start)[1]  # NC301
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])
