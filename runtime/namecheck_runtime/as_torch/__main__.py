"""`python -m namecheck_runtime.as_torch program.py [arguments]`: run a program of PyTorch here."""

from __future__ import annotations

import os
import runpy
import sys

from namecheck_runtime.as_torch import install
from namecheck_runtime.as_torch.children import follow

_USAGE = "usage: python -m namecheck_runtime.as_torch (program.py | -m module) [arguments ...]"


def main() -> None:
    """Put this package where the program imports `torch`, and run it."""
    arguments = sys.argv[1:]
    follow()
    if arguments[:1] == ["-m"] and len(arguments) > 1:
        sys.argv = arguments[1:]
        install()
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        return
    if not arguments or arguments[0].startswith("-"):
        wants_help = arguments[:1] in (["-h"], ["--help"])
        print(_USAGE, file=sys.stdout if wants_help else sys.stderr)
        sys.exit(0 if wants_help else 2)
    program = arguments[0]
    if not os.path.isfile(program):
        sys.exit(f"{program}: there is no such file\n{_USAGE}")
    sys.argv = arguments
    sys.path[0] = os.path.dirname(os.path.abspath(program))
    install()
    runpy.run_path(program, run_name="__main__")


if __name__ == "__main__":
    main()
