"""Lists, tuples and generators in the place of an array: what NumPy makes of them."""

from __future__ import annotations

import pytest

from namecheck.analysis import analyze

HEAD = "import numpy as np\nimport jax.numpy as jnp\nimport torch\nx = np.ones((3, 4))\n"


def shown(program: str) -> dict[str, str]:
    """The dims shown beside each target of a program about which nothing is reported."""
    analysis = analyze("program.py", (HEAD + program).encode(), thorough=True)
    assert not analysis.findings
    return {shape.target: shape.dims_text for shape in analysis.shapes}


def codes(program: str) -> list[str]:
    return [f.code for f in analyze("program.py", (HEAD + program).encode()).findings]


@pytest.mark.parametrize(
    ("call", "dims"),
    [
        ("np.cumsum([3, 4, 5])", "[3]"),
        ("np.tril([[1, 2], [3, 4]], -1)", "[2, 2]"),
        ("np.mean([x, x + 1], axis=0)", "[3, 4]"),
        ("np.transpose((x, x))", "[4, 3, 2]"),
        ("np.interp([1.0, 2.0], xp=[1, 2, 3], fp=[3, 2, 0])", "[2]"),
        ("np.dot(x, [1.0, 2.0, 3.0, 4.0])", "[3]"),
        ("np.where([True, False, True], 1, 0)", "[3]"),
        ("np.multiply.outer([1, 2, 3], [4, 5])", "[3, 2]"),
        ("np.sqrt([i for i in range(5)])", "[5]"),
    ],
)
def test_a_list_is_an_array_for_numpy(call: str, dims: str) -> None:
    assert shown(f"y = {call}\n")["y"] == dims


def test_the_list_is_the_one_at_the_call() -> None:
    assert shown("a = [1, 2]\na.append(3)\ny = np.cumsum(a)\n")["y"] == "[3]"


def test_a_function_of_lists_is_called_with_one() -> None:
    assert shown("def f(v):\n    return np.cumsum(v)\n\ny = f([1, 2])\n")["y"] == "[2]"


@pytest.mark.parametrize(
    "program",
    [
        "y = np.dot([1, 2, 3], [4, 5])\n",
        "y = np.add([1.0, 2.0], x)\n",
        "y = np.sum([[1, 2], [3, 4]], axis=2)\n",
        "weights = [0.5, 0.5]\ny = np.dot(x, weights)\n",
        "y = np.matmul(x, [[1, 2], [3, 4]])\n",
    ],
)
def test_lists_that_do_not_fit_are_reported(program: str) -> None:
    assert codes(program)


@pytest.mark.parametrize(
    "program",
    [
        "rows = []\nfor i in range(n):\n    rows.append(i)\ny = np.add(rows, np.ones(4))\n",
        "y = np.add([*rest, 1], np.ones(4))\n",
        "y = np.add([first], np.ones((2, 3)))\n",
        "y = np.sum([[1, 2], [3]], axis=None, dtype=object)\n",
        "y = np.char.upper(['a', 'b'])\n",
        "y = np.prod(x.shape[1:])\nz = np.zeros(y)\n",
    ],
)
def test_lists_of_unknown_length_are_not(program: str) -> None:
    names = "from other import n, rest, first\n"
    assert not codes(names + program)


def test_another_library_takes_no_lists() -> None:
    """`jnp.sum` raises TypeError for a list: nothing is claimed."""
    assert "y" not in shown("y = jnp.cumsum([1, 2, 3])\n")


ONE = "o = torch.ones(1)\nn = np.ones(1)\nj = jnp.ones(1)\n"


@pytest.mark.parametrize(
    ("call", "dims"),
    [
        ("torch.Tensor([o * 2.0])", "[1]"),
        ("torch.tensor([o, o.sum(), 3.0])", "[3]"),
        ("torch.tensor([[o, o]])", "[1, 2]"),
        ("torch.as_tensor((o, o))", "[2]"),
        ("torch.asarray([o, o])", "[2]"),
        ("o.new_tensor([o, o, o])", "[3]"),
        ("torch.LongTensor([[o, 1], [2, o]])", "[2, 2]"),
        ("torch.FloatTensor([o.view(1, 1), o.view(1, 1)])", "[2]"),
        ("torch.tensor([torch.zeros(1).expand(k) for k in (1, 1)])", "[2]"),
    ],
)
def test_a_tensor_in_a_list_is_a_number_for_pytorch(call: str, dims: str) -> None:
    """PyTorch refuses those of several elements: "only one element tensors can be converted"."""
    assert shown(f"{ONE}y = {call}\n")["y"] == dims


