"""The record that each form of Python is lowered to, and the statement of each comment.

Records are written as s-expressions: `(Call f (x) (k=1))`. Numbers and lines are left out. A name
is written as itself, a constant as its value, and an absent part as `-`; see `written`.
"""

from __future__ import annotations

import ast
import gc
import inspect
import textwrap
from pathlib import Path

import libcst as cst
import pytest
from hypothesis import given, settings
from sources import ODD, OWN, expressions, modules

from namecheck.analysis.python.expressions import TABLE
from namecheck.analysis.reading import from_libcst as lowering
from namecheck.analysis.reading import from_libcst_expressions as tables
from namecheck.analysis.reading import ir, records
from namecheck.analysis.reading.records import lower, lower_chunks
from namecheck.analysis.reading.unreadable import SourceError, TooDeep
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.runs.file_analysis import analyze_text
from namecheck.text.chunks import digest, split
from namecheck.text.layout import read_layout

BOOKKEEPING = {"id", "line", "end_line"}
MARKS = {
    "positional-only": "/",
    "positional or keyword": "",
    "variadic positional": "*",
    "keyword-only": "!",
    "variadic keyword": "**",
}


def written(value: object) -> str:
    match value:
        case ir.Name(name):
            return name
        case ir.Int(constant) | ir.Float(constant) | ir.Bool(constant):
            return repr(constant)
        case ir.Str(constant) | ir.Bytes(constant):
            return repr(constant)
        case ir.NoneLiteral():
            return "None"
        case ir.EllipsisLiteral():
            return "..."
        case ir.Unary(operator, operand):
            return f"({operator} {written(operand)})"
        case ir.Binary(left, operator, right) | ir.Boolean(left, operator, right):
            return f"({operator} {written(left)} {written(right)})"
        case ir.Comparison(left, operators, comparators):
            pairs = zip(operators, comparators, strict=True)
            return f"({written(left)}{''.join(f' {sign} {written(each)}' for sign, each in pairs)})"
        case ir.Keyword(None, inner):
            return f"**{written(inner)}"
        case ir.Keyword(name, inner):
            return f"{name}={written(inner)}"
        case ir.Starred(inner):
            return f"*{written(inner)}"
        case ir.Interpolation(inner, conversion, format_, debug):
            suffix = ("=" if debug else "") + (f"!{conversion}" if conversion else "")
            return f"{{{written(inner)}{suffix}{':' + written(format_) if format_ else ''}}}"
        case ir.Clause(target, iterable, conditions, is_async):
            word = "async-for" if is_async else "for"
            return f"({word} {written(target)} {written(iterable)} {written(conditions)})"
        case ir.Parameter(name, kind, annotation, default):
            text = MARKS[kind] + name + (f":{written(annotation)}" if annotation else "")
            return text + (f"={written(default)}" if default else "")
        case ir.TypeParameter(name, star, bound, default):
            text = star + name + (f":{written(bound)}" if bound else "")
            return text + (f"={written(default)}" if default else "")
        case ir.Alias(name, alias):
            return name if alias is None else f"{name}:{alias}"
        case ir.ExpressionStatement(inner):
            return written(inner)
        case ir.ValuePattern(inner):
            return f"=={written(inner)}"
        case ir.SingletonPattern(constant):
            return f"=={constant}"
        case ir.StarPattern(name):
            return f"*{name or '_'}"
        case ir.CapturePattern(None, name):
            return f"?{name or ''}"
        case ir.Record():
            fields = [name for name in value.__match_args__ if name not in BOOKKEEPING]
            parts = [type(value).__name__, *(written(getattr(value, name)) for name in fields)]
            return f"({' '.join(parts)})"
        case tuple():
            return f"({' '.join(written(item) for item in value)})"
        case None:
            return "-"
        case str():
            return value if value.isidentifier() else repr(value)
    return repr(value)


def expression(text: str) -> str:
    (statement,) = lower(text).statements
    assert isinstance(statement, ir.ExpressionStatement)
    return written(statement.value)


def statements(text: str) -> str:
    return " ".join(written(statement) for statement in lower(text).statements)


