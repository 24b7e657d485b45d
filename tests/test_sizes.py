"""Symbolic sizes: their normal form, the five answers about two sizes, facts of a path."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product as cartesian
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Size, Truth
from namecheck_runtime.sizes import (
    Fact,
    Facts,
    Origin,
    Polynomial,
    Rank,
    Relation,
    Symbol,
    Verdict,
    add,
    at_most,
    ceil_divide,
    compare,
    divide_exactly,
    floor_divide,
    maximum,
    minimum,
    modulo,
    multiply,
    opaque,
    possibly_one,
    product,
    relate,
    substitute,
    subtract,
    symbol,
    symbols,
    total,
    unrounded,
)

B, T, C, H, P = (symbol(label) for label in "BTCHP")
ZERO_OR_MORE = symbol("n", least=0)


def plain(size: Size) -> Symbol:
    (atom,) = symbols(size)
    return atom


def test_exact_division_is_undone_by_multiplication() -> None:
    assert multiply(floor_divide(C, H), H) == C
    assert multiply(H, divide_exactly(C, H)) == C
    assert floor_divide(multiply(3, C), 3) == C
    assert floor_divide(multiply(3, C), C) == 3


def test_division_by_a_number_is_not_undone() -> None:
    """A padding of `k // 2` on both sides adds `k - 1` for odd k, so it must not cancel."""
    half = floor_divide(T, 2)
    assert multiply(2, half) != T
    assert compare(multiply(2, half), T) is Truth.MAYBE
    assert compare(add(multiply(2, half), 1), T) is Truth.MAYBE


def test_an_exact_division_by_a_number_is_undone() -> None:
    """Heads that an einops pattern cuts out of `C` leave nothing over."""
    width = divide_exactly(C, 8)
    assert str(width) == "C/8"
    assert multiply(8, width) == C
    assert multiply(multiply(T, 16), width) == multiply(multiply(T, C), 2)
    assert multiply(4, width) != C
    assert substitute(width, {next(iter(symbols(C))): 64}) == 8


def test_the_unrounded_form_of_a_size() -> None:
    assert unrounded(multiply(8, floor_divide(C, 8))) == C
    assert unrounded(multiply(H, opaque("int", opaque("/.", C, H)))) == C
    assert unrounded(opaque("max", 1, floor_divide(C, H))) != C
    assert unrounded(multiply(H, C)) == multiply(H, C)


def test_a_size_made_of_nameless_sizes_is_nameless() -> None:
    first, second = symbol("?"), symbol("?")
    assert str(multiply(first, second)) == "?"
    assert str(multiply(3, first)) == "3*?"


def test_a_sum_divides_its_multiples_and_nothing_else() -> None:
    """As many groups as channels leave one channel to each, even if the channels are a sum."""
    channels = add(C, multiply(2, H))
    assert floor_divide(channels, channels) == 1
    assert floor_divide(multiply(3, channels), channels) == 3
    assert divide_exactly(multiply(3, channels), channels) == 3
    for other in (add(C, H), add(C, multiply(3, H)), add(multiply(2, C), H), add(channels, 1)):
        quotient = floor_divide(other, channels)
        assert isinstance(quotient, Polynomial)
        assert quotient.opaque


def test_a_sum_is_not_divided_term_by_term() -> None:
    """`(T + p - 1) // p` rounds up; it is not `T/p + 1 - 1/p`."""
    rounded = floor_divide(add(T, subtract(P, 1)), P)
    assert isinstance(rounded, Polynomial)
    assert rounded.opaque


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (multiply(3, C), "3*C"),
        (floor_divide(C, H), "C/H"),
        (add(T, 1), "T + 1"),
        (subtract(T, 1), "T - 1"),
        (subtract(1, T), "1 - T"),
        (multiply(T, T), "T*T"),
        (floor_divide(T, 2), "(T//2)"),
        (modulo(add(T, 1), 2), "((T + 1)%2)"),
        (minimum(T, C), "min(T, C)"),
        (divide_exactly(T, multiply(C, H)), "T/(C*H)"),
    ],
)
def test_how_a_size_is_shown(size: Size, text: str) -> None:
    assert str(size) == text


RELATIONS: list[tuple[Size, Size, Relation]] = [
    (C, C, Relation.YES),
    (multiply(H, floor_divide(C, H)), C, Relation.YES),
    (add(T, C), add(C, T), Relation.YES),
    (3, 4, Relation.NO),
    (T, add(T, 1), Relation.NO),
    (multiply(3, C), C, Relation.NO),
    (multiply(2, T), add(multiply(2, C), 1), Relation.NO),  # even against odd
    (multiply(3, C), 10, Relation.NO),
    (C, 0, Relation.NO),
    (add(C, 2), 2, Relation.NO),
    (multiply(T, T), T, Relation.DEGENERATE),
    (multiply(B, P), P, Relation.DEGENERATE),
    (multiply(H, C), C, Relation.DEGENERATE),
    (floor_divide(C, H), C, Relation.DEGENERATE),
    (add(C, 4), multiply(2, C), Relation.DEGENERATE),
    (product([C, P, P]), product([3, P, P]), Relation.MAYBE),  # c is 3: with no factor left over
    (multiply(subtract(C, 1), P), product([8, 8, P]), Relation.MAYBE),
    (C, 3, Relation.MAYBE),
    (multiply(3, C), 12, Relation.MAYBE),
    (C, H, Relation.MAYBE),
    (T, floor_divide(C, H), Relation.MAYBE),
    (T, opaque("int", C), Relation.MAYBE),
    (add(opaque("int", C), 1), opaque("int", C), Relation.NO),
    (minimum(T, C), add(T, 5), Relation.MAYBE),
    (floor_divide(C, 2), C, Relation.NO),
    (C, floor_divide(add(C, 3), 4), Relation.MAYBE),  # at 1 the size is 1
    (add(C, 1), floor_divide(add(C, 3), 4), Relation.NO),
    (multiply(2, floor_divide(C, 2)), C, Relation.MAYBE),
    (floor_divide(C, 2), floor_divide(C, 4), Relation.MAYBE),  # at 1 both are 0
    (add(floor_divide(C, 2), 1), floor_divide(C, 4), Relation.NO),
    (subtract(C, floor_divide(C, 2)), floor_divide(C, 2), Relation.MAYBE),
    (multiply(H, floor_divide(C, 2)), multiply(H, C), Relation.MAYBE),
    (ZERO_OR_MORE, 0, Relation.MAYBE),
    (multiply(2, ZERO_OR_MORE), ZERO_OR_MORE, Relation.MAYBE),
    (UNKNOWN, 3, Relation.MAYBE),
]


@pytest.mark.parametrize(("left", "right", "relation"), RELATIONS, ids=str)
def test_how_two_sizes_compare(left: Size, right: Size, relation: Relation) -> None:
    assert relate(left, right) is relation
    assert relate(right, left) is relation


def test_a_rule_sees_three_of_the_five_answers() -> None:
    assert compare(C, C) is Truth.YES
    assert compare(multiply(H, C), C) is Truth.MAYBE
    assert compare(T, add(T, 1)) is Truth.NO
    assert compare(UNKNOWN, UNKNOWN) is Truth.MAYBE


def test_possibly_one_and_at_most() -> None:
    assert possibly_one(1) is Truth.YES
    assert possibly_one(multiply(2, C)) is Truth.NO
    assert possibly_one(C) is Truth.MAYBE
    assert at_most(T, add(T, 1)) is Truth.YES
    assert at_most(add(T, 1), T) is Truth.NO
    assert at_most(1, C) is Truth.YES
    assert at_most(T, C) is Truth.MAYBE
    assert minimum(T, add(T, 1)) == T
    assert maximum(T, add(T, 1)) == add(T, 1)
    assert minimum(1, C) == 1


def test_unknown_absorbs() -> None:
    assert add(UNKNOWN, 1) is UNKNOWN
    assert multiply(UNKNOWN, C) is UNKNOWN
    assert floor_divide(C, 0) is UNKNOWN
    assert product([2, UNKNOWN]) is UNKNOWN
    assert product([0, UNKNOWN]) == 0
    assert product([]) == 1
    assert total([2, C, 1]) == add(C, 3)


ARITHMETIC: dict[str, tuple[Callable[[Size, Size], Size], Callable[[int, int], int]]] = {
    "+": (add, lambda a, b: a + b),
    "-": (subtract, lambda a, b: a - b),
    "*": (multiply, lambda a, b: a * b),
    "//": (floor_divide, lambda a, b: a // b),
    "%": (modulo, lambda a, b: a % b),
    "ceil": (ceil_divide, lambda a, b: -(-a // b)),
    "min": (minimum, min),
    "max": (maximum, max),
}
LETTERS = {"B": B, "T": T, "C": C}


class Expression(NamedTuple):
    """A symbolic size, the same computation on ints, and whether the two must agree."""

    size: Size
    value: Callable[[dict[str, int]], int]
    divides_by_symbol: bool
    """`C // H` is declared exact, so ints that do not divide are skipped."""


@st.composite
def expressions(draw: st.DrawFn, depth: int = 3) -> Expression:
    if depth == 0 or draw(st.booleans()):
        if draw(st.booleans()):
            number = draw(st.integers(0, 6))
            return Expression(number, lambda _: number, False)
        letter = draw(st.sampled_from(sorted(LETTERS)))
        return Expression(LETTERS[letter], lambda values: values[letter], False)
    name = draw(st.sampled_from(sorted(ARITHMETIC)))
    symbolic, concrete = ARITHMETIC[name]
    left, right = draw(expressions(depth - 1)), draw(expressions(depth - 1))
    return Expression(
        symbolic(left.size, right.size),
        lambda values: concrete(left.value(values), right.value(values)),
        left.divides_by_symbol
        or right.divides_by_symbol
        or (name in ("//", "%", "ceil") and not isinstance(right.size, int)),
    )


VALUES = st.fixed_dictionaries({name: st.integers(1, 12) for name in LETTERS})


def evaluate(size: Size, values: dict[str, int]) -> Size:
    return substitute(size, {plain(LETTERS[name]): value for name, value in values.items()})


@given(expressions(), VALUES)
def test_the_normal_form_computes_the_same_as_the_expression(
    expression: Expression, values: dict[str, int]
) -> None:
    assume(not expression.divides_by_symbol)
    try:
        expected = expression.value(values)
    except ZeroDivisionError:
        assume(False)
    value = evaluate(expression.size, values)
    assert value is UNKNOWN or value == expected


@settings(suppress_health_check=[HealthCheck.filter_too_much])  # most pairs are MAYBE
@given(expressions(), expressions())
def test_no_and_yes_hold_for_every_value(left: Expression, right: Expression) -> None:
    """NO means that no values >= 1 make them equal, YES that all do: no false alarms."""
    answer = relate(left.size, right.size)
    assume(answer in (Relation.YES, Relation.NO))
    for b, t, c in cartesian((1, 2, 3, 5), repeat=3):
        values = {"B": b, "T": t, "C": c}
        mine, other = evaluate(left.size, values), evaluate(right.size, values)
        if isinstance(mine, int) and isinstance(other, int):
            assert (mine == other) is (answer is Relation.YES)


def test_equal_polynomials_are_one_value() -> None:
    assert hash(add(T, C)) == hash(add(C, T))
    assert opaque("int", T) == opaque("int", T)
    assert opaque("int", UNKNOWN) is UNKNOWN
    assert symbol("T") != symbol("T")


# Facts


@pytest.fixture
def facts() -> Facts:
    return Facts()


def test_a_requirement_is_assumed_and_remembered_with_its_place(facts: Facts) -> None:
    config = symbol("config.dim", Origin.CONFIG)
    assert facts.settle(C, config, "line 3").verdict is Verdict.ASSUMED
    assert facts.representative(multiply(3, C)) == multiply(3, config)
    assert facts.settle(C, config, "line 4").verdict is Verdict.HOLDS
    broken = facts.settle(C, multiply(3, config), "line 5")
    assert broken.verdict is Verdict.CONTRADICTED
    assert broken.facts == (Fact(Rank.ASSUMED, "line 3"),)


def test_a_size_read_from_data_gives_way_to_a_configured_one(facts: Facts) -> None:
    config = symbol("dim", Origin.CONFIG)
    fresh = symbol("?", Origin.FRESH)
    facts.settle(fresh, C, None)
    facts.settle(C, config, None)
    assert facts.representative(fresh) == config


def test_generic_symbols_satisfy_no_equation_among_themselves(facts: Facts) -> None:
    facts.presume_distinct((B, T, C), Fact(Rank.PRESUMED, "B, T, C = x.shape"))
    assert facts.relate(T, C) is Relation.COINCIDENT
    assert facts.relate(T, H) is Relation.MAYBE
    settled = facts.settle(T, C, "x @ x")
    assert settled.verdict is Verdict.CONTRADICTS_PRESUMED
    assert settled.facts == (Fact(Rank.PRESUMED, "B, T, C = x.shape"),)


def test_labels_of_a_comment_differ_from_names_of_an_unpacking() -> None:
    facts = Facts()
    facts.presume_distinct((T, C), Fact(Rank.CLAIMED, "comment"))
    assert facts.settle(T, C, None, or_one=True).verdict is Verdict.CONTRADICTS_CLAIMED
    facts.presume_distinct((B, T, C), Fact(Rank.PRESUMED, "unpacking"))
    settled = facts.settle(T, C, None, or_one=True)
    assert settled.verdict is Verdict.CONTRADICTS_PRESUMED
    assert settled.facts == (Fact(Rank.PRESUMED, "unpacking"),)


def test_declared_names_are_stronger_than_presumed_ones(facts: Facts) -> None:
    facts.presume_distinct((T, C), Fact(Rank.DECLARED, "annotation"))
    assert facts.settle(T, C, None).verdict is Verdict.CONTRADICTS_DECLARED


def test_a_product_that_is_a_number_is_not_a_coincidence() -> None:
    facts = Facts()
    facts.presume_distinct((T, C), Fact(Rank.PRESUMED))
    verdict = facts.settle(multiply(T, C), 9, "layer").verdict
    assert verdict in (Verdict.ASSUMED, Verdict.LEFT_OPEN)


def test_a_statement_against_a_presumption_is_not_a_contradiction(facts: Facts) -> None:
    """`H, W = x.shape[-2:]; assert H == W`."""
    facts.presume_distinct((T, C), Fact(Rank.PRESUMED))
    assert facts.learn_equal(T, C, Fact(Rank.STATED, "assert")).verdict is Verdict.ASSUMED
    assert facts.settle(T, C, None).verdict is Verdict.HOLDS


def test_an_equality_proven_before_an_unpacking_wins(facts: Facts) -> None:
    """`i, j = scores.shape[-2:]` of a square score map."""
    facts.learn_equal(T, C, Fact(Rank.ASSUMED))
    facts.presume_distinct((B, T, C), Fact(Rank.PRESUMED))
    assert facts.settle(T, C, None).verdict is Verdict.HOLDS
    assert facts.settle(B, H, None).verdict is Verdict.ASSUMED


def test_generic_symbols_through_an_assumption(facts: Facts) -> None:
    """D was assumed to be config.dim, so N = config.dim is an equation of N and D."""
    config = symbol("config.dim", Origin.CONFIG)
    facts.presume_distinct((B, T, C), Fact(Rank.PRESUMED, "unpack"))
    facts.settle(C, config, "norm")
    assert facts.settle(T, config, "linear").verdict is Verdict.CONTRADICTS_PRESUMED


def test_a_label_that_stands_for_an_expression_differs_from_the_others(facts: Facts) -> None:
    """In `# (B, h, T, d)` with d as C/h, T is not d, and C and h are not mentioned."""
    each = floor_divide(C, H)
    facts.presume_distinct((B, T, each), Fact(Rank.PRESUMED, "comment"))
    assert facts.settle(each, T, "v @ weights").verdict is Verdict.CONTRADICTS_PRESUMED
    assert facts.settle(C, multiply(P, H), None).verdict is Verdict.ASSUMED


def test_a_count_of_points_may_be_the_size_of_a_grid(facts: Facts) -> None:
    facts.presume_distinct((B, T, C, H), Fact(Rank.DECLARED, "signature"))
    assert facts.settle(T, multiply(C, H), None).verdict is Verdict.ASSUMED
    assert facts.settle(B, add(C, H), None).verdict is Verdict.CONTRADICTS_DECLARED


def test_a_literal_that_is_forced(facts: Facts) -> None:
    assert facts.settle(multiply(H, C), C, None).verdict is Verdict.FORCES_LITERAL


def test_a_broadcast_assumes_nothing_if_one_side_may_be_one(facts: Facts) -> None:
    assert facts.settle(T, C, None, or_one=True).verdict is Verdict.LEFT_OPEN
    assert facts.representative(T) == T
    even, more = multiply(2, C), add(multiply(2, C), 2)
    assert facts.settle(even, more, None, or_one=True).verdict is Verdict.CONTRADICTED


def test_a_copy_learns_independently(facts: Facts) -> None:
    facts.settle(T, B, None)
    other = facts.copy()
    other.settle(C, B, None)
    facts.settle(C, H, None)
    assert other.representative(C) == other.representative(B)
    assert facts.representative(C) == facts.representative(H)
    assert facts.representative(T) == facts.representative(B)


def test_a_join_keeps_the_facts_of_both_paths_at_the_lower_rank(facts: Facts) -> None:
    left, right = facts.copy(), facts.copy()
    left.learn_equal(T, 4, Fact(Rank.STATED, "if"))
    right.settle(T, 4, "op")
    left.settle(C, 5, None)
    right.settle(C, 6, None)
    joined = left.join(right)
    assert joined.representative(T) == 4
    assert joined.representative(C) == C
    assert joined.settle(T, 3, None).facts == (Fact(Rank.ASSUMED, "op"),)


def test_an_impossible_statement_is_contradicted(facts: Facts) -> None:
    assert facts.learn_equal(T, add(T, 1), Fact(Rank.STATED)).verdict is Verdict.CONTRADICTED


def test_withdrawn_names_may_be_equal(facts: Facts) -> None:
    facts.presume_distinct((T, C), Fact(Rank.PRESUMED))
    facts.withdraw_distinct((plain(T), plain(C)))
    assert facts.settle(T, C, None).verdict is Verdict.ASSUMED


def test_the_facts_learned_since_an_earlier_point() -> None:
    facts = Facts()
    facts.settle(T, 8, "before")
    earlier = facts.copy()
    assert facts.since(earlier) == ()
    facts.settle(C, 16, "after")
    assert facts.since(earlier) == ((C, 16, Fact(Rank.ASSUMED, "after")),)


def test_a_callee_keeps_its_presumptions_to_itself() -> None:
    caller = Facts()
    callee = caller.copy()
    callee.presume_distinct((T, C), Fact(Rank.PRESUMED, "T, C = x.shape"))
    callee.settle(B, 8, "layer")
    after = callee.presuming_as(caller)
    assert after.representative(B) == 8
    assert after.settle(T, C, "layer").verdict is Verdict.ASSUMED


# Longer than the size of any program.


@pytest.mark.parametrize(
    "grow",
    [
        lambda s, t: (sizes.add(sizes.multiply(s, t), 1), sizes.add(s, t)),
        lambda s, t: (sizes.multiply(s, s), t),
        lambda s, t: (sizes.add(sizes.floor_divide(s, 2), sizes.modulo(s, t)), t),
        lambda s, t: (sizes.add(sizes.maximum(s, t), 1), sizes.multiply(sizes.minimum(s, t), 2)),
        lambda s, t: (sizes.multiply(s, sizes.add(t, 1)), s),
    ],
)
def test_a_size_that_grows_too_long_becomes_unknown(grow: Any) -> None:
    s, t = sizes.symbol("s"), sizes.symbol("t")
    before = sizes.given_up()
    grown: list[Any] = [s, t]
    for _ in range(300):
        grown = list(grow(*grown))
        for size in grown:
            assert len(str(size)) < 4000
        if UNKNOWN in grown:
            break
    assert UNKNOWN in grown
    assert sizes.given_up() > before


def test_numbers_are_bounded_but_large_enough_for_any_tensor() -> None:
    assert sizes.product([2**63 - 1] * 64) == (2**63 - 1) ** 64
    assert sizes.product([2**63] * 70) is UNKNOWN
    assert sizes.choose(10**9, 2) == 10**9 * (10**9 - 1) // 2
    assert sizes.choose(10**9, 5 * 10**8) is UNKNOWN
    assert sizes.choose(-1, 2) == 0


def test_substitution_is_bounded() -> None:
    x, y = Symbol("x"), Symbol("y")
    size = sizes.product([sizes.add(sizes.of_symbol(x), k) for k in range(12)])
    assert isinstance(size, Polynomial)
    long = sizes.total([sizes.product([sizes.of_symbol(y)] * k) for k in range(1, 15)])
    assert sizes.substitute(size, {x: long}) is UNKNOWN


@given(
    st.lists(st.integers(-9, 9), min_size=2, max_size=4),
    st.integers(0, 2),
    st.integers(0, 40),
)
def test_roots_are_found(coefficients: list[int], least: int, value: int) -> None:
    """Two sizes that are equal for some value never differ. Two of first or second degree that are
    equal for none always differ, unless another law decides first.
    """
    atom = Symbol("n", least=least)
    n = sizes.of_symbol(atom)
    form = sizes.total(
        [sizes.multiply(c, sizes.product([n] * k)) for k, c in enumerate(coefficients)]
    )
    at_value = sum(c * value**k for k, c in enumerate(coefficients))
    relation = sizes.relate(form, at_value)
    if value >= least:
        assert relation is not Relation.NO
    beside = sizes.relate(form, at_value + 1)
    solved = any(
        sum(c * m**k for k, c in enumerate(coefficients)) == at_value + 1
        for m in range(least, 2000)
    )
    if solved:
        assert beside is not Relation.NO
    elif isinstance(form, Polynomial) and len(form.terms) > 1 and least:
        assert beside is Relation.NO


@pytest.mark.parametrize("constant", [10**18, 2**63, (10**9 + 7) ** 2 - 1, 10**300])
def test_roots_of_large_constants_are_computed(constant: int) -> None:
    n = sizes.symbol("n")
    square = sizes.multiply(n, n)
    equal = sizes.relate(sizes.subtract(square, constant), 0)
    root = math.isqrt(constant)
    assert (equal is Relation.NO) == (root * root != constant)
    shifted = sizes.relate(sizes.add(square, n), constant)
    assert shifted is Relation.NO  # none of these is the product of two neighbours
    cube = sizes.multiply(square, n)
    assert sizes.relate(sizes.add(cube, n), constant) is not Relation.YES
