"""Symbolic sizes in normal form, how two of them compare, and facts about them on one path.

A symbolic size is a polynomial with int coefficients over atoms; a quotient that is not exact by
its form is an atom of its own. A size longer than `LONGEST` is UNKNOWN, so that no program makes
arithmetic with sizes expensive.
"""

from __future__ import annotations

from namecheck_runtime.sizes.arithmetic import ARITHMETIC as ARITHMETIC
from namecheck_runtime.sizes.arithmetic import add as add
from namecheck_runtime.sizes.arithmetic import at_most as at_most
from namecheck_runtime.sizes.arithmetic import ceil_divide as ceil_divide
from namecheck_runtime.sizes.arithmetic import choose as choose
from namecheck_runtime.sizes.arithmetic import divide_exactly as divide_exactly
from namecheck_runtime.sizes.arithmetic import floor_divide as floor_divide
from namecheck_runtime.sizes.arithmetic import maximum as maximum
from namecheck_runtime.sizes.arithmetic import minimum as minimum
from namecheck_runtime.sizes.arithmetic import modulo as modulo
from namecheck_runtime.sizes.arithmetic import multiply as multiply
from namecheck_runtime.sizes.arithmetic import operands_of_minimum as operands_of_minimum
from namecheck_runtime.sizes.arithmetic import product as product
from namecheck_runtime.sizes.arithmetic import rounded as rounded
from namecheck_runtime.sizes.arithmetic import subtract as subtract
from namecheck_runtime.sizes.arithmetic import total as total
from namecheck_runtime.sizes.comparison import Relation as Relation
from namecheck_runtime.sizes.comparison import above_one as above_one
from namecheck_runtime.sizes.comparison import compare as compare
from namecheck_runtime.sizes.comparison import is_positive as is_positive
from namecheck_runtime.sizes.comparison import make_positive as make_positive
from namecheck_runtime.sizes.comparison import possibly_one as possibly_one
from namecheck_runtime.sizes.comparison import relate as relate
from namecheck_runtime.sizes.comparison import sides as sides
from namecheck_runtime.sizes.facts import Facts as Facts
from namecheck_runtime.sizes.facts import Settlement as Settlement
from namecheck_runtime.sizes.facts import Verdict as Verdict
from namecheck_runtime.sizes.learned import Distinct as Distinct
from namecheck_runtime.sizes.learned import Fact as Fact
from namecheck_runtime.sizes.learned import Rank as Rank
from namecheck_runtime.sizes.polynomials import EXACTLY as EXACTLY
from namecheck_runtime.sizes.polynomials import LONGEST as LONGEST
from namecheck_runtime.sizes.polynomials import Atom as Atom
from namecheck_runtime.sizes.polynomials import Monomial as Monomial
from namecheck_runtime.sizes.polynomials import Opaque as Opaque
from namecheck_runtime.sizes.polynomials import Origin as Origin
from namecheck_runtime.sizes.polynomials import Polynomial as Polynomial
from namecheck_runtime.sizes.polynomials import Symbol as Symbol
from namecheck_runtime.sizes.polynomials import given_up as given_up
from namecheck_runtime.sizes.polynomials import in_order as in_order
from namecheck_runtime.sizes.polynomials import is_quotient as is_quotient
from namecheck_runtime.sizes.polynomials import of_symbol as of_symbol
from namecheck_runtime.sizes.polynomials import opaque as opaque
from namecheck_runtime.sizes.polynomials import plain_symbol as plain_symbol
from namecheck_runtime.sizes.polynomials import symbol as symbol
from namecheck_runtime.sizes.polynomials import symbols as symbols
from namecheck_runtime.sizes.polynomials import youngest as youngest
from namecheck_runtime.sizes.substitution import substitute as substitute
from namecheck_runtime.sizes.substitution import unrounded as unrounded
from namecheck_runtime.sizes.substitution import without_quotients as without_quotients
