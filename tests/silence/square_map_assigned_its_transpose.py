# NC206: h and w of one unpacking are presumed different although `m[0] = m[0].T` says that the map is square (and row 0 takes arange(h) as row 1 takes arange(w)); seen 4 times in e2cnn, whose map is resized to (size, size)
import numpy as np


def error(module, image, size):
    out = module(image.resize((size, size)))
    b, c, h, w = out.shape
    mask = np.zeros((2, h, w))
    mask[1, :, :] = np.arange(0, w) - w / 2
    mask[0, :, :] = np.arange(0, h) - h / 2
    mask[0, :, :] = mask[0, :, :].T
    inside = mask[0] ** 2 + mask[1] ** 2 < (h / 4) ** 2
    return out[..., inside]
