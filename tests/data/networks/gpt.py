"""A decoder of text whose embedding and head share one weight."""

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class GPTConfig:
    vocabulary: int = 512
    context: int = 64
    width: int = 96
    heads: int = 4
    layers: int = 3
    bias: bool = True


class Attention(nn.Module):
    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.heads = config.heads
        self.project = nn.Linear(config.width, 3 * config.width, bias=config.bias)
        self.out = nn.Linear(config.width, config.width, bias=config.bias)
        mask = torch.tril(torch.ones(config.context, config.context))
        self.register_buffer("mask", mask.view(1, 1, config.context, config.context) == 0)

    def forward(self, x):
        batch, time, width = x.shape
        q, k, v = self.project(x).split(width, dim=2)
        q, k, v = (t.view(batch, time, self.heads, -1).transpose(1, 2) for t in (q, k, v))
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.size(-1))
        scores = scores.masked_fill(self.mask[:, :, :time, :time], float("-inf"))
        y = F.softmax(scores, dim=-1) @ v
        return self.out(y.transpose(1, 2).contiguous().view(batch, time, width))


class Block(nn.Module):
    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.ln_1 = nn.LayerNorm(config.width)
        self.attention = Attention(config)
        self.ln_2 = nn.LayerNorm(config.width)
        self.mlp = nn.Sequential(
            nn.Linear(config.width, 4 * config.width),
            nn.GELU(),
            nn.Linear(4 * config.width, config.width),
            nn.Dropout(0.1),
        )

    def forward(self, x):
        x = x + self.attention(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class GPT(nn.Module):
    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.transformer = nn.ModuleDict(
            dict(
                wte=nn.Embedding(config.vocabulary, config.width),
                wpe=nn.Embedding(config.context, config.width),
                h=nn.ModuleList([Block(config) for _ in range(config.layers)]),
                ln_f=nn.LayerNorm(config.width),
            )
        )
        self.head = nn.Linear(config.width, config.vocabulary, bias=False)
        self.transformer.wte.weight = self.head.weight
        self.apply(self._init)

    def _init(self, module):
        if isinstance(module, nn.Linear):
            nn.init.normal_(module.weight, std=0.02)

    def forward(self, idx):
        time = idx.shape[1]
        places = torch.arange(0, time, dtype=torch.long, device=idx.device)
        x = self.transformer.wte(idx) + self.transformer.wpe(places)
        for block in self.transformer.h:
            x = block(x)
        return self.head(self.transformer.ln_f(x))
