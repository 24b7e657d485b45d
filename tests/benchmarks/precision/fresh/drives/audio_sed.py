"""Sound events in every segment: attention over the steps and over the channels."""

import torch

FILE = "audio_sed-0.0.2.1/audio_sed/pytorch/sed_block.py"


def run(module):
    features = torch.randn(2, 11, 13, 7)
    steps = module.SED_Block([3, 5], in_features=11, hidden_size=17).eval()
    channels = module.SED_Block([3], 13, 17, "softmax", apply_attention="channel").eval()
    outputs = [*steps(features), *channels(features)]
    for activation in ("linear", "tanh", "relu", "gelu", "swish", "elu"):
        outputs.append(module.AttBlock(11, 19, activation)(features[..., 0]))
    module.init_bn(torch.nn.BatchNorm1d(5))
    return [*outputs, module.GlobalAttention(11)(torch.randn(2, 13, 11))]
