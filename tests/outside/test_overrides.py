"""Classes with a `__torch_function__`, as a package of a third party has them."""

from __future__ import annotations

import copy
import io
import json
import pickle
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any
from typing import Literal as L

import numpy as np
import pytest

import namecheck_runtime as nt
import namecheck_runtime.nn.functional as F
from outside.quantities import Counted, Quantity
from overriding_calls import CALLS, names_for, outcome

DATA = Path(__file__).parents[1] / "data/overrides_torch.jsonl"
ROWS = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]


def test_the_measured_calls_are_those_of_the_list() -> None:
    assert [row["call"] for row in ROWS] == list(CALLS)


def test_who_is_asked_and_with_what_is_as_in_torch() -> None:
    overrides = nt.overrides
    disabled = overrides._disabled_torch_function_impl
    names, asked = names_for(nt, overrides, disabled, overrides.DisableTorchFunctionSubclass)
    wrong = [row["call"] for row in ROWS if outcome(row["call"], names, asked) != row]
    assert not wrong


# -- twenty-eight ops of nine families, by two classes ---------------------------------------------


def _written(function: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    def run(x: Any, y: Any) -> Any:
        changed = x.clone()
        function(changed)
        return changed

    return run


def _set(x: Any) -> None:
    target = x.tensor if isinstance(x, Quantity) else x
    target[0] = 7.0


OPS: dict[str, dict[str, Callable[[Any, Any], Any]]] = {
    "unify": {
        "add": lambda x, y: nt.add(x, y),
        "operator": lambda x, y: x + y,
        "maximum": lambda x, y: nt.maximum(x, y),
        "where": lambda x, y: nt.where(nt.tensor(True), x, y),
    },
    "reduce": {
        "sum": lambda x, y: x.sum("C"),
        "mean": lambda x, y: nt.mean(x, "N"),
        "amax": lambda x, y: nt.amax(x, dim="C", keepdim=True),
        "max": lambda x, y: nt.max(x, "C")[0],
        "norm": lambda x, y: nt.linalg.vector_norm(x, dim="C"),
    },
    "permute": {
        "transpose": lambda x, y: x.transpose("N", "C"),
        "permute": lambda x, y: nt.permute(x, (1, 0)),
        "align_to": lambda x, y: x.align_to("C", "N"),
    },
    "view": {
        "flatten": lambda x, y: x.flatten(["N", "C"], "F"),
        "unsqueeze": lambda x, y: nt.unsqueeze(x, 0),
        "reshape": lambda x, y: nt.reshape(x, (3, 2)),
        "rename": lambda x, y: x.rename(N="B"),
    },
    "index": {
        "getitem": lambda x, y: x[0],
        "index_select": lambda x, y: nt.index_select(x, "C", nt.tensor([0, 2])),
        "gather": lambda x, y: nt.gather(x, 1, nt.tensor([[0, 1], [1, 2]])),
        "select": lambda x, y: x.select("C", 1),
    },
    "join": {
        "cat": lambda x, y: nt.cat([x, y], "N"),
        "stack": lambda x, y: nt.stack((x, y)),
    },
    "contract": {
        "matmul": lambda x, y: x @ nt.ones(3, 4, names=("C", "D")),
        "einsum": lambda x, y: nt.einsum("nc,nc->n", x, y),
        "linear": lambda x, y: F.linear(x, nt.ones(4, 3, names=("D", "C"))),
    },
    "factory": {
        "zeros_like": lambda x, y: nt.zeros_like(x),
        "full_like": lambda x, y: nt.full_like(x, 3),
        "new_ones": lambda x, y: x.new_ones(2, 2),
    },
    "in place": {
        "add_": _written(lambda x: x.add_(1)),
        "mul_": _written(lambda x: x.mul_(2)),
        "setitem": _written(_set),
    },
    "out": {
        "add": lambda x, y: nt.add(x, y, out=nt.zeros_like(x)),
        "softmax": lambda x, y: nt.softmax(x, "C", out=nt.zeros_like(x)),
    },
}
CASES = [(family, name) for family, ops in OPS.items() for name in ops]


def plain() -> tuple[nt.Tensor, nt.Tensor]:
    x = nt.arange(6, dtype=nt.float64).reshape(2, 3).rename("N", "C")
    return x, x.flip(0) * 2


@pytest.mark.parametrize(("family", "name"), CASES)
def test_an_op_answers_the_class_with_names_and_values(family: str, name: str) -> None:
    op = OPS[family][name]
    expected = op(*plain())
    x, y = plain()
    quantity = op(Quantity(x, "m"), Quantity(y, "m"))
    assert type(quantity) is Quantity
    x, y = plain()
    counted = op(x.as_subclass(Counted), y.as_subclass(Counted))
    assert type(counted) is Counted
    for result in (quantity.tensor, counted):
        assert result.names == expected.names
        assert result.shape == expected.shape
        assert result.tolist() == expected.tolist()


def test_there_are_ops_of_eight_families() -> None:
    assert len(OPS) >= 8
    assert len(CASES) >= 20


def test_the_class_decides_what_the_op_means() -> None:
    x, y = plain()
    assert (Quantity(x, "m") @ Quantity(y.T.rename("C", "D"), "s")).unit == "m*s"
    with pytest.raises(ValueError, match="m and s have no sum"):
        nt.add(Quantity(x, "m"), Quantity(y, "s"))


def test_names_are_checked_inside_the_class() -> None:
    x, _ = plain()
    with pytest.raises(nt.NamesError, match="do not match"):
        nt.add(Quantity(x, "m"), Quantity(x.rename("N", "D"), "m"))
    with pytest.raises(nt.NamesError):
        x.as_subclass(Counted) + x.rename("N", "D")


def test_a_plain_left_operand_leaves_the_operator_to_the_class() -> None:
    x, _ = plain()
    seconds = Quantity(x.clone(), "s")
    for result in (x + seconds, x * seconds, seconds + x, x @ Quantity(x.T.rename("C", "D"), "s")):
        assert type(result) is Quantity
    target = x.clone()
    target += seconds  # type: ignore[assignment,operator]
    assert type(target) is Quantity


def test_assignments_and_subscripts_reach_the_class() -> None:
    x, _ = plain()
    places = Quantity(nt.tensor([0]), "")
    assert type(x[places]) is Quantity
    target = x.rename(None)
    target[0] = Quantity(nt.zeros(3, dtype=nt.float64), "m")
    assert target[0].tolist() == [0, 0, 0]


def test_printing() -> None:
    x = nt.ones(2, names=("N",))
    assert repr(Quantity(x, "m")) == "tensor([1., 1.], names=('N',)) m"
    assert repr(x.as_subclass(Counted)) == "Counted([1., 1.], names=('N',))"


def test_copies_and_pickles_keep_the_class() -> None:
    x = nt.ones(2, names=("N",)).as_subclass(Counted)
    x.origin = "here"  # type: ignore[attr-defined]
    for other in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert type(other) is Counted
        assert other.names == ("N",)
        assert other.origin == "here"
    assert copy.copy(x).data_ptr() == x.data_ptr() != copy.deepcopy(x).data_ptr()
    quantity = pickle.loads(pickle.dumps(Quantity(x, "m")))
    assert (type(quantity.tensor), quantity.unit) == (Counted, "m")


def test_saving_keeps_names_and_elements() -> None:
    file = io.BytesIO()
    nt.save({"x": nt.ones(2, names=("N",)).as_subclass(Counted)}, file)
    file.seek(0)
    loaded = nt.load(file)["x"]
    # A file names no class, as it would have to import it: it holds tensors.
    assert (type(loaded), loaded.names, loaded.tolist()) == (nt.Tensor, ("N",), [1, 1])
    file = io.BytesIO()
    nt.save(Quantity(nt.ones(2, names=("N",)), "m"), file, pickle_module=pickle)
    file.seek(0)
    quantity = nt.load(file, weights_only=False, pickle_module=pickle)
    assert (quantity.unit, quantity.names, quantity.tensor.tolist()) == ("m", ("N",), [1, 1])


def test_gradients_flow_through_the_class() -> None:
    x = nt.tensor([1.0, 2.0, 3.0], dtype=nt.float64, names=("N",), requires_grad=True)

    def through(x: nt.Tensor) -> nt.Tensor:
        quantity = Quantity(x, "m")
        product = nt.mul(quantity, F.softmax(quantity, dim=0)).exp()
        return product.sum().tensor  # type: ignore[no-any-return]

    assert nt.autograd.gradcheck(through, (x,))
    assert nt.autograd.gradgradcheck(through, (x,))
    through(x).backward()
    assert x.grad is not None
    assert x.grad.names == ("N",)


def test_gradients_of_a_leaf_of_a_subclass() -> None:
    leaf = nt.tensor([1.0, 2.0], dtype=nt.float64, names=("N",)).as_subclass(Counted)
    leaf.requires_grad_()
    assert nt.autograd.gradcheck(lambda x: (x * x).exp().sum(), (leaf,))
    loss = (leaf * leaf).sum()
    assert type(loss) is Counted
    loss.backward()
    assert leaf.grad is not None
    assert (leaf.grad.tolist(), leaf.grad.names) == ([2, 4], ("N",))
    (gradient,) = nt.autograd.grad((leaf**3).sum(), leaf)
    assert gradient.tolist() == [3, 12]
    with nt.no_grad():
        leaf.sub_(leaf.grad)
    assert (type(leaf), leaf.tolist(), leaf.is_leaf) == (Counted, [-1, -2], True)


def test_a_version_error_reaches_a_subclass() -> None:
    leaf = nt.ones(2).as_subclass(Counted).requires_grad_()
    hidden = leaf.exp()
    loss = hidden.sum()
    hidden.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


def test_modules_and_optimizers_take_a_subclass() -> None:
    layer = nt.nn.Sequential(nt.nn.Linear(3, 4), nt.nn.ReLU(), nt.nn.Linear(4, 1))
    x = nt.randn(5, 3).as_subclass(Counted)
    assert type(layer(x)) is Counted
    weight = nt.ones(3).as_subclass(Counted).requires_grad_()
    optimizer = nt.optim.SGD([weight], lr=0.5, momentum=0.9)
    (weight * 2).sum().backward()
    optimizer.step()
    assert (type(weight), weight.tolist()) == (Counted, [0, 0, 0])


def test_attributes_are_asked_for() -> None:
    Counted.calls.clear()
    x = nt.ones(2, 3, names=("N", "C")).as_subclass(Counted)
    assert (x.shape, x.names, x.dtype, len(x)) == ((2, 3), ("N", "C"), nt.float32, 2)
    assert Counted.calls == {"__get__": 3, "__len__": 1}
    assert type(x.T) is type(x.data) is type(x.real) is Counted


def test_a_subclass_without_a_method_of_its_own_keeps_its_class() -> None:
    class Mine(nt.Tensor): ...

    x = nt.ones(2, 3, names=("N", "C")).as_subclass(Mine)
    results = (x + 1, x.sum("C"), x[0], nt.cat([x, nt.ones(2, 3)]), x.max("C").values)
    assert all(type(result) is Mine for result in results)
    assert type(Mine([1.0, 2.0])) is Mine
    assert type(nt.Tensor._make_subclass(Mine, nt.ones(2), True)) is Mine
    assert type(np.add(x, 1)) is Mine
    with nt.overrides.DisableTorchFunctionSubclass():
        assert type(x + 1) is nt.Tensor


def test_two_classes_of_tensors_of_which_neither_is_a_base() -> None:
    class One(nt.Tensor): ...

    class Other(nt.Tensor): ...

    with pytest.raises(TypeError, match=r"Multiple dispatch failed for 'torch\.add'"):
        nt.add(nt.ones(1).as_subclass(One), nt.ones(1).as_subclass(Other))


def test_parameters_and_buffers_take_no_part() -> None:
    for tensor in (nt.nn.Parameter(nt.ones(1)), nt.nn.Buffer(nt.ones(1))):
        assert not nt.overrides.has_torch_function((tensor,))
        assert type(tensor + 1) is nt.Tensor


def test_a_block_without_the_classes_belongs_to_its_thread() -> None:
    seen: list[type] = []

    def compute() -> None:
        seen.append(type(nt.ones(1).as_subclass(Counted) + 1))

    with nt.overrides.DisableTorchFunctionSubclass():
        thread = threading.Thread(target=compute)
        thread.start()
        thread.join()
    assert seen == [Counted]


def test_an_op_that_returns_its_operand_returns_the_very_tensor() -> None:
    x = nt.ones(2, names=("N",)).as_subclass(Counted)
    assert x.contiguous() is x.to("cpu") is x.float() is x
    first, _ = nt.broadcast_tensors(x, nt.ones(3, 2).as_subclass(Counted))
    assert first.data_ptr() == x.data_ptr()
    view = x.view(1, 2)
    view.mul_(3)
    assert x.tolist() == [3, 3]


def test_a_function_of_another_library_that_asks_again_is_not_called_for_ever() -> None:
    """As PyTorch's own functions do, which take no tensors of ours."""

    def foreign(tensor: Any) -> Any:
        kind = type(tensor)
        answer = kind.__torch_function__(foreign, (kind,), (tensor,), {})
        return "refused" if answer is NotImplemented else answer

    assert foreign(nt.ones(1)) == foreign(nt.ones(1).as_subclass(Counted)) == "refused"
    assert type(nt.ones(1).as_subclass(Counted) + 1) is Counted


def test_a_subclass_without_a_dict_and_one_of_named_dims() -> None:
    class Slotted(nt.Tensor):
        __slots__ = ()

    class OfRows(nt.Tensor[L["N"]]): ...

    for kind in (Slotted, OfRows):
        x = nt.ones(2).as_subclass(kind)
        assert type(copy.copy(x)) is type(copy.deepcopy(x)) is type(x + 1) is kind


def test_a_plain_method_is_deprecated() -> None:
    class Old:
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None):
            return "old"

    with pytest.warns(DeprecationWarning, match="define it as a classmethod"):
        assert nt.exp(Old()) == "old"


