"""Sparse matrices and tables: they have the methods of arrays, and rules of their own.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "a sparse matrix keeps the dim that it sums over": """
        import numpy as np
        import scipy.sparse as sps
        from scipy.sparse import coo_matrix, csr_matrix

        class Table:
            def __init__(self, m):
                self.m = csr_matrix(m)

            def centred(self):
                n, t = self.m.shape
                return self.m - self.m.mean(axis=1)

            def shares(self):
                n, t = self.m.shape
                part = self.m[:, :t].multiply(2)
                n, t = part.shape
                return part / part.sum(axis=1)

        def converted(m):
            m = coo_matrix(m).tocsr()
            n, t = m.shape
            total = m.sum(1)
            m /= total
            return -m - total

        def annotated(m: sps.csr_matrix):
            n, t = m.shape
            return m - m.sum(1)

        def given(m):
            n, t = m.shape
            return m - m.sum(1)

        def attribute(data):
            x = data.X
            n, t = x.shape
            return x - x.mean(axis=1)

        def dense(m):
            m = np.asarray(m)
            n, t = m.shape
            return m - m.sum(1)  # NC202

        def made_dense(m):
            m = np.array(csr_matrix(m).toarray())
            n, t = m.shape
            return m - m.mean(axis=1)  # NC202
        """,
    "without sparse matrices an array is an array": """
        import numpy as np

        def given(m):
            n, t = m.shape
            return m - m.sum(1)  # NC202
        """,
    "a file of PyTorch": """
        import torch
        import scipy.sparse as sps

        def given(m: torch.Tensor):
            n, t = m.shape
            return m - m.sum(1)  # NC202

        def layered(x):
            n, t = x.shape
            return x.softmax(-1) - x.sum(1)  # NC202
        """,
    "tables and arrays with labels": """
        import numpy as np
        import pandas as pd
        import xarray as xr

        def read(path):
            table = pd.read_csv(path)
            n, t = table.shape
            return table - table.mean(axis=0), table.T + table.sum(axis=1)

        def labelled(values):
            grid = xr.DataArray(values, dims=("lat", "lon"))
            n, t = grid.shape
            return grid - grid.mean(axis=1)

        def plain(table: pd.DataFrame):
            values = np.asarray(table.values)
            n, t = values.shape
            return values - values.mean(axis=1)  # NC202
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name], but="NC209")
