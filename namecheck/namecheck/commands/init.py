"""`namecheck init`: settings and a baseline for a project that has neither."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

import click

from namecheck.commands.options import configured
from namecheck.exit_codes import Trouble
from namecheck.printing.output import say
from namecheck.running.run_options import with_means

if TYPE_CHECKING:
    from namecheck.running.run_options import Means
    from namecheck.settings.config import Configuration

PROJECT: Final = "pyproject.toml"
OWN: Final = "namecheck.toml"

KEYS: Final = """\
# What each key means and its default: `namecheck check --show-settings`.
# extend-exclude = ["vendored/"]
# extend-select = ["rank-promotion"]
# ignore = ["comment-mismatch"]
# severity = { scrambled-reshape = "error", NC4 = "note" }
"""


@click.command()
@configured
@with_means
def init(configuration: Configuration, means: Means) -> None:
    """Write settings and a baseline for the project in this folder.

    The settings go into pyproject.toml if there is one, else into namecheck.toml; existing settings
    are left as they are. The present findings go into namecheck-baseline.json, so that `namecheck
    check` reports only new ones.
    """
    from namecheck.commands.baseline import keep_known
    from namecheck.printing.printed_paths import shown
    from namecheck.running.baseline import Baselines

    here = os.getcwd()
    if (known := configuration.settings_file_of(here)) is not None:
        say(f"{shown(known)} already has settings: they are left as they are.")
    else:
        say(f"Wrote settings into {write_settings(here)}.")
        configuration = configuration.anew()
        means = means._replace(project=here)
    baselines = Baselines(configuration, default=True)
    place = baselines.file_of(os.path.join(here, ""))
    assert place is not None, "there is a default"
    if os.path.lexists(place):
        say(f"{shown(place)} already exists: `namecheck baseline write` replaces it.")
        return
    code = keep_known((".",), None, configuration, means, even_if_empty=False)
    if not os.path.lexists(place):
        say("There are no findings for a baseline: `namecheck check` reports all.")
    sys.exit(code if code == 2 else 0)


def write_settings(folder: str) -> str:
    """Write a settings file with all defaults. Returns its name.

    Raises `Trouble` if it cannot be written.
    """
    from namecheck.files.disk import read_file
    from namecheck.report.file import refusal, replace

    name = PROJECT
    try:
        before = read_file(os.path.join(folder, PROJECT))
    except FileNotFoundError:
        before = b""
        name = OWN
    except OSError as refused:
        raise Trouble(f"cannot read {PROJECT}: {refused.strerror}") from None
    text = with_table(before) if name == PROJECT else KEYS.encode()
    if text is None:  # the table cannot be added: [tool] may be an inline table
        name, text = OWN, KEYS.encode()
    reason = refusal(name, folder)
    if reason is None:
        try:
            replace(name, text, folder)
        except OSError as refused:
            reason = refused.strerror or str(refused)
    if reason is not None:
        raise Trouble(f"cannot write {name}: {reason}")
    return name


def with_table(before: bytes) -> bytes | None:
    """A pyproject.toml with a table of ours at its end; None if that changes anything else."""
    import tomllib

    end = b"\r\n" if b"\r\n" in before else b"\n"
    table = ("[tool.namecheck]\n" + KEYS).encode().replace(b"\n", end)
    gap = b"" if not before else end if before.endswith(b"\n") else end + end
    after = before + gap + table
    try:
        was = tomllib.loads(before.decode("utf-8"))
        now = tomllib.loads(after.decode("utf-8"))
    except ValueError:
        return None
    was.setdefault("tool", {})["namecheck"] = {}
    return after if now == was else None
