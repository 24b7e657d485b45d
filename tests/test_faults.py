"""Programs that took the checker minutes or gigabytes, or made it fail, are checked at once.

`faults/` holds the programs of an attack; those here double something with each line.  A run may
take 10 s of CPU and 2 GiB, as the operating system counts them.  The generated programs are large:
they take 7 s and the others half a second, so a slow machine gets more time for them.
"""

from __future__ import annotations

import functools
import json
import resource
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from laws.calls import everything
from namecheck.analysis import analyze

FAULTS: Final = Path(__file__).parent / "faults"
SECONDS: Final = 10
MEMORY: Final = 2 * 2**30

FOUND: Final[Mapping[str, tuple[str, ...]]] = {
    "dos_arg107": ("NC802 on line 12",),
    "dos_chunk": ("NC802 on line 4",),
    "dos_list_mul": (),
    "dos_ndmin": ("NC802 on line 3",),
    "dos_polynomials": tuple(f"NC802 on line {line}" for line in range(11, 19)),
    "dos_roots": ("NC204 on line 3",),
    "dos_roots_of_views": ("NC204 on line 15",),
    "dos_shape_index": (),
    "dos_split": ("NC802 on line 3",),
    "dos_tensor_split": ("NC802 on line 4",),
    "dos_unbind": ("NC802 on line 3",),
    "nc999_arange": (),
    "nc999_decorated_shape": (),
    "nc999_float_inf": (),
    "nc999_negative_slice": (),
    "nc999_negative_slice2": ("NC212 on line 4",),
    "nc999_negative_slice3": (
        "NC204 on line 3",
        "NC212 on line 5",
        "NC212 on line 6",
        "NC212 on line 7",
    ),
    "nc999_range": (),
}
"""The findings in the small programs; the generated ones are wrong all over."""

GENERATED: Final = ("gen_b_14_min", "gen_b_33", "gen_b_39_min", "gen_b_53")
PROVEN: Final = ("gen_b_33", "gen_b_53")
"""Those that `test_proof` analyses as well."""


def _limit(seconds: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def checked(path: Path, seconds: int = SECONDS) -> list[tuple[str, int]]:
    """The codes and lines that a run under limits reports, with the notes of coverage."""
    call = "from namecheck.main import main; main()"
    options = ["--isolated", "--no-cache", "--extend-select", "NC802", "--output-format", "json"]
    done = subprocess.run(
        [sys.executable, "-c", call, "check", *options, str(path)],
        capture_output=True,
        text=True,
        preexec_fn=functools.partial(_limit, seconds),
        timeout=600,  # wall time, on a busy machine
    )
    assert done.returncode in (0, 1), (done.returncode, done.stderr[-2000:])
    findings = [
        (finding["code"], finding["location"]["row"]) for finding in json.loads(done.stdout)
    ]
    assert "NC999" not in dict(findings), done.stdout[:2000]
    return findings


def test_every_program_is_tested() -> None:
    assert {path.stem for path in FAULTS.glob("*.py")} == {*FOUND, *GENERATED}


@pytest.mark.parametrize("name", FOUND)
def test_faults(name: str) -> None:
    findings = checked(FAULTS / f"{name}.py")
    assert tuple(f"{code} on line {line}" for code, line in findings) == FOUND[name]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",  # those with this mark are the programs of a test of proofs, which is slower still
    [pytest.param(n, marks=pytest.mark.deep if n in PROVEN else ()) for n in GENERATED],
)
def test_generated_faults(name: str) -> None:
    assert checked(FAULTS / f"{name}.py", 6 * SECONDS)


def doubled(first: str, line: str, last: str, times: int = 60) -> str:
    """A program that repeats a line many times."""
    return "\n".join([_HEADER, first, *[line] * times, last, ""])


_HEADER: Final = "import functools\nimport numpy as np\nimport torch\nfrom torch import nn\n"
_FUNCTION: Final = "def f(x):\n    n, m = x.shape"

