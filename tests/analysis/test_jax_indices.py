"""JAX takes the nearest element for an index past the end; NumPy and PyTorch raise.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

from namecheck.analysis import analyze_text

PROGRAMS = {
    "an index past the end, and too many": """
        import jax
        import jax.numpy as jnp

        def past(x):
            a = jnp.zeros((3, 4))
            return a[3]  # NC301

        def before():
            a = jnp.zeros((3, 4))
            return a[:, -5]  # NC301

        def many():
            a = jnp.zeros((3, 4))
            return a[0, 0, 0]  # NC301

        def axis():
            a = jnp.zeros((3, 4))
            return a.sum(2)  # NC301
        """,
    "updates, functions, indices that are arrays": """
        import jax
        import jax.numpy as jnp

        def update():
            a = jnp.zeros((3, 4))
            return a.at[3].set(1.0)

        def update2():
            a = jnp.zeros((3, 4))
            return a.at[:, 7].add(1.0)

        def got():
            a = jnp.zeros((3, 4))
            return a.at[7].get(mode="fill", fill_value=0)

        def take():
            a = jnp.zeros((3, 4))
            return jnp.take(a, 5, axis=0)

        def lists():
            a = jnp.zeros((3, 4))
            return a[jnp.array([5, 6])]

        def dyn():
            a = jnp.zeros((3, 4))
            return jax.lax.dynamic_index_in_dim(a, 5), jax.lax.index_in_dim(a, 5)
        """,
    "a placeholder of one element": """
        import jax
        import jax.numpy as jnp

        def placeholder(ts=jnp.empty((1, 1))):
            return ts[1] - ts[0]

        def used():
            return jnp.ones(8) + placeholder()
        """,
    "an array that is written to": """
        import jax.numpy as jnp

        def f():
            a = jnp.zeros((3, 4))
            a[5] = 1.0  # NC301
            return a
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])


@pytest.mark.parametrize(
    ("package", "level", "words"),
    [
        ("jax.numpy", "warning", "JAX does not raise, it reads index 2"),
        ("numpy", "error", "cannot index [3, 4]: index 3 is out of bounds"),
        ("torch", "error", "cannot index [3, 4]: index 3 is out of bounds"),
    ],
)
def test_the_level_is_that_of_the_library(package: str, level: str, words: str) -> None:
    text = f"import {package} as np\n\ndef f():\n    return np.zeros((3, 4))[3]\n"
    (finding,) = analyze_text("a.py", text).findings
    assert finding.level == level
    assert words in finding.message
