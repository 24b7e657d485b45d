"""Facts: what a reader holds true of sizes on one path of the program.

They belong to readers: rules decide by normal forms only.
"""

from __future__ import annotations

from enum import Enum

from namecheck_runtime.lattice import UNKNOWN, Size
from namecheck_runtime.sizes.arithmetic import formal_quotient, subtract
from namecheck_runtime.sizes.comparison import (
    Relation,
    is_shifted,
    possibly_one,
    relate,
    sides,
    without_common_factor,
    without_denominators,
)
from namecheck_runtime.sizes.learned import Distinct, Fact, Rank
from namecheck_runtime.sizes.polynomials import (
    Monomial,
    Opaque,
    Origin,
    Polynomial,
    Symbol,
    Terms,
    concrete,
    in_order,
    known_size,
    normal_form,
    of_atom,
    of_symbol,
    plain_symbol,
    symbols,
)
from namecheck_runtime.sizes.substitution import substitute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Final


class Verdict(Enum):
    """What the facts of a path say about a requirement."""

    HOLDS = "holds"
    ASSUMED = "assumed"
    """Nothing contradicts it, and it is held true from here on."""
    LEFT_OPEN = "left open"
    """Nothing contradicts it, and nothing could be learned from it."""
    FORCES_LITERAL = "forces a literal"
    CONTRADICTS_CLAIMED = "contradicts what labels of one comment say"
    """Only of a broadcast: one of the two may be 1, or a label may be misplaced."""
    CONTRADICTS_PRESUMED = "contradicts what was presumed"
    CONTRADICTS_DECLARED = "contradicts that different names in one signature are different sizes"
    """Not of a broadcast."""
    COINCIDES = "holds only if independent sizes coincide"
    CONTRADICTED = "contradicted"


class Settlement:
    """The verdict on a requirement, and the facts that it depends on, latest last.

    If the requirement holds only by coincidence, `equation` is the equation that it comes down to.
    """

    __slots__ = ("equation", "facts", "verdict")

    def __init__(
        self,
        verdict: Verdict,
        facts: tuple[Fact, ...] = (),
        equation: tuple[Size, Size] | None = None,
    ) -> None:
        self.verdict: Final = verdict
        self.facts: Final = facts
        self.equation: Final = equation


class _Binding:
    __slots__ = ("fact", "value")

    def __init__(self, value: int | Polynomial, fact: Fact) -> None:
        self.value: Final = value
        self.fact: Final = fact


