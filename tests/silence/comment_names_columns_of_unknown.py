# NC402: `# (x1, y1, x2, y2)` names the columns of an unknown array, not four dims; seen in mlsd/utils.py
import numpy as np

def f(merged):
    segs = np.array(merged)  # (x1, y1, x2, y2)
    end = segs[:, 2:]  # (x2, y2)
    return end
