"""`python -P -m namecheck` is the command `namecheck`.

Without `-P` Python puts the current folder first, and imports what it needs to come here from it
(`runpy` and what that imports): only Python can be told to leave that be.
"""

from __future__ import annotations

import sys

# What comes from here on is not imported from there, such as a folder `signal` of the user's.
if __name__ == "__main__" and not sys.flags.safe_path:
    del sys.path[0]

from namecheck.main import main

if __name__ == "__main__":
    main(prog_name="namecheck")
