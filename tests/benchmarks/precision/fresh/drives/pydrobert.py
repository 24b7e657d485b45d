"""Language models over n-grams, losses over alignments, attention over time, and masked spectra."""

import torch
from _lib import path

FILE = "pydrobert_pytorch-0.3.0/pydrobert/torch/layers.py"
MODULE = "pydrobert.torch.layers"


def setup():
    path("pydrobert_pytorch-0.3.0")


def run(module):
    history = torch.arange(7 * 3).reshape(7, 3) % 5
    unigrams = {0: (-1.1, -0.2), 1: (-1.3, -0.3), 2: (-1.7, -0.1), 3: (-1.9, -0.5), 4: (-2.3, -0.4)}
    bigrams = {(0, 1): (-0.7, -0.3), (1, 2): (-0.2, -0.1), (3, 0): (-0.9, -0.6), (2, 4): (-0.4, 0)}
    trigrams = {(0, 1, 2): -0.3, (1, 2, 4): -0.8, (3, 0, 1): -0.6}
    uniform = module.LookupLanguageModel(5)
    backoff = module.LookupLanguageModel(5, sos=-1, eos=4, prob_list=[unigrams, bigrams, trigrams])
    outputs = [
        uniform(history),
        uniform(history, full=True),
        backoff(history % 4),
        backoff(history, full=True),
    ]

    logits = torch.randn(7, 3, 13)
    reference = torch.randint(13, (11, 3))
    hypothesis = torch.randint(13, (7, 3))
    for reduction in ("mean", "sum", "none"):
        distillation = module.HardOptimalCompletionDistillationLoss(eos=12, reduction=reduction)
        outputs.append(distillation(logits, reference, hypothesis, warn=False))
        error = module.MinimumErrorRateLoss(eos=12, reduction=reduction)
        samples = torch.randint(13, (7, 3, 5))
        outputs.append(error(torch.randn(3, 5), reference, samples, warn=False))
    first = module.MinimumErrorRateLoss(eos=12, batch_first=True, sub_avg=False, reduction="none")
    references, samples = torch.randint(13, (3, 5, 11)), torch.randint(13, (3, 5, 7))
    outputs.append(first(torch.randn(3, 5), references, samples, warn=False))

    query, key, value = torch.randn(3, 11), torch.randn(7, 3, 13), torch.randn(7, 3, 17)
    mask = torch.arange(7).unsqueeze(1) < torch.tensor([7, 5, 2])
    dot = module.DotProductSoftAttention(11, scale_factor=0.3)
    general = module.GeneralizedDotProductSoftAttention(11, 13, bias=True)
    concat = module.ConcatSoftAttention(11, 13, hidden_size=19)
    heads = module.MultiHeadedAttention(
        11, 13, 17, 2, module.ConcatSoftAttention(5, 6, hidden_size=19), out_size=23, d_v=9
    )
    outputs.append(dot(query, torch.randn(7, 3, 11), value, mask))
    outputs += [general(query, key, value, mask), concat(query, key, value, mask)]
    outputs.append(heads(query, key, value))
    batched = module.GeneralizedDotProductSoftAttention(11, 13, dim=1)
    outputs.append(batched(query, key.transpose(0, 1), value.transpose(0, 1)))

    spectra, lengths = torch.randn(3, 31, 19), torch.tensor([31, 29, 23])
    both = module.SpecAugment(
        max_time_warp=0,
        max_time_mask=7,
        max_freq_mask=4,
        max_time_mask_proportion=0.3,
        num_time_mask=5,
        num_time_mask_proportion=0.2,
        num_freq_mask=2,
    )
    frequencies = module.SpecAugment(max_time_warp=0, max_time_mask=0, max_freq_mask=4)
    time = module.SpecAugment(max_time_warp=0, max_freq_mask=0)
    outputs += [both(spectra, lengths), frequencies(spectra), time(spectra)]
    return [*outputs, both.eval()(spectra)]
