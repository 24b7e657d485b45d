"""Recurrent models of series and of tokens, with and without attention."""

import torch

FILE = "mltrainer-0.3.6/mltrainer/rnn_models.py"


def run(module):
    series, tokens = torch.randn(5, 17, 3), torch.randint(29, (5, 13))
    base = module.BaseModel(observations=17, horizon=7)
    rnn = module.BaseRNN(input_size=3, hidden_size=11, num_layers=2, horizon=7)
    config = module.ModelConfig(input_size=3, hidden_size=12, num_layers=2, output_size=7)
    words = module.ModelConfig(29, 20, 1, 2)
    return (
        base(torch.randn(5, 17)),
        rnn(series),
        module.GRUmodel(config)(series),
        module.AttentionGRU(config)(series),
        module.NLPmodel(words)(tokens),
        module.AttentionNLP(words)(tokens),
    )
