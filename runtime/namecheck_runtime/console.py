"""The entry point of the console scripts `namecheck` and `namecheck-tensors`.

The package of the linter is called `namecheck`, and another distribution may have a package of that
name. Then the files of both are in one folder, and the one installed last has overwritten files of
the other. This module is in a package whose name only we have, so it can say what happened.
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
    """Run the command line, or say that it cannot run because another package has its name."""
    try:
        from namecheck.main import Commands, main

        if not isinstance(main, Commands):
            raise ImportError("the command line of another package")
        main()
    except (ImportError, AttributeError):
        reason = _reason()
        if reason is None:  # the package is ours, and so is the error
            raise
        sys.stderr.write("".join(c if c.isprintable() else ascii(c)[1:-1] for c in reason) + "\n")
        sys.exit(2)


def _reason() -> str | None:
    """Who else has files in the package `namecheck`; None if they are all ours."""
    advice = f"Install {DISTRIBUTION} into an environment of its own: `pipx install {DISTRIBUTION}`"
    strangers = ", ".join(sorted(_strangers()))
    if strangers:
        return (
            f"Error: {strangers} has a package `{PACKAGE}`, too, and its files are mixed with "
            f"those of {DISTRIBUTION}. {advice}; or uninstall both, and install {DISTRIBUTION} "
            "again."
        )
    package = sys.modules.get(PACKAGE)
    if package is not None and getattr(package, "__version__", None) is not __version__:
        places = getattr(package, "__path__", [package.__file__])
        return (
            f"Error: Python finds a package `{PACKAGE}` in {', '.join(map(str, places))}, which is "
            f"not that of {DISTRIBUTION}. Check PYTHONPATH. {advice}."
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
