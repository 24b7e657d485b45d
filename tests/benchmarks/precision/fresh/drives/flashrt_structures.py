"""Three linear layers packed into one, whose other outputs are read from buffers."""

import torch
from _lib import bypass

FILE = "flashrt_structures-0.2.0/flashrt_structures/impls/qkv_pack/bf16.py"
MODULE = "flashrt_structures.impls.qkv_pack.bf16"


def setup():
    package = "flashrt_structures"
    folder = "flashrt_structures-0.2.0/flashrt_structures"
    bypass(package, folder)
    bypass(f"{package}.impls", f"{folder}/impls")
    bypass(f"{package}.impls.qkv_pack", f"{folder}/impls/qkv_pack")


def run(module):
    query = torch.nn.Linear(13, 22)
    key = torch.nn.Linear(13, 7, bias=False)
    value = torch.nn.Linear(13, 17)
    outputs = []
    for shape in ((3, 5, 13), (11, 13), (29, 13)):  # the last has more rows than the buffers
        packed, *readers = module.bind_qkv_pack([query, key, value], rows=19)
        x = torch.randn(shape)
        outputs += [packed(x), *(reader(x) for reader in readers)]
    plain, _ = module.bind_qkv_pack([key, torch.nn.Linear(13, 5, bias=False)], rows=19)
    return [*outputs, plain(torch.randn(3, 13)), plain.in_features]
