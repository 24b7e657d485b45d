def attend(q, k, v, scale):
    """
    Args:
        q: (b, h, t, d)
        k: (b, h, s, d)
        v: (b, h, s, d)
    """
    scores = q @ k.transpose(-2, -1) * scale.exp()  # (b, h, t, t)
    weights = scores.softmax(-1)
    return weights @ v
