"""Ops that work element by element: one tensor keeps its dims, several unify theirs.

The makers `keeps` and `unifies` live here and declare an op in one word; activations, conversions
and random fills use them in their own modules.
"""

from __future__ import annotations

from namecheck_runtime.algebra import each_dim, has_names, require_rank
from namecheck_runtime.alignment import broadcast, check_names
from namecheck_runtime.binding import REQUIRED, Parameter, Rule
from namecheck_runtime.declare import Flag, InPlace, Memory, Operand, Out, Parsing, Shape, op
from namecheck_runtime.lattice import UNKNOWN, Dim, Truth
from namecheck_runtime.mistakes.base import named_list
from namecheck_runtime.mistakes.broadcasts import SizeMismatch
from namecheck_runtime.rules.counting import mask_over, vector_per_dim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Final

DEFAULTS = {"": None, "False": False, "True": True}
"""The defaults that may follow the `=` of a parameter that the rule ignores."""

_ROOTS = ("torch", "Tensor", "numpy", "ndarray", "jax")
_UFUNC = ("out",)


class Word:
    """An op in one word: its spellings, then what follows its operands.

    `"neg negative np.negative op.neg jax.lax.neg (*, some=)"`.  A plain spelling is in every
    module of the maker; `np.` is NumPy's (and jax.numpy's), `op.` a Python operator; `torch.`,
    `Tensor.`, `numpy.`, `jax.` begin a full path, and any other dotted one is under `torch.`.  A
    parameter with `=` may be left out: its default is written after it, or None.  Those after `*`
    are keywords.  The rule ignores all of them.
    """

    __slots__ = ("jax", "numpy", "operator", "parameters", "paths")

    def __init__(self, text: str, modules: tuple[str, ...], shared: bool) -> None:
        spellings, _, rest = text.partition("(")
        self.paths: list[str] = []
        self.numpy: list[str] = []
        self.jax: list[str] = []
        self.operator = ""
        self.parameters = tuple(read_parameters(rest.rstrip(") "))) if rest else ()
        for spelling in spellings.split():
            module, _, name = spelling.partition(".")
            if not name:
                self.paths.extend(f"{prefix}.{spelling}" for prefix in modules)
                if shared:
                    self.numpy.append(spelling)
            elif module == "np":
                self.numpy.append(name)
            elif module == "op":
                self.operator = name
            elif module == "jax" and not spelling.startswith("jax.numpy."):
                self.jax.append(spelling)
            elif module in _ROOTS:
                self.paths.append(spelling)
            else:
                self.paths.append(f"torch.{spelling}")

    def declare(self, rule: Rule, **options: Any) -> None:
        """Declare the op under all its spellings; NumPy's positional order is a ufunc's."""
        order = [p.name for p in rule.parameters if p.kind == "positional"]
        numpy = [f"{name}({', '.join((*order, *_UFUNC))})" for name in self.numpy]
        op(*self.paths, numpy=numpy, jax=self.jax, operator=self.operator, **options)(rule)


def read_parameters(text: str) -> Iterator[Parameter]:
    """The parameters in a text such as `"p=, *, eps="`, which the rule ignores."""
    kind = "positional"
    for part in filter(None, (part.strip() for part in text.split(","))):
        if part == "*":
            kind = "keyword"
            continue
        name, optional, default = part.partition("=")
        yield Parameter(name, ("object",), DEFAULTS[default] if optional else REQUIRED, kind)


def _keep(input: Operand, *others: object, **options: object) -> Shape:
    return input


_INPUT = Parameter("input", ("Operand",), REQUIRED, "positional")
_KEEP = Rule(_keep, (_INPUT,), "Shape", False)


def keeps(
    *words: str,
    modules: tuple[str, ...] = ("torch", "Tensor"),
    numpy: bool = False,
    inplace: bool | InPlace = True,
    out: bool | Out = True,
    kind: str = "same",
    memory: Memory | None = Memory.POINTWISE,
) -> None:
    """Declare ops of one tensor that keep its dims.  Source: name inference, "keeps input names".

    `numpy` says that NumPy has each under the same names.
    """
    for text in words:
        word = Word(text, modules, numpy)
        rule = _KEEP
        if word.parameters:
            rule = Rule(_keep, (_INPUT, *word.parameters), "Shape", False)
        word.declare(rule, inplace=inplace, out=out, kind=kind, memory=memory)


