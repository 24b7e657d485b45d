import torch


def feature_mask(batch, name):
    mask = batch[name].bool()
    while mask.dim() > 2 and mask.shape[1] == 1:
        mask = mask[:, 0]
    if mask.dim() == 1:
        mask = mask.unsqueeze(0)
    return mask


def test_one():
    batch = {"mask": torch.tensor([1, 0, 1])}
    assert feature_mask(batch, "mask").shape == (1, 3)
