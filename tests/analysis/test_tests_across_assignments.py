"""What a test decided holds until the program assigns what it tested, in the next round as well.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "a round ends by a test that the round before failed": """
        import numpy as np

        def rows(line, file):
            values = [[]]
            while True:
                if line == "" or "*" in line:
                    break
                values[0].append(float(line))
                while not line == "":
                    values[0].append(float(line))
                    line = file.readline()
            points, bands, width = np.asarray(values).shape

        def names(file):
            values = [[1.0]]
            for line in file:
                if line.isspace() or line == "":
                    break
                values = file.values(values)
            points, bands, width = np.asarray(values).shape

        class Reader:
            def read(self, file):
                values = [[1.0]]
                while not file.closed:
                    if self.line == "" or self.line == "end":
                        break
                    values = file.values(values)
                    self.line = file.readline()
                points, bands, width = np.asarray(values).shape

        def some(a, b):
            value = np.zeros((2, 3))
            for step in (1, 2, 3):
                if a and b:
                    break
                value = b(value)
                a, b = step, value
            first, second, third = value.shape
        """,
    "a second test of what was assigned": """
        import numpy as np

        def once(line, file):
            x = np.zeros((2, 3))
            if line == "" or "*" in line:
                return None
            line = file.readline()
            if line == "" or "*" in line:
                a, b, c = x.shape  # NC303
            return x

        def inside(line, file, again):
            x = np.zeros((2, 3))
            if line == "" or "*" in line:
                return None
            if again:
                line = file.readline()
            if line == "" or "*" in line:
                a, b, c = x.shape  # NC303
            return x

        def in_loop(line, file):
            x = np.zeros((2, 3))
            if line == "" or "*" in line:
                return None
            for line in file:
                file.skip()
            if line == "" or "*" in line:
                a, b, c = x.shape  # NC303
            return x

        class Reader:
            def once(self, file):
                x = np.zeros((2, 3))
                if self.line == "" or self.last:
                    return None
                self.line = file.readline()
                if self.line == "" or self.last:
                    a, b, c = x.shape  # NC303
                return x
        """,
    "a second test of what was not assigned": """
        import numpy as np

        def once(line, file):
            x = np.zeros((2, 3))
            if line == "" or "*" in line:
                x = np.zeros((2, 3, 4))
            other = file.readline()
            if line == "" or "*" in line:
                a, b, c = x.shape
            return x
        """,
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_test_holds_until_what_it_reads_is_assigned(program: str) -> None:
    check_marks(PROGRAMS[program])
