"""The functions of `namecheck_runtime.nn.utils`, as type checkers read them.

Written by `tests/data/write_surface.py` from the registry.
"""

from namecheck_runtime.nn.utils import rnn as rnn