class Facts:
    """What is true of sizes on one path.

    Symbols are rewritten to representatives, and groups of symbols are generic.

    Copying is cheap: both copies share their contents until one of them learns something.
    """

    __slots__ = ("_bindings", "_distinct", "_rewritten", "_shared", "_spoken")

    def __init__(self) -> None:
        self._bindings: dict[Symbol, _Binding] = {}
        self._rewritten: dict[Polynomial, Size] = {}
        """The representatives computed so far; emptied with every binding."""
        self._distinct: tuple[Distinct, ...] = ()
        self._spoken: tuple[tuple[Distinct, ...], frozenset[Symbol]] | None = None
        """The groups, and the answer of `_generic` for them."""
        self._shared = False

    def copy(self) -> Facts:
        """The facts of a path that starts where this one is."""
        twin = Facts()
        twin._bindings, twin._distinct = self._bindings, self._distinct
        twin._rewritten, twin._spoken = self._rewritten, self._spoken
        twin._shared = self._shared = True
        return twin

    def rewrite(self) -> bool:
        """Whether any symbol is known to be another size."""
        return bool(self._bindings)

    def representative(self, size: Size) -> Size:
        """`size` with every symbol rewritten to the size that it is known to be."""
        bindings = self._bindings
        if not bindings or not isinstance(size, Polynomial) or not _mentions(size, bindings):
            return size
        known = self._rewritten.get(size)
        if known is not None:
            return known
        # The value of a binding may mention symbols that were bound later, and so on.
        rewritten: Size = size
        while isinstance(rewritten, Polynomial) and _mentions(rewritten, bindings):
            values = {s: bindings[s].value for s in rewritten.symbols() if s in bindings}
            rewritten = substitute(rewritten, values)
        self._rewritten[size] = rewritten
        return rewritten

    def presume_distinct(self, members: Iterable[Size], fact: Fact) -> None:
        """Take the plain symbols among `members` as generic.

        No equation over them alone is expected to hold. Members that are already known to be equal
        (a square score map) do not count.
        """
        current = [self.representative(member) for member in members]
        once = [s for s in current if isinstance(s, Polynomial) and current.count(s) == 1]
        group = frozenset(atom for s in once if (atom := plain_symbol(s)) is not None)
        computed = frozenset(s for s in once if plain_symbol(s) is None and not s.opaque)
        if group and len(group) + len(computed) > 1:
            self._distinct += (Distinct(group, fact, computed),)

    def withdraw_all(self) -> None:
        """Presume of no sizes that they are different."""
        self._distinct = ()

    def withdraw_distinct(self, members: Iterable[Symbol]) -> None:
        """Forget that any two of `members` are different, since the program itself links them."""
        linked = frozenset(members)
        self._distinct = tuple(g for g in self._distinct if len(g.members & linked) < 2)

    def allow_equal(self, left: Symbol, right: Symbol) -> None:
        """Forget that two symbols are different; each still differs from the rest of its group."""
        groups: list[Distinct] = []
        for group in self._distinct:
            if left in group.members and right in group.members:
                for atom in (left, right):
                    others = group.members - {atom}
                    if len(others) + len(group.made) > 1:
                        groups.append(Distinct(others, group.fact, group.made))
            else:
                groups.append(group)
        self._distinct = tuple(groups)

    def told_apart(self, left: Size, right: Size) -> Distinct | None:
        """The surest group that takes two sizes for different members; None if there is none."""
        left, right = self.representative(left), self.representative(right)
        if isinstance(left, int) or isinstance(right, int) or relate(left, right) is Relation.YES:
            return None
        surest: Distinct | None = None
        for group in self._distinct:
            if surest is None or group.fact.rank > surest.fact.rank:
                if self._are_members(left, right, group):
                    surest = group
        return surest

    def times_apart(self, left: Size, right: Size) -> int:
        """How many groups take two sizes for different members."""
        left, right = self.representative(left), self.representative(right)
        return sum(self._are_members(left, right, group) for group in self._distinct)

    def bound_with(self, atom: Symbol) -> Iterable[Size]:
        """The representatives of the symbols that are taken to differ from this one."""
        for group in self._distinct:
            if atom in group.members:
                for member in group.members:
                    if member is not atom:
                        yield self.representative(of_symbol(member))

    def learn_equal(self, left: Size, right: Size, fact: Fact) -> Settlement:
        """Take `left == right` as true from here on, as a statement says.

        The verdict is CONTRADICTED only if it is impossible.
        """
        left, right = self.representative(left), self.representative(right)
        relation = relate(left, right)
        if relation is Relation.YES:
            return Settlement(Verdict.HOLDS)
        if relation is Relation.NO:
            return Settlement(Verdict.CONTRADICTED, self.reasons(left, right))
        if fact.rank is not Rank.ASSUMED:
            self.withdraw_distinct(symbols(left) | symbols(right))
        return Settlement(Verdict.ASSUMED if self._bind(left, right, fact) else Verdict.LEFT_OPEN)

    def settle(
        self,
        left: Size,
        right: Size,
        place: object,
        or_one: bool = False,
        opposes: Callable[[Size, Size], bool] = lambda left, right: False,
    ) -> Settlement:
        """What the facts say about the requirement of an op that `left == right`.

        With `or_one` one of them may be 1 instead. `opposes` says whether two sizes are independent
        of each other.

        A requirement that nothing contradicts is assumed from here on, with its place. With
        `or_one` nothing is assumed, since the sizes may differ, and the answer is CONTRADICTED only
        if it is impossible.
        """
        raw = symbols(left) | symbols(right)
        left, right = self.representative(left), self.representative(right)
        relation, group = self._relate(left, right)
        if relation is Relation.YES:
            return Settlement(Verdict.HOLDS)
        if or_one and (possibly_one(left).possible or possibly_one(right).possible):
            if opposes(left, right):
                return Settlement(Verdict.COINCIDES, self._reasons(raw), (left, right))
            if group is not None and all(map(plain_symbol, sides(left, right))):
                firm = group.fact.rank >= Rank.PRESUMED
                verdict = Verdict.CONTRADICTS_PRESUMED if firm else Verdict.CONTRADICTS_CLAIMED
                return Settlement(verdict, (*self._reasons(raw), group.fact))
            return Settlement(Verdict.LEFT_OPEN)
        reasons = self._reasons(raw)
        if relation is Relation.NO:
            return Settlement(Verdict.CONTRADICTED, reasons)
        if group is not None:
            declared = group.fact.rank >= Rank.DECLARED
            verdict = Verdict.CONTRADICTS_DECLARED if declared else Verdict.CONTRADICTS_PRESUMED
            return Settlement(verdict, (*reasons, group.fact))
        if relation is Relation.DEGENERATE:
            return Settlement(Verdict.FORCES_LITERAL, reasons)
        if opposes(left, right):
            return Settlement(Verdict.COINCIDES, reasons, (left, right))
        if is_loose(left) or is_loose(right) or _is_of_one_round(left, right):
            return Settlement(Verdict.LEFT_OPEN, reasons)
        bound = self._bind(left, right, Fact(Rank.ASSUMED, place))
        return Settlement(Verdict.ASSUMED if bound else Verdict.LEFT_OPEN, reasons)

    def relate(self, left: Size, right: Size) -> Relation:
        """How two sizes compare under these facts, in all five answers."""
        return self._relate(self.representative(left), self.representative(right))[0]

    def known_equal(self, left: Size, right: Size) -> bool:
        """Whether two sizes are known to be equal under these facts; False if one is UNKNOWN."""
        if left is UNKNOWN or right is UNKNOWN:
            return False
        left, right = self.representative(left), self.representative(right)
        return left is right or relate(left, right) is Relation.YES

    def _relate(self, left: Size, right: Size) -> tuple[Relation, Distinct | None]:
        relation = relate(left, right)
        if relation in (Relation.YES, Relation.NO):
            return relation, None
        group = self._violated(left, right)
        return (relation, None) if group is None else (Relation.COINCIDENT, group)

    def reasons(self, *sizes: Size) -> tuple[Fact, ...]:
        """The facts through which `sizes` were rewritten."""
        return self._reasons(frozenset().union(*map(symbols, sizes)))

    def _reasons(self, involved: frozenset[Symbol]) -> tuple[Fact, ...]:
        facts: list[Fact] = []
        seen: set[Symbol] = set()
        queue = in_order(involved)
        while queue:
            atom = queue.pop(0)
            binding = self._bindings.get(atom)
            if binding is not None and atom not in seen:
                facts.append(binding.fact)
                queue.extend(in_order(symbols(binding.value)))
            seen.add(atom)
        return tuple(facts)

    def _violated(self, left: Size, right: Size) -> Distinct | None:
        """The group of generic symbols that `left == right` is an equation over.

        None if it is not over them alone; of several groups the surest.
        """
        if isinstance(left, int) or isinstance(right, int):
            return None  # `h*w == 9` says how large they are, not that they are equal
        if len((symbols(left) | symbols(right)) & self._generic()) < 2:
            return None
        difference = subtract(left, right)
        if not isinstance(difference, Polynomial) or difference.opaque:
            return None
        involved = symbols(without_common_factor(difference))
        if len(involved) < 2 or _is_product_of_others(difference):
            return None
        number = _number_of(difference)
        if number > 1:
            return None  # `b*h*w == b*9` is no more than that
        shifted = is_shifted(difference)
        firmest: Distinct | None = None
        for group in self._distinct:
            if firmest is not None and group.fact.rank <= firmest.fact.rank:
                continue
            if shifted and group.fact.rank < Rank.DECLARED:
                continue  # `i, j = scores.shape` with one more key than queries
            if number and group.fact.rank >= Rank.DECLARED:
                continue  # an annotated map may be of 1 by 1: `b*c*h*w == b*c`
            if group.made and self._are_members(left, right, group):
                firmest = group
                continue
            covered: set[Symbol] = set()
            for member in group.members:
                within = symbols(self.representative(of_symbol(member)))
                # If a member is `H*W` by now, an equation is about it only with both H and W.
                if len(within) == 1 or within <= involved:
                    covered |= within
            if involved <= covered:
                firmest = group
        return firmest

    def _generic(self) -> frozenset[Symbol]:
        """The symbols in the representatives of the members of all groups."""
        key = self._distinct
        if self._spoken is None or self._spoken[0] is not key:
            members = {of_symbol(member) for group in key for member in group.members}
            members.update(size for group in key for size in group.made)
            generic = [symbols(self.representative(member)) for member in members]
            self._spoken = (key, frozenset().union(*generic))
        return self._spoken[1]

    def _are_members(self, left: Size, right: Size, group: Distinct) -> bool:
        """Whether two different sizes are both representatives of members of a group."""
        if not self._bindings:
            return _is_member(left, group) and _is_member(right, group)
        members = {self.representative(of_symbol(member)) for member in group.members}
        members.update(self.representative(size) for size in group.made)
        return left in members and right in members

    def _bind(self, left: Size, right: Size, fact: Fact) -> bool:
        """Rewrite one symbol of the equation to the rest; False if it cannot be solved for any."""
        solved = _solve(left, right)
        if solved is None:
            return False
        atom, value = solved
        if self._shared:
            self._bindings = dict(self._bindings)
            self._shared = False
        self._bindings[atom] = _Binding(value, fact)
        self._rewritten, self._spoken = {}, None
        return True

    def presuming_as(self, other: Facts) -> Facts:
        """These equations with the presumptions of `other`.

        What a callee presumes about its names says nothing about the names of its caller, unless it
        presumes it for the caller's reason.
        """
        if self._distinct is other._distinct:
            return self
        known = {id(place) for group in other._distinct if (place := group.fact.place) is not None}
        kept = [g for g in self._distinct if id(g.fact.place) in known and g not in other._distinct]
        mixed = self.copy()
        mixed._distinct = (*other._distinct, *kept) if kept else other._distinct
        return mixed

    def since(self, earlier: Facts) -> tuple[tuple[Size, Size, Fact], ...]:
        """The equations held now that were not held at an earlier point of the same path."""
        if self._bindings is earlier._bindings:
            return ()
        return tuple(
            (of_symbol(atom), binding.value, binding.fact)
            for atom, binding in self._bindings.items()
            if earlier._bindings.get(atom) is not binding
        )

    def stated_configuration(self) -> frozenset[tuple[Symbol, int | Polynomial]]:
        """What the tests on this path state of configured sizes: each symbol and what it is."""
        return frozenset(
            (atom, binding.value)
            for atom, binding in self._bindings.items()
            if binding.fact.rank is Rank.STATED and atom.origin is Origin.CONFIG
        )

    def join(self, other: Facts) -> Facts:
        """What both paths know, at the lower rank."""
        joined = Facts()
        if self._bindings is other._bindings:
            joined._bindings = self._bindings
            joined._rewritten = self._rewritten
            joined._shared = self._shared = other._shared = True
        else:
            for atom, binding in self._bindings.items():
                theirs = other._bindings.get(atom)
                if theirs is None:
                    continue
                if theirs.value == binding.value or (
                    other.representative(of_symbol(atom)) == self.representative(of_symbol(atom))
                ):
                    joined._bindings[atom] = min(binding, theirs, key=lambda b: b.fact.rank)
        joined._distinct = tuple(g for g in self._distinct if g in other._distinct)
        return joined


