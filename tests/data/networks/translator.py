"""PyTorch's own encoder and decoder of transformers."""

from torch import nn


class Translator(nn.Module):
    def __init__(self, words: int = 200, width: int = 64, heads: int = 4) -> None:
        super().__init__()
        self.embed = nn.Embedding(words, width)
        layer = nn.TransformerEncoderLayer(width, heads, 128, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(
            layer, num_layers=2, norm=nn.LayerNorm(width), enable_nested_tensor=False
        )
        self.decoder = nn.TransformerDecoder(
            nn.TransformerDecoderLayer(width, heads, 128, batch_first=True), num_layers=2
        )
        self.out = nn.Linear(width, words)

    def forward(self, source, target):
        memory = self.encoder(self.embed(source))
        return self.out(self.decoder(self.embed(target), memory))
