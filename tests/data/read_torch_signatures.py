"""Writes signatures.json beside itself: the documented signatures of ops of torch, NumPy and JAX.

Needs torch 2.13.0 and its numpy; tests never run this, they read the JSON.  Run with a Python
that has torch: ``python tests/data/read_torch_signatures.py`` (a second run writes the same
bytes).  README.md says what the file holds and where each part comes from.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import textwrap
import types
import typing
from importlib import import_module
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SHARED = HERE.parents[2] / "shared"

torch: Any = import_module("torch")
functional: Any = import_module("torch.nn.functional")
numpy: Any = import_module("numpy")

Call = list[str]
Calls = list[Call]


# ---------------------------------------------------------------- one signature as a list


def call_from_ast(arguments: ast.arguments, drop_self: bool = False) -> Call:
    call: Call = []
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(plain) - len(arguments.defaults)) + list(arguments.defaults)
    for place, (argument, default) in enumerate(zip(plain, defaults, strict=True)):
        call.append(with_default(argument.arg, default))
        if arguments.posonlyargs and place == len(arguments.posonlyargs) - 1:
            call.append("/")
    if arguments.vararg:
        call.append("*" + arguments.vararg.arg)
    elif arguments.kwonlyargs:
        call.append("*")
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        call.append(with_default(argument.arg, default))
    if arguments.kwarg:
        call.append("**" + arguments.kwarg.arg)
    if drop_self and call and call[0] == "self":
        call = call[1:]
        if call and call[0] == "/":
            call = call[1:]
    return call


def with_default(name: str, default: ast.expr | None) -> str:
    return name if default is None else f"{name}={ast.unparse(default)}"


def default_text(value: Any) -> str:
    if value is getattr(numpy, "_NoValue", object()):
        return "<no value>"
    if isinstance(value, type | types.FunctionType):
        return value.__name__
    if isinstance(value, float | int | str | bool | tuple | list | type(None)):
        return repr(value)
    return str(value)


def call_from_signature(signature: inspect.Signature, drop_self: bool = False) -> Call:
    call: Call = []
    parameters = list(signature.parameters.values())
    if drop_self and parameters:
        parameters = parameters[1:]
    star = False
    for place, parameter in enumerate(parameters):
        kind = parameter.kind
        if kind is kind.KEYWORD_ONLY and not star:
            call.append("*")
            star = True
        mark = {kind.VAR_POSITIONAL: "*", kind.VAR_KEYWORD: "**"}.get(kind, "")
        star = star or kind is kind.VAR_POSITIONAL
        default = parameter.default
        tail = "" if default is parameter.empty else "=" + default_text(default)
        call.append(mark + parameter.name + tail)
        last = place + 1 == len(parameters)
        if kind is kind.POSITIONAL_ONLY and (
            last or parameters[place + 1].kind is not kind.POSITIONAL_ONLY
        ):
            call.append("/")
    return call


def call_from_text(text: str) -> Call | None:
    """``input, dim=None, *, out=None`` as a call, or None if it is not Python."""
    text = re.sub(r"\s+", " ", text.replace("\\", ""))
    text = re.sub(r"\b(?:bool|int|float|Tensor) (?=\w+=)", "", text)
    text = re.sub(r"(\*\w+), \*,", r"\1,", text)
    text = re.sub(r", \*$", "", text)
    try:
        tree = ast.parse(f"def f({text}): ...").body[0]
    except SyntaxError:
        return None
    assert isinstance(tree, ast.FunctionDef)
    return call_from_ast(tree.args)


def documented_calls(name: str, doc: str | None) -> Calls:
    """The signatures at the start of a docstring, or declared by ``.. function::``."""
    calls: Calls = []
    if not doc:
        return calls
    doc = textwrap.dedent(doc)
    begin = re.compile(
        rf"^(?:\.\. (?:function|method):: |    \.\. (?:function|method):: )?"
        rf"(?:[\w.]+\.)?{re.escape(name)}\(",
        re.M,
    )
    for match in begin.finditer(doc):
        declared = match.group().lstrip().startswith("..")
        if not declared and doc[: match.start()].strip() and not calls:
            continue
        depth, end = 1, match.end()
        while end < len(doc) and depth:
            depth += {"(": 1, ")": -1}.get(doc[end], 0)
            end += 1
        rest = doc[end:].split("\n", 1)[0].strip()
        opening = not doc[: match.start()].strip()
        if not (declared or opening or rest.startswith("->")):
            continue
        call = call_from_text(doc[match.end() : end - 1])
        if call is not None:
            put(calls, call)
    return calls


def put(calls: Calls, call: Call) -> None:
    """Add ``call`` unless another one accepts all its calls."""
    if any(covers(old, call) for old in calls):
        return
    calls[:] = [old for old in calls if not covers(call, old)]
    calls.append(call)


def covers(wide: Call, narrow: Call) -> bool:
    """Whether every call that binds to ``narrow`` binds to ``wide`` in the same way."""

    def parts(call: Call) -> tuple[list[str], list[str], set[str], set[str]]:
        positional: list[str] = []
        stars: list[str] = []
        keywords: set[str] = set()
        needed: set[str] = set()
        for part in call:
            name, equals, _ = part.partition("=")
            if name != "*" and (name.startswith("*") or name == "/"):
                stars.append(name)
            if name == "/" or name.startswith("**"):
                continue
            if name.startswith("*"):
                keywords.add("*")
                continue
            (keywords.add if "*" in keywords else positional.append)(name)
            if not equals:
                needed.add(name)
        return positional, stars, keywords - {"*"}, needed

    wide_positional, wide_stars, wide_keywords, wide_needed = parts(wide)
    positional, stars, keywords, needed = parts(narrow)
    return (
        wide_positional[: len(positional)] == positional
        and wide_stars == stars
        and keywords <= wide_keywords | set(wide_positional[len(positional) :])
        and wide_needed <= needed
    )


# ---------------------------------------------------------------- torch's stubs


def deprecated(call: Call) -> bool:
    """The overloads from before 1.5, with a number in front of the tensors."""
    names = [part.split("=")[0] for part in call]
    positional = names[: names.index("*")] if "*" in names else names
    return "self" in positional or (
        len(positional) > 1
        and positional[0] in ("alpha", "beta", "value")
        and any(n in ("mat1", "mat", "batch1", "vec1", "tensor1", "other") for n in positional[1:])
    ) or (len(positional) > 2 and positional[:2] in (["input", "value"], ["input", "alpha"])
          and positional[2] in ("tensor1", "other"))  # fmt: skip


def stub_calls(body: list[ast.stmt], method: bool) -> dict[str, Calls]:
    calls: dict[str, Calls] = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            if any("property" in ast.unparse(mark) for mark in node.decorator_list):
                continue
            call = call_from_ast(node.args, drop_self=method)
            if not deprecated(call):
                put(calls.setdefault(node.name, []), call)
    return calls


STUBS = Path(torch.__file__).parent / "_C"
FUNCTION_STUBS = stub_calls(
    ast.parse((STUBS / "_VariableFunctions.pyi").read_text()).body, method=False
)
FUNCTION_STUBS.pop("__getattr__", None)
TENSOR_STUBS = ast.parse((STUBS / "__init__.pyi").read_text()).body
FUNCTION_STUBS["get_device"] = stub_calls(TENSOR_STUBS, method=False)["get_device"]
TENSOR_CLASS = next(
    node for node in TENSOR_STUBS if isinstance(node, ast.ClassDef) and node.name == "TensorBase"
)
METHOD_STUBS = stub_calls(TENSOR_CLASS.body, method=True)

# Dispatchers whose own signature is (*args, **kwargs): the function that answers the call.
BEHIND = {
    "torch.unique": torch.functional._unique_impl,
    "torch.unique_consecutive": torch.functional._unique_consecutive_impl,
    "torch.lu": torch.functional._lu_impl,
    **{
        f"torch.nn.functional.{name}": getattr(functional, f"{name}_with_indices")
        for name in (
            *(f"adaptive_max_pool{n}d" for n in (1, 2, 3)),
            *(f"max_pool{n}d" for n in (1, 2, 3)),
            *(f"fractional_max_pool{n}d" for n in (2, 3)),
        )
    },
}


def calls_of(path: str, value: Any, stubs: dict[str, Calls], method: bool = False) -> Calls:
    name = path.rsplit(".", 1)[-1]
    value = BEHIND.get(path, value)
    if isinstance(value, types.FunctionType):
        call = call_from_signature(inspect.signature(value), drop_self=method)
        if not {"*args", "**kwargs"} <= set(call) and "*args" not in call:
            return [call]
        return documented_calls(name, value.__doc__) or [call]
    # A stub's default of `...` only says that there is one, and the docstring says more.
    stub = [call for call in stubs.get(name, []) if not any(p.endswith("=...") for p in call)]
    return stub or documented_calls(name, value.__doc__)


# ---------------------------------------------------------------- which names

FOREIGN = re.compile(
    r"^(_|cudnn_|miopen_|mkldnn_|fbgemm_|quantized_|q_|sym_|fused_|native_|is_vulkan)"
)
NOT_OPS = re.compile(
    r"^(set_|get_|fake_quantize|batch_norm_|choose_q|empty_quantized|int_repr|norm_except)"
)
# Tensor methods that neither change nor depend on dims.
PLUMBING = re.compile(
    r"^(register_|map|apply_|share_memory|pin_memory|storage$|typed_storage|untyped_storage|storage_type|"
    r"reinforce|is_(distributed|vulkan|maia|mkldnn|mtia|xpu|xla|ipu|hpu|mps|meta|nested|cpu|shared_$|inference)|"
    r"module_load|backward_hooks|solve$|eig$|symeig$|lstsq$|volatile|name$|output_nr|new$|record_stream|"
    r"sparse_|crow_|col_|ccol_|row_|to_mkldnn|to_sparse_|grad_fn|layout$|dim_order|wait_stream)"
)
TORCH_EXTRA = (
    "is_tensor manual_seed is_storage from_numpy tensor as_tensor asarray get_device relu selu "
    "celu log_softmax dropout layer_norm group_norm batch_norm instance_norm rms_norm embedding "
    "kl_div masked_fill index_fill masked_scatter index_put split_with_sizes clamp_min clamp_max "
    "rsub constant_pad_nd max_pool1d max_pool2d max_pool3d max_pool1d_with_indices scalar_tensor "
    "detach is_same_size is_signed fill frobenius_norm nuclear_norm alpha_dropout threshold put "
    "prelu conv1d binary_cross_entropy_with_logits adaptive_max_pool1d rrelu detach_"
)


def golden_ops() -> list[str]:
    text = (SHARED / "golden" / "name_inference_visible.jsonl").read_text()
    return sorted({json.loads(line)["op"] for line in text.splitlines()})


def documented_table() -> dict[str, list[str]]:
    """The table of rules.md section 4: category -> ["abs fm", "normal f !", ...]."""
    text = (SHARED / "spec" / "rules.md").read_text()
    text = text[text.index("## 4.") : text.index("## 5.")]
    table: dict[str, list[str]] = {}
    for title, rows in re.findall(r"^\*\*(.+?)\*\* \(\d+\): (.+)$", text, re.M):
        entries = re.findall(r"(\w+)\[([fm]+)\](\(!\))?", rows)
        table[title] = [f"{name} {marks}{' !' if odd else ''}" for name, marks, odd in entries]
    return table


def ranked() -> list[tuple[str, int]]:
    text = (SHARED / "spec" / "ops.md").read_text()
    paragraph = next(line for line in text.splitlines() if line.startswith("view/reshape"))
    return [(n, int(c)) for n, c in re.findall(r"([\w./()]+) (\d+)(?: ·|$)", paragraph)]


# ---------------------------------------------------------------- the sections


def read_torch() -> tuple[dict[str, Calls], dict[str, Calls]]:
    calls: dict[str, Calls] = {}
    docs: dict[str, Calls] = {}

    def add(path: str, value: Any, stubs: dict[str, Calls], method: bool = False) -> None:
        own_calls = calls_of(path, value, stubs, method)
        doc_calls = documented_calls(path.rsplit(".", 1)[-1], getattr(value, "__doc__", None))
        if not own_calls:
            return
        calls[path] = own_calls
        extra = [call for call in doc_calls if call not in own_calls]
        if extra:
            docs[path] = extra

    golden = set(golden_ops())
    golden |= {row.split()[0] for rows in documented_table().values() for row in rows}
    for name in sorted(set(dir(torch))):
        value = getattr(torch, name)
        if isinstance(value, type) or not callable(value) or name.startswith("_"):
            continue
        is_listed = name in golden or name in TORCH_EXTRA.split()
        is_declared = name in FUNCTION_STUBS or getattr(torch.functional, name, None) is value
        if is_listed or (
            is_declared and value.__doc__ and not FOREIGN.match(name) and not NOT_OPS.match(name)
        ):
            add(f"torch.{name}", value, FUNCTION_STUBS)
    for module in ("linalg", "fft", "special"):
        for name in sorted(dir(getattr(torch, module))):
            value = getattr(getattr(torch, module), name)
            if not name.startswith("_") and callable(value) and not isinstance(value, type):
                if getattr(value, "__module__", None) in (
                    f"torch.{module}",
                    f"torch._C._{module}",
                ):
                    add(f"torch.{module}.{name}", value, {})
    for name in sorted(dir(torch.Tensor)):
        value = getattr(torch.Tensor, name)
        if name.startswith("_") or (not callable(value) and name not in golden):
            continue
        if FOREIGN.match(name):
            continue
        if PLUMBING.match(name) and name not in golden:
            continue
        add(f"Tensor.{name}", value, METHOD_STUBS, method=True)
    for name in sorted(dir(functional)):
        value = getattr(functional, name)
        if isinstance(value, type | types.ModuleType) or not callable(value):
            continue
        if name.startswith("_") or "torch_function" in name or not value.__doc__:
            continue
        home = getattr(value, "__module__", None)
        if home not in ("torch", "torch.nn.functional", "torch._C._nn", "torch._jit_internal"):
            continue
        add(f"torch.nn.functional.{name}", value, {})
        if f"torch.nn.functional.{name}" not in calls and name in FUNCTION_STUBS:
            calls[f"torch.nn.functional.{name}"] = FUNCTION_STUBS[name]
    return calls, docs


def read_layers() -> dict[str, Calls]:
    calls: dict[str, Calls] = {}
    unwanted = (
        "Buffer",
        "Container",
        "DataParallel",
        "Module",
        "Parameter",
        "RNNBase",
        "RNNCellBase",
    )
    for name in sorted(dir(torch.nn)):
        layer = getattr(torch.nn, name)
        if not (isinstance(layer, type) and issubclass(layer, torch.nn.Module)) or name in unwanted:
            continue
        for attribute, path in (
            ("__init__", f"torch.nn.{name}"),
            ("forward", f"torch.nn.{name}.forward"),
        ):
            function = getattr(layer, attribute)
            overloads = typing.get_overloads(function) or [function]
            if function is torch.nn.Module.__init__:
                calls[path] = [[]]
                continue
            if "_forward_unimplemented" in getattr(function, "__qualname__", ""):
                continue
            calls[path] = []
            for overload in overloads:
                put(calls[path], call_from_signature(inspect.signature(overload), drop_self=True))
    # The overloads name only their additions to RNNBase; this is the whole documented list.
    common = ["input_size", "hidden_size", "num_layers=1"]
    tail = ["bias=True", "batch_first=False", "dropout=0.0", "bidirectional=False"]
    calls["torch.nn.RNN"] = [[*common, "nonlinearity='tanh'", *tail, "device=None", "dtype=None"]]
    calls["torch.nn.GRU"] = [[*common, *tail, "device=None", "dtype=None"]]
    calls["torch.nn.LSTM"] = [[*common, *tail, "proj_size=0", "device=None", "dtype=None"]]
    return calls


NUMPY_SKIP = re.compile(
    r"^(_|load|save|gen|from(file|string|regex|pyfunc)|memmap|show_|get_include|info|test|set_|get|"
    r"seterr|err|printoptions|format_|bmat|asmatrix|base_repr|binary_repr|array2string|array_repr|"
    r"array_str|nditer|nested_iters|busday|datetime|is_busday|min_scalar|mintypecode|typename|"
    r"issubdtype|isdtype|can_cast|common_type|promote_types|require|frompyfunc|may_share|shares_mem|"
    r"iterable|row_stack|in1d|trapz$|diag_indices|mask_indices|packbits|unpackbits|asarray_chkfinite|"
    r"put_along|put$|poly\w+_|byte_bounds|isfortran|isnat|spacing)"
)


def read_numpy() -> dict[str, Calls]:
    calls: dict[str, Calls] = {}

    def add(path: str, value: Any, method: bool = False) -> None:
        try:
            signature = inspect.signature(value)
        except (TypeError, ValueError):
            return
        calls[path] = [call_from_signature(signature, drop_self=method)]

    for name in numpy.__all__:
        value = getattr(numpy, name)
        if callable(value) and not isinstance(value, type) and not NUMPY_SKIP.match(name):
            add(f"numpy.{name}", value)
    for module in ("linalg", "fft"):
        for name in getattr(numpy, module).__all__:
            value = getattr(getattr(numpy, module), name)
            if callable(value) and not isinstance(value, type):
                add(f"numpy.{module}.{name}", value)
    skipped = ("dump", "dumps", "tofile", "tobytes", "byteswap", "getfield", "setfield", "setflags")
    for name in sorted(dir(numpy.ndarray)):
        value = getattr(numpy.ndarray, name)
        if callable(value) and not name.startswith("_") and name not in skipped:
            add(f"numpy.ndarray.{name}", value, method=True)
    # inspect is less exact about these three than the calls that NumPy documents.
    calls["numpy.arange"] = [
        ["stop", "/", "*", "dtype=None", "device=None", "like=None"],
        ["start", "stop", "step=1", "dtype=None", "*", "device=None", "like=None"],
    ]
    calls["numpy.where"] = [["condition", "/"], ["condition", "x", "y", "/"]]
    calls["numpy.ndarray.transpose"] = [["*axes"]]
    return calls


# JAX is not installed here: read by hand from jax/numpy/__init__.pyi, jax.nn and jax.lax (0.6).
JAX_UNARY = (
    "abs absolute acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh "
    "bitwise_count bitwise_invert bitwise_not cbrt ceil conj conjugate cos cosh deg2rad degrees "
    "exp exp2 expm1 fabs floor imag invert isfinite isinf isnan log log10 log1p log2 logical_not "
    "matrix_transpose negative positive rad2deg radians real reciprocal rint sign signbit sin sinc "
    "sinh sqrt square tan tanh trunc"
)
JAX_BINARY = (
    "add arctan2 atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor "
    "copysign divide divmod equal float_power floor_divide fmax fmin fmod greater greater_equal "
    "heaviside hypot ldexp left_shift less less_equal logaddexp logaddexp2 logical_and logical_or "
    "logical_xor maximum minimum mod multiply nextafter not_equal pow power remainder right_shift "
    "subtract true_divide"
)
LAX_UNARY = (
    "abs acos acosh asin asinh atan atanh bessel_i0e bitwise_not cbrt ceil clz conj cos cosh "
    "digamma erf erf_inv erfc floor imag is_finite lgamma neg population_count real round sign sin "
    "sinh square stop_gradient"
)
LAX_BINARY = (
    "add atan2 bitwise_and bitwise_or bitwise_xor div eq ge gt le lt max min mul ne nextafter pow "
    "rem shift_left shift_right_arithmetic shift_right_logical sub"
)
JAX = """
jax.numpy.all(a, axis=None, out=None, keepdims=False, *, where=None)
jax.numpy.allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)
jax.numpy.amax(a, axis=None, out=None, keepdims=False, initial=None, where=None)
jax.numpy.amin(a, axis=None, out=None, keepdims=False, initial=None, where=None)
jax.numpy.angle(z, deg=False)
jax.numpy.any(a, axis=None, out=None, keepdims=False, *, where=None)
jax.numpy.append(arr, values, axis=None)
jax.numpy.arange(start, stop=None, step=None, dtype=None, *, device=None)
jax.numpy.argmax(a, axis=None, out=None, keepdims=None)
jax.numpy.argmin(a, axis=None, out=None, keepdims=None)
jax.numpy.argsort(a, axis=-1, *, kind=None, order=None, stable=True, descending=False)
jax.numpy.argwhere(a, *, size=None, fill_value=None)
jax.numpy.around(a, decimals=0, out=None)
jax.numpy.array(object, dtype=None, copy=True, order='K', ndmin=0, *, device=None)
jax.numpy.array_split(ary, indices_or_sections, axis=0)
jax.numpy.asarray(a, dtype=None, order=None, *, copy=None, device=None)
jax.numpy.astype(x, dtype, /, *, copy=False, device=None)
jax.numpy.atleast_1d(*arys)
jax.numpy.atleast_2d(*arys)
jax.numpy.atleast_3d(*arys)
jax.numpy.average(a, axis=None, weights=None, returned=False, keepdims=False)
jax.numpy.bincount(x, weights=None, minlength=0, *, length=None)
jax.numpy.block(arrays)
jax.numpy.broadcast_arrays(*args)
jax.numpy.broadcast_shapes(*shapes)
jax.numpy.broadcast_to(array, shape)
jax.numpy.clip(arr=None, /, min=None, max=None)
jax.numpy.column_stack(tup)
jax.numpy.concat(arrays, /, *, axis=0)
jax.numpy.concatenate(arrays, axis=0, dtype=None)
jax.numpy.convolve(a, v, mode='full', *, precision=None, preferred_element_type=None)
jax.numpy.copy(a, order=None)
jax.numpy.corrcoef(x, y=None, rowvar=True)
jax.numpy.count_nonzero(a, axis=None, keepdims=False)
jax.numpy.cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None)
jax.numpy.cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None)
jax.numpy.cumprod(a, axis=None, dtype=None, out=None)
jax.numpy.cumsum(a, axis=None, dtype=None, out=None)
jax.numpy.diag(v, k=0)
jax.numpy.diagflat(v, k=0)
jax.numpy.diagonal(a, offset=0, axis1=0, axis2=1)
jax.numpy.diff(a, n=1, axis=-1, prepend=None, append=None)
jax.numpy.digitize(x, bins, right=False, *, method=None)
jax.numpy.dot(a, b, *, precision=None, preferred_element_type=None)
jax.numpy.dsplit(ary, indices_or_sections)
jax.numpy.dstack(tup, dtype=None)
jax.numpy.einsum(subscripts, /, *operands, out=None, optimize='optimal', precision=None,
    preferred_element_type=None)
