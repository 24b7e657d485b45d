"""The request `namecheck/dims`: the dims of what stands at a place, and where they come from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from raw import Client

MODEL = """\
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim)

    def forward(self, x, mask):
        B, T, C = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        scores = (q @ k.transpose(1, 2)).softmax(-1)
        return scores @ v


counts = torch.zeros(3, 4, dtype=torch.int64)
"""

NOTEBOOK = "file:///work/a.ipynb"
X_SHAPE = "'B' is dim 0 of x and 'T' is dim 1 of x since `B, T, C = x.shape`"
A_PARAMETER = "'dim' is a parameter of Attention"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder: Path = tmp_path_factory.mktemp("dims").resolve()
    with Client(folder) as client:
        client.initialize()
        client.open("a.py", MODEL)
        yield client
        assert client.end() == 0


def dims(client: Client, line: int, character: int, uri: str = "a.py") -> Any:
    position = {"line": line, "character": character}
    place = {"textDocument": {"uri": client.uri(uri)}, "position": position}
    return client.result("namecheck/dims", place)


def test_dims_of_an_expression_and_where_each_comes_from(client: Client) -> None:
    answer = dims(client, 11, 20)  # qkv, in self.qkv(x)
    assert answer["expression"] == "self.qkv(x)"
    assert answer["range"] == {
        "start": {"line": 11, "character": 18},
        "end": {"line": 11, "character": 29},
    }
    assert answer["dtype"] == "float"
    assert answer["dims"] == [
        {"label": "B", "size": None, "origin": X_SHAPE},
        {"label": "T", "size": None, "origin": X_SHAPE},
        {"label": "3*dim", "size": None, "origin": A_PARAMETER},
    ]
    assert [origin["text"] for origin in answer["origins"]] == [X_SHAPE, A_PARAMETER]
    location = answer["origins"][0]["location"]
    assert location["uri"] == client.uri("a.py")
    assert location["range"]["start"] == {"line": 10, "character": 8}


def test_dims_of_a_target_are_explained_by_its_use(client: Client) -> None:
    answer = dims(client, 11, 11)  # k
    assert (answer["expression"], answer["dtype"]) == ("k", "float")
    assert [dim["origin"] for dim in answer["dims"]] == [X_SHAPE, X_SHAPE, A_PARAMETER]
    assert [origin["text"] for origin in answer["origins"]] == [X_SHAPE, A_PARAMETER]


def test_dims_of_a_parameter_are_explained_by_what_follows(client: Client) -> None:
    answer = dims(client, 9, 22)  # x
    assert (answer["expression"], answer["dtype"]) == ("x", None)
    assert [dim["label"] for dim in answer["dims"]] == ["B", "T", "dim"]
    assert [dim["origin"] for dim in answer["dims"]] == [X_SHAPE, X_SHAPE, A_PARAMETER]


def test_sizes_are_numbers(client: Client) -> None:
    answer = dims(client, 16, 2)  # counts
    assert (answer["dtype"], answer["origins"]) == ("int", [])
    assert answer["dims"] == [
        {"label": "3", "size": 3, "origin": None},
        {"label": "4", "size": 4, "origin": None},
    ]


@pytest.mark.parametrize(
    ("uri", "line", "character"),
    [("a.py", 0, 0), ("a.py", 9, 26), ("a.py", 900, 0), ("file:///closed.py", 0, 0)],
    ids=["import", "unknown", "after the end", "closed"],
)
def test_null_where_nothing_has_dims(client: Client, uri: str, line: int, character: int) -> None:
    assert dims(client, line, character, uri) is None


def test_dims_in_a_cell_of_a_notebook(client: Client) -> None:
    texts = ("import torch\n", "x = torch.zeros(2, 5)\n")
    cells = [{"kind": 2, "document": f"{NOTEBOOK}#{number}"} for number in range(2)]
    documents = [
        {"uri": cell["document"], "languageId": "python", "version": 1, "text": text}
        for cell, text in zip(cells, texts, strict=True)
    ]
    notebook = {
        "uri": NOTEBOOK,
        "notebookType": "jupyter-notebook",
        "version": 1,
        "cells": cells,
    }
    client.notify(
        "notebookDocument/didOpen", notebookDocument=notebook, cellTextDocuments=documents
    )
    answer = dims(client, 0, 6, f"{NOTEBOOK}#1")
    assert [dim["size"] for dim in answer["dims"]] == [2, 5]


def test_parameters_of_a_wrong_form_are_refused(client: Client) -> None:
    assert client.error("namecheck/dims", {"textDocument": {}}) == -32602
