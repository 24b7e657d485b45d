"""The functions of `namecheck_runtime.nn`, as type checkers read them.

Written by `tests/data/write_surface.py` from the registry.
"""

from namecheck_runtime.nn import functional as functional
from namecheck_runtime.nn import utils as utils
