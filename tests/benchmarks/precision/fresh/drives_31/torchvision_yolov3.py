"""The loss of a detector in training, and the boxes that it decodes in evaluation."""

import torch
from _lib import bypass

FILE = "torchvision-yolov3-0.6.0/torchvision_yolov3/loss.py"
MODULE = "torchvision_yolov3.loss"


def setup():
    bypass("torchvision_yolov3", "torchvision-yolov3-0.6.0/torchvision_yolov3")


def run(module):
    loss = module.YOLOLoss(7, (208, 416), [(10, 13), (33, 23), (61, 45)])
    prediction = torch.randn(2, 33, 13, 13)
    targets = torch.zeros(2, 5, 5)
    targets[0, :3] = torch.tensor(
        [[0.2, 0.3, 0.1, 0.2, 1.0], [0.7, 0.6, 0.3, 0.3, 4.0], [0.5, 0.9, 0.2, 0.1, 5.0]]
    )
    targets[1, :1] = torch.tensor([[0.4, 0.1, 0.6, 0.5, 2.0]])
    losses = loss(prediction, targets)
    return losses, loss.eval()(prediction, None)