jax.numpy.empty(shape, dtype=None, *, device=None)
jax.numpy.empty_like(prototype, dtype=None, shape=None, *, device=None)
jax.numpy.expand_dims(a, axis)
jax.numpy.eye(N, M=None, k=0, dtype=None, *, device=None)
jax.numpy.fix(x, out=None)
jax.numpy.flatnonzero(a, *, size=None, fill_value=None)
jax.numpy.flip(m, axis=None)
jax.numpy.fliplr(m)
jax.numpy.flipud(m)
jax.numpy.full(shape, fill_value, dtype=None, *, device=None)
jax.numpy.full_like(a, fill_value, dtype=None, shape=None, *, device=None)
jax.numpy.gradient(f, *varargs, axis=None, edge_order=None)
jax.numpy.histogram(a, bins=10, range=None, weights=None, density=None)
jax.numpy.hsplit(ary, indices_or_sections)
jax.numpy.hstack(tup, dtype=None)
jax.numpy.identity(n, dtype=None)
jax.numpy.indices(dimensions, dtype=None, sparse=False)
jax.numpy.inner(a, b, *, precision=None, preferred_element_type=None)
jax.numpy.insert(arr, obj, values, axis=None)
jax.numpy.interp(x, xp, fp, left=None, right=None, period=None)
jax.numpy.isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)
jax.numpy.isin(element, test_elements, assume_unique=False, invert=False, *, method='auto')
jax.numpy.ix_(*args)
jax.numpy.kron(a, b)
jax.numpy.linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *,
    device=None)
