"""The correct twin of docs/examples/mistakes/wrong_comment.py, run on a prime size per dim."""

FILE = "examples/wrong_comment.py"


def run(module):
    return module.run()
