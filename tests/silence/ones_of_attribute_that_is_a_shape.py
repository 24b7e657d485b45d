# NC301 error: `np.ones(self.axes.shape_in_array)` with an attribute of an unknown object: it is a tuple of two ints, but taken for one int; seen in hyperspy model2d.py
import numpy as np


class Model:
    def __init__(self, signal):
        self.axes = signal.axes_manager
        self.switches = np.ones(self.axes.signal_shape_in_array, dtype=bool)

    def select(self, i1, i2, j1, j2):
        self.switches[:, :] = False
        self.switches[i1:i2, j1:j2] = True
