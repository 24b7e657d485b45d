"""Tests that no size decides, tests that ask one question twice, and the right side of `and`.

A line ends in the code that is reported there.
"""

from __future__ import annotations

from textwrap import dedent

import pytest
from snippets import HEAD, check_marks

TESTS = {
    "a dim that is not there, in a test": """
        def asserted(x):
            n, c, h, w = x.shape
            assert x.shape[3] == 1
            assert x.shape[4] == 1  # NC301

        def asked(x):
            n, c, h, w = x.shape
            if x.size(4) == 1:  # NC301
                return x + 1
            return x

        def each(xs):
            for x in xs:
                n, c = x.shape
                while x.shape[2] > 3:  # NC301
                    n += 1
        """,
    "the right side, where the left says the rank": """
        def right(x: torch.Tensor, c: int):
            if x.ndim != 2 or x.shape[1] != c:
                raise ValueError

        def or_is_wrong(x: torch.Tensor, c: int):
            if x.ndim != 2 or x.shape[2] != c:  # NC301
                raise ValueError

        def and_is_wrong(x: torch.Tensor):
            assert x.dim() == 3 and x.size(3) == 3  # NC301

        def by_length(x: torch.Tensor):
            return len(x.shape) == 2 and x.shape[-3] == 1  # NC301

        def either(x: torch.Tensor):
            return (x.ndim == 3 and x.shape[2] == 3) or (x.ndim == 4 and x.shape[3] == 3)
        """,
    "the right side of a value that may be anything": """
        def kind(x):
            return isinstance(x, list) or x.shape[0] == 1

        def rows(x: torch.Tensor, n: int):
            n_rows, width = x.shape
            return (n == 3 and x[0] is None) or x.sum() > 0
        """,
}


@pytest.mark.parametrize("text", TESTS.values(), ids=TESTS)
def test_what_is_asked_in_a_test(text: str) -> None:
    check_marks(HEAD + dedent(text))


FREE = (
    "if self.training:",
    "if not self.training:",
    "if torch.is_grad_enabled():",
    "if x.dtype in (torch.float16, torch.bfloat16):",
    "if x.is_cuda:",
    "if x.device.type == 'cuda':",
    "if torch.isnan(x).any():",
    "if not (x > 0).all():",
    "if x.max().item() > 3 or self.training:",
)
DECIDED_BY_SIZES = (
    "if x.shape[-1] != 7:",
    "if x.ndim == 3:",
    "if self.flag:",
    "if x.dtype == torch.long:",
    "if self.training and self.flag:",
)
CALLEE = """
    class Part(nn.Module):
        def __init__(self, c, flag):
            super().__init__()
            self.layer = nn.Linear(c, c)
            self.flag = flag

        def forward(self, x: torch.Tensor):
            {test}
                return x.float()
            return self.layer(x){wrong}

    class Whole(nn.Module):
        def __init__(self, c, flag):
            super().__init__()
            self.first = nn.Linear(c, {width})
            self.part = Part(c, flag)

        def forward(self, x):
            return self.part(self.first(x))
    """


@pytest.mark.parametrize("test", FREE)
def test_what_no_size_decides_hides_nothing(test: str) -> None:
    text = CALLEE.format(test=test, width="2 * c", wrong="  # NC208")
    check_marks(HEAD + dedent(text))
    check_marks(HEAD + dedent(CALLEE.format(test=test, width="c", wrong="")))


@pytest.mark.parametrize("test", DECIDED_BY_SIZES)
def test_what_sizes_or_flags_decide_may_not_come(test: str) -> None:
    check_marks(HEAD + dedent(CALLEE.format(test=test, width="2 * c", wrong="")))


DEFAULTS = {
    "a constructor that fails with its defaults": """
        class Table(nn.Module):
            def __init__(self, dim=64, length=128):
                super().__init__()
                place = torch.arange(length)
                self.table = torch.sin(place * torch.arange(dim))  # NC201

            def forward(self, x):
                return x + self.table

        class Right(nn.Module):
            def __init__(self, dim=64, length=128):
                super().__init__()
                place = torch.arange(length)[:, None]
                self.table = torch.sin(place * torch.arange(dim))

            def forward(self, x):
                return x + self.table
        """,
    "a kernel that stands in for none": """
        class Kernel(nn.Module):
            def __init__(self, kernels=[], stride=1):
                super().__init__()
                self.kernels = kernels
                if len(self.kernels) == 0:
                    self.kernels = [np.ones((1, 1, 3, 1)), np.ones((1, 1, 2, 2))]
                self.check()

            def check(self):
                for i in range(len(self.kernels)):
                    if i == 0:
                        assert self.kernels[i].shape[4] == 1  # NC301
                    else:
                        assert self.kernels[i].shape[3] == 2

            def forward(self, x):
                return x
        """,
    "an assertion that asks for another default": """
        class Asked(nn.Module):
            def __init__(self, dim=64, heads=7):
                super().__init__()
                assert dim % heads == 0
                self.layer = nn.Linear(dim, dim)

            def forward(self, x):
                return self.layer(x)
        """,
}


@pytest.mark.parametrize("text", DEFAULTS.values(), ids=DEFAULTS)
def test_mistakes_of_a_constructor_with_its_defaults(text: str) -> None:
    check_marks(HEAD + dedent(text))


ATTENTION = """
    class Attention(nn.Module):
        def __init__(self, dim, heads):
            super().__init__()
            self.heads, self.width = heads, dim // heads
            self.q = nn.Linear(dim, dim)
            self.k = nn.Linear(dim, dim)
            self.v = nn.Linear(dim, dim)

        def forward(self, x):
            b, n, d = x.shape
            q = self.q(x).view(b, n, self.heads, self.width){q}
            k = self.k(x).view(b, n, self.heads, self.width){k}
            v = self.v(x).view(b, n, self.heads, self.width){v}
            return F.scaled_dot_product_attention(q, k, v){wrong}
    """


@pytest.mark.parametrize(
    ("forgotten", "code"), [("", ""), ("q", "NC201"), ("k", "NC203"), ("v", "NC203")]
)
def test_a_transpose_that_attention_misses(forgotten: str, code: str) -> None:
    turned = {one: "" if one == forgotten else ".transpose(1, 2)" for one in "qkv"}
    wrong = f"  # {code}" if code else ""
    check_marks(HEAD + dedent(ATTENTION.format(**turned, wrong=wrong)))
