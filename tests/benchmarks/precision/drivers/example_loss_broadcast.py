"""The correct twin of docs/examples/mistakes/loss_broadcast.py, run on a prime size per dim."""

FILE = "examples/loss_broadcast.py"


def run(module):
    return module.run()