def is_loose(size: Size) -> bool:
    """Whether a label of two comments is in a size: what is true of one of the two values that have
    it need not be true of the other.
    """
    return any(atom.comments > 1 for atom in symbols(size))


def _is_of_one_round(left: Size, right: Size) -> bool:
    """Whether an equation holds in one round of a loop at most.

    One side varies from round to round, and the other sizes were there before the loop or are
    configured, so that they stay as they are.
    """
    atoms = in_order(symbols(left) | symbols(right))
    varying = [atom.serial for atom in atoms if atom.varies]
    return bool(varying) and all(
        atom.varies or atom.origin is Origin.CONFIG or atom.serial < varying[0] for atom in atoms
    )


def _is_product_of_others(difference: Polynomial) -> bool:
    """Whether an equation says that one symbol is the product of several others.

    A program with `n` points on a grid of `h` by `w` may well mean `n == h*w`.
    """
    if any(exponent < 0 for monomial, _ in difference.terms for _, exponent in monomial):
        return False  # `c/h == t` is about the quotient
    residue = without_common_factor(difference)
    if not isinstance(residue, Polynomial) or len(residue.terms) != 2:
        return False
    (first, count), (second, less) = residue.terms
    single, product = sorted((first, second), key=len)
    return count == -less and len(single) == 1 and single[0][1] == 1 and len(product) > 1