jax.numpy.logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0)
jax.numpy.matmul(a, b, *, precision=None, preferred_element_type=None)
jax.numpy.matvec(x1, x2, /)
jax.numpy.max(a, axis=None, out=None, keepdims=False, initial=None, where=None)
jax.numpy.mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=None)
jax.numpy.median(a, axis=None, out=None, overwrite_input=False, keepdims=False)
jax.numpy.meshgrid(*xi, copy=True, sparse=False, indexing='xy')
jax.numpy.min(a, axis=None, out=None, keepdims=False, initial=None, where=None)
jax.numpy.moveaxis(a, source, destination)
jax.numpy.nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None)
jax.numpy.nanargmax(a, axis=None, out=None, keepdims=None)
jax.numpy.nanargmin(a, axis=None, out=None, keepdims=None)
jax.numpy.nanmax(a, axis=None, out=None, keepdims=False, initial=None, where=None)
jax.numpy.nanmean(a, axis=None, dtype=None, out=None, keepdims=False, where=None)
jax.numpy.nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False)
jax.numpy.nanmin(a, axis=None, out=None, keepdims=False, initial=None, where=None)
jax.numpy.nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=None)
jax.numpy.nansum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None)
jax.numpy.nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=None)
jax.numpy.ndim(a)
jax.numpy.nonzero(a, *, size=None, fill_value=None)
jax.numpy.ones(shape, dtype=None, *, device=None)
jax.numpy.ones_like(a, dtype=None, shape=None, *, device=None)
jax.numpy.outer(a, b, out=None)
jax.numpy.pad(array, pad_width, mode='constant', **kwargs)
jax.numpy.percentile(a, q, axis=None, out=None, overwrite_input=False, method='linear',
    keepdims=False)
