"""Where commands put a page of HTML: a file, or standard output."""

from __future__ import annotations

from namecheck.exit_codes import Trouble

__all__ = ["check_place", "put_page"]


def check_place(file: str | None) -> None:
    """Raises `Trouble` if no page can be written to a file; None is standard output."""
    from namecheck.report.file import refusal

    if file is not None and (reason := refusal(file)) is not None:
        raise Trouble(f"cannot write the page: {reason}")


def put_page(text: str, file: str | None) -> None:
    """Write a page to a file, whole or not at all, or print it. Raises `Trouble` if that fails."""
    from namecheck.printing.output import encoded, print_encoded
    from namecheck.report.file import replace

    if file is None:
        print_encoded(text)
        return
    try:
        replace(file, encoded(text))
    except OSError as refused:
        failure = refused.strerror or str(refused)
        raise Trouble(f"cannot write the page to {file!r}: {failure}") from None