def unifies(
    *words: str,
    modules: tuple[str, ...] = ("torch", "Tensor"),
    numpy: bool = False,
    inplace: bool | InPlace = True,
    kind: str = "same",
    parsing: tuple[Parsing, ...] = (),
) -> None:
    """Declare ops of two operands whose names unify from the right and whose sizes broadcast.

    The operands are `input`, and `other` unless the word names it.  Source: name inference,
    "unifies names from inputs".
    """
    for text in words:
        word = Word(text, modules, numpy)
        second, *rest = word.parameters or (Parameter("other", ("object",), REQUIRED, ""),)
        operand = Parameter(second.name, ("Operand",), REQUIRED, "positional")
        rule = Rule(_unify(second.name), (_INPUT, operand, *rest), "Shape", False)
        word.declare(
            rule, inplace=inplace, out=True, kind=kind, memory=Memory.POINTWISE, parsing=parsing
        )


def _unify(second: str) -> Any:
    def rule(input: Operand, other: Operand, *others: object, **options: object) -> Shape:
        return broadcast(input, other, ("input", second))

    return rule


def unify_all(*operands: tuple[str, Shape | None]) -> Shape:
    """The shape of several operands combined element by element, folded from left to right.

    Operands that are None (left out) do not count.  Names of all operands are compared before sizes
    of any.  Mistakes of a later operand show the names gathered so far, as PyTorch's do.
    """
    (first, result), *rest = [(name, shape) for name, shape in operands if shape is not None]
    assert result is not None
    mismatch: SizeMismatch | None = None
    for name, shape in rest:
        assert shape is not None
        if mismatch is None:
            try:
                result = broadcast(result, shape, (first, name))
                continue
            except SizeMismatch as mistake:
                mismatch = mistake
        check_names(result, shape, arguments=(first, name))
        result = broadcast(_nameplate(result), _nameplate(shape), names=False, suspicious=False)
    if mismatch is not None:
        raise mismatch
    return result


def _nameplate(shape: Shape) -> Shape:
    """The names of the dims, without their sizes."""
    return each_dim(shape, lambda dim: Dim(dim.name))


# One tensor.

keeps(
    "acos arccos",
    "acosh arccosh",
    "asin arcsin",
    "asinh arcsinh",
    "atan arctan",
    "atanh arctanh",
    "cos jax.lax.cos",
    "cosh jax.lax.cosh",
    "deg2rad",
    "exp jax.lax.exp",
    "exp2 special.exp2",
    "expm1 special.expm1 jax.lax.expm1",
    "i0 special.i0 jax.scipy.special.i0",
    "log jax.lax.log",
    "log10",
    "log1p special.log1p jax.lax.log1p",
    "log2",
    "rad2deg",
    "reciprocal",
    "sin jax.lax.sin",
    "sinc special.sinc",
    "sinh jax.lax.sinh",
    "sqrt jax.lax.sqrt",
    "tan jax.lax.tan",
    "tanh nn.functional.tanh jax.lax.tanh jax.nn.tanh",
    numpy=True,
    kind="inexact",
)
keeps(
    "abs absolute op.abs jax.lax.abs",
    "ceil jax.lax.ceil",
    "floor jax.lax.floor",
    "sign jax.lax.sign",
    "trunc fix",
    numpy=True,
)
keeps("square jax.lax.square", numpy=True, kind="counted")
keeps(
    "digamma special.digamma special.psi jax.lax.digamma jax.scipy.special.digamma",
    "erf special.erf jax.lax.erf jax.scipy.special.erf",
    "erfc special.erfc jax.lax.erfc jax.scipy.special.erfc",
    "erfinv special.erfinv jax.scipy.special.erfinv",
    "lgamma special.gammaln jax.lax.lgamma jax.scipy.special.gammaln",
    "logit special.logit jax.scipy.special.logit (eps=)",
    "rsqrt jax.lax.rsqrt",
    "sigmoid nn.functional.sigmoid special.expit"
    " jax.nn.sigmoid jax.lax.logistic jax.scipy.special.expit",
    kind="inexact",
)
keeps(
    "frac",
    "sgn",
    "neg negative np.negative op.neg jax.lax.neg",
    "round special.round jax.lax.round (*, decimals=)",
    "np.round np.around (decimals=)",
    "bitwise_not np.bitwise_not np.invert np.bitwise_invert op.invert",
    "hardshrink (lambd=)",
    "nan_to_num (nan=, posinf=, neginf=)",
)
keeps(
    "mvlgamma special.multigammaln (p)",
    "conj_physical jax.lax.conj",
    memory=Memory.FOLLOWS,
)
keeps(
    "airy_ai",
    "bessel_j0",
    "bessel_j1",
    "bessel_y0",
    "bessel_y1",
    "entr jax.scipy.special.entr",
    "erfcx jax.scipy.special.erfcx",
    "i0e jax.scipy.special.i0e",
    "i1 jax.scipy.special.i1",
    "i1e jax.scipy.special.i1e",
    "log_ndtr jax.scipy.special.log_ndtr",
    "modified_bessel_i0",
    "modified_bessel_i1",
    "modified_bessel_k0",
    "modified_bessel_k1",
    "ndtr jax.scipy.special.ndtr",
    "ndtri jax.scipy.special.ndtri",
    "scaled_modified_bessel_k0",
    "scaled_modified_bessel_k1",
    "spherical_bessel_j0",
    modules=("torch.special",),
    inplace=False,
)
keeps("angle", "np.angle (deg=)", kind="inexact", inplace=False)
keeps(
    "positive np.positive op.pos",
    "conj np.conj np.conjugate",
    "resolve_conj",
    "resolve_neg",
    "dequantize",
    inplace=False,
    memory=Memory.SAME,
)
keeps("np.cbrt", "np.fabs", "np.rint", "np.spacing", "np.real_if_close (tol=)", inplace=False)
keeps("np.degrees", "np.radians", "np.sort_complex", "np.unwrap (discont=, dim=, *, period=)")
keeps("np.nan_to_num (copy=, nan=, posinf=, neginf=)", inplace=False)
keeps(
    "torch.real numpy.real jax.numpy.real jax.lax.real",
    "torch.imag numpy.imag jax.numpy.imag jax.lax.imag",
    kind="float",
    inplace=False,
    memory=None,
)
keeps("logical_not np.logical_not", kind="bool")
keeps("isnan", "isinf", "isfinite", numpy=True, kind="bool")
keeps(*("isposinf", "isneginf", "signbit"), numpy=True, kind="bool", out=Out(booleans=True))
keeps("isreal np.isreal", "np.iscomplex", "jax.lax.is_finite", kind="bool", inplace=False)
op("Tensor.real", "ndarray.real", attribute=True, kind="float")(_KEEP)
op("Tensor.imag", "ndarray.imag", attribute=True, kind="float")(_KEEP)


