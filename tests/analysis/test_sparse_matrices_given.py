"""Sparse matrices of unknown calls: what a function does with a value shows that it is one.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "of an unknown call": """
        import numpy as np

        def popularity(dataset, i):
            R = dataset.inter_matrix(form="csr").astype(np.float32)
            num_users, num_items = R.shape
            pop = R.sum(axis=0)
            row_index, col_index = R[i].nonzero()
            return pop[:, col_index].getA1()

        def weighted(load, weights):
            m = load("counts")
            n, t = m.shape
            total = m.sum(axis=1)
            m = m.tocsc()
            return total[:, 0] * weights, m

        def centred(load):
            m = load("counts")
            n, t = m.shape
            return m - np.mean(m, axis=1), m.indptr

        def product(load, k):
            m = load(format="coo")
            n, t = m.shape
            w = np.zeros((t, k))
            return m * w

        def a_row(load, i):
            m = load()
            n, t = m.shape
            row = m[i]
            a, b = row.shape
            return m.mean(0).A1, row

        def plain(load, i):
            m = load()
            n, t = m.shape
            return m - m.sum(axis=1)  # NC202
        """,
    "beside PyTorch": """
        import numpy as np
        import scipy.sparse as sp
        import torch
        from torch import nn

        class Model(nn.Module):
            def __init__(self, dataset, d):
                super().__init__()
                R = dataset.inter_matrix()
                n, m = R.shape
                count = R.sum(axis=0)
                rows = []
                for i in range(n):
                    row, col = R[i].nonzero()
                    values = count[:, col].getA1()
                    rows.append(sp.coo_matrix((values, (row, col)), shape=(1, m)))
                self.rows = sp.vstack(rows)
                self.out = nn.Linear(d, d)

            def forward(self, x):
                h = self.out(x)
                b, n, d = h.shape
                return h - h.sum(1)  # NC202

        def normalised(adj):
            n, m = adj.shape
            degree = adj.sum(1)
            return sp.diags(1 / degree[:, 0]) @ adj

        def of_tensors(adj):
            n, m = adj.shape
            return adj - adj.sum(1)  # NC202
        """,
    "held in an attribute": """
        import numpy as np
        import torch

        class Items:
            def __init__(self, dataset):
                self.R = dataset.inter_matrix(form="csr")
                self.C = dataset.counts().tocsr()

            def popularity(self, i):
                n, m = self.R.shape
                return self.R.sum(axis=0)[:, i]

            def centred(self):
                n, m = self.C.shape
                return self.C - self.C.mean(axis=1)
        """,
    "an attribute of the project with such a name": """
        import torch

        class Filter:
            def __init__(self, n):
                self.A1 = torch.zeros(n, n)

            def apply(self, x):
                n, m = x.shape
                return self.A1 @ (x - x.sum(1))  # NC202
        """,
    "arrays beside sparse matrices": """
        import numpy as np
        import scipy.sparse as sp

        def products(m, k):
            n, t = m.shape
            w = np.zeros((t, k))
            return m @ w @ w  # NC203

        def of_arrays(k, n):
            a = np.zeros((k, n))
            return sp.csr_matrix(a), a - a.sum(axis=1)  # NC202
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])
