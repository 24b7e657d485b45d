"""The correct twin of reshape_for_transpose.py, run on a prime size per dim."""

FILE = "examples/reshape_for_transpose.py"


def run(module):
    return module.run()
