"""The correct twin of docs/examples/mistakes/layer_size.py, run on a prime size per dim."""

FILE = "examples/layer_size.py"


def run(module):
    return module.run()
