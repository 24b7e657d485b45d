# NC401: the comment leaves the leading *sample dims out, and the right return is reported; seen in inferno attention.py
from jaxtyping import Float
from torch import Tensor

def f(q: Float[Tensor, "*sample batch tok emb"], proj) -> Float[Tensor, "*sample batch tok emb"]:
    q = proj(q)  # (batch, tok, emb)
    return q
