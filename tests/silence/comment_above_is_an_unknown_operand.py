# NC402: the comment above names the unknown operand of the permute and is taken for its result; seen in zipenhancer_layer.py
from torch import nn

class Net(nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, src):
        # src: (b, c, t, f)
        b, c, t, f = src.size()
        out_f = self.layer(src)

        # (f, t, b, c)
        out = out_f.permute(2, 3, 1, 0)
        # (b, c, t, f)
        # out = self.layer(out)

        out_t = out.permute(2, 3, 0, 1)  # (t, f, b, c)
        return out_t
