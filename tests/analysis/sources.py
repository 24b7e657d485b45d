"""Python texts to try the analyzer's front end on: odd ones, and a strategy for many more."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

OWN = sorted((Path(__file__).parents[2] / "namecheck").glob("**/*.py"))[::9]
"""Some of our own sources: others with each module that is added."""

# Each has something that reading by lines or by parsing could get wrong.
ODD = {
    "empty": "",
    "newline": "\n",
    "only comments": "# one\n\n# two\n",
    "only a comment without newline": "# one",
    "no trailing newline": "x = 1",
    "comment without newline": "x = 1\n# end",
    "coding cookie": "# -*- coding: utf-8 -*-\nx = 'é'  # (B, ü)\n",
    "crlf": "def f(x):  # (B,)\r\n    y = x\r\n    # below\r\n\r\nz = '''a\r\nb'''\r\n",
    "mixed line ends": "a = 1\r\nb = 2\nc = (\r\n    3,\n)\n",
    "form feeds": "x = 1\n\f\n\fdef f():\n    return 1\n\n\f\n\f# comment\ny = 2\n",
    "form feed in a block": "def f():\n    x = 1\n\f    y = 2\n    return x + y\n",
    "unicode line separators": "x = 'a\u2028b'  # c\u2029d\x0be\x1cf\x85g\ny = 1\n",
    "tabs": "if a:\n\tx = 1\n\tif b:\n\t\ty = 2\t# (B,)\n\t# below\nz = 3\n",
    "decorators": "@a\n# between\n@b(1,\n   2)  # trailing\n\n# above\ndef f(): pass\n\n\n"
    "@c\nclass D: pass\n",
    "semicolons": "a = 1; b = 2; c = 3;\nif a: b = 1; c = 2  # here\nd = 4\n",
    "strings with hashes": "a = '# no'  # yes\nb = \"it's # no\"  # yes\n"
    "c = '''\n# no\n'''  # yes\n",
    "escaped quotes": r"""
a = 'it\'s # no'  # yes
b = r'\'#'  # yes
c = '\\'  # yes
d = '''\''' # no'''
""",
    "string continued": "a = 'one \\\n# no'  # yes\nb = 2\n",
    "backslashes": "a = 1 + \\\n    2  # yes\nassert a, \\\n    'no'\nb = 3\n",
    "backslash first": "\\\nx = 1\nif x:\n    y = \\\n  2\n",
    "backslash before a comment": "x = 1 \\\n  # yes\ny = 2\n",
    "brackets in strings": "a = '('\nb = ')'\nc = [')', \"(\", '''[''']\nd = f'{a}('\n",
    "nested quotes": 'a = f"{b["c"]}"  # yes\nd = f"{"#"}"  # yes\ne = f"{x!r:{"w"}}"\n',
    "nested quotes over lines": 'a = f"""{\n    b  # yes\n}"""\nc = f"{\n    d\n}"  # yes\n',
    "braces in formatted strings": "a = f'{{'  # one\nb = f'}}'  # two\nc = f'{{{x}}}'  # three\n",
    "clauses": "if a:\n    x\n# mid\nelif b:\n    y\nelse:\n    z\ntry:\n    a\nexcept E:\n    b\n"
    "else:\n    c\nfinally:\n    d\nelse_ = 1\nfor x in y:\n    pass\nelse:\n    pass\n",
    "soft keywords": "match = 1\ntype = 2\ncase = match\nprint(match, type)\nmatch(1)\n",
    "match": "match x:\n    # first\n    case 1:  # one\n        pass\n    case _: pass\n"
    "    # after\n",
    "mis-indented comments": "def f():\n    x = 1\n  # odd\n        # deep\n    # in\n# out\n"
    "    y = 2\n    # below\n# next\n\nz = 1\n",
    "suite on the header's line": "class A: x = 1; y = (\n    2)\nif (a and\n        b): c = 1\n",
    "signature": "def f(\n    a,  # (B,)\n    # own\n    b: int = 1,  # (T,)\n    *, c=None\n"
    ") -> int:  # out\n    return a\n",
    "paragraphs": "import a\nimport b\n# about c\nc = 1\n# below c\n\n# above d\nd = 2\n"
    "def f(): pass\ne = 3\n",
    "async": "async def f():\n    async with a as b, c:\n        async for x in y: await x\n",
    "long sum": "x = (" + " + ".join(["1"] * 500) + ")\n",
    "long string": "x = (" + "\n".join(["'a'"] * 1000) + ")\n",
    "long elif": "if a: pass\n" + "elif b: pass\n" * 199,
}

