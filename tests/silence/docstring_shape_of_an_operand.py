# NC402: the docstring gives the shape of an operand of the product that is returned; seen in zetascale 2.8.8
import torch

def attend(query, key, value):
    """
    Args:
        query (torch.Tensor): The query tensor of shape (..., L, H).
        key (torch.Tensor): The key tensor of shape (..., S, H).
        value (torch.Tensor): The value tensor of shape (..., S, D).

    Returns:
        torch.Tensor: The attention weights tensor of shape (..., L, S) multiplied by the value tensor.
    """
    weights = torch.softmax(query @ key.transpose(-2, -1), dim=-1)
    return weights @ value
