"""What the console scripts `namecheck` and `namecheck-tensors` start.

The linter's package is called `namecheck`, and others may have one of that name. If another
distribution has, the files of both lie in one folder, and the one that was installed last has
written over the other's. This module is in a package whose name is ours alone, so it can say what
has happened.
"""

from __future__ import annotations

import sys

from namecheck_runtime import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["main"]

DISTRIBUTION = "namecheck-tensors"
PACKAGE = "namecheck"


def main() -> None:
    """Run the command line, or say why it cannot run: another package has its name."""
    try:
        from namecheck.main import Commands, main

        if not isinstance(main, Commands):
            raise ImportError("the command line of another package")
        main()
    except (ImportError, AttributeError):
        reason = _reason()
        if reason is None:  # the package is ours, and so is the mistake
            raise
        sys.stderr.write("".join(c if c.isprintable() else ascii(c)[1:-1] for c in reason) + "\n")
        sys.exit(2)


def _reason() -> str | None:
    """Whose package `namecheck` is, unless it is all ours."""
    advice = f"Install {DISTRIBUTION} into an environment of its own: `pipx install {DISTRIBUTION}`"
    strangers = ", ".join(sorted(_strangers()))
    if strangers:
        return (
            f"Error: {strangers} has a package `{PACKAGE}` too, and its files lie among those of "
            f"{DISTRIBUTION}. {advice}; or uninstall both, and install {DISTRIBUTION} again."
        )
    package = sys.modules.get(PACKAGE)
    if package is not None and getattr(package, "__version__", None) is not __version__:
        places = getattr(package, "__path__", [package.__file__])
        return (
            f"Error: Python finds a package `{PACKAGE}` in {', '.join(map(str, places))}, which is "
            f"not that of {DISTRIBUTION}. Look at PYTHONPATH. {advice}."
        )
    return None


def _strangers() -> Iterator[str]:
    """Other distributions that have files in our package, each with its version."""
    from importlib.metadata import distributions

    for distribution in distributions():
        name = distribution.metadata["Name"]
        if name and name.lower().replace("_", "-") != DISTRIBUTION:
            if any(file.parts[0] == PACKAGE for file in distribution.files or ()):
                yield f"{name} {distribution.version}"
