"""Layers of equinox: each is written for one example, and `jax.vmap` maps it over a batch.

Facts were measured on equinox 0.13.8 (`tests/data/exact_answers.txt` has them).
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import require_equal
from namecheck_runtime.binding import REQUIRED, Parameter, Rule
from namecheck_runtime.declare import Fields, Shape, Size, Sizes
from namecheck_runtime.lattice import UNKNOWN, Dim, Symbolic, known_dims
from namecheck_runtime.layers import layer
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.sizes import LayerSize
from namecheck_runtime.rules.jax_layers.channels_last import pads_of, windows
from namecheck_runtime.rules.nn.spatial import each, resized

_MAP = "the layer takes one example: map it over a batch with `jax.vmap(layer)(x)`"


def _too_many(input: Shape, rank: int, argument: str = "x") -> RankMismatch:
    """The mistake of calling a layer for one example with a batch, or with too few dims."""
    advice = _MAP if len(known_dims(input)) > rank else ""
    blame = (Blame(argument),)
    return RankMismatch(shape=input, wanted=str(rank), advice=advice, blame=blame)


def _mapped(input: Shape, wanted: object, out: object, role: str, bias: object) -> Shape:
    """The result of a map for one vector of the size that it was built for.

    The layer computes `weight @ x + bias`: an input of more dims runs if its last dim but one
    happens to have that size, so that this is required of a batch.
    """
    dims = known_dims(input)
    if wanted == "scalar":
        if dims:
            raise _too_many(input, 0)
    elif input == ():
        raise _too_many(input, 1)
    elif len(dims) > 1:
        if isinstance(wanted, (int, Symbolic)):
            require_equal(wanted, dims[-2].size, _too_many(input, 1))
        if not isinstance(input, tuple) or not isinstance(out, (int, Symbolic)):
            return UNKNOWN
        last = dims[-1] if bias is False or dims[-1].size == out else _ANY
        return (*dims[:-2], Dim(None, out), last)
    elif isinstance(wanted, (int, Symbolic)) and isinstance(input, tuple):
        size = dims[0].size
        mistake = LayerSize(
            input=input, wanted=wanted, found=size, role=role, blame=(Blame("x", 0),)
        )
        require_equal(wanted, size, mistake)
    if out == "scalar":
        return ()
    return (Dim(None, out),) if isinstance(out, (int, Symbolic)) else UNKNOWN


_ANY = Dim(UNKNOWN, UNKNOWN)


@layer("equinox.nn.Linear")
class Linear:
    """Maps one vector.  Source: equinox.nn.Linear."""

    def __init__(
        self,
        in_features: Size | str,
        out_features: Size | str,
        use_bias: object = True,
        dtype: object = None,
        *,
        key: object = None,
    ) -> None: ...

    @staticmethod
    def forward(fields: Fields, x: Shape, *, key: object = None) -> Shape:
        """`[in_features] -> [out_features]`."""
        wanted, out = fields["in_features"], fields["out_features"]
        return _mapped(x, wanted, out, "in_features", fields["use_bias"])


@layer("equinox.nn.MLP")
class Mlp:
    """Linear maps of one vector with activations between.  Source: equinox.nn.MLP."""

    def __init__(
        self,
        in_size: Size | str,
        out_size: Size | str,
        width_size: Size,
        depth: Size,
        activation: object = None,
        final_activation: object = None,
        use_bias: object = True,
        use_final_bias: object = True,
        dtype: object = None,
        *,
        scan: object = False,
        key: object = None,
    ) -> None: ...

    @staticmethod
    def forward(fields: Fields, x: Shape, *, key: object = None) -> Shape:
        """`[in_size] -> [out_size]`."""
        return _mapped(x, fields["in_size"], fields["out_size"], "in_size", UNKNOWN)


@layer("equinox.nn.Embedding")
class Embedding:
    """One row of a table.  Source: equinox.nn.Embedding."""

    def __init__(
        self,
        num_embeddings: Size | None = None,
        embedding_size: Size | None = None,
        weight: object = None,
        dtype: object = None,
        *,
        key: object = None,
    ) -> None: ...

    @staticmethod
    def forward(fields: Fields, x: Shape, *, key: object = None) -> Shape:
        """`[] -> [embedding_size]`."""
        if known_dims(x):
            raise _too_many(x, 0)
        size = fields["embedding_size"]
        return (Dim(None, UNKNOWN if size is None else size),)


def _exact(input: Shape, shape: object, role: str) -> Shape:
    """Require exactly the dims that a norm was built for."""
    if isinstance(shape, (int, Symbolic)):
        shape = (shape,)
    if not isinstance(shape, (tuple, list)):
        return input
    dims = known_dims(input)
    if len(dims) > len(shape) or (isinstance(input, tuple) and len(dims) < len(shape)):
        raise _too_many(input, len(shape))
    for back in range(1, len(dims) + 1):
        size, actual = shape[-back], dims[-back].size
        if isinstance(size, (int, Symbolic)) and size != actual:
            mistake = LayerSize(
                input=input, wanted=size, found=actual, role=role, blame=(Blame("x", -back),)
            )
            require_equal(size, actual, mistake)
    return input


@layer("equinox.nn.LayerNorm")
class LayerNorm:
    """Normalises one example over all its dims.  Source: equinox.nn.LayerNorm."""

    def __init__(
        self,
        shape: Size | Sizes,
        eps: object = 1e-5,
        use_weight: object = True,
        use_bias: object = True,
        dtype: object = None,
        *,
        elementwise_affine: object = None,
    ) -> None: ...

    @staticmethod
    def forward(fields: Fields, x: Shape, *, key: object = None) -> Shape:
        """The input, whose dims must be `shape`."""
        return _exact(x, fields["shape"], "shape")


@layer("equinox.nn.RMSNorm")
class RmsNorm:
    """Normalises one example over all its dims.  Source: equinox.nn.RMSNorm."""

    def __init__(
        self,
        shape: Size | Sizes,
        eps: object = 1e-5,
        use_weight: object = True,
        use_bias: object = True,
        dtype: object = None,
    ) -> None: ...

    @staticmethod
    def forward(fields: Fields, x: Shape, *, key: object = None) -> Shape:
        """The input, whose dims must be `shape`."""
        return _exact(x, fields["shape"], "shape")


@layer("equinox.nn.Dropout")
class Dropout:
    """Keeps the dims of its input.  Source: equinox.nn.Dropout."""

    def __init__(
        self, p: object = 0.5, inference: object = False, *, deterministic: object = None
    ) -> None: ...

    @staticmethod
    def forward(
        fields: Fields,
        x: Shape,
        *,
        key: object = None,
        inference: object = None,
        deterministic: object = None,
    ) -> Shape:
        """The input."""
        return x


@layer("equinox.nn.Identity")
class Identity:
    """Returns its input.  Source: equinox.nn.Identity."""

    def __init__(self, *args: object, **kwargs: object) -> None: ...

    @staticmethod
    def forward(fields: Fields, x: Shape, *, key: object = None) -> Shape:
        """The input."""
        return x


@layer("equinox.nn.MultiheadAttention")
class Attention:
    """Attention within one example.  Source: equinox.nn.MultiheadAttention."""

    def __init__(
        self,
        num_heads: Size,
        query_size: Size,
        key_size: Size | None = None,
        value_size: Size | None = None,
        output_size: Size | None = None,
        qk_size: Size | None = None,
        vo_size: Size | None = None,
        use_query_bias: object = False,
        use_key_bias: object = False,
        use_value_bias: object = False,
        use_output_bias: object = False,
        dropout_p: object = 0.0,
        inference: object = False,
        dtype: object = None,
        *,
        key: object = None,
    ) -> None: ...

    @staticmethod
    def forward(
        fields: Fields,
        query: Shape,
        key_: Shape,
        value: Shape,
        mask: object = None,
        *,
        key: object = None,
        inference: object = None,
        deterministic: object = None,
        process_heads: object = None,
    ) -> Shape:
        """`[T, query_size], [S, key_size], [S, value_size] -> [T, output_size]`."""
        query_size = fields["query_size"]
        for name, shape in (("query", query), ("key_", key_), ("value", value)):
            dims = known_dims(shape)
            if len(dims) > 2 or (isinstance(shape, tuple) and len(dims) < 2):
                raise _too_many(shape, 2, name)
            wanted = fields[f"{name.rstrip('_')}_size"]
            wanted = query_size if wanted is None else wanted
            if dims and wanted != dims[-1].size:
                mistake = LayerSize(
                    input=shape,
                    wanted=wanted,
                    found=dims[-1].size,
                    role=f"{name.rstrip('_')}_size",
                    blame=(Blame(name, -1),),
                )
                require_equal(wanted, dims[-1].size, mistake)
        out = fields["output_size"]
        out = Dim(None, query_size if out is None else out)
        return (known_dims(query)[-2] if len(known_dims(query)) > 1 else _ANY, out)


# Windows.


def _example(input: Shape, count: int) -> tuple[Dim, ...]:
    """The channels and spatial dims of one example."""
    dims = known_dims(input)
    if len(dims) > count + 1 or (isinstance(input, tuple) and len(dims) <= count):
        raise _too_many(input, count + 1)
    return (_ANY,) * (count + 1 - len(dims)) + dims


def _convolved(fields: Fields, x: Shape, count: int, transposed: bool) -> Shape:
    channels, *spatial = _example(x, count)
    wanted = fields["in_channels"]
    if wanted != channels.size:
        mistake = LayerSize(
            input=x,
            wanted=wanted,
            found=channels.size,
            role="in_channels",
            blame=(Blame("x", -count - 1),),
        )
        require_equal(wanted, channels.size, mistake)
    kernel = each(fields["kernel_size"], count)
    result: list[Dim] = [Dim(None, fields["out_channels"])]
    if transposed:
        steps, extra = each(fields["stride"], count), each(fields["output_padding"], count)
        spread, pads = each(fields["dilation"], count), pads_of(fields["padding"], count)
        for index, dim in enumerate(spatial):
            size: Size = UNKNOWN
            if pads is not None:
                grown = sizes.multiply(sizes.subtract(dim.size, 1), steps[index])
                spans = sizes.multiply(spread[index], sizes.subtract(kernel[index], 1))
                grown = sizes.add(sizes.add(grown, spans), sizes.add(extra[index], 1))
                size = sizes.subtract(grown, sizes.add(*pads[index]))
            result.append(resized(dim, size))
        return tuple(result)
    places = windows(kernel, fields["stride"], fields["padding"], fields["dilation"])
    result += [resized(dim, places(index, dim.size)) for index, dim in enumerate(spatial)]
    return tuple(result)


_OPTIONS = "groups use_bias padding_mode dtype"
_BEFORE = {False: "stride padding dilation", True: "stride output_padding padding dilation"}
_DEFAULTS = {"stride": 1, "padding": 0, "output_padding": 0, "dilation": 1}


def _declare_convolution(count: int, transposed: bool) -> None:
    def forward(fields: Fields, x: Shape, key: object) -> Shape:
        return _convolved(fields, x, count, transposed)

    name = f"Conv{'Transpose' if transposed else ''}{count}d"
    channels = tuple(
        Parameter(word, ("Size",), REQUIRED, "positional")
        for word in ("in_channels", "out_channels")
    )
    options = tuple(
        Parameter(word, ("object",), _DEFAULTS.get(word), "positional")
        for word in f"{_BEFORE[transposed]} {_OPTIONS}".split()
    )
    key = Parameter("key", ("object",), None, "keyword")
    kernel = Parameter("kernel_size", ("Size", "Sizes"), REQUIRED, "positional")
    called = (Parameter("x", ("Shape",), REQUIRED, "positional"), key)
    members = {
        "__init__": Rule(forward, (*channels, kernel, *options, key), "None", False),
        "forward": Rule(forward, called, "Shape", False),
        "__module__": __name__,
        "__doc__": f"Slides a kernel over the spatial dims.  Source: equinox.nn.{name}.",
    }
    layer(f"equinox.nn.{name}")(type(name, (), members))


def _declare_pool(count: int, kind: str) -> None:
    @layer(f"equinox.nn.{kind}Pool{count}d")
    class Pool:
        """Windows over the spatial dims of one example.  Source: equinox.nn.Pool."""

        def __init__(
            self,
            kernel_size: Size | Sizes,
            stride: object = 1,
            padding: object = 0,
            use_ceil: object = False,
        ) -> None: ...

        @staticmethod
        def forward(fields: Fields, x: Shape, *, key: object = None) -> Shape:
            """Channels stay, spatial dims by the arithmetic of windows."""
            channels, *spatial = _example(x, count)
            if fields["use_ceil"] is not False:
                return (channels, *(resized(dim, UNKNOWN) for dim in spatial))
            kernel = each(fields["kernel_size"], count)
            places = windows(kernel, fields["stride"], fields["padding"])
            return (
                channels,
                *(resized(dim, places(index, dim.size)) for index, dim in enumerate(spatial)),
            )


for _count in (1, 2, 3):
    _declare_convolution(_count, False)
    _declare_convolution(_count, True)
    _declare_pool(_count, "Avg")
    _declare_pool(_count, "Max")