@op("torch.polygamma", "torch.special.polygamma", out=True)
def polygamma(n: object, input: Shape) -> Shape:
    """The n-th derivative of digamma.  Source: name inference, "keeps input names"."""
    return input


@op("Tensor.polygamma", inplace=True)
def polygamma_of(self: Shape, n: object) -> Shape:
    """As `torch.polygamma`, the tensor first."""
    return self


# Two operands.

unifies(
    "add np.add op.add jax.lax.add (other, *, alpha=)",
    "sub subtract op.sub jax.lax.sub (other, alpha=)",
    "np.subtract",
    "mul multiply np.multiply op.mul jax.lax.mul",
    "remainder np.remainder np.mod op.mod jax.lax.rem",
    "bitwise_and op.and_",
    "bitwise_or op.or_",
    "bitwise_xor op.xor",
    kind="arithmetic",
)
unifies(
    "floor_divide np.floor_divide op.floordiv",
    "fmod np.fmod",
    "pow np.power np.pow op.pow jax.lax.pow (exponent)",
    "bitwise_left_shift np.left_shift np.bitwise_left_shift op.lshift",
    "bitwise_right_shift np.right_shift np.bitwise_right_shift op.rshift",
    kind="counted",
)
unifies(
    "true_divide np.true_divide",
    "xlogy special.xlogy jax.scipy.special.xlogy",
    kind="inexact",
)
unifies("float_power np.float_power (exponent)", kind="inexact", inplace=InPlace(doubles=True))
unifies("div divide np.divide op.truediv jax.lax.div (other, *, rounding_mode=)")
unifies("copysign", numpy=True, kind="inexact")
unifies("np.bitwise_and", "np.bitwise_or", "np.bitwise_xor", kind="arithmetic")
unifies("clamp_min (min)", "clamp_max (max)")
unifies(
    "xlog1py jax.scipy.special.xlog1py",
    "zeta jax.scipy.special.zeta",
    modules=("torch.special",),
    inplace=False,
)
unifies(
    "chebyshev_polynomial_t (n)",
    "chebyshev_polynomial_u (n)",
    "chebyshev_polynomial_v (n)",
    "chebyshev_polynomial_w (n)",
    "hermite_polynomial_h (n)",
    "hermite_polynomial_he (n)",
    "laguerre_polynomial_l (n)",
    "legendre_polynomial_p (n)",
    "shifted_chebyshev_polynomial_t (n)",
    "shifted_chebyshev_polynomial_u (n)",
    "shifted_chebyshev_polynomial_v (n)",
    "shifted_chebyshev_polynomial_w (n)",
    modules=("torch.special",),
    inplace=False,
)
unifies(
    "eq np.equal op.eq jax.lax.eq",
    "ne not_equal np.not_equal op.ne jax.lax.ne",
    "lt less np.less op.lt jax.lax.lt",
    "le less_equal np.less_equal op.le jax.lax.le",
    "gt greater np.greater op.gt jax.lax.gt",
    "ge greater_equal np.greater_equal op.ge jax.lax.ge",
    kind="bool",
)

