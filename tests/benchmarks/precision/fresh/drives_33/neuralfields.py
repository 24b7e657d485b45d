"""Recurrent layers of potentials: whole sequences, single ones, states that are given."""

import torch
from _lib import bypass

FILE = "neuralfields-0.5.2/neuralfields/potential_based.py"
MODULE = "neuralfields.potential_based"


def setup():
    bypass("neuralfields", "neuralfields-0.5.2/neuralfields")


def run(module):
    from neuralfields.neural_fields import NeuralField
    from neuralfields.simple_neural_fields import SimpleNeuralField, pd_cubic

    batch, sequence = torch.randn(5, 13, 3), torch.randn(3 * 11)
    field = NeuralField(input_size=3, hidden_size=17, output_size=2)
    simple = SimpleNeuralField(
        input_size=3, output_size=7, potentials_dyn_fcn=pd_cubic, kappa_learnable=True
    )
    started = NeuralField(
        input_size=3,
        hidden_size=19,
        activation_nonlin=torch.tanh,
        potentials_init=torch.randn(1, 19),
        tau_init=5.0,
        tau_learnable=False,
    )
    outputs = []
    for model, size in ((field, 17), (simple, 7), (started, 19)):
        outputs += [model(batch), model(sequence), model(batch, torch.randn(5, size))]
        outputs += [model.init_hidden(), model.init_hidden(4), model.tau, model.kappa]
        outputs += [model.stimuli_external, model.stimuli_internal, repr(model)]
        model.param_values = model.param_values * 0.5
        outputs.append(model.param_values)
    return outputs
