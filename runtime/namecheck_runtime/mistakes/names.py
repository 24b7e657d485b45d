"""NC1xx: mistakes about dim names."""

from __future__ import annotations

from namecheck_runtime.lattice import Name, Shape, show
from namecheck_runtime.mistakes.base import (
    Mistake,
    in_one_line,
    name_text,
    named_list,
    size_list,
    verb,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar


def _names(names: tuple[Name, ...]) -> str:
    return "[" + ", ".join(map(name_text, names)) + "]"


class NameMismatch(Mistake):
    """Two dims with different names meet.

    ## What it finds
    Operands are lined up from the right, and at some position both dims are named, differently:
    `[N, C] + [N]` adds `C` to `N`.

    ## Why it is bad
    When the sizes happen to agree, or one of them is 1, this runs and computes nonsense.

    ## Example
    ```python
    import namecheck_runtime as nt

    x = nt.randn(32, 10, names=("N", "C"))
    bias = nt.randn(10, names=("D",))
    y = x + bias  # NC101
    ```

    ## Use instead
    Line the dims up (`bias.align_as(x)`, `transpose`), or rename one of them if the two mean the
    same.

    ```python
    import namecheck_runtime as nt

    x = nt.randn(32, 10, names=("N", "C"))
    bias = nt.randn(10, names=("D",))
    y = x + bias.rename(D="C")
    ```
    """

    code: ClassVar[str] = "NC101"
    name: ClassVar[str] = "name-mismatch"
    lines_up: ClassVar[bool] = True
    mutual: ClassVar[tuple[str, ...]] = ("left", "right")

    left: Shape
    right: Shape
    position: int
    """Counted from the right: -1 is the last dim."""
    left_name: Name
    right_name: Name
    action: str = "broadcast"

    def sentence(self) -> str:
        return (
            f"Error when attempting to {self.action} dims {named_list(self.left)} and dims "
            f"{named_list(self.right)}: dim {name_text(self.left_name)} and dim "
            f"{name_text(self.right_name)} are at the same position from the right but do not "
            "match."
        )

    def message(self) -> str:
        return (
            f"cannot {verb(self.op)} {show(self.left)} and {show(self.right)}: "
            f"{name_text(self.left_name)} and {name_text(self.right_name)} meet at position "
            f"{self.position}"
        )

    def hint(self) -> str | None:
        return "line the dims up with `align_as` or `transpose`, or rename one of the two"


class BatchNameMismatch(NameMismatch):
    """Batch dims of a matrix product with different names: NC101 with another sentence."""

    lines_up: ClassVar[bool] = False

    left_index: int
    right_index: int

    def sentence(self) -> str:
        return (
            f"{self.action}: Expected {name_text(self.left_name)} (index {self.left_index} of "
            f"{named_list(self.left)}) to match {name_text(self.right_name)} (index "
            f"{self.right_index} of {named_list(self.right)}) but they do not match."
        )


class MisalignedNames(Mistake):
    """A name appears at different positions from the right in the two operands.

    ## What it finds
    `[N, None] + [N]`: `N` is the second dim from the right on the left side and the last on the
    right side, so a named dim would be broadcast over itself.

    ## Why it is bad
    The result is an outer combination (`[N, N]` values) where an elementwise one was meant.

    ## Example
    ```python
    import namecheck_runtime as nt

    total = nt.randn(32, names=("N",))
    x = nt.randn(32, 10, names=("N", None))
    y = x - total  # NC102
    ```

    ## Use instead
    The missing dim, inserted by name (`total.align_as(x)`) or by hand:

    ```python
    import namecheck_runtime as nt

    total = nt.randn(32, names=("N",))
    x = nt.randn(32, 10, names=("N", None))
    y = x - total[:, None]
    ```
    """

    code: ClassVar[str] = "NC102"
    name: ClassVar[str] = "misaligned-names"
    lines_up: ClassVar[bool] = True
    mutual: ClassVar[tuple[str, ...]] = ("owner", "other")

    owner: Shape
    """The operand that has the name where the other has no name."""
    other: Shape
    misaligned: Name
    action: str = "broadcast"

    def sentence(self) -> str:
        return (
            f"Misaligned dims when attempting to {self.action} dims {named_list(self.owner)} and "
            f"dims {named_list(self.other)}: dim {name_text(self.misaligned)} appears in a "
            "different position from the right across both lists."
        )

    def message(self) -> str:
        return (
            f"cannot {verb(self.op)} {show(self.owner)} and {show(self.other)}: "
            f"{name_text(self.misaligned)} appears at different positions from the right"
        )

    def hint(self) -> str | None:
        return "line the dims up by name with `align_as`, or insert the missing dim with `None`"


class MisalignedBatchNames(MisalignedNames):
    """A batch name of a matrix product that the other operand has elsewhere.

    The code is NC102, with another sentence.
    """

    lines_up: ClassVar[bool] = False

    owner_index: int
    other_index: int

    def sentence(self) -> str:
        return (
            f"{self.action}: Cannot match {name_text(self.misaligned)} (index {self.owner_index} "
            f"of {named_list(self.owner)}) with None (index {self.other_index} of "
            f"{named_list(self.other)}) because the latter names already have "
            f"{name_text(self.misaligned)}. Are your tensors misaligned?"
        )


class UnknownName(Mistake):
    """A dim is looked up by a name that the tensor does not have.

    ## What it finds
    `x.sum("Q")` where x is `[N, C]`.

    ## Why it is bad
    It raises when it runs.

    ## Example
    ```python
    import namecheck_runtime as nt

    x = nt.randn(32, 10, names=("N", "C"))
    total = x.sum("channels")  # NC103
    ```

    ## Use instead
    One of the names of the tensor; the message lists them.

    ```python
    import namecheck_runtime as nt

    x = nt.randn(32, 10, names=("N", "C"))
    total = x.sum("C")
    ```
    """

    code: ClassVar[str] = "NC103"
    name: ClassVar[str] = "unknown-name"

    shape: Shape
    missing: str

    def sentence(self) -> str:
        return f"Name {name_text(self.missing)} not found in Tensor{named_list(self.shape)}."

    def message(self) -> str:
        return (
            f"cannot find dim {name_text(self.missing)} for {verb(self.op)} in {show(self.shape)}"
        )

    def hint(self) -> str | None:
        names = (
            [dim.name for dim in self.shape if isinstance(dim.name, str)]
            if isinstance(self.shape, tuple)
            else []
        )
        return (
            f"the dims are named {', '.join(map(name_text, names))}"
            if names
            else "none of its dims is named"
        )


class WildcardLookup(UnknownName):
    """A dim looked up by `None`, which is not a name: NC103 with another sentence."""

    missing: str = "None"

    def sentence(self) -> str:
        return "Please look up dimensions by name, got: name = None."

    def message(self) -> str:
        return (
            f"cannot look up dim None of {show(self.shape)} for {verb(self.op)}: None is not a name"
        )


class DuplicateName(Mistake):
    """A result or a declaration would have the same name twice.

    ## What it finds
    `names=("N", "N")`, a rename onto a name that is there, or a matrix product whose result repeats
    a name, such as the attention scores `[B, H, T, D] @ [B, H, D, T]`.

    ## Why it is bad
    A name must identify one dim; with two, every later lookup would be ambiguous, so this raises.

    ## Example
    ```python
    import namecheck_runtime as nt

    q = nt.randn(4, 7, 16, names=("B", "T", "D"))
    k = nt.randn(4, 7, 16, names=("B", "T", "D"))
    scores = q @ k.transpose("D", "T")  # NC104
    ```

    ## Use instead
    Two names for the two dims, given before they meet:

    ```python
    import namecheck_runtime as nt

    q = nt.randn(4, 7, 16, names=("B", "T", "D"))
    k = nt.randn(4, 7, 16, names=("B", "T", "D"))
    scores = q @ k.rename(T="S").transpose("D", "S")
    ```
    """

    code: ClassVar[str] = "NC104"
    name: ClassVar[str] = "duplicate-name"

    names: tuple[Name, ...]

    def repeated(self) -> Name:
        """The first name that is there twice."""
        return next(
            name for name in self.names if isinstance(name, str) and self.names.count(name) > 1
        )

    def sentence(self) -> str:
        return f"Cannot construct a tensor with duplicate names. Got names: {_names(self.names)}."

    def message(self) -> str:
        return (
            f"cannot {verb(self.op)}: the result {_names(self.names)} would have "
            f"{name_text(self.repeated())} twice"
        )

    def hint(self) -> str | None:
        return f"give one of the two another name first, such as `.rename({self.repeated()}=...)`"


class DuplicateProductName(DuplicateName):
    """A matrix product that keeps two dims of the same name: NC104 with another sentence."""

    left: Shape
    right: Shape

    def sentence(self) -> str:
        return (
            f"Matrix multiplying Tensor{named_list(self.left)} with Tensor{named_list(self.right)} "
            f"would produce output tensor with duplicate names {_names(self.names)}. Please rename "
            "the input tensors with `Tensor.rename` to prevent this."
        )

    def message(self) -> str:
        return (
            f"cannot {verb(self.op)} {show(self.left)} and {show(self.right)}: the result "
            f"{_names(self.names)} would have {name_text(self.repeated())} twice"
        )

    def hint(self) -> str | None:
        name = self.repeated()
        return f'rename one side first: `.rename({name}="{name}_other")`'


class DuplicateDistanceName(DuplicateName):
    """The two row dims of a distance matrix have the same name: NC104 with another sentence."""

    left: Shape
    right: Shape

    def sentence(self) -> str:
        left, right = self.names[-2], self.names[-1]
        listed = " ".join(map(name_text, self.names))
        return (
            f"cdist: Attempted to propagate dims {name_text(left)} (index -2 of "
            f"{named_list(self.left)}) and {name_text(right)} (index -2 of "
            f"{named_list(self.right)}) to the output, but that would create a tensor with "
            f"duplicate names [{listed}]. Please rename your inputs with Tensor.rename to prevent "
            "this."
        )


class WrittenNames(Mistake):
    """A result whose names do not fit the tensor that it is written to: NC105 and NC106."""

    destination: Shape
    computed: Shape

    def sentence(self) -> str:
        return (
            f"Name mismatch: specified out tensor with names {named_list(self.destination)} are "
            f"not the same as the computed output names {named_list(self.computed)}. Please rename "
            "the out tensor's dims with `Tensor.rename`."
        )


class OutNames(WrittenNames):
    """The names of `out=` are not the ones that the op computes.

    ## What it finds
    A named tensor passed as `out=` whose names differ from the result's; a missing name counts as
    a name here.

    ## Why it is bad
    It raises, and some ops have already overwritten the values by then.

    ## Example
    ```python
    import namecheck_runtime as nt

    x = nt.randn(3, 3, names=("N", "C"))
    result = nt.zeros(3, 3, names=("C", "N"))
    nt.add(x, x, out=result)  # NC105
    ```

    ## Use instead
    An unnamed destination, which takes the names, or one with the names of the result:

    ```python
    import namecheck_runtime as nt

    x = nt.randn(3, 3, names=("N", "C"))
    result = nt.zeros(3, 3, names=("N", "C"))
    nt.add(x, x, out=result)
    ```
    """

    code: ClassVar[str] = "NC105"
    name: ClassVar[str] = "out-names"

    def message(self) -> str:
        return (
            f"cannot write the result {show(self.computed)} of {verb(self.op)} to out= of "
            f"{show(self.destination)}: the names differ"
        )

    def hint(self) -> str | None:
        return "leave the destination unnamed, or rename it to the computed names"


class OutSize(OutNames):
    """A named `out=` that would have to change its size, which only unnamed ones do.

    The code is NC105.
    """

    def sentence(self) -> str:
        return (
            "Cannot resize named tensor with resize_ or resize_as_ (tried to resize "
            f"Tensor{named_list(self.destination)} with size {size_list(self.destination)} to "
            f"{size_list(self.computed)}). This may be caused by passing a named tensor as an "
            "`out=` argument; please ensure that the sizes are the same."
        )

    def message(self) -> str:
        return (
            f"cannot write the result {show(self.computed)} of {verb(self.op)} to "
            f"{show(self.destination)}: a named destination is not resized"
        )

    def hint(self) -> str | None:
        return "make the destination with the computed sizes, or drop its names"


class InplaceNames(WrittenNames):
    """An in-place op computes names or sizes that do not fit the tensor that it writes to.

    ## What it finds
    `x.add_(y)` where the result's names are not x's, or where broadcasting would make the result
    larger than x.

    ## Why it is bad
    The tensor that is written keeps its shape, so this raises.

    ## Example
    ```python
    import namecheck_runtime as nt

    x = nt.randn(32, 10, names=("N", "C"))
    bias = nt.zeros(10, names=("C",))
    bias.add_(x)  # NC106
    ```

    ## Use instead
    The op that makes a new tensor:

    ```python
    import namecheck_runtime as nt

    x = nt.randn(32, 10, names=("N", "C"))
    bias = nt.zeros(10, names=("C",))
    bias = bias + x
    ```
    """

    code: ClassVar[str] = "NC106"
    name: ClassVar[str] = "inplace-names"

    def message(self) -> str:
        return (
            f"cannot write the result {show(self.computed)} of {verb(self.op)} in place to "
            f"{show(self.destination)}: the names differ"
        )

    def hint(self) -> str | None:
        return "use the op that returns a new tensor"


class InplaceSize(InplaceNames):
    """An in-place result that is larger than the tensor it is written to; the code is NC106."""

    def sentence(self) -> str:
        return (
            f"output with shape {size_list(self.destination)} doesn't match the broadcast shape "
            f"{size_list(self.computed)}"
        )

    def message(self) -> str:
        return (
            f"cannot write the result {show(self.computed)} of {verb(self.op)} in place to "
            f"{show(self.destination)}: the shapes differ"
        )


class BadNames(Mistake):
    """Names that cannot be given to this tensor.

    ## What it finds
    An invalid identifier, the wrong number of names, two ellipses, a `refine_names` that
    contradicts a name, an `align_to` that leaves a dim out, a `flatten` over dims that are not
    neighbours, an `assert_names` with names other than the tensor's.

    ## Why it is bad
    It raises when it runs.

    ## Example
    ```python
    import namecheck_runtime as nt

    x = nt.zeros(2, 3, names=("N", "C"))
    y = x.refine_names("N", "X")  # NC107
    ```

    ## Use instead
    One name (or None) per dim; `...` once for the dims that stay; `rename` to replace a name.

    ```python
    import namecheck_runtime as nt

    x = nt.zeros(2, 3, names=("N", "C"))
    y = x.rename(C="X")
    ```
    """

    code: ClassVar[str] = "NC107"
    name: ClassVar[str] = "bad-names"

    text: str
    """PyTorch's sentence."""
    reason: str = ""
    """Our own reason, where PyTorch's sentence is less clear."""

    def sentence(self) -> str:
        return self.text

    def message(self) -> str:
        reason = self.reason or in_one_line(self.text)
        return reason if reason.startswith(verb(self.op)) else f"cannot {verb(self.op)}: {reason}"


class AssertedNames(BadNames):
    """Names that `assert_names` expects and the tensor does not have; the code is NC107."""

    exception: ClassVar[type[Exception]] = AssertionError

    def message(self) -> str:
        return self.reason


class ContractedNames(Mistake):
    """Dims with different names are contracted against each other (opt-in).

    ## What it finds
    A matrix product whose contracted dims have two names: `[N, D] @ [in, out]` contracts `D`
    against `in`. PyTorch never compares these names, and many programs use two names for one thing
    on purpose, so this is on only in strict mode.

    ## Why it is bad
    If the sizes agree by accident, the product is meaningless.

    ## Example
    ```python
    import namecheck_runtime as nt

    x = nt.randn(32, 10, names=("N", "D"))
    weight = nt.randn(10, 4, names=("in", "out"))
    y = x @ weight  # NC108
    ```

    ## Use instead
    The same name on both sides:

    ```python
    import namecheck_runtime as nt

    x = nt.randn(32, 10, names=("N", "D"))
    weight = nt.randn(10, 4, names=("in", "out"))
    y = x @ weight.rename(**{"in": "D"})
    ```
    """

    code: ClassVar[str] = "NC108"
    name: ClassVar[str] = "contracted-names"
    mutual: ClassVar[tuple[str, ...]] = ("left", "right")
    level: ClassVar[str] = "warning"
    is_strict: ClassVar[bool] = True

    left: Shape
    right: Shape
    left_name: Name
    right_name: Name

    def message(self) -> str:
        return (
            f"{verb(self.op)} of {show(self.left)} and {show(self.right)} contracts "
            f"{name_text(self.left_name)} against {name_text(self.right_name)}"
        )

    def hint(self) -> str | None:
        return "give both the same name if they mean the same thing"
