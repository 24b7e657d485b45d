# NC402: the comment above, under an if, names what came in, the one below the result; seen in zipenhancer_layer.py
def f(src, up, c, keep):
    # src: (b, c, t, f)
    b, c, t, f = src.size()
    src = src.permute(2, 0, 3, 1).reshape(t, b * f, c)
    if keep:
        src = up(src)
    # (t, b * f, c)
    src = src[:t].view(t, b, f, c).permute(0, 2, 1, 3)
    # (t, f, b, c)
    return src
