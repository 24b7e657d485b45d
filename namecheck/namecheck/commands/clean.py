"""`namecheck clean`: the cache is removed."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING, Final

import click

from namecheck.means import cache_folder, cached
from namecheck.options import configured
from namecheck.output import say
from namecheck.usage import Trouble

if TYPE_CHECKING:
    from namecheck.config import Configuration


@click.command()
@cached
@configured
def clean(cache_dir: str | None, configuration: Configuration) -> None:
    """Remove the cache of the project that this folder is in.

    Nothing is lost: the next check analyses every file again.
    """
    from namecheck.cache import is_cache
    from namecheck.discovery import shown

    folder = cache_folder(cache_dir, configuration)
    if not os.path.lexists(folder):
        say(f"No cache at {shown(folder)}", err=True)
        return
    try:
        if not is_cache(folder):
            raise Trouble(f"{shown(folder)} is no cache of namecheck: it is left alone")
        _remove(folder)
    except FileNotFoundError:
        pass  # another run has removed it
    except NotADirectoryError:
        raise Trouble(f"{shown(folder)} is no cache of namecheck: it is left alone") from None
    except OSError as refusal:
        raise Trouble(f"cannot remove {shown(folder)}: {refusal.strerror or refusal}") from None
    say(f"Removed {shown(folder)}", err=True)


_ATTEMPTS: Final = 5
"""How often a folder is emptied that other runs write to meanwhile."""


def _remove(folder: str) -> None:
    """Remove a folder and what is in it, whoever else is at it. Raises `OSError`."""
    import shutil

    for left in reversed(range(_ATTEMPTS)):
        try:
            shutil.rmtree(folder)
            return
        except FileNotFoundError:
            if not os.path.lexists(folder):
                return
        except OSError as refusal:
            if refusal.errno != errno.ENOTEMPTY or not left:
                raise
