"""NC601 in code that asks first whether tensors have names: `hasattr`, `getattr`, `try`.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "hasattr": """
        import torch

        def batch_dim(x: torch.Tensor):
            if x is not None and hasattr(x, "names") and "N" in x.names:
                return x.names.index("N")
            return 0

        def early(x: torch.Tensor):
            if not hasattr(x, "names"):
                return 0
            return x.names.index("N")

        def held(x: torch.Tensor):
            named = hasattr(x, "names")
            return x.names if named else None

        def other_branch(x: torch.Tensor):
            if not hasattr(torch.Tensor, "refine_names"):
                y = x
            else:
                y = x.refine_names("N", "C").align_to("C", "N").rename(None)
            return y

        def each(xs):
            tensors = [torch.zeros(2, 3) for _ in xs]
            return [t.names for t in tensors if hasattr(t, "names")]

        class Net:
            def forward(self, x: torch.Tensor):
                for _ in range(3):
                    if not hasattr(x, "has_names") or not x.has_names():
                        continue
                    x = x.rename(None)
                return x
        """,
    "getattr": """
        import torch

        def tested(x: torch.Tensor):
            names = getattr(x, "names", None)
            if names is not None:
                x = x.rename(None)
            return x

        def at_once(x: torch.Tensor):
            if getattr(x, "names", None):
                return x.names
            if (names := getattr(x, "names", ())) and "N" in names:
                return x.align_to("N", ...)
            return "C" in getattr(x, "names", ()) and x.sum("C")
        """,
    "try": """
        import torch

        def attribute(x: torch.Tensor):
            try:
                names = x.names
            except AttributeError:
                names = None
            return names

        def keyword():
            try:
                return torch.zeros(2, 3, names=("N", "C"))
            except TypeError:
                return torch.zeros(2, 3)

        def any_error(x: torch.Tensor):
            try:
                return x.refine_names("N", "C")
            except Exception:
                return x
        """,
    "a constant of the module": """
        import torch

        HAS_NAMES = hasattr(torch.Tensor, "names")

        def f(x: torch.Tensor):
            if HAS_NAMES:
                x = x.rename(None)
            return x
        """,
    "asked for something else": """
        import torch

        def another(x: torch.Tensor):
            if hasattr(x, "shape"):
                return x.names  # NC601
            return x.rename(None)  # NC601

        def denied(x: torch.Tensor):
            if not hasattr(x, "names"):
                return x.names  # NC601
            return 0

        def behind(x: torch.Tensor):
            if hasattr(x, "names"):
                pass
            return x.refine_names("N", "C")  # NC601

        def either(x: torch.Tensor, named):
            if named or hasattr(x, "names"):
                return x.names  # NC601
            return 0
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str) -> None:
    check_marks(PROGRAMS[name])
