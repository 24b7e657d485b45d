"""An LSTM over trees of different shapes."""

import importlib

from _lib import path

FILE = "treenet-0.0.4/treenet/treelstm.py"
MODULE = "treenet.treelstm"


def setup():
    path("treenet-0.0.4")
    importlib.import_module(MODULE)


def run(module):
    encoder = importlib.import_module("treenet.encoder").TreeEncoder(lambda x: x[0], lambda x: x[1])
    leaves = [((14.0, 15, 16), [((17, 18, 19), [])]), ((20, 21, 22), [])]
    trees = [((1.0, 2, 3), [((4, 5, 6), []), ((7, 8, 9), [])]), ((11, 12, 13), leaves)]
    inputs, arities = encoder.encode_batch(trees)
    return module.TreeLSTM(3, 7, 2)(inputs / 10, arities)
