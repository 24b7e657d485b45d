"""Direct calls: all that is left to do for a call whose plan has been repeated, in one function.

The plan knows which arguments hold arrays, which kernel takes them, and what the results look like.
`direct_call` writes a function for that: it gathers the arrays, computes without warnings, compares
the elements with the form, and makes the tensors.  What does not fit goes the usual way.

Python's calls cost more than NumPy's small ops, so the steps are not functions of their own.  The
text of a function depends on its `Pattern` alone, and is compiled once, as `namedtuple` and
dataclasses do it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values.errstate import QUIET, REFUSALS

if TYPE_CHECKING:
    from typing import Protocol

    from namecheck_runtime.tensors.computing.computation import Form
    from namecheck_runtime.tensors.values.name_tuples import Names

    class Repeated(Protocol):
        """What a direct call needs of a `kernel_calls.KernelCall`."""

        function: Callable[..., Any]
        fixed: list[Any]
        arrays: list[tuple[int, int]]
        lists: list[tuple[int, int]]
        others: list[tuple[int, int]]
        several: bool
        forms: tuple[Form, ...]


Direct = Callable[[Sequence[Any], Mapping[str, Any]], Any]
"""A function from the arguments and the keywords of a call to its result."""

_ARRAY: Final = "{}._array"
_ARRAYS: Final = "{0}.__class__([tensor._array for tensor in {0}])"
_ITSELF: Final = "{}"


class Pattern(NamedTuple):
    """What the text of a direct call depends on."""

    taken: tuple[tuple[str, int], ...]
    """For each argument of the kernel how it is taken, and from which argument of the call.

    "" and -1 for one that is the same in every call.
    """
    counts: tuple[int, ...]
    """The number of dims of each result."""
    several: bool
    """Whether the kernel returns a tuple."""
    parts: bool
    """Whether the results are the parts of a named tuple."""
    keywords: bool
    """Whether the call has keywords."""
    target: int = -1
    """The argument that the kernel writes to; -1 if the results are new."""
    allows_itself: bool = False
    """Whether the target may also be read."""


def direct_call(
    repeated: Repeated,
    has_keywords: bool,
    parts: type[tuple[Any, ...]] | None,
    given: Callable[[Any, Sequence[Any], Mapping[str, Any]], Any],
    usual: Direct,
) -> Direct:
    """The function for calls that repeat the call of a kernel.

    `parts` is the class of several results that have names.  `given` makes the result of elements
    that do not have the form; `usual` is called if the kernel refuses the arguments.
    """
    taken = _taken_by(repeated)
    counts = tuple([len(form.sizes) for form in repeated.forms])
    pattern = Pattern(taken, counts, repeated.several, parts is not None, has_keywords)
    direct: Direct = _maker_of(pattern)(
        repeated.function, repeated.fixed, repeated.forms, parts, given, usual
    )
    return direct


def direct_write(
    repeated: Repeated,
    has_keywords: bool,
    target: int,
    allows_itself: bool,
    names: Names,
    usual: Direct,
) -> Direct:
    """The function for calls that write to the argument at `target`, which takes some names.

    `usual` is called if the memory of the target may be read otherwise than as a whole (as a whole
    it may be if that `allows_itself`), or if the kernel refuses the arguments.
    """
    pattern = Pattern(_taken_by(repeated), (), True, False, has_keywords, target, allows_itself)
    direct: Direct = _maker_of(pattern)(repeated.function, repeated.fixed, (), names, None, usual)
    return direct


def _taken_by(repeated: Repeated) -> tuple[tuple[str, int], ...]:
    """How each argument of a kernel is taken, and from which argument of the call."""
    taken: list[tuple[str, int]] = [("", -1)] * len(repeated.fixed)
    for how, places in (
        (_ARRAY, repeated.arrays),
        (_ARRAYS, repeated.lists),
        (_ITSELF, repeated.others),
    ):
        for place, at in places:
            taken[place] = (how, at)
    return tuple(taken)


@cache
def _maker_of(pattern: Pattern) -> Callable[..., Direct]:
    """The function that makes the direct calls of a pattern."""
    namespace = dict(_GLOBALS)
    exec(compile(_text_of(pattern), "<direct call>", "exec"), namespace)
    maker: Callable[..., Direct] = namespace["make"]
    return maker


def _text_of(pattern: Pattern) -> str:
    """The text of a function that makes direct calls."""
    results = range(len(pattern.counts))
    made = ["def make(function, fixed, forms, parts, given, usual):"]
    for place, (how, _) in enumerate(pattern.taken):
        if not how:
            made.append(f"    taken{place} = fixed[{place}]")
    for k in results:
        made.append(f"    names{k}, sizes{k}, _, strides{k}, dtype{k} = forms[{k}]")
    return "\n".join((*made, "    def direct(arguments, keywords):", *_body_of(pattern), _RETURN))


_RETURN: Final = "    return direct\n"


def _body_of(pattern: Pattern) -> list[str]:
    """The lines of a direct call."""
    body: list[str] = []
    source = "arguments"
    if pattern.keywords:
        source = "filled"
        body.append("filled = (*arguments, *keywords.values())")
    arrays: list[str] = []
    for place, (how, at) in enumerate(pattern.taken):
        if how:
            body.append(f"taken{place} = {how.format(f'{source}[{at}]')}")
        if how == _ARRAY:
            arrays.append(f"taken{place}")
    if pattern.target >= 0:
        body += _lines_of_write(pattern, source)
        return [f"        {line}" for line in body]
    passed = ", ".join(["function", *[f"taken{place}" for place in range(len(pattern.taken))]])
    elements = [f"elements{k}" for k in range(len(pattern.counts))]
    body += [
        "try:",
        f"    elements = QUIET.run({passed})",
        "except REFUSALS:",
        "    return usual(arguments, keywords)",
    ]
    if pattern.several:
        body.append(f"if elements.__class__ is tuple and len(elements) == {len(elements)}:")
        body.append(f"    {', '.join(elements)}, = elements")
    else:
        body += ["if True:", "    elements0 = elements"]
    tests: list[str] = []
    for k, count in enumerate(pattern.counts):
        if not count:
            # NumPy's reductions return a number in place of an array without dims.
            body.append(f"    if isinstance(elements{k}, generic):")
            body.append(f"        elements{k} = asarray(elements{k})")
        tests += [
            f"elements{k}.__class__ is ndarray",
            f"elements{k}.dtype is dtype{k}",
            f"elements{k}.strides == strides{k}",
            f"elements{k}.shape == sizes{k}",
            f"elements{k}.base is None",
            # A kernel may return its argument.
            *[f"elements{k} is not {array}" for array in arrays],
        ]
    body.append(f"    if {' and '.join(tests)}:")
    for k in range(len(pattern.counts)):
        body += [
            f"        result{k} = new(Tensor)",
            f"        result{k}._array = elements{k}",
            f"        result{k}._names = names{k}",
            f"        result{k}._storage = result{k}._rest = None",
        ]
    results = ", ".join([f"result{k}" for k in range(len(pattern.counts))])
    if pattern.parts:
        results = f"new_tuple(parts, ({results},))"
    elif pattern.several:
        results = f"({results},)"
    body.append(f"        return {results}")
    body.append("return given(elements, arguments, keywords)")
    return [f"        {line}" for line in body]


def _lines_of_write(pattern: Pattern, source: str) -> list[str]:
    """The lines of a direct call that writes, after those that take the arguments."""
    target = f"{source}[{pattern.target}]"
    read = [f"{source}[{at}]" for how, at in pattern.taken if how == _ARRAY]
    apart = [f"{other}._storage is not storage" for other in read if other != target]
    if pattern.allows_itself:
        apart = [f"({test} or {test.partition('.')[0]} is target)" for test in apart]
    passed = ", ".join(["function", *[f"taken{place}" for place in range(len(pattern.taken))]])
    return [
        f"target = {target}",
        "storage = target._storage",
        "if storage is None:",
        "    storage = target._own()",
        f"if not ({' and '.join(apart) or True}):",
        "    return usual(arguments, keywords)",
        "try:",
        f"    QUIET.run({passed}, out=target._array)",
        "except REFUSALS:",
        "    return usual(arguments, keywords)",
        "storage.version += 1",
        "target._names = parts",
        "return target",
    ]


_GLOBALS: Final[dict[str, Any]] = {
    "QUIET": QUIET,
    "REFUSALS": REFUSALS,
    "Tensor": Tensor,
    "asarray": np.asarray,
    "generic": np.generic,
    "ndarray": np.ndarray,
    "new": object.__new__,
    "new_tuple": tuple.__new__,
}
