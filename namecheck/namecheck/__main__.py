"""`python -P -m namecheck` is the command `namecheck`.

Without `-P` Python puts the current folder first in its path, and imports from it even the modules
that it needs to get here (`runpy` and its imports): only that option keeps Python from doing so.
"""

from __future__ import annotations

import sys

# From here on nothing is imported from there, such as a folder `signal` of the user's.
if __name__ == "__main__" and not sys.flags.safe_path:
    del sys.path[0]

from namecheck.main import main

if __name__ == "__main__":
    main(prog_name="namecheck")
