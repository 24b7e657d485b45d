"""The command `namecheck`, run within the process of the test."""

from __future__ import annotations

from click.testing import CliRunner, Result

from namecheck.main import main


def invoke(*arguments: str, text: str | bytes | None = None, **environment: str | None) -> Result:
    """The result of `namecheck ARGUMENTS` with `text` as its standard input.

    A variable of the environment that is None is unset. An exception other than SystemExit fails
    the test.
    """
    result = CliRunner(env=environment).invoke(main, arguments, input=text)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result
