"""Ops that draw elements at random: new tensors, draws by probabilities, fills in place."""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import fresh, require_rank
from namecheck_runtime.alignment import broadcast
from namecheck_runtime.declare import (
    REGISTRY,
    UNCHECKED,
    DimRef,
    Dims,
    Memory,
    Names,
    Operand,
    Shape,
    Size,
    Sizes,
    op,
)
from namecheck_runtime.lattice import UNKNOWN, Symbolic, Trailing, Unknown
from namecheck_runtime.rules.factory import dims_of, from_sizes, named, renamed
from namecheck_runtime.rules.pointwise import keeps
from namecheck_runtime.rules.reduce import check_dim, reduced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

op("torch.rand", out=UNCHECKED, kind="float", memory=Memory.NEW)(from_sizes)
op("torch.randn", out=UNCHECKED, kind="float", memory=Memory.NEW)(from_sizes)

keeps(
    "bernoulli_ (p=, *, generator=)",
    "cauchy_ (median=, sigma=, *, generator=)",
    "exponential_ (lambd=, *, generator=)",
    "geometric_ (p, *, generator=)",
    "log_normal_ (mean=, std=, *, generator=)",
    "normal_ (mean=, std=, *, generator=)",
    "random_ (from_=, to=, *, generator=)",
    "uniform_ (from_=, to=, *, generator=)",
    modules=("Tensor",),
    out=False,
)
keeps(
    "bernoulli (p=, *, generator=)",
    "torch.poisson (generator=)",
    inplace=False,
    memory=Memory.FOLLOWS,
)


@op("torch.rand_like", memory=Memory.POINTWISE)
@op("torch.randn_like", memory=Memory.POINTWISE)
def drawn_like(input: Operand, *, names: Names | None = None) -> Shape:
    """Draws with the dims of `input`.  Source: name inference, "factory functions"."""
    return renamed(input, names)


@op("torch.randint_like", kind="int", memory=Memory.POINTWISE)
def randint_like(input: Shape, low: object, high: object, *, names: Names | None = None) -> Shape:
    """Whole numbers with the dims of `input`.  Torch refused names; they are kept."""
    return renamed(input, names)


@op("torch.randint_like", kind="int")
def randint_like_below(input: Shape, high: object, *, names: Names | None = None) -> Shape:
    """Whole numbers from 0 with the dims of `input`.  Torch refused names; they are kept."""
    return renamed(input, names)


@op("torch.randint", out=UNCHECKED, kind="int", memory=Memory.NEW)
def randint(low: object, high: object, size: Sizes, *, names: Names | None = None) -> Shape:
    """Whole numbers from `low` to before `high`."""
    return named(dims_of(size), names)


@op("torch.randint", out=UNCHECKED, kind="int")
def randint_below(high: object, size: Sizes, *, names: Names | None = None) -> Shape:
    """Whole numbers from 0 to before `high`."""
    return named(dims_of(size), names)


@op("torch.randperm", out=UNCHECKED, kind="int", memory=Memory.NEW)
def randperm(n: Size, *, names: Names | None = None) -> Shape:
    """The numbers from 0 to before `n` in some order."""
    return named(dims_of((n,), "n"), names)


@op("torch.normal", out=UNCHECKED, kind="float")
def normal_of_size(mean: object, std: object, size: Sizes, *, names: Names | None = None) -> Shape:
    """Draws of one normal distribution."""
    return named(dims_of(size), names)


@op("torch.normal", out=UNCHECKED, kind="float")
def normal(mean: Operand, std: Operand = ()) -> Shape:
    """A draw for each mean and deviation.

    Source: name inference documents "keeps input names"; torch refused them.
    """
    return broadcast(mean, std, ("mean", "std"))


@op("torch.binomial")
def binomial(count: Shape, prob: Shape) -> Shape:
    """A draw for each number of trials and probability.  Torch refused names; they unify."""
    return broadcast(count, prob, ("count", "prob"))


@op("torch.multinomial", "Tensor.multinomial", kind="int", out=UNCHECKED)
def multinomial(input: Shape, num_samples: Size, replacement: object = False) -> Shape:
    """Indices drawn along the last dim.  Torch refused names; the drawn dim has none.

    Raises RankMismatch.
    """
    if not isinstance(input, tuple):
        return Trailing((fresh(num_samples),))
    text = "prob_dist must be 1 or 2 dim"
    require_rank(input, lambda n: n in (1, 2), "1 or 2", "input", text)
    return (*input[:-1], fresh(num_samples))


# NumPy.


def _drawn(first: Operand, second: Operand, size: Sizes | None) -> Shape:
    """The given sizes, or a draw for each pair of parameters."""
    return broadcast(first, second, ("loc", "scale")) if size is None else dims_of(size)