@pytest.mark.parametrize(
    ("call", "dims"),
    [
        ("torch.tensor([n, n])", "[2, 1]"),
        ("torch.tensor([np.ones(3), np.ones(3)])", "[2, 3]"),
        ("np.array([n, n])", "[2, 1]"),
        ("np.array([o, o])", "[2, 1]"),
        ("jnp.array([j, j])", "[2, 1]"),
        ("torch.stack([o, o])", "[2, 1]"),
        ("torch.tensor(o)", "[1]"),
    ],
)
def test_any_other_array_in_a_list_is_a_row(call: str, dims: str) -> None:
    assert shown(f"{ONE}y = {call}\n")["y"] == dims


def test_numbers_in_lists_that_do_not_fit_are_reported() -> None:
    assert not codes(f"{ONE}y = torch.zeros(5, 1) @ torch.tensor([o])\n")
    assert codes(f"{ONE}y = torch.zeros(5, 1) @ torch.tensor([o, o])\n") == ["NC203"]
    program = """
def line(s, scale):
    q = s[1:31] / s[0:30]
    q[0] = s[1] / s[0]
    return q

scale = torch.Tensor([2.0])
times = torch.Tensor([scale * torch.Tensor([3.0])])
y = line(scale + torch.arange(33) / times, scale)
"""
    assert not codes(program)
    assert codes(program.replace("[scale * torch", "[[scale * torch").replace("])])", "])]])"))


def test_records_are_elements_and_not_rows() -> None:
    texts = shown(
        "a = np.array([(1, 2.0), (3, 4.0)], dtype=[('a', int), ('b', float)])\n"
        "kind = np.dtype([('a', int), ('b', float)])\n"
        "b = np.array([(1, 2.0), (3, 4.0)], dtype=kind)\n"
        "c = np.array([(1, 2.0)], dtype='i4,f4')\n"
        "d = np.array([(i, 1.0) for i in range(7)], kind)\n"
        "from other import RECORD\n"
        "f = np.array([(1, 2)], dtype=RECORD)\n"
        "e = a['a'] + np.ones(2)\n"
    )
    assert not {"a", "b", "c", "d", "f"} & set(texts)


@pytest.mark.parametrize("dtype", ["float", "'f4'", "np.float32", "None", "bool"])
def test_tuples_of_numbers_are_rows(dtype: str) -> None:
    assert shown(f"y = np.array([(1, 2), (3, 4), (5, 6)], dtype={dtype})\n")["y"] == "[3, 2]"


def test_lists_are_rows_whatever_the_dtype() -> None:
    program = "from other import kind\ny = np.array([[1, 2], [3, 4]], dtype=kind)\n"
    assert shown(program)["y"] == "[2, 2]"


def test_a_generator_is_no_array() -> None:
    texts = shown(
        "a = np.array(i for i in range(3))\n"
        "later = (i for i in range(3))\n"
        "b = np.asarray(later)\n"
        "c = np.array(tuple(i for i in range(3)))\n"
        "d, e = (x[i] for i in range(2))\n"
    )
    assert not {"a", "b"} & set(texts)
    assert (texts["c"], texts["d"]) == ("[3]", "[4]")


def test_an_empty_tuple_is_no_number() -> None:
    texts = shown("a = torch.tensor(())\nb = np.array(())\nc = np.zeros(())\nd = torch.zeros(())\n")
    assert texts == {"x": "[3, 4]", "a": "[0]", "b": "[0]", "c": "[]", "d": "[]"}


def test_a_mask_in_an_open_mesh_has_no_known_count() -> None:
    texts = shown("a = x[np.ix_([True, False, True], [0, 1])]\nb = x[np.ix_([0, 1, 1], [0, 1])]\n")
    assert (texts["a"], texts["b"]) == ("[?, 2]", "[3, 2]")


def test_an_array_is_resized_from_there_on() -> None:
    texts = shown(
        "a = np.ones((2, 3))\nb = a + 1\na.resize((3, 2))\nc = a + 1\na.resize(6)\nd = a\n"
    )
    assert (texts["b"], texts["c"], texts["d"]) == ("[2, 3]", "[3, 2]", "[6]")
    assert codes("a = np.ones((2, 3))\na.resize((3, 2))\ny = a + np.ones((2, 3))\n") == ["NC201"]


def test_a_norm_of_a_library_is_not_taken_for_a_layer() -> None:
    program = "from scipy.linalg import norm\nfrom other import layer_norm\na = norm(x)\n"
    texts = shown(program + "b = layer_norm(x)\n")
    assert "a" not in texts
    assert texts["b"] == "[3, 4]"