def test_the_functions_for_authors_of_classes() -> None:
    overrides = nt.overrides

    @overrides.wrap_torch_function(lambda left, right: (left, right))
    def distance(left: Any, right: Any) -> Any:
        return nt.linalg.norm(left - right)

    x, y = plain()
    assert distance(x.rename(None), y.rename(None)).ndim == 0
    result = overrides.handle_torch_function(nt.exp, (Quantity(x, "m"),), Quantity(x, "m"))
    assert type(result) is Quantity
    assert overrides.is_tensor_like(Quantity(x, "m"))
    assert not overrides.is_tensor_like(x.numpy())
    assert overrides.is_tensor_method_or_property(nt.Tensor.add)
    assert overrides.is_tensor_method_or_property(nt.Tensor.shape.__get__)  # type: ignore[attr-defined]
    assert not overrides.is_tensor_method_or_property(nt.add)
    assert overrides.resolve_name(nt.linalg.norm) == "torch.linalg.norm"
    functions = overrides.get_overridable_functions()
    assert nt.cat in functions[nt]
    assert F.relu in functions[F]
    assert nt.Tensor.add in functions[nt.Tensor]


class Every:
    """Answers every call with the function that was called."""

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func


def test_every_function_of_the_package_asks_the_class() -> None:
    functions = nt.overrides.get_overridable_functions()
    silent = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for owner, members in functions.items():
            for function in members:
                if owner is nt.Tensor:
                    continue
                try:
                    answer = function(Every())
                except TypeError:
                    answer = None
                if answer is not function:
                    silent.append(function.__qualname__)
    assert not silent
