"""Calls whose function is not run by the walk: recursive, async, or called too often.

What their text assigns is unknown behind them; all else stays. A line ends in the code that is
reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "a method that calls itself assigns": """
        import torch

        class Buffer:
            def __init__(self):
                self.rows = torch.zeros(13, 4)
                self.other = torch.zeros(3)

            def cut(self, n):
                if n == 0:
                    return
                self.rows = self.rows[1:]
                self.cut(n - 1)

        def cut():
            buffer = Buffer()
            buffer.cut(3)
            return buffer.rows + torch.zeros(10, 4)

        def other():
            buffer = Buffer()
            buffer.cut(3)
            return buffer.other + torch.zeros(4)  # NC201
        """,
    "an async method assigns, itself or by its calls": """
        import torch

        class Queue:
            def __init__(self):
                self.x = torch.zeros(13, 4)
                self.sizes = [2, 3]
                self.y, self.z = torch.zeros(6), torch.zeros(8)

            async def load(self):
                self._cut()
                self.sizes.append(4)
                grow(self)

            def _cut(self):
                self.x = self.x[self.x[:, 0] > 0]

        class Longer(Queue):
            async def load(self):
                await super().load()

        def grow(queue):
            setattr(queue, "y", torch.zeros(7))

        class Holder:
            def __init__(self):
                self.queue = Longer()

            async def fill(self):
                await self.queue.load()

        async def main():
            queue = Longer()
            await queue.load()
            queue.x + torch.zeros(5, 4)
            queue.y + torch.zeros(7)
            torch.zeros(2, 3, 4) + torch.zeros(queue.sizes)
            return queue.z + torch.zeros(9)  # NC201

        async def held():
            holder = Holder()
            await holder.fill()
            holder.queue.x + torch.zeros(5, 4)
            return holder.queue.z + torch.zeros(9)  # NC201
        """,
    "an async method only reads": """
        import torch

        class Reader:
            def __init__(self):
                self.x = torch.zeros(3)

            async def show(self):
                total = self.x.sum()
                print(total)

        async def main():
            reader = Reader()
            await reader.show()
            return reader.x + torch.zeros(4)  # NC201
        """,
    "an async function assigns to its argument, by position or by name": """
        import torch

        class State:
            def __init__(self):
                self.h = torch.zeros(3)

        async def step(x, state):
            state.h = torch.cat([state.h, x])

        async def first():
            state = State()
            await step(torch.zeros(2), state)
            return state.h + torch.zeros(5)

        async def second():
            state = State()
            await step(torch.zeros(2), state=state)
            return state.h + torch.zeros(5)

        async def before():
            state = State()
            wrong = state.h + torch.zeros(5)  # NC201
            await step(torch.zeros(2), state=state)
            return wrong
        """,
    "a method is called often": """
        import torch

        class Search:
            def __init__(self, n):
                self.n = n
                self.done = False

            def start(self):
                self.scores = torch.zeros(self.n, 1)

            def keep(self, names):
                rows = [row for row, name in enumerate(names) if name]
                self.scores = self.scores[torch.tensor(rows)]

        def first(names):
            search = Search(5)
            search.start()
            search.scores + torch.zeros(4, 1)  # NC201
            search.keep(names)
            return search.scores + torch.zeros(4, 1)

        def many(names):
            for _ in range(3):
                for n in (4, 5, 6, 7, 8, 9, 10, 11, 12, 13):
                    search = Search(n)
                    search.start()
                    search.keep(names)
                    search.scores + torch.zeros(n - 1, 1)

        def more(names):
            a, b, c = Search(9), Search(8), Search(7)
            for search in (a, b, c, a, b, c, a, b, c, a, b, c, a, b, c):
                search.start()
                search.keep(names)
                search.scores + torch.zeros(5, 1)
        """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_what_an_unseen_call_assigns_is_unknown(program: str) -> None:
    check_marks(program)
