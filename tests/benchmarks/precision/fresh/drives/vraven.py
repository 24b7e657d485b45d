"""A gate of every kind on a network's activations, and gates that are compiled into its graph."""

from types import SimpleNamespace

import torch
from _lib import bypass

FILE = "vraven-0.10.1/vraven/decompiler/interventions.py"
MODULE = "vraven.decompiler.interventions"


def setup():
    bypass("vraven", "vraven-0.10.1/vraven")
    bypass("vraven.decompiler", "vraven-0.10.1/vraven/decompiler")


def run(module):
    kinds = module.InterventionKind
    direction = torch.randn(7)
    specs = [
        module.InterventionSpec("relu", kinds.ZERO),
        module.InterventionSpec("relu", kinds.REPLACE, baseline=torch.randn(7)),
        module.InterventionSpec("relu", kinds.REPLACE, baseline=0.3),
        module.InterventionSpec("relu", kinds.SCALE, strength=0.5),
        module.InterventionSpec("relu", kinds.ADD, baseline=torch.randn(11, 1), strength=2.0),
        module.InterventionSpec("relu", kinds.ADD),
        module.InterventionSpec("relu", kinds.ERASE_DIRECTION, direction=direction),
        module.InterventionSpec(
            "relu", kinds.SET_CONCEPT, feature_axis=1, direction=torch.randn(11), coefficient=1.5
        ),
        module.InterventionSpec(
            "relu", kinds.SET_CONCEPT_MEAN, direction=direction, coefficient=torch.tensor(0.7)
        ),
        module.InterventionSpec("relu", kinds.CLAMP, clamp_min=-0.2, clamp_max=0.4),
    ]
    activations = torch.randn(3, 11, 7)
    outputs = [module.InterventionGate(spec)(activations) for spec in specs]

    network = torch.nn.Sequential(torch.nn.Linear(13, 7), torch.nn.ReLU(), torch.nn.Linear(7, 5))
    captured = SimpleNamespace(graph_module=torch.fx.symbolic_trace(network))
    experiment = module.InterventionExperiment(captured, bootstrap_repeats=17)
    erase = module.InterventionSpec("_1", kinds.ERASE_DIRECTION, direction=direction)
    scale = module.InterventionSpec("_0", kinds.SCALE, strength=0.3)
    result = experiment.run([erase, scale], [torch.randn(3, 13)], target=2)
    compiled = module.GraphInterventionCompiler(captured).compile([erase, scale])
    values = module.capture_intervention_values(compiled, [torch.randn(3, 13)])
    return [
        *outputs,
        result.effect,
        result.baseline_logits,
        result.intervened_logits,
        result.ci_low,
        result.ci_high,
        values,
        module.bootstrap_interval(result.effect, repeats=19, statistic="mean"),
    ]
