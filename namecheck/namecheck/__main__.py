"""`python -m namecheck` is the command `namecheck`."""

from __future__ import annotations

import sys

# `-m` puts the current folder first, where a folder `signal` of the user's would be imported.
if __name__ == "__main__" and not sys.flags.safe_path:
    del sys.path[0]

from namecheck.main import main

if __name__ == "__main__":
    main(prog_name="namecheck")
