"""Calls with arguments of classes that have a `__torch_function__`, for torch and for the runtime.

`tests/data/read_torch_overrides.py` runs them under torch, `tests/outside/test_overrides.py` here.
"""

from __future__ import annotations

from typing import Any, Final

_BINARY: Final = ("+", "-", "*", "/", "@", "//", "%", "**", "&", "|", "^", "<<", ">>")
_COMPARED: Final = ("==", "!=", "<", "<=", ">", ">=")
_IN_PLACE: Final = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor")
_FUNCTIONS: Final = (
    *("torch.add(x, w)", "torch.add(x, w, alpha=2)", "torch.add(input=x, other=w)"),
    *("torch.add(x, x, out=w)", "x.add(w)", "torch.cat([x, w])", "torch.stack((w, x))"),
    *("torch.ones_like(w)", "torch.result_type(x, w)", "torch.is_floating_point(w)"),
    *("torch.max(w, dim=0)", "torch.where(x > 0, w, 0)", "x.clamp(w)", "torch.equal(x, w)"),
    *("torch.allclose(x, w)", "torch.linalg.norm(w)", "torch.fft.fft(w)", "torch.special.erf(w)"),
    *("torch.nn.functional.relu(w)", "torch.nn.functional.linear(w, x)"),
    *("x[w]", "x.__setitem__(0, w)", "s.__setitem__(0, 1)", "s[0]", "torch.is_tensor(w)"),
    *("torch.einsum('ij->i', w)", "torch.matmul(w, x)", "torch.sum(w)", "torch.reshape(w, (4,))"),
)
_ATTRIBUTES: Final = (
    *("shape", "ndim", "dtype", "device", "layout", "T", "mT", "H", "grad", "data"),
    *("requires_grad", "is_leaf", "grad_fn", "real", "itemsize", "nbytes", "output_nr", "is_meta"),
)
_METHODS: Final = (
    *("stride()", "size()", "dim()", "numel()", "storage_offset()", "is_contiguous()"),
    *("element_size()", "tolist()", "__len__()", "__contains__(1)", "cpu()", "clone()", "detach()"),
    *("unbind()", "is_shared()", "to(torch.float64)", "__format__('')", "type()"),
)
_ORDERS: Final = ("AB", "BA", "DAB", "ADB", "CBA", "ABC", "BCA", "AAD", "ADA")

CALLS: Final = (
    *[f"x {sign} w" for sign in (*_BINARY, *_COMPARED)],
    *[f"w {sign} x" for sign in (*_BINARY, *_COMPARED)],
    *[f"s {sign} x" for sign in (*_BINARY, *_COMPARED)],
    *[f"x {sign} s" for sign in (*_BINARY, *_COMPARED)],
    *[f"2 {sign} s" for sign in _BINARY if sign != "@"],
    *[f"operator.i{name}(x.clone(), w)" for name in (*_IN_PLACE, "matmul", "lshift", "rshift")],
    *("-s", "+s", "abs(s)", "~s", "bool(s.sum())", "int(s.sum())", "float(s.sum())"),
    *_FUNCTIONS,
    *[f"s.{name}" for name in (*_ATTRIBUTES, *_METHODS)],
    *[f"torch.cat([{', '.join(f'{kind}()' for kind in order)}])" for order in _ORDERS],
    *("x + A()", "A() + x", "x.add(A())", "x[A()]", "torch.nn.functional.relu(A())"),
    *("torch.add(x, Disabled())", "type(torch.max(s, 0)[0]).__name__", "type(s.sum()).__name__"),
    *("type(torch.stack([s, x])).__name__", "type(s.unbind()[0]).__name__", "repr(s)"),
    "type(s.shape).__name__",
)
"""Python's texts of the calls."""


def names_for(torch: Any, overrides: Any, disabled: Any, off: Any) -> tuple[dict[str, Any], list]:  # type: ignore[type-arg]
    """What the texts name, for a library, and the list to which its classes add what they are
    asked.

    `overrides` is its module of that name, `disabled` its function for classes that take no part,
    `off` its block in which no class is asked.
    """
    asked: list[Any] = []

    def note(function: Any, types: Any, args: Any) -> None:
        kinds = [kind.__name__ for kind in types if kind is not torch.Tensor]
        name = str(overrides.resolve_name(function)).replace("torch.functional.", "torch.")
        asked.append([name.replace("__eq__", "eq"), kinds, [type(a).__name__ for a in args]])

    class W:
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None):
            note(func, types, args)
            return "answer of W"

    class S(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None):
            note(func, types, args)
            with off():
                return super().__torch_function__(func, types, args, kwargs)

    class A:
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None):
            asked.append(
                [cls.__name__, [kind.__name__ for kind in types if kind is not torch.Tensor]]
            )
            return NotImplemented

    class B(A): ...

    class C(A): ...

    class D:
        __torch_function__ = A.__torch_function__.__func__  # type: ignore[attr-defined]

    D.__torch_function__ = classmethod(D.__torch_function__)  # type: ignore[method-assign]

    class Disabled:
        __torch_function__ = disabled

    import operator

    x = torch.ones(2, 2, dtype=torch.int64)
    names = {"torch": torch, "operator": operator, "x": x, "w": W(), "s": x.clone().as_subclass(S)}
    kinds = {"A": A, "B": B, "C": C, "D": D, "Disabled": Disabled}
    return {**names, **kinds}, asked


def outcome(text: str, names: dict[str, Any], asked: list[Any]) -> dict[str, Any]:
    """What the classes were asked in a call, and what it gave or raised, in words."""
    asked.clear()
    try:
        result = eval(text, dict(names))
    except Exception as error:
        given = f"{type(error).__name__}: {error}".partition("\n\nFor more")[0]
        return {"call": text, "asked": list(asked), "result": given.replace("\n\n", "\n")}
    shown = result if isinstance(result, (str, bool, int, float)) else type(result).__name__
    return {"call": text, "asked": list(asked), "result": shown}