@op("numpy.random.rand", kind="float")
@op("numpy.random.randn", kind="float")
def numpy_rand(*size: Size) -> Shape:
    """An array of the given sizes.  Source: numpy.random.rand."""
    return dims_of(size)


@op("numpy.random.random", "numpy.random.random_sample", kind="float")
@op("numpy.random.standard_normal", kind="float")
def numpy_random(size: Sizes = ()) -> Shape:
    """An array of the given sizes.  Source: numpy.random.random."""
    return dims_of(size)


@op("numpy.random.normal", kind="float")
@op("numpy.random.laplace", kind="float")
@op("numpy.random.gumbel", kind="float")
@op("numpy.random.logistic", kind="float")
@op("numpy.random.lognormal", kind="float")
def numpy_normal(loc: Operand = (), scale: Operand = (), size: Sizes | None = None) -> Shape:
    """Draws of a distribution with two parameters.  Source: numpy.random.normal."""
    return _drawn(loc, scale, size)


@op("numpy.random.uniform", kind="float")
def numpy_uniform(low: Operand = (), high: Operand = (), size: Sizes | None = None) -> Shape:
    """Draws from `low` to before `high`.  Source: numpy.random.uniform."""
    return _drawn(low, high, size)


@op("numpy.random.randint", kind="int")
@op("numpy.random.Generator.integers", kind="int")
def numpy_randint(low: Operand, high: Operand | None = None, size: Sizes | None = None) -> Shape:
    """Whole numbers from `low` to before `high`.  Source: numpy.random.randint."""
    return _drawn(low, () if high is None else high, size)


@op("numpy.random.exponential", "numpy.random.poisson", "numpy.random.rayleigh", kind="float")
@op("numpy.random.chisquare", "numpy.random.geometric", "numpy.random.pareto", kind="float")
@op("numpy.random.standard_gamma", "numpy.random.standard_t", kind="float")
@op("numpy.random.weibull", "numpy.random.zipf", "numpy.random.logseries", kind="float")
def numpy_exponential(scale: Operand = (), size: Sizes | None = None) -> Shape:
    """Draws of a distribution with one parameter.  Source: numpy.random.exponential."""
    return _drawn(scale, (), size)


@op("numpy.random.choice")
def numpy_choice(
    a: object, size: Sizes | None = None, replace: object = True, p: object = None
) -> Shape:
    """Elements of a vector, or of a range.  Source: numpy.random.choice."""
    return () if size is None else dims_of(size)


@op("numpy.random.gamma", kind="float")
def numpy_gamma(shape: Operand, scale: Operand = (), size: Sizes | None = None) -> Shape:
    """Draws of a distribution with two parameters.  Source: numpy.random.gamma."""
    return _drawn(shape, scale, size)


@op("numpy.random.dirichlet", kind="float")
def numpy_dirichlet(alpha: Dims, size: Sizes | None = None) -> Shape:
    """Vectors of shares as long as `alpha`.  Source: numpy.random.dirichlet."""
    require_rank(alpha, lambda n: n == 1, "1", "alpha")
    return (*(() if size is None else dims_of(size)), fresh(alpha[0].size))


@op("numpy.random.multinomial", kind="int")
def numpy_multinomial(n: Operand, pvals: Shape, size: Sizes | None = None) -> Shape:
    """How often each outcome was drawn.  Source: numpy.random.multinomial."""
    if not isinstance(pvals, tuple) or not pvals:
        return UNKNOWN
    if size is None and n != ():
        return UNKNOWN
    return (*(() if size is None else dims_of(size)), fresh(pvals[-1].size))


@op("numpy.random.standard_cauchy", "numpy.random.standard_exponential", kind="float")
def numpy_standard(size: Sizes | None = None) -> Shape:
    """Draws of a distribution without parameters.  Source: numpy.random.standard_cauchy."""
    return () if size is None else dims_of(size)


@op("numpy.random.beta", "numpy.random.vonmises", "numpy.random.wald", kind="float")
@op("numpy.random.negative_binomial", kind="float")
def numpy_beta(a: Operand, b: Operand, size: Sizes | None = None) -> Shape:
    """Draws of a distribution with two parameters.  Source: numpy.random.beta."""
    return _drawn(a, b, size)


@op("numpy.random.binomial", kind="int")
def numpy_binomial(n: Operand, p: Operand, size: Sizes | None = None) -> Shape:
    """Draws of a distribution with two parameters.  Source: numpy.random.binomial."""
    return _drawn(n, p, size)


