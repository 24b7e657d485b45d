# NC208: a layer norm over (8, 8) fixes both dims, which are called h and w afterwards; seen in metnet PartitionAttention.py
from torch import nn

class Att(nn.Module):
    def __init__(self, ch: int):
        super().__init__()
        self.q = nn.Conv2d(ch, ch, kernel_size=1)

    def forward(self, X):
        N, C, H, W = X.size()
        Q = self.q(X).view(N, C, H * W)
        return Q.view(N, C, H, W)

class Part(nn.Module):
    def __init__(self, ch: int, window=(8, 8), pre_norm=nn.LayerNorm):
        super().__init__()
        self.att = Att(ch)
        self.pre = pre_norm(window)

    def part(self, X):
        raise NotImplementedError

    def forward(self, X):
        """
        X : torch.Tensor
            Input tensor of the shape [N, C, H, W].
        """
        p = self.part(X)
        return p + self.att(self.pre(p))