jax.numpy.permute_dims(a, /, axes)
jax.numpy.prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None,
    promote_integers=True)
jax.numpy.ptp(a, axis=None, out=None, keepdims=False)
jax.numpy.quantile(a, q, axis=None, out=None, overwrite_input=False, method='linear',
    keepdims=False)
jax.numpy.ravel(a, order='C')
jax.numpy.repeat(a, repeats, axis=None, *, total_repeat_length=None)
jax.numpy.reshape(a, shape, order='C', *, copy=None)
jax.numpy.resize(a, new_shape)
jax.numpy.roll(a, shift, axis=None)
jax.numpy.rollaxis(a, axis, start=0)
jax.numpy.rot90(m, k=1, axes=(0, 1))
jax.numpy.round(a, decimals=0, out=None)
jax.numpy.searchsorted(a, v, side='left', sorter=None, *, method='scan')
jax.numpy.select(condlist, choicelist, default=0)
jax.numpy.shape(a)
jax.numpy.size(a, axis=None)
jax.numpy.sort(a, axis=-1, *, kind=None, order=None, stable=True, descending=False)
jax.numpy.split(ary, indices_or_sections, axis=0)
jax.numpy.squeeze(a, axis=None)
jax.numpy.stack(arrays, axis=0, out=None, dtype=None)
jax.numpy.std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None,
    correction=None)
