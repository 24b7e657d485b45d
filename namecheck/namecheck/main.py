"""The front door of the command line: the group of commands, and their modules.

Exit codes: 0 no findings, 1 findings, 2 the command cannot run (usage, missing path, configuration)
or namecheck itself failed, 130 after Ctrl-C, 141 if the output is no longer read. A command's
module is imported when its name is typed: `namecheck --version` loads neither LibCST nor NumPy.
"""

from __future__ import annotations

import sys

try:
    import atexit
    import gc
    import importlib
    import io
    import os
    from typing import Any, Final

    import click

    from namecheck import __version__
    from namecheck.exit_codes import INTERRUPTED, UNHEARD, Group
    from namecheck.printing.output import print_trouble, say, show_traceback
except KeyboardInterrupt:  # a traceback would be of no use
    sys.exit(130)

__all__ = ["COMMANDS", "main"]

COMMANDS: Final = {
    "check": "Report dimension mistakes in files and folders.",
    "init": "Write settings and a baseline for a project that has neither.",
    "annotate": "Write inferred dims into files, as comments or as jaxtyping annotations.",
    "baseline": "Keep a baseline of known findings, so that only new ones are reported.",
    "clean": "Remove the cache.",
    "explain": "Explain what a code means and what to do about it.",
    "rules": "List all codes: level, default, fix.",
    "server": "Show findings and dims in an editor (language server).",
    "show": "Print a file with the inferred dims beside each assignment.",
    "summary": "Print the modules of a network: dims, parameters, multiply-adds.",
}
"""The commands, each with its line in `namecheck --help`: the module `commands.<name>` has a click
command of that name. A dash in a command is an underscore in its module."""


class Commands(Group):
    """A group that imports each of its commands when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        command = getattr(importlib.import_module(f"namecheck.commands.{name}"), name)
        assert isinstance(command, click.Command)
        return command

    def main(self, *args: Any, **kwargs: Any) -> Any:
        # At its end Python searches all objects for garbage: a tenth of the time of a run over one
        # file.
        atexit.unregister(gc.freeze)
        atexit.register(gc.freeze)
        for name in ("stdout", "stderr"):
            if getattr(sys, name) is None:  # the stream is closed: no output is wanted
                setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        if not kwargs.get("standalone_mode", True):
            return super().main(*args, **kwargs)
        kwargs["standalone_mode"] = False  # click would print arguments without escapes
        sys.excepthook = show_traceback
        try:
            ended = super().main(*args, **kwargs)
            sys.exit(ended if isinstance(ended, int) else 0)
        except click.ClickException as trouble:
            try:
                print_trouble(trouble)
            except OSError:  # stderr is closed
                sys.stderr = None
            sys.exit(trouble.exit_code)
        except click.Abort:
            say("Aborted!", err=True)
            sys.exit(1)
        except KeyboardInterrupt:  # before there was a context, or after it
            sys.exit(INTERRUPTED)
        except OSError as refusal:  # one that no command has handled
            _give_up(refusal)
            sys.exit(2)

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        try:
            return super().make_context(*args, **kwargs)
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)

    def invoke(self, ctx: click.Context) -> object:
        # click exits with 1 for both, which means here that there are findings
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)
        except BrokenPipeError:
            sys.stdout = sys.stderr = None  # else Python would report the unwritten output again
            sys.exit(UNHEARD)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _give_up(refusal: OSError) -> None:
    """Print the reason if that is possible. Unwritten standard output is lost."""
    sys.stdout = None
    if refusal.filename is not None:
        message = f"{refusal.filename}: {refusal.strerror}"
    elif isinstance(refusal, FileNotFoundError):
        message = "the working folder no longer exists"
    else:  # a full disk
        message = f"cannot write the output: {refusal.strerror or refusal}"
    try:
        say(f"Error: {message}", err=True)
    except OSError:
        sys.stderr = None


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    from namecheck.commands.slow_runs import is_compiled

    say(f"namecheck, version {__version__} (compiled: {'yes' if is_compiled() else 'no'})")
    ctx.exit()


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
def main() -> None:
    """Find dimension mistakes in tensor programs without running them."""
    for stream in (sys.stdout, sys.stderr):
        # A dim may be called "α" on a terminal without that letter, which must not raise.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
