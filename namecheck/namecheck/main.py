"""The command line, and nothing else: options in, exit code out.

Exit codes: 0 nothing found, 1 findings, 2 the question could not be asked (usage, missing path) or
namecheck itself failed.  Every import that costs something stands inside the command that needs it:
`namecheck --version` loads neither LibCST nor NumPy.
"""

from __future__ import annotations

import click

from namecheck import __version__

__all__ = ["main"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="namecheck")
def main() -> None:
    """Find dimension mistakes in tensor programs without running them."""
