"""Covariance of returns cleaned by recurrent layers over the eigenvalues: every output."""

import torch
from _lib import bypass

FILE = "rienet_torch-0.1.5/rienet_torch/trainable_layers.py"
MODULE = "rienet_torch.trainable_layers"


def setup():
    bypass("rienet_torch", "rienet_torch-0.1.5/rienet_torch")


def run(module):
    returns = 0.01 * torch.randn(2, 7, 31)
    every = module.RIEnetLayer("all", recurrent_layer_sizes=(5, 3), name="every").eval()
    weights = module.RIEnetLayer("weights", (11,), recurrent_cell="LSTM", name="weights").eval()
    covariance = module.RIEnetLayer(
        ["covariance", "weights"],
        recurrent_layer_sizes=(11,),
        std_hidden_layer_sizes=(13, 5),
        recurrent_direction="forward",
        dimensional_features=("q", "rsqrt_n_days"),
        normalize_transformed_variance=False,
        lag_transform_variant="per_lag",
        name="covariance",
    ).eval()
    transformed = module.RIEnetLayer("input_transformed", name="transformed").eval()
    deviations = module.RIEnetLayer("transformed_std", name="deviations").eval()

    factor = torch.randn(3, 5, 19)
    correlation = factor @ factor.transpose(1, 2) / 19
    cleaner = module.CorrelationEigenTransformLayer(
        (11,), "GRU", "backward", (13,), output_type="all", name="cleaner"
    ).eval()
    one = module.CorrelationEigenTransformLayer((11,), name="one").eval()
    dense = module.DeepLayer([11, 7, 3], dropout_rate=0.1, name="dense").eval()
    recurrent = module.DeepRecurrentLayer(
        [11, 7], final_hidden_layer_sizes=[5], recurrent_model="GRU", normalize="sum", name="r"
    ).eval()
    lags = module.LagTransformLayer.from_config(
        {"variant": "compact", "warm_start": False, "name": "lags", "eps": 1e-6}
    )
    return (
        every(returns),
        weights(returns),
        covariance(returns),
        transformed(returns),
        deviations(returns),
        cleaner(correlation, torch.randn(3, 5, 2)),
        one(correlation, torch.randn(3, 2)),
        one.get_config(),
        dense(torch.randn(2, 5, 13)),
        recurrent(torch.randn(2, 13, 3)),
        lags(torch.randn(3, 5, 17)),
    )