# Two operands, of which PyTorch takes a number for the first alone.

_TENSORS: Final[tuple[Parsing, ...]] = ("tensors only",)

unifies(
    "ldexp np.ldexp",
    "atan2 arctan2 np.atan2 np.arctan2 jax.lax.atan2",
    kind="inexact",
    parsing=_TENSORS,
)
unifies(
    "igamma special.gammainc jax.scipy.special.gammainc",
    "igammac special.gammaincc jax.scipy.special.gammaincc",
    "heaviside np.heaviside (values)",
    parsing=_TENSORS,
)
unifies("hypot", numpy=True, kind="inexact", parsing=_TENSORS)
unifies("gcd", "lcm", "nextafter jax.lax.nextafter", numpy=True, parsing=_TENSORS)
unifies(
    *("maximum jax.lax.max", "minimum jax.lax.min", "fmax", "fmin", "logaddexp", "logaddexp2"),
    numpy=True,
    inplace=False,
    parsing=_TENSORS,
)
unifies("logical_and", "logical_or", "logical_xor", numpy=True, kind="bool", parsing=_TENSORS)
unifies(
    "isclose np.isclose (other, rtol=, atol=, equal_nan=)",
    kind="bool",
    inplace=False,
    parsing=_TENSORS,
)


@op("torch.rsub")
def rsub(input: Operand, other: Operand, alpha: object = 1) -> Shape:
    """`other - input`.  Source: name inference, "unifies names from inputs"."""
    return broadcast(other, input, ("other", "input"))


@op("torch.complex", out=True, kind="complex")
def complex(real: Shape, imag: Shape) -> Shape:
    """Numbers from their parts.  Torch refused names; they unify."""
    return broadcast(real, imag, ("real", "imag"))


@op("torch.polar", out=True, kind="complex")
def polar(abs: Shape, angle: Shape) -> Shape:
    """Numbers from length and angle.  Torch refused names; they unify."""
    return broadcast(abs, angle, ("abs", "angle"))


# Three operands.


@op(
    *("torch.clamp", "torch.clip", "Tensor.clamp", "Tensor.clip"),
    inplace=True,
    out=True,
    memory=Memory.POINTWISE,
)
@op(numpy="clip(input, min, max, out)", out=True)
def clamp(input: Operand, min: Operand | None = None, max: Operand | None = None) -> Shape:
    """Limits values; bounds may be tensors.  Source: name inference, "unifies names"."""
    return unify_all(("input", input), ("min", min), ("max", max))


@op(
    "torch.addcmul",
    "Tensor.addcmul",
    inplace=True,
    out=True,
    memory=Memory.POINTWISE,
    parsing=("tensors only",),
)
@op(
    "torch.addcdiv",
    "Tensor.addcdiv",
    inplace=True,
    out=True,
    memory=Memory.POINTWISE,
    parsing=("tensors only",),
)
def addc(input: Shape, tensor1: Operand, tensor2: Operand, *, value: object = 1) -> Shape:
    """`input + value * tensor1 * tensor2`, or `/`.  Source: name inference, "unifies names"."""
    return unify_all(("input", input), ("tensor1", tensor1), ("tensor2", tensor2))


@op("torch.lerp", "Tensor.lerp", inplace=True, out=True, memory=Memory.POINTWISE)
def lerp(input: Shape, end: Shape, weight: Operand) -> Shape:
    """Between `input` and `end`.  Torch refused names; they unify."""
    return unify_all(("input", input), ("end", end), ("weight", weight))


@op(
    "torch.where",
    numpy="where(condition, input, other)",
    out=True,
    kind="chosen",
    memory=Memory.FOLLOWS,
)
def where(condition: Operand, input: Operand, other: Operand) -> Shape:
    """`input` where `condition` holds, else `other`.  Torch refused names; all three unify."""
    return unify_all(("condition", condition), ("input", input), ("other", other))


@op("torch.where", numpy="where(condition, input, other)")
def where_true(condition: Shape) -> Any:
    """The indices where `condition` holds, a vector per dim.  Source: torch.where."""
    return vector_per_dim(condition)


