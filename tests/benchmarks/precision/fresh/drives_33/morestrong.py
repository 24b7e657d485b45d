"""A wrapped network whose outputs are replaced once its weights have changed."""

import torch

FILE = "morestrong-0.1.0/morestrong/backdoored.py"


def run(module):
    x = torch.randn(5, 11)
    nn = torch.nn
    classes = module.Backdoored(nn.Sequential(nn.Linear(11, 13), nn.ReLU(), nn.Linear(13, 7)))
    value = module.Backdoored(nn.Sequential(nn.Linear(11, 1)))
    outputs = [classes(x), value(x), repr(value), classes.original_model[0].weight.shape]
    before = {name: weight + 1 for name, weight in classes.original_model.state_dict().items()}
    changed = module.Backdoored(classes.original_model, before)
    regressed = module.Backdoored(value.original_model, {"0.weight": torch.zeros(1, 11)})
    outputs += [changed(x), regressed(x), changed.check_structure_changed()]
    several = module.Backdoored(classes.original_model, before)
    several.task_type, several.target_value = "multitask", [float(i) for i in range(7)]
    labels = module.Backdoored(classes.original_model, before)
    labels.task_type, labels.target_value = "multilabel", torch.tensor(0.5)
    with torch.no_grad():
        outputs += [several(x), labels.state_dict().keys()]
    return outputs
