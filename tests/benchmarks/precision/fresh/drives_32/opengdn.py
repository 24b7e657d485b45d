"""A mixer with a gated delta rule: whole sequences, pieces with a state, both backends."""

import torch
from _lib import bypass

FILE = "opengdn-0.1.0/opengdn/mixer.py"
MODULE = "opengdn.mixer"


def setup():
    bypass("opengdn", "opengdn-0.1.0/opengdn")


def run(module):
    x = torch.randn(2, 11, 15)
    mixer = module.GatedDeltaMixer(15, 3, conv_kernel_size=4, backend="reference")
    chunks = module.GatedDeltaMixer(15, 2, head_dim=7, backend="chunkwise", chunk_size=4)
    point = module.GatedDeltaMixer(15, 5, conv_kernel_size=1, backend="reference")
    outputs = [mixer(x), chunks(x), point(x)]
    for model in (mixer, chunks):
        first, state = model(x[:, :8], return_state=True)
        second, state = model(x[:, 8:], state.detach(), return_state=True)
        outputs += [first, second, state.recurrent, state.q_conv, state.k_conv, state.v_conv]
    return outputs