_NAMES = st.sampled_from(["a", "b", "x", "é", "long_name", "_"])
_ATOMS = st.one_of(
    _NAMES,
    st.sampled_from(
        ["1", "0x1F", "1_000", "1.5", "2j", "...", "None", "True", "'s'", '"q#"', "b'b'", "'a' 'b'"]
    ),
    st.sampled_from(['f"{x}"', "f'{x!r:>{y}}#'", "'''t\n# no\n'''", 'f"""{x}\n"""', "()", "[]"]),
)


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Expressions around smaller ones, with white space and comments wherever they may be."""
    gap = st.sampled_from(["", " ", "  ", "\n", "  # c\n    ", "\n    # own\n  ", "\t"])
    forms = [
        "({g}{a}{g})",
        "{a}.attr",
        "{a}({g}{b},{g}k={a}{g},{g}*{b}, **{a}{g})",
        "{a}[{b}{g}, ...,{g}{a}:{b}{g}]",
        "{a}[::{b}]",
        "{a}[{b},]",
        "({a}{g}+{g}{b})",
        "-{a}",
        "({a} if{g} {b} else {a})",
        "({a} and {b} or{g} not {a})",
        "({a} <{g} {b} is not{g} {a})",
        "[{a},{g}*{b},{g}]",
        "{{{a}: {b},{g} **{a}}}",
        "{{{a},{g}{b}}}",
        "[{a} for{g} x in{g} {b} if {a}{g} for y in {b}]",
        "{{{a}: {b} for x, y in {a}}}",
        "(lambda x, *y,{g}z=({a}): {b})",
        "(n := {a})",
        "({a},)",
        "{a} ** -{b}",
    ]

    @st.composite
    def grown(draw: st.DrawFn) -> str:
        text = draw(st.sampled_from(forms))
        while "{g}" in text:
            text = text.replace("{g}", draw(gap), 1)
        return text.format(a=f"({draw(inner)})", b=f"({draw(inner)})")

    return grown()


expressions = st.recursive(_ATOMS, _grown, max_leaves=6)

_SIMPLE = st.one_of(
    st.builds("{} = {}".format, _NAMES, expressions),
    st.builds("{} = {} = {}".format, _NAMES, _NAMES, expressions),
    st.builds("{}: ({}) = {}".format, _NAMES, expressions, expressions),
    st.builds("{} += {}".format, _NAMES, expressions),
    st.builds("{}".format, expressions),
    st.builds("return {}".format, expressions),
    st.builds("assert {}, {}".format, expressions, expressions),
    st.builds("raise {} from {}".format, expressions, expressions),
    st.builds("del {}, {}".format, _NAMES, _NAMES),
    st.sampled_from(
        ["pass", "import a.b as c, d", "from . import *", "from ..m import (a as b, # c\n  c)"]
    ),
    st.sampled_from(["global x, y", "return", "x, *y = z", "type X[T: int] = list[T]"]),
)
_HEADERS = st.one_of(
    st.builds("if {}:".format, expressions),
    st.builds("while {}:".format, expressions),
    st.builds("for x, y in {}:".format, expressions),
    st.builds("with {} as a, {}:".format, expressions, expressions),
    st.builds("def f(a, /, b: ({}) = {}, # p\n  *c, d, **e) -> ({}):".format, *[expressions] * 3),
    st.builds("@{}\n{{indent}}class C(A, m={}):".format, _NAMES, expressions),
    st.builds("@f(1)\n{{indent}}# between\n{{indent}}async def g(): # h".format),
    st.sampled_from(["def g[T, *Ts](x: T) -> T:"]),
)
_TAILS = st.sampled_from(["", "", "  # (B, T)", " ;", "\t#tab"])
_BETWEEN = st.lists(st.sampled_from(["", "# own", "  ", "{indent}# in", "\f"]), max_size=2)


@st.composite
def _blocks(draw: st.DrawFn, indent: str, depth: int) -> list[str]:
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        lines += [between.format(indent=indent) for between in draw(_BETWEEN)]
        if depth and draw(st.integers(0, 2)) == 0:
            step = draw(st.sampled_from(["    ", "  ", "\t"]))
            header = draw(_HEADERS).replace("{indent}", indent)
            lines.append(indent + header)
            lines += draw(_blocks(indent + step, depth - 1))
            if header.startswith("if"):
                lines += draw(
                    st.sampled_from(
                        [
                            [],
                            [f"{indent}# over", f"{indent}else: # e", f"{indent}{step}y = 1"],
                            [f"{indent}elif x: pass", f"{indent}else: y; z"],
                        ]
                    )
                )
        else:
            tail = draw(_TAILS)
            lines.append(indent + draw(_SIMPLE) + tail)
    lines += [between.format(indent=indent) for between in draw(_BETWEEN)]
    return lines


@st.composite
def modules(draw: st.DrawFn) -> str:
    """The text of a module that parses."""
    text = "\n".join(draw(_blocks("", 2)))
    if draw(st.booleans()):
        text += "\n"
    return text.replace("\n", draw(st.sampled_from(["\n", "\n", "\r\n"])))
