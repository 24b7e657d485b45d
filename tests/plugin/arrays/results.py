"""Results of several tensors, by name and unpacked."""

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from namecheck_runtime import reveal_names


def unpacked(x: Float[Tensor, "b t c"]) -> Float[Tensor, "b c"]:
    values, indices = torch.max(x, 2)
    reveal_names(x).sum(3)  # NC301
    return values  # NC401


def singular(x: Float[np.ndarray, "n m"]) -> Float[np.ndarray, "k"]:
    found = np.linalg.svd(x, full_matrices=False)
    found.Vh @ x  # NC203
    return found.S