SIGNS = ["+", "-", "*", "/", "//", "%", "**", "@", "<<", ">>", "|", "&", "^"]
COMPARED = ["<", ">", "==", "<=", ">=", "!=", "in", "not in", "is", "is not"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x", "x"),
        ("(x)", "x"),
        ("True", "True"),
        ("None", "None"),
        ("...", "..."),
        ("0x_1F", "31"),
        ("0b101", "5"),
        ("1_000", "1000"),
        ("9223372036854775807", "9223372036854775807"),
        ("9223372036854775808", "(BigInt '9223372036854775808')"),
        ("1" * 5000, f"(BigInt '{'1' * 5000}')"),
        ("1e3", "1000.0"),
        ("1_0.5", "10.5"),
        ("2.5j", "(Imaginary 2.5)"),
        # strings
        ("'a'", "'a'"),
        ('""', "''"),
        ('"""a\n"b" """', "'a\\n\"b\" '"),
        ("'''a\r\nb'''", "'a\\nb'"),
        (r"'a\tb\x41\101\u00e9\N{BULLET}\'\\'", '"a\\tbAAé•\'\\\\"'),
        (r"'\d\q'", r"'\\d\\q'"),
        ("'a\\\nb'", "'ab'"),
        (r"r'\n'", r"'\\n'"),
        (r"R'\''", '"\\\\\'"'),
        ("u'a'", "'a'"),
        (r"'\ud800'", "'\ufffd'"),
        (r"b'\xff\u1234'", "b'\\xff\\\\u1234'"),
        (r"rb'\x'", r"b'\\x'"),
        ("'a' \"b\" '''c'''", "'abc'"),
        ("b'a' b'b'", "b'ab'"),
        ("f'a'", "(FString (a))"),
        ("f'a{x}b'", "(FString (a {x} b))"),
        ("f'{{{x!r:>{w}.2f}\\n}}'", r"(FString ('{' {x!r:('>' {w} '.2f')} '\n}'))"),
        ("f'{x=}'", "(FString ({x=}))"),
        (r"rf'\d{x}'", r"(FString ('\\d' {x}))"),
        ("'a' f'b{x}' 'c' 'd'", "(FString (ab {x} cd))"),
        ("f'{x}' f'{y}'", "(FString ({x} {y}))"),
        ('f"{x["a"]}"', "(FString ({(Subscript x 'a')}))"),
        ("t'a{x}'", "(TString (a {x}))"),
        # what is reached from a value
        ("a.b.c", "(Attribute (Attribute a b) c)"),
        ("x[0]", "(Subscript x 0)"),
        ("x[0, a]", "(Subscript x (Tuple (0 a)))"),
        ("x[(0, a)]", "(Subscript x (Tuple (0 a)))"),
        ("x[0,]", "(Subscript x (Tuple (0)))"),
        ("x[*a]", "(Subscript x (Tuple (*a)))"),
        ("x[*a, 1]", "(Subscript x (Tuple (*a 1)))"),
        ("x[:]", "(Subscript x (Slice - - -))"),
        ("x[a:b:c]", "(Subscript x (Slice a b c))"),
        ("x[..., None, ::2]", "(Subscript x (Tuple (... None (Slice - - 2))))"),
        ("f()", "(Call f () ())"),
        ("f(a, *b, c=d, **e)", "(Call f (a *b) (c=d **e))"),
        ("f(a, k=1, *b)", "(Call f (a *b) (k=1))"),
        ("f(x for x in y)", "(Call f ((Comprehension generator x ((for x y ())))) ())"),
        ("x.f(1)(2)", "(Call (Call (Attribute x f) (1) ()) (2) ())"),
        # operators
        *[(f"{sign} a", f"({sign} a)") for sign in ["-", "+", "~", "not"]],
        *[(f"a {sign} b", f"({sign} a b)") for sign in SIGNS],
        *[(f"a {sign} b", f"(a {sign} b)") for sign in COMPARED],
        ("a - b - c", "(- (- a b) c)"),
        ("a - (b - c)", "(- a (- b c))"),
        ("a @ b * c", "(* (@ a b) c)"),
        ("a ** -b", "(** a (- b))"),
        ("a and b and c", "(and (and a b) c)"),
        ("a or b and c", "(or a (and b c))"),
        ("a < b <= c", "(a < b <= c)"),
        ("a if b else c", "(Conditional b a c)"),
        ("(a := b)", "(Walrus a b)"),
        ("await a", "(Await a)"),
        ("(yield)", "(Yield -)"),
        ("(yield a, b)", "(Yield (Tuple (a b)))"),
        ("(yield from a)", "(YieldFrom a)"),
        # displays, comprehensions, functions
        ("()", "(Tuple ())"),
        ("a,", "(Tuple (a))"),
        ("(a, *b)", "(Tuple (a *b))"),
        ("[a, *b]", "(List (a *b))"),
        ("{a, *b}", "(Set (a *b))"),
        ("{}", "(Dict ())"),
        ("{a: b, **c}", "(Dict ((a b) (- c)))"),
        (
            "[a for b in c if d if e for f in g]",
            "(Comprehension list a ((for b c (d e)) (for f g ())))",
        ),
        ("{a for b, c in d}", "(Comprehension set a ((for (Tuple (b c)) d ())))"),
        ("[a async for b in c]", "(Comprehension list a ((async-for b c ())))"),
        ("{a: b for c in d}", "(DictComprehension a b ((for c d ())))"),
        ("{**a for a in b}", "(DictComprehension - a ((for a b ())))"),
        ("lambda: 1", "(Lambda () 1)"),
        ("lambda a, *b, c=1, **d: a", "(Lambda (a *b !c=1 **d) a)"),
    ],
)
def test_expressions(text: str, expected: str) -> None:
    assert expression(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = 1", "(Assign (a) 1)"),
        ("a = b.c = d[0] = 1", "(Assign (a (Attribute b c) (Subscript d 0)) 1)"),
        ("a, *b = c", "(Assign ((Tuple (a *b))) c)"),
        ("[a, (b, c)] = d", "(Assign ((List (a (Tuple (b c))))) d)"),
        ("a: int", "(AnnotatedAssign a int -)"),
        ("a.b: int = 1", "(AnnotatedAssign (Attribute a b) int 1)"),
        *[(f"a {sign}= b", f"(AugmentedAssign a '{sign}' b)") for sign in SIGNS],
        ("return", "(Return -)"),
        ("return a, b", "(Return (Tuple (a b)))"),
        ("raise", "(Raise - -)"),
        ("raise a from b", "(Raise a b)"),
        ("assert a", "(Assert a -)"),
        ("assert a, 'b'", "(Assert a 'b')"),
        ("del a, b[0]", "(Delete (a (Subscript b 0)))"),
        ("del a", "(Delete (a))"),
        ("del (a, b)", "(Delete (a b))"),
        ("global a, b", "(Global (a b))"),
        ("nonlocal a", "(Nonlocal (a))"),
        ("import a.b.c, d as e", "(Import (a.b.c d:e))"),
        ("from a.b import c, d as e", "(ImportFrom 'a.b' (c d:e) 0)"),
        ("from . import (a,\n  b)", "(ImportFrom '' (a b) 1)"),
        ("from ...a import *", "(ImportFrom a (*) 3)"),
        ("pass; break; continue", "(Pass) (Break) (Continue)"),
        ("a; b", "a b"),
        ("", ""),
        (
            "type A[T: int = str, *Ts = *tuple[int], **P] = B",
            "(TypeAliasStatement A (T:int=str *Ts=*(Subscript tuple int) **P) B)",
        ),
        ("if a: b", "(If a (b) ())"),
        ("if a: b\nelif c: d\nelif e: f\nelse: g", "(If a (b) ((If c (d) ((If e (f) (g))))))"),
        ("if a: b\nelse:\n  if c: d", "(If a (b) ((If c (d) ())))"),
        ("for a, b in c:\n  d\nelse:\n  e", "(For (Tuple (a b)) c (d) (e) False)"),
        ("async for a in b: c", "(For a b (c) () True)"),
        ("for a in *b, c: d", "(For a (Tuple (*b c)) (d) () False)"),
        ("while a: b; c\nelse: d", "(While a (b c) (d))"),
        (
            "try: a\nexcept B as c: d\nexcept (E, F): g\nexcept: h\nelse: i\nfinally: j",
            (
                "(Try (a) ((Handler B c (d)) (Handler (Tuple (E F)) - (g)) (Handler - - (h)))"
                " (i) (j) False)"
            ),
        ),
        ("try: a\nfinally: b", "(Try (a) () () (b) False)"),
        ("try: a\nexcept* B: c", "(Try (a) ((Handler B - (c))) () () True)"),
        ("with a, b as c: d", "(With ((WithItem a -) (WithItem b c)) (d) False)"),
        ("async with (a as (b, c)): d", "(With ((WithItem a (Tuple (b c)))) (d) True)"),
        ("def f(): a", "(FunctionDef f () - (a) () False ())"),
        (
            (
                "@a\n@b(1)\n"
                "async def f[T](p, /, q: int, r=1, *s: A, t, u: int = 2, **v) -> T: return p"
            ),
            (
                "(FunctionDef f (/p q:int r=1 *s:A !t !u:int=2 **v) T ((Return p))"
                " (a (Call b (1) ())) True (T))"
            ),
        ),
        ("def f(a, *, b): c", "(FunctionDef f (a !b) - (c) () False ())"),
        ("def f(*a: *B): c", "(FunctionDef f (*a:*B) - (c) () False ())"),
        ("class A: a", "(ClassDef A () () (a) () ())"),
        (
            "@a\nclass A[T](B, *C, m=D, **E): x = 1",
            "(ClassDef A (B *C) (m=D **E) ((Assign (x) 1)) (a) (T))",
        ),
        (
            "match a, b:\n case 1 | -2 if c: d\n case None: e\n case x.y as z: f\n case _: g",
            (
                "(Match (Tuple (a b)) ((Case (OrPattern (==1 ==(- 2))) c (d)) (Case ==None - (e))"
                " (Case (CapturePattern ==(Attribute x y) z) - (f)) (Case ? - (g))))"
            ),
        ),
        (
            "match a:\n case [b, *c]: d\n case (e, *_): f\n case g, h: i",
            (
                "(Match a ((Case (SequencePattern (?b *c)) - (d))"
                " (Case (SequencePattern (?e *_)) - (f)) (Case (SequencePattern (?g ?h)) - (i))))"
            ),
        ),
        (
            "match a:\n case {'b': 1, **c}: d\n case A.B(1, e=f): g",
            (
                "(Match a ((Case (MappingPattern (('b' ==1)) c) - (d))"
                " (Case (ClassPattern (Attribute A B) (==1) ((e ?f))) - (g))))"
            ),
        ),
    ],
)
def test_statements(text: str, expected: str) -> None:
    assert statements(text) == expected


