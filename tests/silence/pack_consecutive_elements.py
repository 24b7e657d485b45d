# NC205: a reshape that regroups consecutive elements for packing ((.., lanes, width) read as (.., width, lanes)), whose last dim is then taken apart item by item; seen in autoawq pack_intweight
import numpy as np


def pack(weight, lanes, width):
    n, k = weight.shape
    cells = weight.reshape(n // lanes, lanes, k // width, width).transpose(0, 2, 1, 3)
    cells = cells.reshape(n // lanes, k // width, width, lanes)
    words = cells[..., 0] | (cells[..., 1] << 4) | (cells[..., 2] << 8) | (cells[..., 3] << 12)
    return words.reshape(n // lanes, k)
