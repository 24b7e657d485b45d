"""Numbers encoded by sines and cosines of many frequencies."""

import torch

FILE = "karbonn-0.0.3/karbonn/modules/numerical/sine.py"


def run(module):
    values = torch.randn(3, 5)
    outputs = []
    for kind in (module.CosSinNumericalEncoder, module.AsinhCosSinNumericalEncoder):
        single = kind(torch.rand(7), torch.rand(7), learnable=True)
        each = kind(torch.rand(5, 11), torch.rand(5, 11))
        encoders = [
            single,
            each,
            kind.create_rand_frequency(3, 0.1, 2.0),
            kind.create_rand_value_range(4, 0.5, 8.0),
            kind.create_linspace_frequency(6, 0.1, 2.0, learnable=True),
            kind.create_linspace_value_range(13, 0.5, 8.0),
            kind.create_logspace_frequency(17, 0.1, 2.0),
            kind.create_logspace_value_range(2, 0.5, 8.0),
        ]
        for encoder in encoders:
            outputs += [encoder(values), encoder.input_size, encoder.output_size, repr(encoder)]
        outputs.append(single(torch.randn(19)))
    return outputs