DOUBLED: Final[Mapping[str, str]] = {
    "tuples": doubled(
        "t = (1, 2)", "t = (t, t)", "x = torch.zeros(*t)\nif x.any():\n    t = (t, 1)"
    ),
    "tuples added": doubled("t = (1, 2)", "t = t + t", "x = torch.zeros(t)"),
    "tuples unpacked": doubled("t = (1, 2)", "t = (*t, *t)", "x = torch.zeros(t)"),
    "tuples repeated": doubled("t = (1, 2)", "t = t * 9", "x = torch.zeros(t)"),
    "lists": doubled("t = [1, 2]", "t = [t, t]", "x = torch.tensor(t)"),
    "lists added": doubled("t = [1, 2]", "t += t", "x = torch.tensor(t)"),
    "lists extended": doubled("t = [1, 2]", "t.extend(t)", "x = torch.tensor(t)"),
    "lists appended": doubled("t = [1]", "s = [t]\ns.append(t)\nt = s", "x = torch.tensor(t)"),
    "lists inserted": doubled("t = [1]", "s = [t]\ns.insert(0, t)\nt = s", "x = torch.tensor(t)"),
    "dicts": doubled("t = {'a': 1}", "t = {'a': t, 'b': t}", "x = torch.tensor(t)\nt = t or 1"),
    "texts": doubled("t = 'ab'", "t = t + t", "print(t)"),
    "texts replaced": doubled("t = 'a'", "t = (t + t).replace('a', t)", "print(t)"),
    "formatted texts": doubled("t = 'ab'", "t = f'{t}{t}'", "print(t)"),
    "numbers": doubled("n = 10", "n = n * n", "x = torch.zeros(n)"),
    "numbers shifted": doubled("n = 10", "n = n << 64", "x = torch.zeros(n)", 600),
    "squares": doubled(_FUNCTION, "    n = n * n", "    return x.view(n, m)"),
    "sums of products": doubled(
        _FUNCTION, "    n, m = n * m + 1, n + m", "    return x.view(n, m)"
    ),
    "rests": doubled(_FUNCTION, "    n = n // 2 + n % m", "    return x.view(n, m)"),
    "extremes": doubled(
        _FUNCTION, "    n, m = max(n, m) + 1, min(n, m) * 2", "    return x.view(n, m)"
    ),
    "rows of layers": doubled(
        "m = nn.Linear(3, 3)", "m = nn.Sequential(m, m)", "y = m(torch.ones(3))"
    ),
    "functions": doubled("f = abs", "f = functools.partial(map, f)", "y = f(torch.ones(3))"),
    "outer products": doubled("x = torch.ones(2, 3)", "x = torch.tensordot(x, x, 0)", "x.view(3)"),
    "indices": doubled("x = torch.ones(2, 3)", "x = x[x.long()]", "x.view(3)"),
    "dims": doubled("x = torch.ones(2)", "x = x.unsqueeze(0)", "x.sum(5)", 3000),
    "blocks": doubled(_FUNCTION, "    x = torch.block_diag(x, x)", "    return x.view(3, 4)"),
    "products": doubled(_FUNCTION, "    x = torch.kron(x, x)", "    return x.view(3, 4)"),
    "repetitions": doubled(_FUNCTION, "    x = x.repeat(3, 7)", "    return x.view(3, 4)", 400),
    "annotation": _HEADER
    + "from jaxtyping import Float\n"
    + f"def f(x: Float[torch.Tensor, '{'a*' * 3000}b']):\n    return x\n",
    "comment": _HEADER + f"def f(x):\n    y = x + 1  # ({'a*b, ' * 3000}c)\n    return y\n",
    "opened comment": _HEADER + f"def f(x):\n    y = x + 1  # {'(' * 3000}\n    return y\n",
    "docstring": _HEADER
    + f'def f(x):\n    """Do.\n\n    Args:\n        x: (B, {"T, " * 3000}C) '
    + f'{"(a or " * 3000}\n    """\n',
    "loops": _HEADER
    + "".join("  " * n + f"for i{n} in range(16):\n" for n in range(15))
    + "  " * 15
    + "x = 1\n",
    "comprehension": "x = "
    + "[" * 6
    + "1"
    + "".join(f" for i{n} in range(16)]" for n in range(6))
    + "\n",
    "heirs": "class A: pass\n"
    + "".join(f"class A{n}(A{n - 1 if n else ''}, A): pass\n" for n in range(300)),
    "classes": _HEADER
    + "class C0(nn.Linear): pass\n"
    + "".join(
        f"class C{n}(nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        f"        self.a, self.b = C{n - 1}(3, 3), C{n - 1}(3, 3)\n"
        "    def forward(self, x):\n"
        "        return self.b(self.a(x))\n"
        for n in range(1, 25)
    ),
    "huge numbers": _HEADER
    + "".join(
        f"x = torch.zeros({n})\ny = x.view(7, {n})\nz = y[{n}:]\nw = x.shape[{n}]\n"
        "for i in x: print(i)\n"
        for n in ("10**9", "10**400", "-10**9", "2**(2**70)", "9**9**9", "1 << 10**9", "int(1e308)")
    ),
}


