"""Networks as graphs: nested, flat, compiled, and read back from their description."""

import torch
from _lib import bypass, stub

FILE = "torch_dag-0.1.3/torch_dag/core/dag_module.py"
MODULE = "torch_dag.core.dag_module"


def setup():
    stub("torch_dag_timm_plugin.timm_modules_handling")
    bypass("torch_dag", "torch_dag-0.1.3/torch_dag")
    bypass("torch_dag.core", "torch_dag-0.1.3/torch_dag/core")


class Join(torch.nn.Module):
    def forward(self, parts):
        return torch.cat(parts, dim=1)


class Mean(torch.nn.Module):
    def forward(self, x):
        return x.mean((2, 3))


def run(module):
    inner = module.DagModule("inner")
    image = inner.add_input_vertex("image")
    first = inner.add_vertex("first", torch.nn.Conv2d(5, 7, 3), [image])
    second = inner.add_vertex("second", torch.nn.Conv2d(5, 11, 3), [image])
    inner.add_vertex("join", Join(), [first, second])
    inner.mark_current_top_vertex_as_output()

    outer = module.DagModule("outer")
    image = outer.add_input_vertex("image")
    outer.add_vertex("stem", torch.nn.Conv2d(3, 5, 3, padding=1), [image])
    outer.add_vertex("inner", inner, [outer.vertices[-1]])
    outer.add_vertex("mean", Mean(), [outer.vertices[-1]])
    outer.add_vertex("head", torch.nn.Linear(18, 13), [outer.vertices[-1]])
    outer.mark_current_top_vertex_as_output()

    x = torch.randn(2, 3, 17, 19)
    flat = outer.flatten(input_shape_for_verification=(2, 3, 17, 19))
    copy = module.DagModule.load_from_config_dict_and_atomic_modules(
        outer.config_dict(), outer.unroll_inner_modules()
    )
    outer.cache_forward_dict = True
    outputs = [outer(x), flat(x), copy(x), repr(outer), len(outer.traverse()), flat.flat]
    kept = [y for vertex, y in outer.forward_dict.items() if vertex.name != "image"]
    outer.clear_tensor_dicts()
    outer.compile(x)
    return [*outputs, *kept, outer(x), str(outer.device), str(outer.get_vertex_by_name("stem"))]
