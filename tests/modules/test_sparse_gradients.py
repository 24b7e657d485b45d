"""Gradients of tables that have only the rows that were looked up: `sparse=True`.

Texts, refusals and what accumulates are torch 2.15's, measured on these programs.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import namecheck_runtime as nt
import namecheck_runtime.nn.functional as F

INDICES = [[1, 3, 1, 4], [0, 0, 2, 3], [4, 4, 4, 4], [2, 1, 0, 3]]


def table(sparse: bool = True, **options: Any) -> nt.nn.Embedding:
    nt.manual_seed(0)
    return nt.nn.Embedding(5, 2, sparse=sparse, dtype=nt.float64, **options)


def looked_up(layer: nt.nn.Embedding, places: Any = (1, 3, 1, 4)) -> Any:
    layer(nt.tensor(places)).pow(2).sum().backward()
    return layer.weight.grad


def test_the_gradient_is_row_sparse() -> None:
    layer = table()
    gradient = looked_up(layer)
    assert gradient.is_sparse
    assert gradient.layout is nt.sparse_coo
    assert (gradient.shape, gradient.dtype, gradient.device) == (
        (5, 2),
        nt.float64,
        nt.device("cpu"),
    )
    assert (gradient.sparse_dim(), gradient.dense_dim(), gradient._nnz()) == (1, 1, 4)
    assert not gradient.is_coalesced()
    assert gradient._indices().tolist() == [[1, 3, 1, 4]]
    dense = table(sparse=False)
    assert gradient.to_dense().tolist() == looked_up(dense).tolist()
    assert not gradient.to_dense().is_sparse


def test_coalescing_adds_up_the_rows() -> None:
    gradient = looked_up(table())
    with pytest.raises(RuntimeError, match="Cannot get indices on an uncoalesced tensor"):
        gradient.indices()
    with pytest.raises(RuntimeError, match=r"Cannot get values .* please call .coalesce\(\) first"):
        gradient.values()
    merged = gradient.coalesce()
    assert merged.is_coalesced()
    assert merged.coalesce() is merged
    assert merged.indices().tolist() == [[1, 3, 4]]
    assert merged.values().tolist() == [gradient.to_dense()[row].tolist() for row in (1, 3, 4)]


def test_its_text() -> None:
    gradient = nt.sparse_coo_tensor(
        nt.tensor([[1, 3]]), nt.tensor([[1.5, 2.0], [0.5, -1.0]], dtype=nt.float64), (5, 2)
    )
    assert repr(gradient) == (
        "tensor(indices=tensor([[1, 3]]),\n"
        "       values=tensor([[ 1.5000,  2.0000],\n"
        "                      [ 0.5000, -1.0000]]),\n"
        "       size=(5, 2), nnz=2, dtype=torch.float64, layout=torch.sparse_coo)"
    )
    assert repr(gradient.zero_()).startswith(
        "tensor(indices=tensor([], size=(1, 0)),\n       values=tensor([], size=(0, 2)),\n"
    )


def test_a_gradient_has_the_names_of_its_table() -> None:
    weight = nt.ones(5, 2, names=("V", "D"), requires_grad=True)
    F.embedding(nt.tensor([1, 2], names=("T",)), weight, sparse=True).sum().backward()
    assert weight.grad is not None
    assert weight.grad.names == ("V", "D")
    assert weight.grad.to_dense().names == ("V", "D")
    assert (weight + weight.grad).names == ("V", "D")


def test_the_row_of_the_padding_is_left_out() -> None:
    gradient = looked_up(table(padding_idx=1))
    assert gradient._indices().tolist() == [[3, 4]]
    dense = looked_up(table(sparse=False, padding_idx=1))
    assert gradient.to_dense().tolist() == dense.tolist()


def test_gradients_accumulate() -> None:
    layer, dense = table(), table(sparse=False)
    for places in INDICES:
        looked_up(layer, places)
        looked_up(dense, places)
    assert layer.weight.grad is not None
    assert layer.weight.grad.is_sparse
    assert nt.allclose(layer.weight.grad.to_dense(), dense.weight.grad, atol=1e-15)


@pytest.mark.parametrize("order", ["sparse first", "dense first", "in one run"])
def test_a_dense_gradient_beside_a_sparse_one(order: str) -> None:
    layer = table()
    places = nt.tensor([1, 3])
    if order == "in one run":
        (layer(places).sum() + (layer.weight * 2).sum()).backward()
    elif order == "sparse first":
        layer(places).sum().backward()
        (layer.weight * 2).sum().backward()
    else:
        (layer.weight * 2).sum().backward()
        layer(places).sum().backward()
    assert layer.weight.grad is not None
    assert layer.weight.grad.layout is nt.strided
    assert layer.weight.grad[:, 0].tolist() == [2, 3, 2, 3, 2]


OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "momentum": {"momentum": 0.9},
    "nesterov": {"momentum": 0.9, "nesterov": True},
    "dampening": {"momentum": 0.9, "dampening": 0.5},
    "maximize": {"maximize": True},
    "foreach": {"foreach": True},
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_training_is_that_with_dense_gradients(options: dict[str, Any]) -> None:
    weights = []
    for sparse in (True, False):
        layer = table(sparse)
        head = nt.nn.Linear(2, 3, dtype=nt.float64)
        parameters = [*layer.parameters(), *head.parameters()]
        optimizer = nt.optim.SGD(parameters, lr=0.1, **options)
        for step in range(40):
            optimizer.zero_grad()
            scores = head(layer(nt.tensor(INDICES[step % 4])))
            F.cross_entropy(scores, nt.tensor([0, 1, 2, step % 3])).backward()
            assert layer.weight.grad is not None
            assert layer.weight.grad.is_sparse is sparse
            optimizer.step()
        weights.append(layer.weight.detach())
    assert (weights[0] - weights[1]).abs().max().item() <= 1e-12


def test_bags_have_sparse_gradients_too() -> None:
    gradients = []
    for sparse in (True, False):
        nt.manual_seed(0)
        layer = nt.nn.EmbeddingBag(5, 2, sparse=sparse, mode="sum", dtype=nt.float64)
        layer(nt.tensor([[1, 1], [2, 4]])).pow(2).sum().backward()
        assert layer.weight.grad is not None
        assert layer.weight.grad.is_sparse is sparse
        gradients.append(layer.weight.grad.to_dense())
    assert gradients[0].tolist() == gradients[1].tolist()


def test_a_step_leaves_the_other_rows_alone() -> None:
    layer = table()
    address, version = layer.weight.data_ptr(), layer.weight._version
    before = layer.weight.detach().clone()
    looked_up(layer, [1, 1])
    nt.optim.SGD(layer.parameters(), lr=0.1).step()
    assert layer.weight.data_ptr() == address
    assert layer.weight._version == version + 1
    changed = (layer.weight.detach() != before).any(1)
    assert changed.tolist() == [False, True, False, False, False]


REFUSED: dict[str, tuple[Callable[[Any, Any], Any], type[Exception], str]] = {
    "add": (lambda s, d: s + d, RuntimeError, r"add\(sparse, dense\) is not supported. Use add"),
    "add_": (lambda s, d: s.clone().add_(d), RuntimeError, r"add\(sparse, dense\) is not"),
    "number": (lambda s, d: s + 1, RuntimeError, r"add\(sparse, dense\) is not supported"),
    "mul": (lambda s, d: s * d, NotImplementedError, "mul of a sparse tensor takes a number"),
    "exp": (lambda s, d: s.exp(), NotImplementedError, r"torch\.exp has no kernel .* sparse_coo"),
    "sum": (lambda s, d: s.sum(), NotImplementedError, r"torch\.sum has no kernel .* sparse_coo"),
    "matmul": (lambda s, d: s @ d.T, NotImplementedError, r"torch\.matmul has no kernel"),
    "cat": (lambda s, d: nt.cat([s, d]), NotImplementedError, r"torch\.cat has no kernel"),
    "where": (lambda s, d: nt.where(d > 0, s, d), NotImplementedError, r"torch\.where has no"),
    "copy_": (lambda s, d: d.copy_(s), NotImplementedError, r"Tensor\.copy_ has no kernel"),
    "view": (lambda s, d: s.view(-1), NotImplementedError, r"Tensor\.view: layout sparse_coo"),
    "index": (lambda s, d: s[0], NotImplementedError, r"Tensor\.__getitem__: layout sparse_coo"),
    "setitem": (lambda s, d: s.__setitem__(0, 1), NotImplementedError, "no kernel on device 'cpu'"),
    "numpy": (lambda s, d: s.numpy(), TypeError, r"Use Tensor.to_dense\(\) first"),
    "tolist": (lambda s, d: s.tolist(), TypeError, r"Use Tensor.to_dense\(\) first"),
    "meta": (lambda s, d: s.to("meta"), NotImplementedError, "does not move from cpu to meta"),
    "storage": (lambda s, d: s.untyped_storage(), RuntimeError, "sparse_coo on cpu has no storage"),
    "out": (lambda s, d: nt.add(s, s, out=d), RuntimeError, "out= must not be dense"),
    "strided": (lambda s, d: d.coalesce(), RuntimeError, "coalesce expected sparse coordinate"),
    "asked": (lambda s, d: d.is_coalesced(), RuntimeError, "is_coalesced expected sparse"),
    "indices": (lambda s, d: d.indices(), NotImplementedError, r"Tensor\.indices has no kernel"),
}


@pytest.mark.parametrize(("call", "kind", "text"), REFUSED.values(), ids=REFUSED)
def test_every_other_op_refuses_by_name(
    call: Callable[[Any, Any], Any], kind: type[Exception], text: str
) -> None:
    sparse = looked_up(table())
    with pytest.raises(kind, match=text):
        call(sparse, nt.ones(5, 2, dtype=nt.float64))


def test_what_computes_with_numbers_and_with_others_of_the_layout() -> None:
    sparse = looked_up(table())
    dense = sparse.to_dense()
    for result, expected in (
        (sparse * 2, dense * 2),
        (2 * sparse, dense * 2),
        (sparse / 4, dense / 4),
        (-sparse, -dense),
        (sparse + sparse, dense * 2),
        (sparse.sub(sparse.coalesce(), alpha=3), dense * -2),
        (sparse.clone().mul_(0.5).add_(sparse, alpha=2), dense * 2.5),
        (sparse.float(), dense.float()),
        (copy.deepcopy(sparse), dense),
        (pickle.loads(pickle.dumps(sparse)), dense),
        (sparse.detach().clone(), dense),
    ):
        assert result.is_sparse
        assert result.dtype is expected.dtype
        assert nt.allclose(result.to_dense(), expected)
    for result, expected in ((dense + sparse, dense * 2), (dense - sparse, dense * 0)):
        assert not result.is_sparse
        assert nt.allclose(result, expected)
    target = nt.zeros(5, 2, dtype=nt.float64)
    assert nt.add(dense, sparse, alpha=-1, out=target) is target
    assert not target.any()


def test_a_buffer_that_is_added_to_does_not_grow_without_end() -> None:
    buffer = looked_up(table(), [0]).clone()
    for step in range(50):
        buffer.add_(looked_up(table(), [step % 5, (step + 1) % 5]))
    assert buffer._nnz() <= 5


def test_optimizers_that_take_none() -> None:
    sentences = {
        "Adam": "Adam does not support sparse gradients, please consider SparseAdam instead",
        "AdamW": "Adam does not support sparse gradients, please consider SparseAdam instead",
        "RMSprop": "RMSprop does not support sparse gradients",
        "Adagrad": "Adagrad does not take sparse gradients yet",
    }
    for name, sentence in sentences.items():
        layer = table()
        looked_up(layer)
        with pytest.raises((RuntimeError, NotImplementedError), match=sentence):
            getattr(nt.optim, name)(layer.parameters()).step()


def test_options_of_sgd_that_take_none() -> None:
    for options, sentence in (
        ({"weight_decay": 0.1}, r"add\(sparse, dense\) is not supported"),
        ({"fused": True}, "`_fused_sgd` does not support sparse gradients"),
    ):
        layer = table()
        looked_up(layer)
        with pytest.raises(RuntimeError, match=sentence):
            nt.optim.SGD(layer.parameters(), lr=0.1, **options).step()
    with pytest.raises(RuntimeError, match="scale_grad_by_freq not supported with sparse"):
        looked_up(table(scale_grad_by_freq=True))


def test_gradients_of_sparse_gradients_refuse() -> None:
    layer = table()
    loss = layer(nt.tensor([1])).pow(2).sum()
    with pytest.raises(NotImplementedError, match=r"torch\.sparse_coo_tensor has no derivative"):
        nt.autograd.grad(loss, layer.weight, create_graph=True)


def test_zero_grad_keeps_a_sparse_gradient() -> None:
    layer = table()
    looked_up(layer)
    nt.optim.SGD(layer.parameters()).zero_grad(set_to_none=False)
    assert layer.weight.grad is not None
    assert layer.weight.grad.is_sparse
    assert layer.weight.grad._nnz() == 0


def test_making_one() -> None:
    indices, values = nt.tensor([[0, 2, 0]]), nt.ones(3, 2)
    x = nt.sparse_coo_tensor(indices, values, (4, 2), names=("V", "D"))
    assert x.names == ("V", "D")
    assert x.to_dense().tolist() == [[2, 2], [0, 0], [1, 1], [0, 0]]
    assert nt.sparse_coo_tensor(indices, values).shape == (3, 2)
    assert nt.sparse_coo_tensor([[0]], [[1.0, 2.0]], (2, 2)).dtype is nt.float32
    assert nt.sparse_coo_tensor(indices, values, (4, 2), dtype=nt.float64).dtype is nt.float64
    assert nt.sparse_coo_tensor(indices, values, (4, 2), requires_grad=True).requires_grad
    for arguments, sentence in (
        ((indices, nt.ones(2, 2), (4, 2)), "indices and values must have same nnz"),
        ((indices, values, (4, 3)), "values has incorrect size, expected"),
        ((indices, values, (4,)), "len.size. == sparse_dim . dense_dim"),
        ((nt.tensor([[7]]), nt.ones(1, 2), (4, 2)), "size is inconsistent with indices"),
        ((nt.tensor([[0], [1]]), nt.ones(1), (2, 2)), "only rows are sparse here"),
    ):
        with pytest.raises((RuntimeError, NotImplementedError), match=sentence):
            nt.sparse_coo_tensor(*arguments)


def test_the_layout_is_registered_by_the_documented_door() -> None:
    from namecheck_runtime.backends import BACKENDS, Backend

    backend = BACKENDS["cpu", nt.sparse_coo]
    assert isinstance(backend, Backend)
    assert "torch.sparse_coo_tensor" in backend.makers
    assert repr(nt.sparse_coo) == "torch.sparse_coo"


def test_gradients_in_bfloat16() -> None:
    pytest.importorskip("ml_dtypes")
    weights = []
    for sparse in (True, False):
        nt.manual_seed(0)
        table = nt.nn.Embedding(5, 3, sparse=sparse, dtype=nt.bfloat16)
        step = nt.optim.SGD(table.parameters(), lr=0.5)
        (table(nt.tensor([1, 3, 1])) * 1.3).sum().backward()
        assert table.weight.grad is not None
        assert (table.weight.grad.dtype, table.weight.grad.is_sparse) == (nt.bfloat16, sparse)
        step.step()
        weights.append(table.weight.tolist())
    assert weights[0] == weights[1]