jax.numpy.sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None,
    promote_integers=True)
jax.numpy.swapaxes(a, axis1, axis2)
jax.numpy.take(a, indices, axis=None, out=None, mode=None, unique_indices=False,
    indices_are_sorted=False, fill_value=None)
jax.numpy.take_along_axis(arr, indices, axis=None, mode=None, fill_value=None)
jax.numpy.tensordot(a, b, axes=2, *, precision=None, preferred_element_type=None)
jax.numpy.tile(A, reps)
jax.numpy.trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None)
jax.numpy.transpose(a, axes=None)
jax.numpy.tri(N, M=None, k=0, dtype=None)
jax.numpy.tril(m, k=0)
jax.numpy.tril_indices(n, k=0, m=None)
jax.numpy.triu(m, k=0)
jax.numpy.triu_indices(n, k=0, m=None)
jax.numpy.unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *,
    equal_nan=True, size=None, fill_value=None)
jax.numpy.unstack(x, /, *, axis=0)
jax.numpy.vander(x, N=None, increasing=False)
jax.numpy.var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None,
    correction=None)
jax.numpy.vdot(a, b, *, precision=None, preferred_element_type=None)
jax.numpy.vecdot(x1, x2, /, *, axis=-1, precision=None, preferred_element_type=None)
jax.numpy.vecmat(x1, x2, /)
jax.numpy.vsplit(ary, indices_or_sections)
jax.numpy.vstack(tup, dtype=None)
jax.numpy.where(condition, x=None, y=None, /, *, size=None, fill_value=None)
jax.numpy.zeros(shape, dtype=None, *, device=None)
jax.numpy.zeros_like(a, dtype=None, shape=None, *, device=None)
jax.numpy.linalg.cholesky(a, *, upper=False, symmetrize_input=True)
jax.numpy.linalg.det(a)
jax.numpy.linalg.eigh(a, UPLO=None, symmetrize_input=True)
jax.numpy.linalg.eigvalsh(a, UPLO='L', *, symmetrize_input=True)
jax.numpy.linalg.inv(a)
jax.numpy.linalg.lstsq(a, b, rcond=None, *, numpy_resid=False)
jax.numpy.linalg.matrix_norm(x, /, *, keepdims=False, ord='fro')
jax.numpy.linalg.matrix_power(a, n)
jax.numpy.linalg.norm(x, ord=None, axis=None, keepdims=False)
jax.numpy.linalg.pinv(a, rtol=None, hermitian=False)
jax.numpy.linalg.qr(a, mode='reduced')
jax.numpy.linalg.slogdet(a, *, method=None)
jax.numpy.linalg.solve(a, b)
jax.numpy.linalg.svd(a, full_matrices=True, compute_uv=True, hermitian=False, subset_by_index=None)
jax.numpy.linalg.vector_norm(x, /, *, axis=None, keepdims=False, ord=2)
jax.numpy.fft.fft(a, n=None, axis=-1, norm=None)
jax.numpy.fft.fft2(a, s=None, axes=(-2, -1), norm=None)
jax.numpy.fft.fftn(a, s=None, axes=None, norm=None)
jax.numpy.fft.fftshift(x, axes=None)
jax.numpy.fft.ifft(a, n=None, axis=-1, norm=None)
jax.numpy.fft.irfft(a, n=None, axis=-1, norm=None)
jax.numpy.fft.rfft(a, n=None, axis=-1, norm=None)
jax.nn.celu(x, alpha=1.0)
jax.nn.dot_product_attention(query, key, value, bias=None, mask=None, *, scale=None,
    is_causal=False, query_seq_lengths=None, key_value_seq_lengths=None, local_window_size=None,
    implementation=None)