def subclasses(base: type) -> set[type]:
    direct = set(base.__subclasses__())
    return direct.union(*(subclasses(subclass) for subclass in direct))


@pytest.mark.parametrize(
    ("base", "tables"),
    [
        (cst.BaseExpression, (tables.EXPRESSIONS,)),
        (cst.MatchPattern, (tables.EXPRESSIONS,)),
        (cst.BaseSmallStatement, (lowering._SMALL,)),
        (cst.BaseCompoundStatement, (lowering._COMPOUND,)),
        (cst.BaseUnaryOp, (tables._UNARY,)),
        (cst.BaseBinaryOp, (tables._BINARY,)),
        (cst.BaseBooleanOp, (tables._BOOLEAN,)),
        (cst.BaseCompOp, (tables._COMPARISON,)),
        (cst.BaseAugOp, (tables.AUGMENTED,)),
    ],
)
def test_every_kind_of_node_is_lowered(base: type, tables: tuple[dict[type, object], ...]) -> None:
    # LibCST creates its classes a second time with slots, and the first ones stay in the hierarchy.
    real = {kind for kind in subclasses(base) if getattr(cst, kind.__name__, None) is kind}
    concrete = {kind for kind in real if not getattr(kind, "__abstractmethods__", None)}
    missing = {kind for kind in concrete if not any(kind in table for table in tables)}
    assert missing == set()
    assert len(concrete) >= 2


