"""A layer as wide as its input where the size of the output is never read (NC208), and look-alikes.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "classes": """
        from torch import nn

        class Wrong(nn.Module):
            def __init__(self, dim, num_classes):
                super().__init__()
                self.body = nn.Sequential(nn.Linear(dim, dim), nn.GELU())
                self.head = nn.Linear(dim, dim)  # NC208

        class Right(nn.Module):
            def __init__(self, dim, num_classes):
                super().__init__()
                self.body = nn.Sequential(nn.Linear(dim, dim), nn.GELU())
                self.head = nn.Linear(dim, num_classes)

        class Kept(nn.Module):
            def __init__(self, dim, num_classes):
                super().__init__()
                self.num_classes = num_classes
                self.head = nn.Linear(dim, dim)

        class Handed(nn.Module):
            def __init__(self, dim, num_classes, build):
                super().__init__()
                self.body = nn.Linear(dim, dim)
                self.head = build(locals())
        """,
    "channels of a list, and of an attribute": """
        from torch import nn

        class Last(nn.Module):
            def __init__(self, channels, out_channels: int = 3):
                super().__init__()
                self.out = nn.Sequential(
                    nn.ReLU(),
                    nn.Conv2d(channels[-1], channels[-1], 1, bias=False),  # NC208
                )

        class Own(nn.Module):
            def __init__(self, hidden, output_size):
                super().__init__()
                self.hidden = hidden
                self.out = nn.Linear(self.hidden, self.hidden, True)  # NC208

        class Between(nn.Module):
            def __init__(self, channels, out_channels):
                super().__init__()
                self.out = nn.Conv2d(channels[-1], channels[0], 1)
        """,
    "a table": """
        from torch import nn

        class Wrong(nn.Module):
            def __init__(self, seq_len, embed_dim):
                super().__init__()
                self.table = nn.Embedding(seq_len, seq_len)  # NC208

        class Right(nn.Module):
            def __init__(self, seq_len, embed_dim):
                super().__init__()
                self.table = nn.Embedding(seq_len, embed_dim)
        """,
    "sizes of something else": """
        from torch import nn

        class Depthwise(nn.Module):
            def __init__(self, channels, out_dim):
                super().__init__()
                self.conv = nn.Conv1d(channels, channels, 3, groups=channels)

        class Patches(nn.Module):
            def __init__(self, dim, patch_size, out_bias: bool = True, _out_dim=None):
                super().__init__()
                self.mix = nn.Linear(dim, dim)

        class Default(nn.Module):
            def __init__(self, dim, out_dim=None):
                super().__init__()
                self.mix = nn.Linear(dim, dim)

        class Blocks(nn.Module):
            def __init__(self, dim, **out_dims):
                super().__init__()
                self.mix = nn.Linear(dim, dim)

        class Forms(nn.Module):
            def __init__(self, dim, out_dim=None, **kwargs):
                super().__init__()
                self.mix = nn.Linear(dim, dim)
                self.out = nn.Linear(dim, out_dim or dim)
        """,
    "in a function": """
        from torch import nn

        def build(dim, num_classes):
            return nn.Linear(dim, dim)  # NC208

        def fit(model, x, labels):
            n_features = x.shape[1]
            n_classes = len(set(labels))
            model.head = nn.Linear(n_features, n_features)  # NC208

        def fit_and_count(model, x, labels):
            n_features = x.shape[1]
            n_classes = len(set(labels))
            model.head = nn.Linear(n_features, n_features)
            return n_classes

        def with_options(dim, out_channels, **options):
            return nn.Conv2d(dim, dim, **options)
        """,
    "tables": """
        from torch import nn

        class Tables(nn.Module):
            def __init__(self, config, steps, dim, heads, width, num_classes):
                super().__init__()
                self.places = nn.Embedding(dim, dim)  # NC208
                self.words = nn.Embedding(config.dim, config.dim, padding_idx=0)  # NC208
                self.heads = nn.Embedding(  # NC208
                    num_embeddings=heads * width,
                    embedding_dim=heads * width,
                )
                self.one_each = nn.Embedding(num_classes, num_classes)
                self.steps = nn.Embedding(steps, dim)
                self.bits = nn.Embedding(8, 8)
        """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_a_size_that_is_never_read_is_missed_where_a_layer_keeps_its_input(program: str) -> None:
    check_marks(program)
