"""The head of a detector at two scales: training, evaluation, corners, export."""

import torch

FILE = "kindle-0.4.16/kindle/modules/yolo_head.py"


def run(module):
    anchors = ((10.0, 13.0, 16.0, 30.0, 33.0, 23.0), (30.0, 61.0, 62.0, 45.0, 59.0, 119.0))
    fine, coarse = torch.randn(2, 11, 17, 19), torch.randn(2, 13, 5, 7)
    head = module.YOLOHead(6, anchors, n_channels=(11, 13), strides=(8.0, 16.0))
    head.initialize_biases()
    corners = module.YOLOHead(6, anchors, (11, 13), (8.0, 16.0), out_xyxy=True).eval()
    corners.initialize_biases(class_frequency=torch.arange(1.0, 7.0))
    trained = head([fine, coarse])
    outputs = [*trained, *head.eval()([fine, coarse]), *corners([fine, coarse])]
    return [*outputs, *head.export()([fine, coarse])]