def rooted(chunk: ir.Chunk) -> list[ir.Record]:
    return list(walk(chunk))


def numbers(chunk: ir.Chunk) -> list[int]:
    return [record.id for record in walk(chunk) if hasattr(record, "id")]


def check_invariants(text: str) -> None:
    chunk = lower(text)
    ids = numbers(chunk)
    assert len(set(ids)) == len(ids)
    assert lower(text) == chunk
    assert chunk.lines == len(text.splitlines()) or not text.isascii() or "\f" in text
    for comment in chunk.comments:
        assert comment.statement is None or comment.statement in ids
        assert comment.target is None or comment.target in ids
        assert comment.previous is None or comment.previous in ids


@pytest.mark.parametrize("name", ODD)
def test_numbers_are_unique_and_stable_in_odd_texts(name: str) -> None:
    check_invariants(ODD[name])


@given(modules())
@settings(max_examples=100, deadline=None)
def test_numbers_are_unique_and_stable(text: str) -> None:
    check_invariants(text)


LINED = {
    "Expr": "ExpressionStatement",
    "AnnAssign": "AnnotatedAssign",
    "AugAssign": "AugmentedAssign",
    "AsyncFunctionDef": "FunctionDef",
    "AsyncFor": "For",
    "AsyncWith": "With",
    "TryStar": "Try",
    "TypeAlias": "TypeAliasStatement",
}


def check_lines(text: str) -> None:
    """Check that statements have the lines that Python's own parser gives."""
    ours: list[tuple[str, int, int | None]] = []
    for record in walk(lower(text)):
        if hasattr(record, "line") and not isinstance(record, ir.Comment | ir.Handler | ir.Case):
            simple = not hasattr(record, "body")
            compound = isinstance(record, ir.Match)
            last = record.end_line if simple and not compound else None
            ours.append((type(record).__name__, record.line, last))
    theirs = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt):
            name = type(node).__name__
            simple = not hasattr(node, "body") and not isinstance(node, ast.Match)
            theirs.append((LINED.get(name, name), node.lineno, node.end_lineno if simple else None))
    assert sorted(ours, key=repr) == sorted(theirs, key=repr)


