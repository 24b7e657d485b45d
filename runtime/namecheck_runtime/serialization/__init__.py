"""`namecheck_runtime.serialization`: saving and loading, and the devices that take part."""

from __future__ import annotations

from namecheck_runtime.saving.locations import location_of as location_tag
from namecheck_runtime.saving.locations import register_package as register_package
from namecheck_runtime.saving.locations import restored as default_restore_location
from namecheck_runtime.saving.refusals import UnreadableFileError as UnreadableFileError
from namecheck_runtime.saving.save_and_load import load as load
from namecheck_runtime.saving.save_and_load import save as save

__all__ = [
    "UnreadableFileError",
    "default_restore_location",
    "load",
    "location_tag",
    "register_package",
    "save",
]