jax.nn.elu(x, alpha=1.0)
jax.nn.gelu(x, approximate=True)
jax.nn.glu(x, axis=-1)
jax.nn.hard_sigmoid(x)
jax.nn.hard_silu(x)
jax.nn.hard_swish(x)
jax.nn.hard_tanh(x)
jax.nn.identity(x)
jax.nn.leaky_relu(x, negative_slope=0.01)
jax.nn.log_sigmoid(x)
jax.nn.log_softmax(x, axis=-1, where=None)
jax.nn.logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False, where=None)
jax.nn.mish(x)
jax.nn.one_hot(x, num_classes, *, dtype=None, axis=-1)
jax.nn.relu(x)
jax.nn.relu6(x)
jax.nn.selu(x)
jax.nn.sigmoid(x)
jax.nn.silu(x)
jax.nn.soft_sign(x)
jax.nn.softmax(x, axis=-1, where=None)
jax.nn.softplus(x)
jax.nn.squareplus(x, b=4)
jax.nn.standardize(x, axis=-1, mean=None, variance=None, epsilon=1e-05, where=None)
jax.nn.swish(x)
jax.scipy.special.logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False, where=None)
jax.lax.argmax(operand, axis, index_dtype)
jax.lax.argmin(operand, axis, index_dtype)
jax.lax.batch_matmul(lhs, rhs, precision=None)
jax.lax.broadcast(operand, sizes, *, out_sharding=None)
jax.lax.broadcast_in_dim(operand, shape, broadcast_dimensions, *, out_sharding=None)
jax.lax.broadcast_shapes(*shapes)
jax.lax.broadcasted_iota(dtype, shape, dimension, *, out_sharding=None)
jax.lax.clamp(min, x, max)
jax.lax.collapse(operand, start_dimension, stop_dimension=None)
jax.lax.concatenate(operands, dimension)
jax.lax.conv(lhs, rhs, window_strides, padding, precision=None, preferred_element_type=None)
jax.lax.conv_general_dilated(lhs, rhs, window_strides, padding, lhs_dilation=None,
    rhs_dilation=None, dimension_numbers=None, feature_group_count=1, batch_group_count=1,
    precision=None, preferred_element_type=None)
jax.lax.convert_element_type(operand, new_dtype)
jax.lax.cumlogsumexp(operand, axis=0, reverse=False)
jax.lax.cummax(operand, axis=0, reverse=False)
jax.lax.cummin(operand, axis=0, reverse=False)
jax.lax.cumprod(operand, axis=0, reverse=False)
jax.lax.cumsum(operand, axis=0, reverse=False)
jax.lax.dot(lhs, rhs, precision=None, preferred_element_type=None)
jax.lax.dot_general(lhs, rhs, dimension_numbers, precision=None, preferred_element_type=None, *,
    out_sharding=None)
