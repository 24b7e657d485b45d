# NC402: the comment above names what came in, the one below the result; seen in zipenhancer_layer.py
def f(src):
    # src: (b, c, t, f)
    b, c, t, f = src.size()

    # (b, c, t, f)
    src = src.permute(2, 0, 3, 1).contiguous().view(t, b * f, c)
    # -> (t, b * f, c)
    return src
