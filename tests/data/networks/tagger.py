"""A recurrent tagger: an LSTM in both directions, a GRU cell that is called at every step."""

import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, words: int = 300, width: int = 32, tags: int = 7) -> None:
        super().__init__()
        self.embed = nn.Embedding(words, width, padding_idx=0)
        self.encode = nn.LSTM(width, width, 2, batch_first=True, bidirectional=True)
        self.step = nn.GRUCell(2 * width, width)
        self.score = nn.Linear(width, tags)

    def forward(self, words):
        states, _ = self.encode(self.embed(words))
        state = torch.zeros(words.shape[0], self.step.hidden_size)
        scores = []
        for time in range(states.shape[1]):
            state = self.step(states[:, time], state)
            scores.append(self.score(state))
        return torch.stack(scores, dim=1)
