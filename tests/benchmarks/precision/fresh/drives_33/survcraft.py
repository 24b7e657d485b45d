"""Losses of survival models: Brier scores, likelihoods, classification, and their sums."""

import torch

FILE = "survcraft-0.1.0/survcraft/loss_modules.py"


def run(module):
    weights, rates = torch.randn(3), torch.rand(7) + 0.5

    def model(kind, x, times=None):
        rate = torch.exp(x @ weights).unsqueeze(-1) * rates.mean()
        if kind == "expected_time":
            return 1 / rate.squeeze(-1)
        survival = torch.exp(-rate * times)
        if kind == "survival":
            return survival
        if kind == "failure":
            return 1 - survival
        if kind == "density":
            return rate * survival
        return rate * (1 + times)

    x, times, events = torch.randn(23, 3), torch.rand(23) * 5, torch.rand(23) > 0.4
    fixed = torch.tensor([0.5, 1.0, 2.0, 3.0])
    losses = [
        module.BrierLoss(),
        module.SquaredLoss(),
        module.PartialLikelihoodLoss(),
        module.FullLikelihoodLoss(),
        module.BrierBatchTimesLoss(max_times=5),
        module.BCEBatchTimesLoss(max_times=7, unique_times=True, random_sampling=True),
        module.BCEBatchTimesLoss(only_event_times=False),
    ]
    outputs = [loss(model, x, events, times) for loss in losses]
    losses[4].get_times = module.ClassificationFixedTimesLoss.get_times.__get__(losses[4])
    losses[4].times = fixed
    outputs.append(losses[4](model, x, events, times))
    total = losses[0] + 0.5 * losses[2] + losses[3] * 2.0
    outputs += [total(model, x, events, times), str(total), total.coeffs]
    outputs.append(losses[2](model, x, torch.zeros(23, dtype=torch.bool), times))
    outputs.append(module.partial_likelihood_iter(model, x, events, times))
    outputs.append(module.partial_likelihood_vec(model, x, events, times, 1e-6))
    outputs.append(module.partial_likelihood_vec_safe(model, x, events, times, 1e-6))
    hazard = torch.rand(23)
    outputs.append(module.partial_likelihood_sorted(lambda *_: hazard, x, events, times, 1e-6))
    return outputs
