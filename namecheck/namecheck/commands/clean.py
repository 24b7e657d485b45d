"""`namecheck clean`: removing the cache."""

from __future__ import annotations

import contextlib
import errno
import os
from typing import TYPE_CHECKING, Final

import click

from namecheck.commands.options import configured
from namecheck.exit_codes import Trouble
from namecheck.printing.output import say
from namecheck.running.run_options import cache_folder, cached, project

if TYPE_CHECKING:
    from namecheck.files.disk import Folder
    from namecheck.settings.config import Configuration


@click.command()
@cached
@configured
def clean(cache_dir: str | None, configuration: Configuration) -> None:
    """Remove the cache of the project of this folder.

    No findings are lost: the next check analyses every file again.
    """
    from namecheck.files.disk import linked
    from namecheck.files.import_lookups import is_inside
    from namecheck.printing.printed_paths import shown

    folder = os.path.abspath(cache_folder(cache_dir, configuration))
    name = shown(folder)
    if not os.path.lexists(folder):
        say(f"No cache at {name}", err=True)
        return
    root = project(configuration)
    if (link := linked(folder, root)) is not None:
        raise Trouble(f"{shown(link)} is a link: its target is left alone")
    if not is_inside(folder, root):
        folder = os.path.realpath(folder)  # the user's own links
    try:
        is_gone = _remove(folder, root)
    except FileNotFoundError:
        is_gone = True  # another run has removed it
    except NotADirectoryError:
        raise Trouble(f"{name} is not a cache of namecheck: it is left alone") from None
    except OSError as refusal:
        raise Trouble(f"cannot remove {name}: {refusal.strerror or refusal}") from None
    if is_gone:
        say(f"Removed {name}", err=True)
    else:
        say(f"Emptied {name}, except for files that are not namecheck's", err=True)


_ATTEMPTS: Final = 5
"""How often emptying is tried while other runs write to the folder."""


def _remove(folder: str, root: str) -> bool:
    """Remove our files from a folder, and the folder unless it has others. Returns whether it is
    gone.

    `root` is the folder at which the project begins. Raises `OSError`, and `NotADirectoryError` if
    the folder is not a cache.
    """
    from namecheck.files.disk import enter
    from namecheck.running.cache_folder import is_cache, is_mark, is_ours

    outer, name = os.path.split(folder)
    with enter(outer, root) as around:
        for left in reversed(range(_ATTEMPTS)):
            with enter(folder, root) as cache:
                if not is_cache(cache):
                    raise NotADirectoryError
                names = cache.names()
                others = not all(map(is_ours, names))
                for file in names:
                    # The marks go last, and stay if the folder does.
                    if is_ours(file) and not is_mark(file):
                        _unlink(cache, file)
                if others:
                    return False
                for mark in filter(is_mark, names):
                    _unlink(cache, mark)
            try:
                around.remove_folder(name)
                return True
            except OSError as refusal:
                if refusal.errno not in (errno.ENOTEMPTY, errno.EEXIST) or not left:
                    raise
    return True


def _unlink(folder: Folder, name: str) -> None:
    """Remove a file that another run may have removed meanwhile. Raises `OSError`."""
    with contextlib.suppress(FileNotFoundError):
        folder.remove(name)
