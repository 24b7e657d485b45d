"""BLEU that can be differentiated: of tokens and of logits, in batches, as losses."""

import torch

FILE = "bleu_torch-1.0.0/bleu_torch/bleu_torch.py"


def run(module):
    references = [torch.randint(13, (length,)) for length in (7, 11, 5)]
    tokens, logits = torch.randint(13, (9,)), torch.randn(8, 13)
    bleu = module.DifferentiableBLEUModule(vocab_size=13, max_n=3, temperature=0.5)
    plain = module.DifferentiableBLEUModule(13, max_n=2, smoothing=0.01).eval()
    outputs = [bleu(tokens, references), bleu(logits, references), plain(logits, references[:1])]
    outputs += [plain(references[0], references), bleu(tokens[:2], references)]
    ngrams, valid = bleu._create_reference_ngrams_batch(references)
    outputs += [ngrams, valid, [part.shape for part in bleu._create_reference_ngrams_batch([])]]
    candidates, batch = [logits, torch.randn(6, 13)], [references, references[1:]]
    for kind in ("complement", "log", "negative_shifted"):
        loss = module.DifferentiableBLEULoss(plain, kind)
        outputs += [loss(tokens, references), loss.batch_forward(candidates, batch)]
        outputs.append(loss.get_theoretical_bounds())
    return outputs
