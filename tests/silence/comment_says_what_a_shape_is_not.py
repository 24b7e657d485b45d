# NC402: `(n, c, h, w) and not` ends one line, `(n, c, w, h)` is the next; seen in pytorch3d implicit_function/utils.py
import torch


def turn(source: torch.Tensor) -> torch.Tensor:
    """Turn a grid.

    Args:
        source: tensor of shape (n_grids, features, width, height),
    """
    # permuting because grid_sample works with
    # (features, height, width) and not
    # (features, width, height)
    source = source.permute(0, 1, 3, 2)
    return source
