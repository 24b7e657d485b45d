"""`namecheck server`: the language server, for an editor at the other end of standard streams."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, BinaryIO

import click

from namecheck.commands.options import configured
from namecheck.exit_codes import Trouble
from namecheck.printing.output import log_formatter

if TYPE_CHECKING:
    from namecheck.settings.config import Configuration


@click.command()
@click.option("--stdio", is_flag=True, help="Use the standard streams, the only transport.")
@configured
def server(stdio: bool, configuration: Configuration) -> None:
    """Show findings and dims in an editor while the user types (extra: lsp).

    Speaks the language server protocol over its standard streams. Options take precedence over the
    settings files of the open files.
    """
    from namecheck.lsp.starting import prepare

    begin_logging()
    stream = protocol_stream()
    try:
        import pygls as pygls

        prepare()  # it imports its modules while this process does
        from namecheck.lsp.server import serve
    except ImportError as missing:
        if (missing.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise Trouble(
            "the server needs the package pygls: pip install 'namecheck-tensors[lsp]'"
        ) from None
    sys.exit(serve(configuration, sys.stdin.buffer, stream))


def protocol_stream() -> BinaryIO:
    """Standard output, for the protocol alone: all other output goes to stderr from here on."""
    stream = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.stdout = sys.stderr
    return stream


def begin_logging() -> None:
    """Log warnings and errors to stderr, which editors show."""
    import logging

    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(log_formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    level = os.environ.get("NAMECHECK_LOG", "WARNING").upper()
    logging.basicConfig(level=level, handlers=[handler])
