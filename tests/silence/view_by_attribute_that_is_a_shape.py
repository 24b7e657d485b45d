# NC303 error: `x.view(self.input_dim)` with an attribute that nobody in the class assigns; it is a shape (set from outside, and indexed elsewhere in the class), but taken for one int; seen in lightning-uq-box spectral_normalized_layers.py
import torch
from torch.nn.functional import conv2d, conv_transpose2d


class Norm:
    def compute(self, module, u, v):
        weight, stride = module.weight, module.stride
        extra = 1 - self.input_dim[-1] % 2
        vs = conv_transpose2d(u.view(self.output_dim), weight, stride=stride, output_padding=extra)
        us = conv2d(v.view(self.input_dim), weight, stride=stride, bias=None)
        return torch.dot(u.view(-1), us.view(-1)), vs

    @staticmethod
    def apply(module, input_dim):
        fn = Norm()
        fn.input_dim = input_dim
        fn.output_dim = conv2d(torch.randn(input_dim), module.weight).shape
        return fn
