import asyncio

import torch


class Search:
    def __init__(self, rows):
        self.scores = torch.zeros(rows, 1)
        self.finished = []

    def advance(self, scores):
        self.scores += scores
        self.finished = (scores > 0).squeeze(1).tolist()

    async def update(self):
        alive = [row for row, done in enumerate(self.finished) if not done]
        self.scores = self.scores[torch.tensor(alive)]


async def main():
    search = Search(13)
    search.advance(torch.cat([torch.ones(1, 1), torch.zeros(12, 1)]))
    await search.update()
    search.advance(torch.zeros(12, 1))


asyncio.run(main())
