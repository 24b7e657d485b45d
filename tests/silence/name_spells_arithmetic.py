# NC201: `batch_minus_one` is not recognised as `batch - 1`; seen in lightning-pose losses.py
import torch
from jaxtyping import Float

def clean(
    loss: Float[torch.Tensor, "batch_minus_one k"],
    conf: Float[torch.Tensor, "batch k"],
):
    mask = torch.zeros((conf.shape[0] - 1, conf.shape[1]), dtype=torch.bool)
    loss[mask] = 0.0
    return loss
