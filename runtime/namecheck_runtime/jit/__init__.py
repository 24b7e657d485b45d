"""`namecheck_runtime.jit`: what PyTorch compiles, and runs as it is here.  Source: torch.jit."""

from __future__ import annotations

import warnings
from typing import Any, Final, NoReturn

__all__ = ["Final", "annotate", "export", "ignore", "is_scripting", "script", "trace", "unused"]


def script(obj: Any, *args: Any, **options: Any) -> Any:
    """The function, class or module itself."""
    return obj


def trace(func: Any, example_inputs: Any = None, *args: Any, **options: Any) -> Any:
    """The function or module itself; the example is not run."""
    return func


def script_if_tracing(fn: Any) -> Any:
    """The function itself."""
    return fn


def freeze(mod: Any, *args: Any, **options: Any) -> Any:
    """The module itself."""
    return mod


def optimize_for_inference(mod: Any, *args: Any) -> Any:
    """The module itself."""
    return mod


def export(fn: Any) -> Any:
    """The method itself."""
    return fn


def script_method(fn: Any) -> Any:
    """The method itself."""
    return fn


def _overload(func: Any) -> Any:
    return func


def _overload_method(func: Any) -> Any:
    return func


def interface(obj: Any) -> Any:
    """The class itself."""
    return obj


def ignore(drop: Any = False, **options: Any) -> Any:
    """The function itself, with or without brackets."""
    return drop if callable(drop) else lambda function: function


def unused(fn: Any) -> Any:
    """The function itself."""
    return fn


def annotate(the_type: Any, the_value: Any) -> Any:
    """The value itself."""
    return the_value


def isinstance(obj: Any, target_type: Any) -> bool:  # the public name is PyTorch's
    """Whether an object is of a type, or of one of several."""
    import builtins

    return builtins.isinstance(obj, target_type)


def is_scripting() -> bool:
    """False: Python runs the program itself."""
    return False


def is_tracing() -> bool:
    """False: nothing records what is called."""
    return False


def save(m: Any, f: Any, *args: Any) -> NoReturn:
    """Raises NotImplementedError: there is no compiled program to save."""
    raise NotImplementedError(
        "jit.save() has nothing to save: namecheck_runtime runs modules as they are; save the "
        "state_dict() instead"
    )


def load(f: Any, *args: Any, **options: Any) -> NoReturn:
    """Raises NotImplementedError: compiled programs of PyTorch are not read."""
    raise NotImplementedError(
        "jit.load() reads no compiled programs: build the module in Python, and load its state_dict"
    )


def __getattr__(name: str) -> Any:
    if name in ("ScriptModule", "TopLevelTracedModule"):
        from namecheck_runtime.nn.modules.module import Module

        return Module
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


class TracerWarning(Warning):
    """What PyTorch warns of when it records a program; nothing is recorded here."""

    @staticmethod
    def ignore_lib_warnings() -> None:
        """Ignore these warnings."""
        warnings.filterwarnings("ignore", category=TracerWarning)


_script_if_tracing = script_if_tracing