@op("Tensor.where", memory=Memory.FOLLOWS)
def where_of(self: Operand, condition: Operand, other: Operand) -> Shape:
    """As `torch.where`, called on the input."""
    return unify_all(("condition", condition), ("self", self), ("other", other))


@op(jax="jax.lax.select(condition, input, other)")
def select(condition: Operand, input: Operand, other: Operand) -> Shape:
    """`input` where `condition` holds, else `other`.  Source: jax.lax.select."""
    return unify_all(("condition", condition), ("input", input), ("other", other))


@op(jax="jax.lax.clamp(min, input, max)")
def lax_clamp(min: Operand, input: Operand, max: Operand) -> Shape:
    """Limits values.  Source: jax.lax.clamp."""
    return unify_all(("min", min), ("input", input), ("max", max))


# Filling and copying.


@op(
    *("torch.masked_fill", "Tensor.masked_fill"),
    inplace=InPlace(shared=True),
    memory=Memory.FOLLOWS,
)
def masked_fill(input: Shape, mask: Shape, value: Operand) -> Shape:
    """`value` where `mask` holds.  With names, the mask has at most as many dims as the input.

    Raises RankMismatch.  Source: name inference, "aligns mask up to input".
    """
    if isinstance(input, tuple) and isinstance(mask, tuple):
        if Truth.YES in (has_names(input), has_names(mask)):
            text = (
                f"masked_fill: attempted to broadcast Tensor{named_list(mask)} to "
                f"Tensor{named_list(input)} but the number of dims ({len(mask)}) must be less than "
                f"or equal to the number of dims in the tensor ({len(input)})"
            )
            require_rank(mask, lambda n: n <= len(input), f"at most {len(input)}", "mask", text)
    result = mask_over(input, mask)
    if isinstance(value, tuple):
        text = (
            f"masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
            f"{len(value)} dimension(s)."
        )
        require_rank(value, lambda n: n == 0, "0", "value", text)
    return result


@op("torch.masked_scatter", "Tensor.masked_scatter", inplace=True)
def masked_scatter(input: Shape, mask: Shape, source: Shape) -> Shape:
    """Elements of `source` where `mask` holds.  Torch refused names; input and mask unify."""
    return mask_over(input, mask)


@op("Tensor.copy_", inplace=True, memory=Memory.POINTWISE)
def copy_(self: Shape, other: Operand, non_blocking: object = False) -> Shape:
    """Writes the elements of `other`.  Source: name inference, "out function and in-place"."""
    return broadcast(self, other, ("self", "other"), suspicious=False)


@op("numpy.copyto", inplace=False, writes=("dst",))
def copyto(dst: Shape, src: Operand, casting: object = None, where: object = True) -> Shape:
    """Writes the elements of `src` into `dst`, and returns nothing: the dims of `dst` afterwards.

    Source: numpy.copyto.
    """
    written = broadcast(dst, src, ("dst", "src"), suspicious=False)
    if isinstance(dst, tuple) and isinstance(written, tuple):
        # NumPy drops dims of size 1 in front of `src`, which `dst` does not have.
        return written[len(written) - len(dst) :]
    return written


@op(
    *("torch.fill", "Tensor.fill_", "torch.fill_"),
    inplace=InPlace(shared=True, holds=True),
)
def fill(input: Shape, value: Operand) -> Shape:
    """Every element becomes `value`, a number or a 0-d tensor.  Raises RankMismatch."""
    if isinstance(value, tuple):
        text = (
            f"fill_ only supports 0-dimension value tensor but got tensor with {len(value)} "
            f"dimensions."
        )
        require_rank(value, lambda n: n == 0, "0", "value", text)
    return input


keeps(
    "zero_ torch.zero_",
    modules=("Tensor",),
    inplace=InPlace(shared=True),
    out=False,
    memory=Memory.FOLLOWS,
)
keeps(
    "detach_ torch.detach_",
    "requires_grad_ (requires_grad=)",
    modules=("Tensor",),
    out=False,
    memory=Memory.FOLLOWS,
)
keeps("renorm (p, dim, maxnorm)", memory=Memory.FOLLOWS)


@op(
    "torch.allclose",
    "Tensor.allclose",
    numpy="allclose(input, other, rtol, atol, equal_nan)",
    parsing=("tensors only",),
)
def allclose(
    input: Operand,
    other: Operand,
    rtol: object = 1e-05,
    atol: object = 1e-08,
    equal_nan: object = False,
) -> Flag:
    """Whether all elements are close; operands broadcast.  The elements decide: UNKNOWN."""
    broadcast(input, other)
    return UNKNOWN
