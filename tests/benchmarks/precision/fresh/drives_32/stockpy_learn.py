"""Recurrent layers and a network of linear ones, to classify and to regress."""

import torch
from _lib import bypass, stub

FILE = "stockpy_learn-0.3.2/stockpy/neural_network/_gru.py"
MODULE = "stockpy.neural_network._gru"


def setup():
    bypass("stockpy", "stockpy_learn-0.3.2/stockpy")
    bypass("stockpy.neural_network", "stockpy_learn-0.3.2/stockpy/neural_network")
    stub("stockpy.base", Regressor=type("Regressor", (), {}), Classifier=type("Classifier", (), {}))
    stub("stockpy.utils", get_activation_function=lambda name: torch.nn.Tanh())


def run(module):
    x = torch.randn(3, 19, 5)
    classifier = module.GRUClassifier(rnn_size=11, hidden_size=[13, 7], num_layers=2)
    classifier.n_features_in_, classifier.n_classes_ = 5, 4
    normed = module.GRUClassifier(rnn_size=11, hidden_size=17, batch_norm=True, layer_norm=True)
    normed.n_features_in_, normed.n_classes_ = 5, 4
    regressor = module.GRURegressor(rnn_size=23, hidden_size=[2], bias=False, activation="tanh")
    regressor.n_features_in_, regressor.n_outputs_ = 5, 6
    outputs = []
    for model in (classifier, normed, regressor):
        model.initialize_module()
        outputs += [model.eval()(x), model.output_size, model.model_type]
    return outputs
