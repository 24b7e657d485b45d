"""Objects that hold a configuration: namespaces, and dicts whose entries are attributes, too."""

from __future__ import annotations

from typing import Final

DICTS: Final = frozenset(
    {
        "addict.Dict",
        "addict.addict.Dict",
        "box.Box",
        "easydict.EasyDict",
        "ml_collections.ConfigDict",
        "ml_collections.config_dict.ConfigDict",
        "munch.Munch",
        "omegaconf.OmegaConf.create",
    }
)
"""Classes and functions that make a dict with attributes of a dict, and of the dicts in it."""

NAMESPACES: Final = DICTS | {"types.SimpleNamespace", "argparse.Namespace"}
"""Classes and functions that make an object whose attributes are the arguments."""

OF_DICTS: Final = frozenset({"get", "items", "keys", "pop", "setdefault", "update", "values"})
"""The methods of a dict with attributes that are those of a plain dict."""
