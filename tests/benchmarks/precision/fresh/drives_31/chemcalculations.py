"""A flow map of chemical species through a latent space: residuals, logarithms, fractions."""

import json
import tempfile
from pathlib import Path

import torch

FILE = "chemcalculations-0.1.1/chemcalculations/autoencoder_model.py"


def run(module):
    folder = Path(tempfile.mkdtemp())
    species = ["H2", "He", "CO", "H2O", "CH4"]
    stats = {name: {"log_mean": -float(n), "log_std": 1.0 + n} for n, name in enumerate(species)}
    (folder / "normalization.json").write_text(json.dumps({"per_key_stats": stats}))
    data = {"species_variables": species, "global_variables": ["T", "P"]}
    some = {**data, "target_species": ["CO", "H2", "CH4"]}
    sizes = {
        "latent_dim": 7,
        "encoder_hidden": [13, 11],
        "dynamics_hidden": [17],
        "decoder_hidden": [19, 23],
    }
    y, dt, g = torch.rand(3, 5), torch.rand(3, 4), torch.rand(3, 2)
    outputs = []
    for targets, options in (
        (data, {}),
        (some, {"activation": "leaky_relu", "dropout": 0.1}),
        (some, {"predict_delta": False, "predict_delta_log_phys": True, "activation": "silu"}),
        (some, {"predict_delta": False, "softmax_head": True, "allow_partial_simplex": True}),
        (data, {"predict_delta": False, "vae_mode": True, "dynamics_residual": False}),
    ):
        paths = {"processed_data_dir": str(folder)}
        config = {"data": targets, "model": {**sizes, **options}, "paths": paths}
        model = module.create_model(config).eval()
        outputs += [model(y, dt, g), model.kl_loss, model(y, dt.unsqueeze(-1), g)]
        if model.log_mean is not None:
            model.check_stat_consistency(model.log_mean, model.log_std)
    simple = module.SimpleMLP(global_dim=2, state_dim=5, hidden_dims=[11, 13]).eval()
    dynamics = module.LatentDynamics(7, 2, [11], module.get_activation("elu"))
    return [*outputs, simple(y, dt, g), dynamics(torch.rand(3, 7), torch.rand(3), g)]
