# NC307: unit vectors are divided by the root of the length that the next product sums over; seen in zetascale 2.8.8
import math
import torch
import torch.nn.functional as F

def linear_attention(q, k, v):
    b, n, d = k.shape
    k = k.softmax(dim=-2)
    v = F.normalize(v.reshape(b, n, d), dim=-1)
    k, v = k / math.sqrt(n), v / math.sqrt(n)
    context = torch.einsum("bnd,bne->bde", k, v)
    return torch.einsum("bnd,bde->bne", q, context)
