# NC202: comments that stand above commented-out statements ("# (B, L) -> (B, L, E)" then "#weight = ...") are read as the shapes of the live statements around them; seen in lpu-nn universal_transformer.py
import torch


def accumulate(self, mask, old, seq, total, halt, remain, done, batch_size, length):
    running = mask[:, -length:, 0].reshape(batch_size, length)
    seq = torch.where(running[:, :, None], seq, old)
    # (B, L, E) -> (B, L, 1)
    #halt = feed(self.linear, seq)
    weight = halt * running.float() + remain * done
    # (B, L) -> (B, L, E)
    #weight = broadcast(weight, [batch_size, length, size])
    weight = weight[:, :, None]
    return torch.where(weight > 0, total + seq * weight, total)
