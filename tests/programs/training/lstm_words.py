"""An LSTM language model learns sums in words, a word at a time, its state carried along."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from samples import sentences, steps_wanted

BATCH, BPTT = 8, 12


class RNNModel(nn.Module):
    def __init__(self, ntoken, ninp=24, nhid=32, nlayers=2, dropout=0.1):
        super().__init__()
        self.ntoken, self.nhid, self.nlayers = ntoken, nhid, nlayers
        self.drop = nn.Dropout(dropout)
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.LSTM(ninp, nhid, nlayers)
        self.decoder = nn.Linear(nhid, ntoken)
        self.init_weights()

    def init_weights(self):
        initrange = 0.1
        nn.init.uniform_(self.encoder.weight, -initrange, initrange)
        nn.init.zeros_(self.decoder.bias)
        nn.init.uniform_(self.decoder.weight, -initrange, initrange)

    def forward(self, input, hidden):
        emb = self.drop(self.encoder(input))
        output, hidden = self.rnn(emb, hidden)
        decoded = self.decoder(self.drop(output)).view(-1, self.ntoken)
        return F.log_softmax(decoded, dim=1), hidden

    def init_hidden(self, bsz):
        weight = next(self.parameters())
        return (
            weight.new_zeros(self.nlayers, bsz, self.nhid),
            weight.new_zeros(self.nlayers, bsz, self.nhid),
        )


def repackage_hidden(h):
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


def batchify(data, bsz):
    nbatch = data.size(0) // bsz
    return data.narrow(0, 0, nbatch * bsz).view(bsz, -1).t().contiguous()


def get_batch(source, i):
    seq_len = min(BPTT, len(source) - 1 - i)
    return source[i : i + seq_len], source[i + 1 : i + 1 + seq_len].view(-1)


def words_of(sentence):
    return sentence.replace("-", " - ").replace(".", " .").split()


def main():
    torch.manual_seed(1111)
    words = [word for sentence in sentences(500) for word in words_of(sentence)]
    vocabulary = {word: place for place, word in enumerate(dict.fromkeys(words))}
    corpus = torch.tensor([vocabulary[word] for word in words])
    split = len(corpus) * 9 // 10
    train, held_out = batchify(corpus[:split], BATCH), batchify(corpus[split:], BATCH)
    model = RNNModel(len(vocabulary))
    criterion = nn.NLLLoss()
    optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-2, alpha=0.95)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=60, gamma=0.7)
    step, steps = 0, steps_wanted()
    while step < steps:
        hidden = model.init_hidden(BATCH)
        for i in range(0, train.size(0) - 1, BPTT):
            data, targets = get_batch(train, i)
            hidden = repackage_hidden(hidden)
            model.zero_grad()
            output, hidden = model(data, hidden)
            loss = criterion(output, targets)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
            optimizer.step()
            scheduler.step()
            print("step", step, "loss", loss.item())
            step += 1
            if step == steps:
                break
    model.eval()
    hidden, right, total = model.init_hidden(BATCH), 0, 0.0
    with torch.no_grad():
        for i in range(0, held_out.size(0) - 1, BPTT):
            data, targets = get_batch(held_out, i)
            output, hidden = model(data, hidden)
            total += len(data) * criterion(output, targets).item()
            right += (output.argmax(1) == targets).sum().item()
    print("perplexity", math.exp(total / (len(held_out) - 1)))
    print("accuracy", right / ((len(held_out) - 1) * BATCH))


if __name__ == "__main__":
    main()
