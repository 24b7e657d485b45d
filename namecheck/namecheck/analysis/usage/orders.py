"""Whether dims that a pattern merges are split again in the order that they were merged in.

`'b h w c -> b (h w) c'` and then `'b (w h) c -> b h w c'` runs, and moves nearly every element.
Within one function the letters of a parenthesis keep their order between what is merged and what is
split, unless both orders are used: images are scanned by rows and by columns on purpose, cut into
windows and into grids, and one pattern alone may shuffle its channels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from namecheck.analysis.usage.carriers import comes_from
from namecheck.analysis.usage.exclusive_calls import are_exclusive, remember
from namecheck.analysis.usage.letters import Order, Reading, home_of
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import BadPattern

if TYPE_CHECKING:
    from namecheck.analysis.reading import ir
    from namecheck.analysis.state.evaluate import Evaluator


def keep_order(ev: Evaluator, reading: Reading, node: ir.Node) -> None:
    """Compare the parentheses of a pattern with those of the patterns before, and remember them."""
    home = home_of(ev.frame)
    remember(home, node.id)
    seen_orders = home.written.orders
    old = {letter for _, letters in reading.operands for letter in letters}
    old.update(letter for order in reading.split for letter in order)
    for merged, orders in ((False, reading.split), (True, reading.merged)):
        for order in orders:
            if any(letter in reading.lengths and letter not in old for letter in order):
                continue  # `repeat` makes these dims; they were not split
            question = (node.id, "order", order)
            ev.frame.look(question)
            other = _other_order(seen_orders, order, not merged, node.id)
            mine = seen_orders.setdefault((frozenset(order), merged), {})
            calls = mine.setdefault(order, [])
            if node.id not in calls:
                calls.append(node.id)
            if other is None or len(mine) > 1:
                continue
            operand = reading.operands[0][0]
            # two patterns that change the order alike do so on purpose
            shuffles = other in (reading.split if merged else reading.merged)
            before_it = [
                call
                for call in seen_orders[frozenset(order), not merged][other]
                if call != node.id
                and not (shuffles and call in calls)
                and not are_exclusive(home, call, node.id)
            ]
            if not before_it or not comes_from(home, before_it[0], operand.node):
                continue  # two values that never meet may be laid out differently
            done, before = ("merged", "split") if merged else ("split", "merged")
            mistake = BadPattern(
                pattern=reading.pattern,
                reason=f"'{' '.join(other)}' was {before} in this order, and is {done} in another",
                blame=(Blame("tensor"),),
            )
            named = {"tensor": operand}
            ev.blame(mistake, "warning", node, named, question=question)


def _other_order(
    seen_orders: dict[tuple[frozenset[str], bool], dict[Order, list[int]]],
    order: Order,
    merged: bool,
    node: int,
) -> Order | None:
    """The one order in which other patterns merge (or split) these letters, if it is another."""
    orders = seen_orders.get((frozenset(order), merged), {})
    if order in orders:
        return None
    others = [one for one, calls in orders.items() if calls[0] != node and len(one) == len(order)]
    return others[0] if len(others) == 1 and len(orders) == 1 else None
