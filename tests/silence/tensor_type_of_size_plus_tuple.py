# NC303/NC301 error: `torch.FloatTensor(x.size() + (n,))` makes a tensor *of that shape* (torch.Size + tuple is a torch.Size); taken for the contents of a 1-d tensor; seen in nnsvs mdn.py
import torch


def one_hot(index, n):
    out = torch.FloatTensor(index.size() + (n,)).zero_()
    out.scatter_(len(index.size()), index.unsqueeze(-1), 1.0)
    return out


def most_probable(weights, means):
    _, _, count, _ = means.shape
    _, best = torch.max(weights, dim=2)
    hot = one_hot(best, count)
    if len(weights.shape) == 4:
        hot = hot.transpose(2, 3)
    else:
        hot = hot.unsqueeze(3).expand_as(means)
    return torch.sum(means * hot, dim=2)


def run():
    return most_probable(torch.rand(2, 5, 4), torch.rand(2, 5, 4, 3)), most_probable(torch.rand(2, 5, 4, 3), torch.rand(2, 5, 4, 3))
