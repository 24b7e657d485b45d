"""The correct twin of docs/examples/mistakes/swapped_operands.py, run on a prime size per dim."""

FILE = "examples/swapped_operands.py"


def run(module):
    return module.run()
