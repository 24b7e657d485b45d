# NC402: `# (x1, y1, x2, y2)` names the columns of an N x 4 array, not four dims; seen in controlnet_aux mlsd/utils.py
import numpy as np

def split(segments):
    merged = []
    for x_min, y_min, x_max, y_max in segments:
        merged.append([x_min, y_min, x_max, y_max])
    new = np.array(merged)  # (x1, y1, x2, y2)
    start = new[:, :2]  # (x1, y1)
    end = new[:, 2:]  # (x2, y2)
    return start - end