jax.lax.dynamic_index_in_dim(operand, index, axis=0, keepdims=True)
jax.lax.dynamic_slice(operand, start_indices, slice_sizes)
jax.lax.dynamic_slice_in_dim(operand, start_index, slice_size, axis=0)
jax.lax.dynamic_update_index_in_dim(operand, update, index, axis)
jax.lax.dynamic_update_slice(operand, update, start_indices)
jax.lax.dynamic_update_slice_in_dim(operand, update, start_index, axis)
jax.lax.exp(x, accuracy=None)
jax.lax.expand_dims(array, dimensions)
jax.lax.full(shape, fill_value, dtype=None, *, sharding=None)
jax.lax.full_like(x, fill_value, dtype=None, shape=None, sharding=None)
jax.lax.index_in_dim(operand, index, axis=0, keepdims=True)
jax.lax.integer_pow(x, y)
jax.lax.iota(dtype, size)
jax.lax.log(x, accuracy=None)
jax.lax.log1p(x, accuracy=None)
jax.lax.logistic(x, accuracy=None)
jax.lax.pad(operand, padding_value, padding_config)
jax.lax.reduce_max(operand, axes)
jax.lax.reduce_min(operand, axes)
jax.lax.reduce_sum(operand, axes)
jax.lax.reshape(operand, new_sizes, dimensions=None, *, out_sharding=None)
jax.lax.rev(operand, dimensions)
jax.lax.rsqrt(x, accuracy=None)
jax.lax.select(pred, on_true, on_false)
jax.lax.select_n(which, *cases)
jax.lax.slice(operand, start_indices, limit_indices, strides=None)
jax.lax.slice_in_dim(operand, start_index, limit_index, stride=1, axis=0)
jax.lax.sort(operand, dimension=-1, is_stable=True, num_keys=1)
jax.lax.split(operand, sizes, axis=0)
jax.lax.sqrt(x, accuracy=None)
jax.lax.squeeze(array, dimensions)
jax.lax.tanh(x, accuracy=None)
jax.lax.top_k(operand, k)
jax.lax.transpose(operand, permutation)
jax.random.bernoulli(key, p=0.5, shape=None)
jax.random.categorical(key, logits, axis=-1, shape=None, replace=True)
jax.random.choice(key, a, shape=(), replace=True, p=None, axis=0)
jax.random.normal(key, shape=(), dtype=float)
jax.random.permutation(key, x, axis=0, independent=False)
jax.random.randint(key, shape, minval, maxval, dtype=int)
jax.random.split(key, num=2)
jax.random.truncated_normal(key, lower, upper, shape=None, dtype=float)
jax.random.uniform(key, shape=(), dtype=float, minval=0.0, maxval=1.0)
"""

EINOPS = """
einops.rearrange(tensor, pattern, **axes_lengths)
einops.reduce(tensor, pattern, reduction, **axes_lengths)
einops.repeat(tensor, pattern, **axes_lengths)
einops.einsum(*tensors_and_pattern)
einops.pack(tensors, pattern)
einops.unpack(tensor, packed_shapes, pattern)
einops.parse_shape(x, pattern)
einops.asnumpy(tensor)
einops.layers.torch.Rearrange(pattern, **axes_lengths)
einops.layers.torch.Reduce(pattern, reduction, **axes_lengths)
einops.layers.torch.EinMix(pattern, weight_shape, bias_shape=None, **axes_lengths)
"""

# Removed in 2.13.0: the signatures of 2.12.1 (rules.md section 3.6).
REMOVED = """
Tensor.align_as(other)
Tensor.align_to(*names)
Tensor.has_names()
Tensor.refine_names(*names)
Tensor.rename(*names, **rename_map)
Tensor.rename_(*names, **rename_map)
Tensor.flatten(dims, out_dim)
Tensor.flatten(start_dim, end_dim, out_dim)
Tensor.unflatten(dim, sizes)
Tensor.unflatten(dim, sizes, names)
Tensor.diagonal(*, outdim, dim1, dim2, offset=0)
Tensor.transpose(dim0, dim1)
Tensor.squeeze(dim)
Tensor.index_fill(dim, index, value)
torch.align_tensors(*tensors)
torch.diagonal(input, *, outdim, dim1, dim2, offset=0)
torch.flatten(input, dims, out_dim)
torch.flatten(input, start_dim, end_dim, out_dim)
torch.unflatten(input, dim, sizes)
torch.unflatten(input, dim, sizes, names)
torch.empty(size, *, names, memory_format=None, dtype=None, layout=None, device=None,
    pin_memory=False, requires_grad=False)
torch.empty(*size, names, memory_format=None, dtype=None, layout=None, device=None,
    pin_memory=False, requires_grad=False)
torch.full(size, fill_value, *, names=None, dtype=None, layout=None, device=None,
    pin_memory=False, requires_grad=False)
torch.ones(size, *, names, dtype=None, layout=None, device=None, pin_memory=False,
    requires_grad=False)
torch.ones(*size, names, dtype=None, layout=None, device=None, pin_memory=False,
    requires_grad=False)
torch.rand(size, *, names, generator=None, dtype=None, layout=None, device=None, pin_memory=False,
    requires_grad=False)
torch.rand(*size, names, generator=None, dtype=None, layout=None, device=None, pin_memory=False,
    requires_grad=False)
torch.randn(size, *, names, generator=None, dtype=None, layout=None, device=None,
    pin_memory=False, requires_grad=False)
torch.randn(*size, names, generator=None, dtype=None, layout=None, device=None, pin_memory=False,
    requires_grad=False)
torch.tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False, names=None)
torch.zeros(size, *, names, dtype=None, layout=None, device=None, pin_memory=False,
    requires_grad=False)
torch.zeros(*size, names, dtype=None, layout=None, device=None, pin_memory=False,
    requires_grad=False)