# Python's own parser cannot read some of these (before 3.12, or at all). In the others a logical
# line is more than its statement: it has several statements, or a backslash.
UNLIKE = {
    "nested quotes",
    "nested quotes over lines",
    "long sum",
    "suite on the header's line",
    "backslash first",
    "backslash before a comment",
}


@pytest.mark.parametrize("name", [name for name in ODD if name not in UNLIKE])
def test_lines_of_odd_texts(name: str) -> None:
    check_lines(ODD[name])


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_lines_of_our_own_sources(path: Path) -> None:
    check_lines(path.read_text())


def test_lines_of_headers_and_of_suites_on_them() -> None:
    (function,) = lower("def f(\n    a,\n) -> int: return a\n").statements
    assert isinstance(function, ir.FunctionDef)
    assert (function.line, function.end_line) == (1, 3)
    assert (function.body[0].line, function.body[0].end_line) == (3, 3)
    (function,) = lower("@a\n@b\ndef f():\n    pass\n").statements
    assert (function.line, function.end_line) == (3, 3)


def test_lines_that_only_the_tree_knows() -> None:
    text = 'if a:\n    x = f"{b["c"]}"  # (B,)\n    # below\ny = 1\n'
    if_, assign = lower(text).statements
    assert isinstance(if_, ir.If)
    assert (if_.line, if_.body[0].line, assign.line) == (1, 2, 4)
    assert [comment.place for comment in lower(text).comments] == ["trailing", "below"]


# Comments. Each text marks its comments with letters; a row says which statement (by its line) has
# it, in which place, what it stands beside, and the statement before.

COMMENTS = [
    ("x = 1  # A", "A trailing 1"),
    ("x = 1; f()  # A", "A trailing 1 (ExpressionStatement)"),
    ("x = 1\n    # A\ny = 2", "A above 3 after 1"),
    ("x = f(\n    a,\n)  # A", "A trailing 1"),
    ("x = '''\n# no\n'''  # A", "A trailing 1"),
    ("# A\nx = 1", "A above 2"),
    ("# A\n\n# B\nx = 1", "A above 4; B above 4"),
    ("x = 1\n# A\ny = 2", "A above 3 after 1"),
    ("x = 1\n# A", "A below 1"),
    ("# A", "A above none"),
    ("", ""),
    ("def f(x):  # A\n    return x", "A trailing 1"),
    ("def f(x):\n    # A\n    return x", "A above 3"),
    ("def f(x):\n    y = x\n    # A\n    return y", "A above 4 after 2"),
    ("def f(x):\n    y = x\n    # A\n\n# B\nz = 1", "A below 2; B above 6 after 1"),
    ("if a:\n    x = 1\n    # A\nelse:\n    y = 2\n    # B\nz = 1", "A below 2; B below 5"),
    ("if a:\n    x = 1\n# A\nelse:  # B\n    y = 2", "A inside 1; B inside 1"),
    ("if a:\n    for b in c:\n        d\n    # A\n# B", "A below 2; B below 1"),
    ("if a:\n    b\n  # A\nc", "A below 1"),
    ("if a: b = 1  # A\nelse: c = 2  # B", "A trailing 1 (Assign); B trailing 2"),
    (
        "try:  # A\n    a\nexcept B:  # B\n    c\nfinally:  # C\n    d",
        "A trailing 1; B inside 1; C inside 1",
    ),
    (
        "@a  # A\n# B\n@b\n# C\ndef f():  # D\n    pass",
        "A inside 5; B above 5; C above 5; D trailing 5",
    ),
    ("# A\n@a\ndef f(): pass", "A above 3"),
    (
        "match a:  # A\n    # B\n    case 1:  # C\n        x = 1  # D",
        "A trailing 1; B inside 1; C inside 1; D trailing 4",
    ),
    # inside: beside which part
    (
        "x = f([  # A\n    a.b,  # B\n    c(1),  # C\n    # D\n    d + e,\n    # E\n])  # F",
        (
            "A inside 1; B inside 1 at a.b; C inside 1 at c(1); D inside 1 at d + e; E inside 1;"
            " F trailing 1"
        ),
    ),
    ("x = (\n    a @ b  # A\n    + c  # B\n)", "A inside 1 at a @ b; B inside 1 at a @ b + c"),
    (
        "x = (\n    a.b(1)  # A\n    .c(2)  # B\n    .d(3)\n)",
        "A inside 1 at a.b(1); B inside 1 at a.b(1).c(2)",
    ),
    (
        "x = {\n    'a': b,  # A\n    # B\n    'c': d[0],  # C\n}",
        "A inside 1 at b; B inside 1 at 'c'; C inside 1 at d[0]",
    ),
    ("f(\n    a, b,  # A\n    k=c,  # B\n)", "A inside 1 at b; B inside 1 at c"),
    ("f(\n    g(a,\n      b),  # A\n)", "A inside 1 at g(a, b)"),
    ("return (\n    a,  # A\n    b,  # B\n)", "A inside 1 at a; B inside 1 at b"),
    ("return (\n    a,\n    b  # A\n)", "A inside 1 at b"),
    ("x = [\n    (a, b),  # A\n]", "A inside 1 at (a, b)"),
    ("if a:\n    x = [\n        b,  # A\n    ]", "A inside 2 at b"),
    ("if (a  # A\n        and b):  # B\n    c", "A inside 1 at a; B trailing 1 at b"),
    ("with a(  # A\n    b,  # B\n) as c:\n    d", "A inside 1; B inside 1 at b"),
    ("@a(\n    b,  # A\n)\ndef f(): pass", "A inside 4 at b"),
    (
        "match f(\n    a  # A\n):\n    case B(\n        c=1  # B\n    ):\n        pass",
        "A inside 1 at a; B inside 1 at 1",
    ),
    ("from a import (\n    b,  # A\n)", "A inside 1"),
    # signatures
    (
        "def f(\n    a,  # A\n    b: B = 1,  # B\n    # C\n    *c,\n    **d  # D\n):  # E\n    0",
        "A inside 1 at a; B inside 1 at b; C inside 1 at c; D inside 1 at d; E trailing 1",
    ),
    ("def f(a,  # A\n      b):  # B\n    pass", "A inside 1 at a; B trailing 1 at b"),
    ("def f(\n    a,\n) -> R[0]:  # A\n    pass", "A trailing 1 at R[0]"),
    ("def f(a,\n      b) -> R:  # A\n    pass", "A trailing 1"),
    ("def f(x) -> R:  # A\n    pass", "A trailing 1"),
    ("class C:\n    def f(self,\n          x,  # A\n          ): pass", "A inside 2 at x"),
]


