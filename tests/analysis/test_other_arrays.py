"""Sparse matrices, tables, subclasses of tensors: methods of arrays, and rules of their own.

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
    "a subclass of tensors has methods of its own": """
        import torch
        from torch import Tensor

        class Symbols(Tensor):
            def permute(self, shifts=1):
                raise NotImplementedError

            def inverse(self) -> "Symbols":
                raise NotImplementedError

        class Signs(Symbols):
            def permute(self, shifts=1) -> "Signs":
                return self.roll(shifts, dims=-1)

            def inverse(self) -> "Signs":
                return self.clone()

        def ensure(data, cls=None) -> Symbols:
            x = torch.as_tensor(data)
            if cls is not None:
                return x.as_subclass(cls)
            if isinstance(x, Symbols):
                return x
            return x.as_subclass(Signs)

        def ensured(x):
            x = ensure(x)
            n, d = x.shape
            return x.permute(3).inverse()

        def annotated(x: Symbols):
            y = torch.roll(x[0] * 2, 1)
            return y.permute(1).inverse()

        def declared(path):
            def read(path) -> Symbols:
                return unknown(path)

            return read(path).permute(1).inverse()

        def cast():
            return torch.randn(4, 5).as_subclass(Signs).permute(1)

        def constructed():
            x = Signs(torch.randn(3, 4))
            for i in range(3):
                x = x.permute(i)
            return x.clone()[1:].permute(1).inverse()

        def plain():
            return torch.randn(4, 5).permute(1)  # NC303

        def plain_again():
            x = torch.randn(4, 5).as_subclass(torch.Tensor)
            return x.permute(1)  # NC303
        """,
    "a subclass that only adds attributes": """
        import torch

        class Image(torch.Tensor):
            name = "image"

            def __new__(cls, data):
                return data.as_subclass(cls)

            def __repr__(self):
                return self.name

            def title(self):
                return self.name

        x = torch.randn(4, 5).as_subclass(Image)
        x.permute(1)  # NC303
        """,
    "a subclass that has operators of its own": """
        import numpy as np
        import torch

        class Traced(torch.Tensor):
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                return func(*args)

        class Lists(np.ndarray):
            def __matmul__(self, other):
                return self

            def transpose(self, k):
                return self

        x = torch.randn(3, 4).as_subclass(Traced)
        x @ torch.randn(3, 4)
        y = np.zeros((3, 4)).view(Lists)
        y @ y.transpose(7)
        z = np.zeros((3, 4))
        z @ z.transpose(7)  # NC303
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name], but="NC209")
