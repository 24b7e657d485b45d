"""Quantizers with learned steps, of activations and of weights, by layer and by kernel."""

import torch
from _lib import bypass, stub

FILE = "torchonn_pyutils-0.0.3.3/pyutils/quant/lsq.py"
MODULE = "pyutils.quant.lsq"


def setup():
    bypass("pyutils", "torchonn_pyutils-0.0.3.3/pyutils")
    bypass("pyutils.quant", "torchonn_pyutils-0.0.3.3/pyutils/quant")
    stub("pyutils.general")


def run(module):
    rows, images = torch.randn(5, 7), torch.rand(2, 7, 11, 13)
    linear, kernels = torch.randn(7, 11), torch.randn(7, 3, 5, 5)
    outputs = []
    for mode, offset in (("layer_wise", True), ("kernel_wise", True), ("kernel_wise", False)):
        options = {"mode": mode, "offset": offset, "signed": True}
        activation = module.ActQuantizer_LSQ(7, device="cpu", nbits=4, **options)
        weight = module.WeightQuantizer_LSQ(7, device="cpu", nbits=3, **options)
        outputs += [activation(rows), activation(images), weight(linear), weight(kernels)]
        activation.set_bit(6)
        weight.set_bit(5)
        weight.update_param("nbits", 5)
        (activation.eval()(images).sum() + weight(kernels).square().sum()).backward()
        outputs += [activation.alpha.grad, weight.alpha.grad, repr(weight)]
    unsigned = module.ActQuantizer_LSQ(7, device="cpu", nbits=8, mode="kernel_wise", offset=True)
    skipped = module.WeightQuantizer_LSQ(7, device="cpu", nbits=0)
    outputs += [unsigned(images), unsigned.signed, skipped(kernels), repr(skipped)]
    return [*outputs, module.get_sparsity_mask(kernels, 0.3)]
