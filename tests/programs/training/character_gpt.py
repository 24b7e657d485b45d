"""A small GPT learns sums in words, a character at a time."""

import math

import torch
import torch.nn as nn
from samples import sentences, steps_wanted
from torch.nn import functional as F

WIDTH, HEADS, BLOCKS, WINDOW, BATCH = 32, 4, 2, 32, 8


class CausalSelfAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.proj = nn.Linear(WIDTH, WIDTH)
        mask = torch.tril(torch.ones(WINDOW, WINDOW)).view(1, 1, WINDOW, WINDOW)
        self.register_buffer("mask", mask, persistent=False)

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.qkv(x).split(C, dim=2)
        q, k, v = (t.view(B, T, HEADS, C // HEADS).transpose(1, 2) for t in (q, k, v))
        scores = (q @ k.transpose(-2, -1)) / math.sqrt(k.size(-1))
        scores = scores.masked_fill(self.mask[:, :, :T, :T] == 0, float("-inf"))
        y = F.softmax(scores, dim=-1) @ v
        return self.proj(y.transpose(1, 2).contiguous().view(B, T, C))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.attn = CausalSelfAttention()
        self.mlp = nn.Sequential(
            nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(approximate="tanh"), nn.Linear(4 * WIDTH, WIDTH)
        )

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class GPT(nn.Module):
    def __init__(self, letters):
        super().__init__()
        self.transformer = nn.ModuleDict(
            {
                "wte": nn.Embedding(letters, WIDTH),
                "wpe": nn.Embedding(WINDOW, WIDTH),
                "h": nn.ModuleList([Block() for _ in range(BLOCKS)]),
                "ln_f": nn.LayerNorm(WIDTH),
            }
        )
        self.lm_head = nn.Linear(WIDTH, letters, bias=False)
        self.transformer.wte.weight = self.lm_head.weight
        self.apply(self._init_weights)
        for name, parameter in self.named_parameters():
            if name.endswith("proj.weight"):
                torch.nn.init.normal_(parameter, mean=0.0, std=0.02 / math.sqrt(2 * BLOCKS))

    def _init_weights(self, module):
        if isinstance(module, nn.Linear):
            torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)
            if module.bias is not None:
                torch.nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)

    def forward(self, idx, targets=None):
        pos = torch.arange(0, idx.size(1), dtype=torch.long, device=idx.device)
        x = self.transformer.wte(idx) + self.transformer.wpe(pos)
        for block in self.transformer.h:
            x = block(x)
        logits = self.lm_head(self.transformer.ln_f(x))
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))

    @torch.no_grad()
    def generate(self, idx, count):
        for _ in range(count):
            logits, _ = self(idx[:, -WINDOW:])
            idx = torch.cat((idx, logits[:, -1].argmax(dim=-1, keepdim=True)), dim=1)
        return idx


def batch_of(data):
    starts = torch.randint(len(data) - WINDOW, (BATCH,))
    x = torch.stack([data[start : start + WINDOW] for start in starts])
    y = torch.stack([data[start + 1 : start + 1 + WINDOW] for start in starts])
    return x, y


def main():
    torch.manual_seed(1337)
    text = "\n".join(sentences(400))
    letters = sorted(set(text))
    places = {letter: place for place, letter in enumerate(letters)}
    data = torch.tensor([places[letter] for letter in text], dtype=torch.long)
    split = int(0.9 * len(data))
    train, held_out = data[:split], data[split:]
    model = GPT(len(letters))
    decay = [p for p in model.parameters() if p.dim() >= 2]
    rest = [p for p in model.parameters() if p.dim() < 2]
    groups = [{"params": decay, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=5e-3, betas=(0.9, 0.99))
    scheduler = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / 10) * (1 - 0.9 * step / 200)
    )
    for step in range(steps_wanted()):
        x, y = batch_of(train)
        _, loss = model(x, y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        print("step", step, "loss", loss.item())
    model.eval()
    windows = held_out[: len(held_out) // (WINDOW + 1) * (WINDOW + 1)].view(-1, WINDOW + 1)
    with torch.no_grad():
        logits, _ = model(windows[:, :-1])
    print("accuracy", (logits.argmax(-1) == windows[:, 1:]).float().mean().item())
    written = model.generate(held_out[None, :8], 24)[0]
    print("".join(letters[place] for place in written.tolist()))


if __name__ == "__main__":
    main()