def attachments(text: str) -> str:
    chunk = lower(text)
    by_number = {record.id: record for record in walk(chunk) if hasattr(record, "id")}
    rows = []
    for comment in chunk.comments:
        row = f"{comment.text.removeprefix('#').strip()} {comment.place}"
        if comment.statement is None:
            row += " none"
        else:
            statement = by_number[comment.statement]
            row += f" {statement.line}"
            sharing = [
                record
                for record in by_number.values()
                if getattr(record, "line", 0) == comment.line
            ]
            if len(sharing) > 1:
                row += f" ({type(statement).__name__})"
        if comment.target is not None:
            target = by_number[comment.target]
            if isinstance(target, ir.Parameter):
                row += f" at {target.name}"
            elif isinstance(target, ir.ValuePattern):
                row += f" at {ir.describe(target.value)}"
            else:
                row += f" at {ir.describe(target)}"
        if comment.previous is not None:
            row += f" after {by_number[comment.previous].line}"
        rows.append(row)
    return "; ".join(rows)


@pytest.mark.parametrize(("text", "expected"), COMMENTS)
def test_comments(text: str, expected: str) -> None:
    assert attachments(text) == expected


@pytest.mark.parametrize(("text", "expected"), COMMENTS)
def test_comments_in_a_block(text: str, expected: str) -> None:
    """The same comments, two levels deep: only the lines change."""
    inner = textwrap.indent(text, "        ")
    deeper = lower(f"class C:\n    def f():\n        0\n{inner}\n\n0\n")
    chunk = lower(text)
    if not chunk.statements or "'''" in text:
        return

    def shape(chunk: ir.Chunk) -> list[tuple[str, str, bool]]:
        return [
            (comment.text, comment.place, comment.target is not None) for comment in chunk.comments
        ]

    assert shape(deeper) == shape(chunk)


def test_a_comment_knows_its_place() -> None:
    (comment,) = lower("x = 'é'\t# (B, T)\r\n").comments
    assert (comment.text, comment.line, comment.column) == ("# (B, T)", 1, 9)


@given(modules())
@settings(max_examples=60, deadline=None)
def test_no_comment_is_lost(text: str) -> None:
    layout = read_layout(text)
    assert [comment.text for comment in lower(text).comments] == [
        comment.text for comment in layout.comments
    ]


