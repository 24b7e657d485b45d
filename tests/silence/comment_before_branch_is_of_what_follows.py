# NC402: the comment before the if is of the value that its branches make, not of the statement above; seen in modelscope deformable_transformer.py
import torch.nn.functional as F

def attend(q, offsets, x, heads, levels, points):
    N, L, _ = q.shape
    w = x.view(N, L, heads, levels * points)
    w = F.softmax(w, -1).view(N, L, heads, levels, points)
    # N, L, heads, levels, points, 2

    if offsets.shape[-1] == 2:
        where = offsets.view(N, L, heads, levels, points, 2)
    else:
        raise ValueError
    return where, w
