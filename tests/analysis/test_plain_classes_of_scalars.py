"""`isinstance` of NumPy's scalars: a `float64` is a float, an `int64` is no int.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "of floats": """
        import numpy as np

        def item(scores):
            t = np.linspace(0.0, 1.0, num=5)[2]
            if isinstance(t, (int, float)):
                t = [t] * scores.shape[1]
            current = t.copy()
            current[0] = 1.0
            return current

        def mean():
            t = np.zeros((3, 4)).mean()
            return [t, t][0] if isinstance(t, float) else t

        def listed(x: np.ndarray):
            best = x.astype(np.float64).max()
            if isinstance(best, float):
                best = [best, best]
            return best[0]

        def whole():
            t = np.zeros((3, 4))
            if isinstance(t, float):
                t = [t]
            return t[0, 0, 0]  # NC301
        """,
    "of ints, bools and text": """
        import numpy as np

        def number():
            t = np.arange(4)[2]
            if isinstance(t, int):
                t = [t, t]
            return t[0]  # NC301

        def flag():
            t = (np.arange(4) > 2)[0]
            if isinstance(t, (bool, int)):
                t = [t, t]
            return t[0]  # NC301

        def text():
            t = np.array(["a", "b"])[0]
            if isinstance(t, str):
                t = [t]
            return t[0]

        def objects(values):
            t = np.array(values, dtype=object)[0]
            if isinstance(t, (int, list)):
                t = [t, 2]
            return t[0]
        """,
    "another library": """
        import torch

        def item():
            t = torch.linspace(0.0, 1.0, 5)[2]
            if isinstance(t, float):
                t = [t, t]
            return t[0]  # NC301
        """,
    "a scalar is no array": """
        import numpy as np

        def as_array():
            t = np.zeros(3).sum()
            if not isinstance(t, np.ndarray):
                t = np.array([t, t])
            return t[0]
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str) -> None:
    check_marks(PROGRAMS[name])
