"""The display of a tensor beyond torch's text (which `test_behaviour` compares): names at the end,
notebooks, and rich.
"""

from __future__ import annotations

from typing import Any

import pytest

import namecheck_runtime as nt


@pytest.mark.parametrize(
    ("tensor", "text"),
    [
        (nt.zeros(2, names=("N",)), "tensor([0., 0.], names=('N',))"),
        (nt.zeros(1, 2, names=(None, "C")), "tensor([[0., 0.]], names=(None, 'C'))"),
        (nt.zeros(1, 2, names=(None, None)), "tensor([[0., 0.]])"),
        (
            nt.zeros(2, 0, names=("N", "C"), dtype=nt.int64),
            "tensor([], size=(2, 0), dtype=torch.int64, names=('N', 'C'))",
        ),
        (
            nt.ones(1, names=("N",), dtype=nt.int8, requires_grad=False),
            "tensor([1], dtype=torch.int8, names=('N',))",
        ),
        (
            nt.ones(1, names=("N",), requires_grad=True),
            "tensor([1.], requires_grad=True, names=('N',))",
        ),
        (
            nt.zeros(2, 3, names=("N", "C"), device="meta"),
            "tensor(..., device='meta', size=(2, 3), names=('N', 'C'))",
        ),
        (
            nt.arange(10.0).rename("a_rather_long_name_of_a_dim"),
            (
                "tensor([0., 1., 2., 3., 4., 5., 6., 7., 8., 9.],\n"
                "       names=('a_rather_long_name_of_a_dim',))"
            ),
        ),
    ],
)
def test_names_come_last(tensor: nt.Tensor, text: str) -> None:
    assert repr(tensor) == text


def test_options_are_read_back() -> None:
    before = nt.get_printoptions()
    nt.set_printoptions(precision=2, linewidth=40)
    try:
        assert nt.get_printoptions() == {**before, "precision": 2, "linewidth": 40}
        assert repr(nt.tensor([0.125])) == "tensor([0.12])"
        with pytest.raises(ValueError, match="profile"):
            nt.set_printoptions(profile="long")
    finally:
        nt.set_printoptions(profile="default")
    assert nt.get_printoptions() == before


def test_a_notebook_shows_labelled_axes() -> None:
    page = nt.arange(6.0).reshape(2, 3).rename("N", "C")._repr_html_()
    assert "<b>N</b>=2 × <b>C</b>=3" in page
    assert "<th>N ↓  C →</th>" in page
    assert page.count("<td>") == 6
    assert "<td>5.</td>" in page


def test_a_notebook_shows_one_matrix_of_many_and_no_more_than_ten_rows() -> None:
    page = nt.zeros(4, 20, 3).rename("batch", None, "x")._repr_html_()
    assert "at batch=0" in page
    assert page.count("<td>") == 30
    assert "…" in page
    row = nt.arange(3, names=("T",))._repr_html_()
    assert "<tr><th>T →</th><th>0</th>" in row
    assert "<tr><th></th><td>0</td>" in row


@pytest.mark.parametrize("tensor", [nt.tensor(3.0), nt.zeros(0, 3), nt.zeros(2, device="meta")])
def test_a_notebook_shows_tensors_without_a_table(tensor: nt.Tensor) -> None:
    assert "float32" in tensor._repr_html_()


def test_rich_gets_dims_by_name() -> None:
    fields = list(nt.arange(2.0).reshape(1, 2).rename(None, "C").__rich_repr__())
    assert fields[:3] == [1, ("C", 2), ("dtype", nt.float32)]
    assert repr(fields[3]) == "('elements', [[0., 1.]])"
    assert repr(list(nt.tensor(1 / 3).__rich_repr__())[-1]) == "('elements', 0.3333)"
    assert [field[0] for field in list(nt.zeros(200).__rich_repr__())[1:]] == ["dtype"]
    meta = list(nt.zeros(2, device="meta").__rich_repr__())
    assert meta == [2, ("dtype", nt.float32), ("device", "meta")]


def test_ipython_breaks_the_lines_itself() -> None:
    class Printer:
        """A printer that treats lines as IPython's does."""

        def __init__(self) -> None:
            self.out: list[str] = []

        def text(self, text: str) -> None:
            self.out.append(text)

        def break_(self) -> None:
            self.out.append("|")

    printer: Any = Printer()
    nt.zeros(2, 1)._repr_pretty_(printer, False)
    assert printer.out == ["tensor([[0.],", "|", "        [0.]])"]
