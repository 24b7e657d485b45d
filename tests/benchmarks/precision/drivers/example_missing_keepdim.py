"""The correct twin of docs/examples/mistakes/missing_keepdim.py, run on a prime size per dim."""

FILE = "examples/missing_keepdim.py"


def run(module):
    return module.run()