def _number_of(difference: Polynomial) -> int:
    """The number that an equation says a product is, apart from common factors; 0 if it does not.

    Whatever is presumed of the factors, `h*w == 9` says how large they are.
    """
    residue = without_common_factor(difference)
    if not isinstance(residue, Polynomial) or len(residue.terms) != 2:
        return 0
    constants = [count for monomial, count in residue.terms if not monomial]
    factors = [count for monomial, count in residue.terms if monomial]
    if len(constants) != 1 or any(e < 0 for m, _ in residue.terms for _, e in m):
        return 0
    return max(-constants[0] // factors[0], 0)


def _is_member(size: Size, group: Distinct) -> bool:
    """Whether a size is a member of a group as it was made."""
    atom = plain_symbol(size)
    return size in group.made if atom is None else atom in group.members


def _mentions(size: Polynomial, atoms: Mapping[Symbol, object]) -> bool:
    """Whether a size contains one of these symbols."""
    only = plain_symbol(size)
    if only is not None:
        return only in atoms
    for atom in size.symbols():  # noqa: SIM110  (compiled, a generator costs more)
        if atom in atoms:
            return True
    return False


def _solve(left: Size, right: Size) -> tuple[Symbol, int | Polynomial] | None:
    """A symbol of `left == right` and what it must be; None if there is none to solve for.

    The symbol of the lowest origin is tried first, and of several the youngest.
    """
    difference = subtract(left, right)
    if not isinstance(difference, Polynomial):
        return None
    difference = without_denominators(difference)
    assert isinstance(difference, Polynomial)
    for atom in sorted(difference.symbols(), key=lambda s: (s.origin, -s.serial)):
        value = _solve_for(difference, atom)
        if value is not None:
            return atom, value
    return None


def _solve_for(difference: Polynomial, atom: Symbol) -> int | Polynomial | None:
    """The value of `atom`; None unless it is in one term only, to the first power."""
    solved: tuple[Monomial, int] | None = None
    rest: Terms = {}
    for monomial, coefficient in difference.terms:
        if any(
            a is atom or (isinstance(a, Opaque) and atom in of_atom(a).symbols())
            for a, _ in monomial
        ):
            if solved is not None:
                return None
            solved = (monomial, coefficient)
        else:
            rest[monomial] = -coefficient
    if solved is None or dict(solved[0]).get(atom) != 1:
        return None
    others = tuple((a, e) for a, e in solved[0] if a is not atom)
    if any(isinstance(a, Opaque) for a, _ in others):
        return None
    above = known_size(normal_form(rest))
    value = (
        None
        if above is None
        else formal_quotient(above, concrete(normal_form({others: solved[1]})))
    )
    if value is None:
        return None  # an inexact quotient would hide the equation in an opaque atom
    return value if not isinstance(value, int) or value >= atom.least else None
