"""`namecheck clean`: the cache is removed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from namecheck.means import cache_folder, cached
from namecheck.options import configured
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
    import shutil

    from namecheck.cache import is_cache
    from namecheck.discovery import shown

    folder = cache_folder(cache_dir, configuration)
    if not os.path.lexists(folder):
        click.echo(f"No cache at {shown(folder)}", err=True)
        return
    if not is_cache(folder):
        raise Trouble(f"{shown(folder)} is no cache of namecheck: it is left alone")
    try:
        shutil.rmtree(folder)
    except OSError as refusal:
        raise Trouble(f"cannot remove {shown(folder)}: {refusal.strerror}") from None
    click.echo(f"Removed {shown(folder)}", err=True)
