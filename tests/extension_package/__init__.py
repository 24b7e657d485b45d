"""A package of a third party: a dtype, a device and a layout of its own for `namecheck_runtime`.

It imports what docs/runtime.md names, and nothing else of the library.
"""

from __future__ import annotations

from extension_package.devices import REMOTE as REMOTE
from extension_package.elements import e4m3 as e4m3
from extension_package.elements import int4 as int4
from extension_package.layouts import DIAGONAL as DIAGONAL
from extension_package.layouts import diagonal as diagonal
