"""`python -m namecheck` is the command `namecheck`."""

from __future__ import annotations

from namecheck.main import main

if __name__ == "__main__":
    main(prog_name="namecheck")