@op("numpy.random.multivariate_normal", kind="float")
def numpy_multivariate_normal(mean: Shape, cov: Operand, size: Sizes | None = None) -> Shape:
    """Vectors as long as the mean.  Source: numpy.random.multivariate_normal.

    Raises RankMismatch.
    """
    drawn = () if size is None else dims_of(size)
    if not isinstance(mean, tuple):
        return UNKNOWN
    require_rank(mean, lambda n: n == 1, "1", "mean", "mean must be 1 dimensional")
    return (*drawn, fresh(mean[0].size))


@op("numpy.random.Generator.choice")
def generator_choice(
    a: Size | Shape,
    size: Sizes | None = None,
    replace: object = True,
    p: object = None,
    axis: DimRef = 0,
) -> Shape:
    """Parts of an array along `axis`, or of a range.  Source: numpy.random.Generator.choice.

    Raises DimOutOfRange.
    """
    drawn = () if size is None else dims_of(size)
    if isinstance(a, (int, Symbolic)):
        return drawn
    if not isinstance(a, tuple):
        return UNKNOWN
    dim = check_dim(a, axis)
    if isinstance(dim, Unknown):
        return UNKNOWN
    return (*a[:dim], *drawn, *a[dim + 1 :])


@op("numpy.random.permutation")
def numpy_permutation(x: Size | Shape) -> Shape:
    """A shuffled copy along the first dim, or a shuffled range."""
    return _shuffled(x)


def _shuffled(x: Size | Shape) -> Shape:
    if isinstance(x, (int, Symbolic)):
        return (fresh(sizes.maximum(x, 0)),)
    return (fresh(UNKNOWN),) if x == () else x  # a scalar says how long the range is


# JAX.


@op("jax.random.normal", kind="float")
@op("jax.random.uniform", kind="float")
@op("jax.random.gumbel", kind="float")
@op("jax.random.exponential", kind="float")
@op("jax.random.laplace", kind="float")
def jax_random(key: object, shape: Sizes = (), *others: object, **options: object) -> Shape:
    """An array of the given sizes.  Source: jax.random.normal."""
    return dims_of(shape, "shape")


@op("jax.random.randint", kind="int")
def jax_randint(key: object, shape: Sizes, minval: object, maxval: object) -> Shape:
    """Whole numbers.  Source: jax.random.randint."""
    return dims_of(shape, "shape")


@op("jax.random.truncated_normal", kind="float")
def jax_truncated_normal(
    key: object, lower: Operand, upper: Operand, shape: Sizes | None = None
) -> Shape:
    """Draws between two bounds.  Source: jax.random.truncated_normal."""
    return _drawn(lower, upper, shape)


@op("jax.random.bernoulli", kind="bool")
def jax_bernoulli(key: object, p: Operand = (), shape: Sizes | None = None) -> Shape:
    """True with a probability.  Source: jax.random.bernoulli."""
    return p if shape is None else dims_of(shape, "shape")


@op("jax.random.categorical", kind="int")
def jax_categorical(
    key: object, logits: Shape, dim: DimRef = -1, shape: Sizes | None = None
) -> Shape:
    """An index drawn along a dim.  Source: jax.random.categorical."""
    return reduced(logits, dim) if shape is None else dims_of(shape, "shape")


@op("jax.random.choice")
def jax_choice(
    key: object,
    a: Size | Shape,
    shape: Sizes = (),
    replace: object = True,
    p: object = None,
    dim: DimRef = 0,
) -> Shape:
    """Elements of a range, or slices of an array.  Source: jax.random.choice."""
    drawn = dims_of(shape, "shape")
    if isinstance(a, int):
        return drawn
    if not isinstance(a, tuple):
        return UNKNOWN
    index = check_dim(a, dim)
    if isinstance(index, Unknown):
        return UNKNOWN
    return (*a[:index], *drawn, *a[index + 1 :])


@op("jax.random.permutation")
def jax_permutation(key: object, x: Size | Shape, *others: object, **options: object) -> Shape:
    """A shuffled copy along a dim, or a shuffled range.  Source: jax.random.permutation."""
    return _shuffled(x)


_DRAWN: Final = """
    torch.rand torch.randn torch.rand_like torch.randn_like torch.randint torch.randint_like
    torch.normal numpy.random.rand numpy.random.randn numpy.random.random
    numpy.random.standard_normal numpy.random.normal numpy.random.uniform numpy.random.laplace
    numpy.random.gumbel numpy.random.logistic numpy.random.lognormal numpy.random.randint
    numpy.random.exponential jax.random.normal jax.random.uniform jax.random.gumbel
    jax.random.exponential jax.random.laplace jax.random.randint jax.random.truncated_normal
"""
"""The ops that draw each element by itself."""

for _path in _DRAWN.split():
    REGISTRY[_path].op.effect = "drawn"
