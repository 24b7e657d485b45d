"""Modules built from graphs: layers, joins, splits, reshapes, attention, layers of graphs."""

import itertools

import torch
from _lib import bypass

FILE = "mlnode-1.1.0/mlnode/executor/builder.py"
MODULE = "mlnode.executor.builder"


def setup():
    bypass("mlnode", "mlnode-1.1.0/mlnode")
    bypass("mlnode.executor", "mlnode-1.1.0/mlnode/executor")


def chain(*nodes, custom=None):
    """A graph in which each node is fed by the one before it."""
    first = {"id": "in", "type": "Input"}
    named = [first, *({"id": f"n{i}", **node} for i, node in enumerate(nodes))]
    edges = [
        {"source": a["id"], "source_port": (a.get("outputs") or [None])[0], "target": b["id"]}
        for a, b in itertools.pairwise(named)
    ]
    return {
        "mlnode_schema_version": "1.1" if custom else "1.0",
        "input_shape": ["B", "*"],
        "output_node": named[-1]["id"],
        "nodes": named,
        "edges": edges,
        "custom_layers": custom or {},
    }


def joined(*nodes):
    """A graph of two linear layers whose outputs are both fed to the nodes."""
    layers = [
        {"id": "in", "type": "Input"},
        {"id": "a", "type": "Linear", "params": {"in_features": 7, "out_features": 6}},
        {"id": "b", "type": "Linear", "params": {"in_features": 7, "out_features": 6}},
        *nodes,
    ]
    edges = [{"source": "in", "target": "a"}, {"source": "in", "target": "b"}]
    edges += [{"source": name, "target": "join"} for name in ("a", "b")]
    edges += [{"source": a["id"], "target": b["id"]} for a, b in itertools.pairwise(nodes)]
    return {
        "mlnode_schema_version": "1.0",
        "input_shape": ["B", "D"],
        "output_node": nodes[-1]["id"],
        "nodes": layers,
        "edges": edges,
    }


def run(module):
    from mlnode.parser.dag import DAGParser

    def build(graph):
        return module.ModuleBuilder.build(DAGParser.parse_dict(graph)).eval()

    images, rows, steps = torch.randn(2, 3, 11, 13), torch.randn(5, 7), torch.randn(3, 5, 8)
    conv = {"in_channels": 3, "out_channels": 4, "kernel_size": 3}
    shapes = build(
        chain(
            {"type": "Conv2d", "params": conv},
            {"type": "Permute", "params": {"dims": [0, 2, 3, 1]}},
            {"type": "Transpose", "params": {"dim0": 1, "dim1": 3}},
            {"type": "Reshape", "params": {"shape": [2, 4, 99]}},
            {"type": "Unsqueeze", "params": {"dim": 1}},
            {"type": "Squeeze", "params": {"dim": 1}},
            {"type": "Flatten"},
            {"type": "View", "params": {"shape": [2, 1, 396]}},
            {"type": "Squeeze"},
            {"type": "Linear", "params": {"in_features": 396, "out_features": 5}},
        )
    )
    split = build(
        chain(
            {
                "type": "Split",
                "params": {"split_size_or_sections": 3, "dim": 1},
                "outputs": ["left", "middle", "right"],
            },
            {"type": "Linear", "params": {"in_features": 3, "out_features": 2}},
        )
    )
    recurrent = build(
        chain(
            {"type": "GRU", "params": {"input_size": 8, "hidden_size": 11, "batch_first": True}},
            {"type": "Linear", "params": {"in_features": 11, "out_features": 13}},
        )
    )
    custom = {
        "wide": {
            "params": {"width": {"type": "int"}},
            "nodes": [
                {"id": "x", "type": "Input"},
                {
                    "id": "up",
                    "type": "Linear",
                    "params": {"in_features": 7, "out_features": "$width"},
                },
            ],
            "edges": [{"source": "x", "target": "up"}],
            "output_node": "up",
        }
    }
    nested = build(
        chain({"type": "custom", "layer": "wide", "params": {"width": 17}}, custom=custom)
    )
    outputs = [shapes(images), split(rows), recurrent(steps), nested(rows)]
    for kind in ("Add", "Subtract", "Multiply", "Divide", "Concat", "Stack"):
        outputs.append(build(joined({"id": "join", "type": kind}))(rows))
    for reduction, width in (("concat", 12), ("add", 6), ("stack", 2)):
        end = {"in_features": width, "out_features": 19}
        node = {"id": "join", "type": "Linear", "params": end, "reduction": reduction}
        outputs.append(build(joined(node))(rows))
    bilinear = {"in1_features": 6, "in2_features": 6, "out_features": 5}
    outputs.append(build(joined({"id": "join", "type": "Bilinear", "params": bilinear}))(rows))
    return outputs