@pytest.mark.parametrize("name", DOUBLED)
def test_programs_that_double_something(name: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(DOUBLED[name])
    codes = {code for code, _ in checked(program)}
    assert codes <= {"NC204", "NC212", "NC403", "NC802", "NC301"}


def test_the_last_line_of_a_long_file_is_checked_too() -> None:
    line = "    n, m = n * m + 1, n + m"
    text = "\n".join([_HEADER, _FUNCTION, *[line] * 40])
    lines = {finding.span.line for finding in analyze("program.py", text.encode()).findings}
    assert len(text.splitlines()) in lines


IN_ITSELF: Final[Mapping[str, str]] = {
    "appended": "x = []\nx.append(x)\ny = torch.tensor(x)",
    "in each other": "x = []\ny = [x]\nx.append(y)\nz = torch.stack(x)",
    "at a place": "x = [1]\nx[0] = x\ny = torch.tensor(x)",
    "in a tuple": "x = []\nx.append((1, x))\ny = torch.tensor(x)",
    "in a loop": "x = []\nfor _ in range(9):\n    x.append(x)\n    x = [x, x]\ntorch.tensor(x)",
    "a dict": "x = {}\nx['x'] = x\ny = torch.zeros(x)\nx.update(y=x)\nz = torch.zeros((x,))",
    "modules": "x = nn.ModuleList()\nx.append(x)\ny = nn.Sequential(*x)(torch.zeros(3))",
    "a row": "x = nn.Sequential()\nx.append(x)\ny = x(torch.zeros(3))",
    "on two paths": "x, y = [], []\nif torch.rand(1) > 0:\n    x.append(y)\nelse:\n"
    "    y.append(x)\nz = torch.tensor(x)",
}


@pytest.mark.parametrize("name", IN_ITSELF)
def test_a_value_that_contains_itself_is_unknown(name: str) -> None:
    """Compiled code has no recursion limit: it crashed."""
    findings = analyze("program.py", f"{_HEADER}{IN_ITSELF[name]}\n".encode()).findings
    large = "a sequence has more than the 4,096 values that namecheck follows: it is unknown"
    assert {finding.message for finding in findings} <= ({large} if name == "in a loop" else set())


@pytest.mark.slow
@pytest.mark.parametrize("half", [0, 1])
def test_no_op_is_slow(half: int) -> None:
    """Every op and layer, called with huge numbers, answers in a second (see `fuzz/bombs.py`)."""
    from fuzz.cases import bombs_of, is_answered

    names = everything()
    assert len(names) > 1200
    for name in names[half::2]:
        for call in bombs_of(name, 0):
            is_answered(call)