def test_comments_by_statement() -> None:
    chunk = lower("# a\nx = 1  # b\ny = 2\n")
    by_statement = ir.comments_by_statement(chunk)
    assert [comment.text for comment in by_statement[chunk.statements[0].id]] == ["# a", "# b"]
    assert chunk.statements[1].id not in by_statement


def test_docstrings() -> None:
    chunk = lower(
        '"""Module."""\nclass A:\n    """Class\n    more."""\n    def f(self): "one"; 2\n'
    )
    module = ir.docstring(chunk.statements)
    assert module is not None
    assert module.value.value == "Module."
    class_ = chunk.statements[1]
    assert isinstance(class_, ir.ClassDef)
    assert ir.docstring(class_.body).line == 3
    assert ir.docstring(class_.body).value.value == "Class\n    more."
    assert ir.docstring(class_.body[1].body).value.value == "one"
    assert ir.docstring(lower("x = 1\n'no'").statements) is None
    assert ir.docstring(lower("f'{x}'").statements) is None


# Errors


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("x = (\ny = 1\n", 1, 5, "never closed"),
        ("x = 1\nif x\n    y\n", 2, 5, "expected ':'"),
        ("def f():\n  x\n y\n", 3, 3, "unindent"),
        ("x = 'a\n", 1, 5, "unterminated string"),
        ("a b\n", 1, 1, "invalid syntax"),
        ("x = 1\n\n\nprint 'x'\n", 4, 1, "Missing parentheses"),
        ("x\0y", 1, 1, "null bytes"),
        ("0 a\\\n\\  # b\n\\\nc\n", 2, 6, "line continuation"),
    ],
)
def test_a_syntax_error_is_located(text: str, line: int, column: int, words: str) -> None:
    for reading in (lower, lower_chunks):
        with pytest.raises(SourceError) as caught:
            reading(text)
        assert caught.value.line == line
        assert words in str(caught.value)
        assert abs(caught.value.column - column) <= 2
        assert caught.value.column <= len(text.split("\n")[line - 1]) + 1


def test_nesting_that_python_refuses_is_refused() -> None:
    assert len(lower("x = " + "(" * 150 + "1" + ")" * 150).statements) == 1
    # LibCST alone would exhaust the stack and end the process.
    for text in ["(" * 3000, "[{(" * 1000 + "1" + ")}]" * 1000, "f(\n" * 3000]:
        with pytest.raises(SourceError, match="too many nested parentheses"):
            lower(text)


def test_chains_that_are_too_deep_are_omitted_or_refused() -> None:
    (assign,) = lower("x = " + " + ".join(["y"] * 300)).statements
    assert written(assign) == "(Assign (x) (Omitted))"
    (assign,) = lower("x = " + " or ".join(["y"] * 300)).statements
    assert written(assign) == "(Assign (x) (Omitted))"
    with pytest.raises(TooDeep):
        lower("if a: pass\n" + "elif b: pass\n" * 300)
    with pytest.raises(TooDeep):
        lower("x = " + "not " * 1200 + "y")


@pytest.mark.parametrize(
    "text",
    [
        "x = " + " + ".join(["y"] * 300),
        "if a: pass\n" + "elif b: pass\n" * 300,
        "x = " + "not " * 1200 + "y",
        "x = " + "1" * 5000,
    ],
    ids=["sum", "elif", "not", "digits"],
)
def test_an_omitted_statement_has_no_other_finding(text: str) -> None:
    findings = analyze_text("module.py", f"import torch\n{text}\n").findings
    assert all(finding.code == "NC802" for finding in findings)


def test_every_expression_is_evaluated() -> None:
    assert set(TABLE) == set(ir.Expression.__subclasses__())


