"""Two names of one assignment for one dim (NC306), and look-alikes.

A line ends in the code that is reported there.
"""

from __future__ import annotations

from snippets import check_marks


def test_two_names_are_two_dims() -> None:
    check_marks("""
        import numpy as np

        def by_shape(x):
            batch_size, seq_len = x.shape[1], x.shape[1]  # NC306
            return batch_size * seq_len

        def by_size(x):
            batch_size, seq_len = x.size(0), x.size(0)  # NC306
            return batch_size * seq_len

        def from_the_end(x):
            x = np.asarray(x)
            rows, columns = x.shape[-1], x.shape[-1]  # NC306
            return np.zeros((columns, rows))

        def right(x):
            batch_size, seq_len = x.shape[0], x.shape[1]
            return batch_size * seq_len

        def of_three(x):
            batch, queries, keys = x.size(0), x.size(1), x.size(1)
            return batch, queries, keys

        def of_two(x, y):
            rows, columns = x.shape[0], y.shape[0]
            return rows, columns

        def of_one_stem(x):
            side1, side2 = x.shape[0], x.shape[0]
            return side1, side2
        """)
