import torch
from torch import Tensor, nn


class Attention(nn.Module):
    def __init__(self, num_heads: int, size: int, dropout: float = 0.1):
        super().__init__()
        assert size % num_heads == 0            # 0 % 0: ZeroDivisionError with the defaults below
        self.num_heads = num_heads
        self.head_size = head_size = size // num_heads
        self.dropout = nn.Dropout(dropout)

    def forward(self, k: Tensor, v: Tensor):
        b = k.size(0)
        k = k.view(b, -1, self.num_heads, self.head_size).transpose(1, 2)
        v = v.view(b, -1, self.num_heads, self.head_size).transpose(1, 2)
        w = self.dropout(torch.matmul(k, k.transpose(2, 3)).softmax(-1))
        y = torch.matmul(w, v)
        return y.transpose(1, 2).contiguous().view(b, -1, self.num_heads * self.head_size)


class Layer(nn.Module):
    def __init__(self, size: int = 0, num_heads: int = 0, dropout: float = 0.1):
        super().__init__()
        self.att = Attention(num_heads, size, dropout=dropout)

    def forward(self, x: Tensor):
        return self.att(x, x)
