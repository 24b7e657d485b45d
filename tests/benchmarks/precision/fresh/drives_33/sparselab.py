"""Linear layers with sparse weights: batches of any shape, gradients, new weights."""

import torch
from _lib import bypass, stub

FILE = "sparselab-0.2.2/sparselab/nn.py"
MODULE = "sparselab.nn"


def setup():
    import numpy as np

    class PaddedCSR:
        def __init__(self, nrows, ncols, values, col_indices, row_start, row_nnz, row_capacity):
            self.nrows, self.ncols, self.topology_version = nrows, ncols, 0
            self.values = np.array(values, np.float32)
            self.col_indices = np.array(col_indices, np.int32)
            self.row_start = np.array(row_start, np.int32)
            self.row_nnz = np.array(row_nnz, np.int32)
            self.row_capacity = np.array(row_capacity, np.int32)
            self.nnz = int(self.row_nnz.sum())

        def slots(self):
            for i in range(self.nrows):
                for s in range(self.row_start[i], self.row_start[i] + self.row_nnz[i]):
                    yield i, s, self.col_indices[s]

    def spmm(w, x):
        if x.ndim != 2 or x.shape[0] != w.ncols:
            raise ValueError(f"spmm of ({w.nrows}, {w.ncols}) and {x.shape}")
        y = np.zeros((w.nrows, x.shape[1]), np.float32)
        for i, s, j in w.slots():
            y[i] += w.values[s] * x[j]
        return y

    def gradient(w, dy, x):
        dw = np.zeros_like(w.values)
        for i, s, j in w.slots():
            dw[s] = dy[i] @ x[j]
        return dw

    bypass("sparselab", "sparselab-0.2.2/sparselab")
    stub(
        "sparselab._core",
        PaddedCSR=PaddedCSR,
        spmm_simd=spmm,
        spmm_scalar=spmm,
        spmm_grad_w=gradient,
        spmm_grad_w_simd=gradient,
    )


def run(module):
    layer = module.SparseLinear(11, 7, sparsity=0.6)
    bare = module.SparseLinear(11, 13, bias=False, sparsity=0.3, padding_ratio=0.5)
    x, rows = torch.randn(3, 5, 11, requires_grad=True), torch.randn(17, 11)
    outputs = [layer(x), layer(rows), bare(rows), layer(rows[0]), layer.density, repr(bare)]
    layer(x).square().sum().backward()
    outputs += [x.grad, layer._values.grad, layer.bias.grad]
    layer.reset_parameters()
    return [*outputs, layer(rows), layer.nnz]
