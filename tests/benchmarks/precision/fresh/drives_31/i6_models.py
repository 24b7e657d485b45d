"""An attention decoder over encoded speech: all labels at once, and step by step."""

import torch
from _lib import bypass, stub

FILE = "i6_models-1.20260827.111911/i6_models/decoder/attention.py"
MODULE = "i6_models.decoder.attention"


def setup():
    stub("typeguard")
    bypass("i6_models", "i6_models-1.20260827.111911/i6_models")
    bypass("i6_models.decoder", "i6_models-1.20260827.111911/i6_models/decoder")


def run(module):
    settings = module.AttentionLSTMDecoderV1Config(
        encoder_dim=13,
        vocab_size=17,
        target_embed_dim=7,
        target_embed_dropout=0.1,
        lstm_hidden_size=5,
        zoneout_drop_h=0.1,
        zoneout_drop_c=0.1,
        attention_cfg=module.AdditiveAttentionConfig(attention_dim=19, att_weights_dropout=0.1),
        output_proj_dim=22,
        output_dropout=0.1,
    )
    decoder = module.AttentionLSTMDecoderV1(settings).eval()
    encoded, lengths = torch.randn(3, 11, 13), torch.tensor([11, 9, 4])
    labels = torch.arange(3 * 4).reshape(3, 4)
    logits, state = decoder(encoded, labels, lengths)
    more, _ = decoder(encoded, labels[:, :2], lengths, state)

    states = module.AttentionLSTMDecoderV1RasrEncoder(decoder)(encoded)
    start = module.AttentionLSTMDecoderV1RasrStateInitializer(decoder)
    update = module.AttentionLSTMDecoderV1RasrStateUpdater(decoder)
    scorer = module.AttentionLSTMDecoderV1RasrScorer(decoder)
    embedding, hidden, cell, context, weights = start(states[:1], lengths[:1])
    scores = scorer(embedding, hidden, context)
    beam = [part.expand(2, *part.shape[1:]) for part in (hidden, cell, context, weights)]
    step = update(states[:1], lengths[:1], torch.tensor([3, 16]), *beam)
    return logits, state, more, states, scores, step
