# NC212: an attribute set on one object is kept for a later, new object; seen in torchgan test_losses.py
import torch
import torch.nn as nn
import torch.nn.functional as F

class Loss(nn.Module):
    def __init__(self, reduction="mean"):
        super().__init__()
        self.reduction = reduction

    def forward(self, x):
        return F.binary_cross_entropy_with_logits(x, x, reduction=self.reduction)

class Test:
    def match(self, loss, x):
        x = torch.Tensor(x).view(-1, 1)
        print(loss(x).item())
        loss.reduction = "none"

    def test_one(self):
        loss = Loss()
        self.match(loss, [1.3, 2.9, 8.4, 6.3])

    def test_two(self):
        loss = Loss()
        self.match(loss, [1.3, 2.9, 8.4, 6.3])

Test().test_one()
Test().test_two()
