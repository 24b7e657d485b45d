"""Rules written as a signature string: `"*b m k', *b k' n -> *b m n"`.

`signature` makes a rule from such a string.  A letter is a variable for a dim: where it is
repeated, sizes must be equal and names unify; `k'` compares the size only.  `*b` stands for leading
dims, which broadcast.  A name that is an argument (of the constructor, or a keyword) is that size;
arithmetic is computed on the right, and solved on the left when one unknown remains.  Result dims
are the operand's own Dim objects.  A rule that does not fit this form is written as a function.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import feature, fresh, merge, require_equal, unify_names
from namecheck_runtime.alignment import broadcast, unify
from namecheck_runtime.binding import REQUIRED, Parameter, Rule
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Shape, Size, known_dims, trailing
from namecheck_runtime.mistakes.base import Blame, Mistake
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.names import NameMismatch
from namecheck_runtime.mistakes.sizes import ContractionSize, LayerSize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from namecheck_runtime.notation.patterns import Signature
    from namecheck_runtime.notation.syntax import Arithmetic, Term, WrittenDim, WrittenShape


def signature(text: str, *, arguments: tuple[str, ...] = ("input",), fields: bool = True) -> Rule:
    """The rule that `text` describes, over operands called `arguments`.

    With `fields` (a layer's forward) the rule's first argument is the record of constructor
    arguments.
    """

    def ask(*values: Any) -> Any:
        # Imported with the first call, so that importing the rules does not pay for it.
        from namecheck_runtime.notation.patterns import read_signature

        record: Mapping[str, Any] = values[0] if fields else {}
        return _Match(
            read_signature(text), arguments, values[1:] if fields else values, record
        ).result()

    parameters = tuple(Parameter(name, ("Shape",), REQUIRED, "positional") for name in arguments)
    count = text.partition("->")[2].count(",") + 1
    returns = "Shape" if count == 1 else f"tuple[{', '.join(['Shape'] * count)}]"
    return Rule(ask, parameters, returns, False)


class _Match:
    """The dims that the letters of a signature stand for in one call."""

    def __init__(
        self,
        written: Signature,
        arguments: tuple[str, ...],
        shapes: tuple[Shape, ...],
        fields: Mapping[str, Any],
    ) -> None:
        self.written = written
        self.fields = fields
        self.dims: dict[str, Dim] = {}
        self.sizes: dict[str, Size] = {}
        self.batches: dict[str, Shape] = {}
        self.origins: dict[str, tuple[str, Shape, int]] = {}
        for pattern, argument, shape in zip(written.operands, arguments, shapes, strict=True):
            self._match(pattern, argument, shape)

    def _match(self, pattern: WrittenShape, argument: str, shape: Shape) -> None:
        many = next((k for k, dim in enumerate(pattern.dims) if dim.many), None)
        fixed = len(pattern.dims) - (many is not None)
        if isinstance(shape, tuple) and (
            len(shape) < fixed if many is not None else len(shape) != fixed
        ):
            words = f"at least {fixed}" if many is not None else str(fixed)
            raise RankMismatch(shape=shape, wanted=words, blame=(Blame(argument),))
        dims = known_dims(shape)
        tail = pattern.dims if many is None else pattern.dims[many + 1 :]
        for back, written in enumerate(reversed(tail), 1):
            if back <= len(dims):
                self._take(written, dims[-back], argument, shape, -back)
        if many is None:
            return
        label = pattern.dims[many].term
        if isinstance(shape, tuple):
            for index, written in enumerate(pattern.dims[:many]):
                self._take(written, shape[index], argument, shape, index)
            middle: Shape = shape[many : len(shape) - len(tail)]
        else:
            # Whether there are dims before the known ones, only a known rank shows.
            rest = dims[: len(dims) - len(tail)] if many == 0 else ()
            middle = trailing(rest)
        if isinstance(label, str):
            known = self.batches.get(label)
            self.batches[label] = middle if known is None else broadcast(known, middle)

    def _take(self, written: WrittenDim, dim: Dim, argument: str, shape: Shape, place: int) -> None:
        """Let a written dim stand for `dim`, which must equal the dim it stood for before."""
        term = written.term
        if term is None:
            return
        known = self._size(term)
        name = written.alias or term
        if known is not UNKNOWN:
            self._require(term, known, dim, argument, shape, place)
        elif not isinstance(term, (str, int)):
            self._solve(term, dim.size)
        if not isinstance(name, str):
            return
        if written.primed:
            self.sizes.setdefault(name, dim.size)
            self.origins.setdefault(name, (argument, shape, place))
            return
        earlier = self.dims.get(name)
        if earlier is None:
            size = known if dim.size is UNKNOWN else dim.size
            self.dims[name] = dim if size is dim.size else Dim(dim.name, size, dim.trace)
            self.origins.setdefault(name, (argument, shape, place))
            return
        if isinstance(earlier.name, str) and isinstance(dim.name, str) and earlier.name != dim.name:
            other, other_shape, other_place = self.origins[name]
            raise NameMismatch(
                left=other_shape,
                right=shape,
                position=place,
                left_name=earlier.name,
                right_name=dim.name,
                blame=(Blame(other, other_place), Blame(argument, place)),
            )
        size = dim.size if earlier.size is UNKNOWN else earlier.size
        self.dims[name] = (
            unify(earlier, dim)
            if earlier.size == dim.size
            else Dim(unify_names(earlier.name, dim.name), size)
        )

    def _require(
        self, term: Term, known: Size, dim: Dim, argument: str, shape: Shape, place: int
    ) -> None:
        if dim.size == known or dim.size is UNKNOWN:
            return
        origin = self.origins.get(term) if isinstance(term, str) else None
        mistake: Mistake
        if origin is None:
            role = ", ".join(_names_in(term)) or "size"
            mistake = LayerSize(
                input=shape,
                wanted=known,
                found=dim.size,
                role=role,
                blame=(Blame(argument, place),),
            )
        else:
            mistake = ContractionSize(
                left=origin[1],
                right=shape,
                left_size=known,
                right_size=dim.size,
                blame=(Blame(origin[0], origin[2]), Blame(argument, place)),
            )
        require_equal(known, dim.size, mistake)

    def _size(self, term: Term) -> Size:
        """The size of a term from what is bound so far; UNKNOWN if something in it is not bound."""
        if isinstance(term, int):
            return term
        if not isinstance(term, str):
            left, right = self._size(term.left), self._size(term.right)
            compute = sizes.ARITHMETIC.get(term.operator)
            return UNKNOWN if compute is None else compute(left, right)
        if term in self.fields:
            value = self.fields[term]
            return (
                value
                if isinstance(value, (int, sizes.Polynomial)) and not isinstance(value, bool)
                else UNKNOWN
            )
        if term in self.dims:
            return self.dims[term].size
        return self.sizes.get(term, UNKNOWN)

    def _solve(self, term: Arithmetic, total: Size) -> None:
        """Bind the one unknown factor of a product to the rest of `total`."""
        if term.operator != "*":
            return
        for known, wanted in ((term.left, term.right), (term.right, term.left)):
            size = self._size(known)
            if size is not UNKNOWN and isinstance(wanted, str):
                self.sizes.setdefault(wanted, sizes.divide_exactly(total, size))
                return

    def result(self) -> Any:
        """The shapes on the right of the arrow."""
        shapes = tuple(self._shape(written) for written in self.written.results)
        return shapes[0] if len(shapes) == 1 else shapes

    def _shape(self, written: WrittenShape) -> Shape:
        dims: list[Dim] = []
        led = False
        for part in written.dims:
            if not part.many:
                dims.append(self._dim(part))
                continue
            batch = self.batches[str(part.term)]
            if not isinstance(batch, tuple):
                # Dims before an unknown number of dims have no known place from the right.
                led, dims = True, []
            dims.extend(known_dims(batch))
        result: Dims = tuple(dims)
        return trailing(result) if led else result

    def _dim(self, written: WrittenDim) -> Dim:
        term = written.term
        if isinstance(term, str) and term in self.dims:
            return self.dims[term]
        if term is None:
            return Dim(UNKNOWN, UNKNOWN)
        if not isinstance(term, (str, int)) and term.operator == "*":
            named = _names_in(term)
            factors = tuple(self.dims[name] for name in named if name in self.dims)
            if len(factors) > 1 and len(factors) == len(named):
                return merge(factors)
        # A letter that no operand bound (one of unknown rank) is an unknown dim.
        size = self._size(term)
        if size is UNKNOWN and isinstance(term, str) and term not in self.fields:
            return Dim(UNKNOWN, UNKNOWN)
        return feature(size) if isinstance(term, str) and term in self.fields else fresh(size)


def _names_in(term: Term) -> Sequence[str]:
    from namecheck_runtime.notation.syntax import names_of

    return names_of(term)
