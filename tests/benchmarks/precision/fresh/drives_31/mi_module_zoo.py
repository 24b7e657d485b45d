"""Attention with typed edges: biases of scores and of values, masks, dense relations."""

import torch

FILE = "mi_module_zoo-1.0.0/mi_module_zoo/relationalmultiheadattention.py"


def run(module):
    queries, keys = torch.randn(3, 6, 2, 7), torch.randn(3, 9, 2, 7)
    values = torch.randn(3, 9, 2, 11)
    edges = torch.stack(
        (torch.randint(3, (19,)), torch.randint(6, (19,)), torch.randint(9, (19,))), dim=1
    )
    types = torch.randint(5, (19,))
    padding = torch.arange(9) >= torch.tensor([[9], [7], [5]])
    pairs = torch.rand(3, 6, 9) > 0.8
    outputs = []
    for scalar, biases, masked in (
        (False, False, None),
        (False, True, padding),
        (True, True, pairs),
    ):
        attention = module.RelationalMultiheadAttention(
            num_heads=2,
            num_edge_types=5,
            key_query_dimension=7,
            value_dimension=11,
            output_dimension=13,
            dropout_rate=0.1,
            use_edge_value_biases=biases,
            edge_attention_bias_is_scalar=scalar,
        ).eval()
        inputs = {"queries": queries, "keys": keys, "values": values, "masked_elements": masked}
        outputs.append(attention(**inputs, edges=edges, edge_types=types))
        outputs.append(
            attention(
                **inputs,
                edges=edges[:0],
                edge_types=types[:0],
                dense_relations_kq=torch.randn(3, 6, 9, 2),
                dense_relations_kv=torch.randn(3, 6, 9, 2, 11),
            )
        )
        outputs += [attention.num_edge_types, attention.value_dim, attention.key_query_dim]
    return outputs