def test_the_collector_is_left_as_it_was() -> None:
    assert gc.isenabled()
    lower("x = 1")
    with pytest.raises(SourceError):
        lower("x = ")
    assert gc.isenabled()
    gc.disable()
    try:
        lower("x = 1")
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_a_wrong_cut_is_mended(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "x = [\n1]\ny = 2\n"
    cut = split("x = [\n") + split("1]\ny = 2\n")
    monkeypatch.setattr(records, "split", lambda text: cut)
    ((chunk, lowered),) = lower_chunks(text)
    assert (chunk.text, chunk.line, chunk.digest) == (text, 1, digest(text))
    assert lowered == lower(text)


# Records


@pytest.mark.parametrize("name", ODD)
def test_records_are_compared_by_their_contents(name: str) -> None:
    first, second = lower(ODD[name]), lower(ODD[name])
    assert first == second
    assert hash(first) == hash(second)
    assert repr(first) == repr(second)


def test_records_of_other_kinds_numbers_and_contents_differ() -> None:
    assert ir.Tuple((), 1) != ir.List((), 1)
    assert ir.Name("x", 1) != ir.Name("x", 2)
    assert ir.Name("x", 1) != ir.Name("y", 1)
    assert ir.Name("x", 1) != ("x", 1)
    assert repr(ir.Name("x", 1)) == "Name(name='x', id=1)"


@pytest.mark.interpreted  # a compiled constructor refuses a text as a number
def test_every_record_lists_its_fields_in_the_order_of_its_constructor() -> None:
    kinds = [
        value for value in vars(ir).values() if isinstance(value, type) and value.__match_args__
    ]
    assert len(kinds) > 70
    for kind in kinds:
        parameters = list(inspect.signature(kind).parameters)
        assert parameters == list(kind.__match_args__)
        assert kind(*parameters).fields() == parameters


# Rendering


@pytest.mark.parametrize(
    "text",
    [
        "x.transpose(1, 2)",
        "f(a, *b, k=c, **d)",
        "x[:, None, ..., 1:2, ::3]",
        "x[a,]",
        "x[*a]",
        "x[a:b]",
        "(a + b) * c",
        "a + b * c",
        "a - (b - c)",
        "a ** -b",
        "(-a) ** b",
        "-a ** b",
        "(a ** b) ** c",
        "not a in b",
        "(not a) == b",
        "a < b <= c is not d",
        "(a < b) < c",
        "a and (b or c)",
        "a or b and c",
        "(a if b else c)(d)",
        "a if b else c if d else e",
        "(a if b else c) if d else e",
        "(lambda x, /, *y, z=1, **k: x)(2)",
        "lambda *, a: b",
        "lambda: 1",
        "(yield)",
        "(yield from x)",
        "await (await a).b",
        "(a := 1)",
        "f((a := 1))",
        "[x for x in y if z]",
        "{x: y for x, y in z}",
        "f(x for x in y)",
        "sum((x for x in y), 0)",
        "{a: b, **c}",
        "{a, *b}",
        "()",
        "(a,)",
        "(a, b)",
        "(1).real",
        "1.5",
        "2j",
        "b'a'",
        "'it\\'s'",
        "f'{a!r:>{b}}c'",
        "f'{a=}'",
        "x @ y.T",
        "~a | b & c ^ d << e",
        "[*a, b]",
        "True",
        "...",
    ],
)
def test_renderings_mean_what_they_render(text: str) -> None:
    text = text.strip()
    (statement,) = lower(text).statements
    rendering = ir.describe(statement.value, width=1000)
    assert written(lower(f"({rendering})").statements[0]) == written(statement)


@given(expressions)
@settings(max_examples=150, deadline=None)
def test_renderings_of_generated_expressions(text: str) -> None:
    (statement,) = lower(f"({text})").statements
    rendering = ir.describe(statement.value, width=100_000)
    assert "\n" not in rendering
    assert written(lower(f"({rendering})").statements[0]) == written(statement)
    assert len(ir.describe(statement.value, width=40)) <= 40


@pytest.mark.parametrize(
    ("text", "rendering"),
    [
        ("x . transpose( 1,2 )", "x.transpose(1, 2)"),
        ("torch.cat([a.view(1, 2), b.view(1, 2)], dim=1)", "torch.cat([...], dim=1)"),
        ("f(g(h(i(j(k(l))))), 2, 3, 4)", "f(g(h(i(...))), 2, 3, 4)"),
        ("long_function_name(argument, another_argument)", "long_function_name(...)"),
        ("a_very_long_name_indeed_even_longer_than_wanted", "a_very_long_name_indeed..."),
        ("'a text of many words, too many for a message'", '"..."'),
    ],
)
def test_renderings_are_kept_short(text: str, rendering: str) -> None:
    (statement,) = lower(text).statements
    assert ir.describe(statement.value, width=26) == rendering


def test_walk_finds_what_is_in_any_field() -> None:
    """`walk` reads some fields only, `children` reads them all."""

    def inside(record: ir.Record) -> list[ir.Record]:
        return [record, *(inner for child in ir.children(record) for inner in inside(child))]

    for path in sorted(Path(ir.__file__).parents[2].rglob("*.py")):
        for statement in lower(path.read_text(encoding="utf-8")).statements:
            assert list(map(id, walk(statement))) == list(map(id, inside(statement)))


def test_walk_goes_from_the_outside_in() -> None:
    names = [type(record).__name__ for record in walk(lower("x = f(1)[a]").statements[0])]
    assert names == ["Assign", "Name", "Subscript", "Call", "Name", "Int", "Name"]
