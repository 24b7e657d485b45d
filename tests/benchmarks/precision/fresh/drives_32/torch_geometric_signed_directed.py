"""Links of signed graphs from the features of their nodes, directed and undirected."""

import torch
from _lib import bypass, stub

FILE = (
    "torch_geometric_signed_directed-1.2.0/torch_geometric_signed_directed/"
    "nn/signed/SSSNET_link_prediction.py"
)
MODULE = "torch_geometric_signed_directed.nn.signed.SSSNET_link_prediction"


def setup():
    class Propagate(torch.nn.Module):
        def __init__(self, fill_value):
            super().__init__()
            self.fill_value = fill_value

        def forward(self, x, edge_index, edge_weight):
            weighted = edge_weight[:, None] * x[edge_index[1]]
            return (self.fill_value * x).index_add(0, edge_index[0], weighted)

    name = "torch_geometric_signed_directed"
    folder = f"{name}-1.2.0/{name}"
    bypass(name, folder)
    bypass(f"{name}.nn", f"{folder}/nn")
    bypass(f"{name}.nn.signed", f"{folder}/nn/signed")
    bypass(f"{name}.nn.general", f"{folder}/nn/general")
    stub(f"{name}.nn.general.conv_base", Conv_Base=Propagate)


def run(module):
    features = torch.randn(13, 5)
    positive, negative = torch.randint(13, (2, 29)), torch.randint(13, (2, 17))
    graph = (positive, torch.rand(29), negative, torch.rand(17))
    queries = torch.randint(13, (19, 2))
    outputs = []
    for directed, bias in ((False, True), (True, True), (True, False)):
        model = module.SSSNET_link_prediction(5, 11, 3, 0.1, 2, 0.5, directed, bias).eval()
        outputs.append(model(*graph, features, queries))
    return outputs
