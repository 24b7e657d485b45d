"""Which values the order of merged dims goes with, in functions with loops (NC304).

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "one shuffle of two variables, and a loop below": """
        from einops import rearrange

        def forward(x, labels, layers, pad, size):
            x, mask = pad(x, None)
            labels, _ = pad(labels, mask[:, 1:])
            x = rearrange(x, 'b (i j) -> b (j i)', i=size)
            labels = rearrange(labels, 'b (i j) -> b (j i)', i=size)
            for layer in layers:
                x = layer(x, mask=mask) + x
            return x, labels

        def of_another_rank(x, mask, n, mix):
            x = rearrange(x, 'b (i j) d -> b (j i) d', i=n)
            mask = rearrange(mask, 'b (i j) -> b (j i)', i=n)
            while mask.any():
                x, mask = mix(x, mask)
            return x

        def of_what_is_computed(x, score, n):
            x = rearrange(x, 'b (i j) -> b (j i)', i=n)
            s = rearrange(score(x), 'b (i j) -> b (j i)', i=n)
            return x, s
        """,
    "what a loop below computes": """
        from einops import rearrange

        def after(x, y, blocks, mix):
            y = rearrange(y, 'b h w c -> b (h w) c')
            x = rearrange(x, 'b (w h) c -> b w h c', h=8)
            for block in blocks:
                x = mix(x, y)
                y = block(y, x)
            return x, y

        def before(x, y, blocks, mix):
            for block in blocks:
                x = mix(x, y)
                y = block(y)
            y = rearrange(y, 'b h w c -> b (h w) c')
            return rearrange(x, 'b (w h) c -> b w h c', h=8), y

        def of_its_target(x, maps, mix):
            flat = rearrange(x, 'b (w h) c -> b w h c', h=8)
            z = rearrange(mix(), 'b h w c -> b (h w) c')
            for flat in mix(z):
                pass
            return flat
        """,
    "a loop carries the value": """
        from einops import rearrange

        def above(x, blocks, h):
            for block in blocks:
                x = rearrange(x, 'b h w c -> b (h w) c')
                x = block(x)
                x = rearrange(x, 'b (w h) c -> b h w c', h=h)  # NC304
            return x

        def around(x, y, blocks, h):
            for block in blocks:
                x = rearrange(y, 'b h w c -> b (h w) c')
                y = block(x)
                y = rearrange(y, 'b (w h) c -> b h w c', h=h)  # NC304
            return y

        def below(x, blocks, h):
            x = rearrange(x, 'b h w c -> b (h w) c')
            for block in blocks:
                x = block(x)
            return rearrange(x, 'b (w h) c -> b h w c', h=h)  # NC304

        def in_the_next_round(x, y, blocks, h):
            while blocks:
                z = rearrange(x, 'b h w c -> b (h w) c')
                a = rearrange(y, 'b (w h) c -> b h w c', h=h)  # NC304
                y = blocks.pop()(z)
            return a
        """,
    "a shuffle is split again": """
        from einops import rearrange

        def once(x, n, layers):
            x = rearrange(x, 'b (i j) -> b (j i)', i=n)
            for layer in layers:
                x = layer(x)
            return rearrange(x, 'b (i j) -> b i j', i=n)  # NC304
        """,
    "a function inside another one": """
        from einops import rearrange

        def outer(x, z, h):
            def split(y):
                return rearrange(y, 'b (w h) c -> b h w c', h=h)

            z = rearrange(z, 'b h w c -> b (h w) c')
            return split(x), z
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])