"""


def read_text(text: str) -> dict[str, Calls]:
    calls: dict[str, Calls] = {}
    for line in text.strip().replace("\n    ", " ").splitlines():
        path, inside = line.split("(", 1)
        call = call_from_text(inside.rstrip()[:-1])
        assert call is not None, line
        put(calls.setdefault(path, []), call)
    return calls


def read_jax() -> dict[str, Calls]:
    calls = read_text(JAX)
    for prefix, names, call in (
        ("jax.numpy", JAX_UNARY, ["x", "/"]),
        ("jax.numpy", JAX_BINARY, ["x", "y", "/"]),
        ("jax.lax", LAX_UNARY, ["x"]),
        ("jax.lax", LAX_BINARY, ["x", "y"]),
    ):
        for name in names.split():
            calls[f"{prefix}.{name}"] = [list(call)]
    calls["jax.lax.stop_gradient"] = [["x"]]
    for name in ("sin", "cos", "tan"):
        calls[f"jax.lax.{name}"] = [["x", "accuracy=None"]]
    return calls


# ---------------------------------------------------------------- spellings and aliases

HOMES = {
    "torch": "torch.",
    "Tensor": "Tensor.",
    "F": "torch.nn.functional.",
    "linalg": "torch.linalg.",
    "fft": "torch.fft.",
    "special": "torch.special.",
    "numpy": "numpy.",
    "ndarray": "numpy.ndarray.",
    "numpy.linalg": "numpy.linalg.",
    "numpy.fft": "numpy.fft.",
    "jax": "jax.numpy.",
    "jax.nn": "jax.nn.",
    "lax": "jax.lax.",
    "einops": "einops.",
}


def accepts_out(calls: Calls) -> bool:
    return any(part.split("=")[0] == "out" for call in calls for part in call)


def read_spellings(calls: dict[str, Calls], docs: dict[str, Calls]) -> dict[str, list[str]]:
    names: dict[str, set[str]] = {}
    for path in calls:
        for home, prefix in HOMES.items():
            name = path.removeprefix(prefix)
            if name != path and "." not in name:
                names.setdefault(name, set()).add(home)
                if home in ("torch", "F", "linalg", "fft", "special", "numpy"):
                    if accepts_out(calls[path]) or accepts_out(docs.get(path, [])):
                        names[name].add(f"{home} out")
    spellings: dict[str, set[str]] = {}
    for name, homes in names.items():
        base = name[:-1]
        inplace = name.endswith("_") and not name.endswith("__") and base in names
        for home in homes:
            if inplace and home in ("torch", "Tensor", "F"):
                spellings.setdefault(base, set()).add(f"{home}_")
            else:
                spellings.setdefault(name, set()).add(home)
    return {name: sorted(homes) for name, homes in spellings.items()}


def read_aliases() -> dict[str, str]:
    """``torch.absolute`` -> ``torch.abs``, if the docstring says so."""
    aliases: dict[str, str] = {}
    for home, owner in (
        ("torch", torch),
        ("Tensor", torch.Tensor),
        ("torch.linalg", torch.linalg),
        ("torch.special", torch.special),
    ):
        for name in sorted(dir(owner)):
            doc = getattr(getattr(owner, name), "__doc__", None)
            doc = doc if isinstance(doc, str) else ""
            match = re.search(
                r"(?:Alias (?:for|of)|alias of)\s+:(?:func|meth):`~?([\w.]+)`", doc[:2000]
            )
            if match and not name.startswith("_"):
                target = match.group(1)
                target = target if "." in target else f"{home}.{target}"
                if target != f"{home}.{name}":
                    aliases[f"{home}.{name}"] = target
    return aliases


# The NumPy-style keywords that torch's argument parser accepts (tried on torch.sum and torch.add).
KEYWORD_TWINS = {
    "dim": ["axis"],
    "keepdim": ["keepdims"],
    "input": ["x", "a", "x1"],
    "other": ["x2"],
}

RANKED_TWINS = {
    "view/reshape": "view reshape",
    "cat": "cat concat concatenate",
    "unsqueeze": "unsqueeze expand_dims",
    "transpose": "transpose swapaxes swapdims",
    "permute": "permute permute_dims",
    "clamp": "clamp clip",
    "T/t": "t",
    "repeat(tile)": "tile",
    "broadcast_arrays": "broadcast_arrays broadcast_tensors",
    "place": "place",
    "max": "max amax",
    "min": "min amin",
    "pow": "pow power",
    "sub": "sub subtract",
    "mul": "mul multiply",
    "div": "div divide true_divide",
    "neg": "neg negative",
    "moveaxis": "moveaxis movedim",
    "abs": "abs absolute",
    "atan2": "atan2 arctan2",
    "eq": "eq equal",
    "triangular_solve": "solve_triangular triangular_solve",
    "init": "",
    "named": "",
    "reduce": "reduce",
}


def read_ranked(calls: dict[str, Calls]) -> list[list[Any]]:
    rows: list[list[Any]] = []
    for name, count in ranked():
        paths: list[str] = []
        if name.startswith("nn."):
            paths = [path for path in (f"torch.{name}",) if path in calls]
        elif name == "Rearrange":
            paths = ["einops.layers.torch.Rearrange"]
        else:
            for word in RANKED_TWINS.get(name, name).split():
                paths += [prefix + word for prefix in HOMES.values() if prefix + word in calls]
        rows.append([name, count, *paths])
    return rows


def properties() -> list[str]:
    names = "T mT H mH shape ndim real imag grad data dtype device is_leaf requires_grad is_cuda"
    names += " itemsize nbytes is_sparse is_sparse_csr is_quantized retains_grad grad_fn"
    return sorted(name for name in names.split() if not callable(getattr(torch.Tensor, name)))


def text_of(sections: dict[str, Any]) -> str:
    """JSON with one entry per line, so that diffs are readable."""

    def compact(value: Any) -> str:
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)

    blocks: list[str] = []
    for title, section in sections.items():
        if isinstance(section, dict):
            lines = [f"  {compact(key)}: {compact(section[key])}" for key in sorted(section)]
            blocks.append(f'"{title}": {{\n' + ",\n".join(lines) + "\n}")
        elif section and isinstance(section[0], list):
            lines = [f"  {compact(row)}" for row in section]
            blocks.append(f'"{title}": [\n' + ",\n".join(lines) + "\n]")
        else:
            blocks.append(f'"{title}": {compact(section)}')
    return "{\n" + ",\n".join(blocks) + "\n}\n"


def main() -> None:
    calls, docs = read_torch()
    calls |= read_layers() | read_numpy() | read_jax() | read_text(EINOPS)
    sections = {
        "read from": {
            "torch": torch.__version__,
            "numpy": numpy.__version__,
            "jax": "0.6, by hand",
        },
        "calls": calls,
        "documented": docs,
        "removed": read_text(REMOVED),
        "properties": properties(),
        "keyword twins": KEYWORD_TWINS,
        "spellings": read_spellings(calls, docs),
        "aliases": read_aliases(),
        "table": documented_table(),
        "ranked": read_ranked(calls),
        "golden": golden_ops(),
    }
    (HERE / "signatures.json").write_text(text_of(sections), encoding="utf-8")


if __name__ == "__main__":
    main()
