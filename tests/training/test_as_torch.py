"""Programs of PyTorch run here with no line changed, in a process of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import namecheck_runtime as nt


def run(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def printed(tmp_path: Path, program: str, *arguments: str) -> list[str]:
    """The lines that a program prints."""
    path = tmp_path / "program.py"
    path.write_text(program)
    done = run("-m", "namecheck_runtime.as_torch", path, *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


TRAINING = """
import sys
import torch, torch.nn as nn, torch.nn.functional as F
from torch import Tensor, optim
from torch.nn.modules.linear import Linear
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader, TensorDataset
from helper import classes

def main() -> None:
    start = sys.argv[1]
    torch.backends.cudnn.benchmark = True
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(0)
    model = torch.compile(nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, classes)))
    model = model.to(device)
    assert isinstance(model[0], Linear)
    optimizer = optim.AdamW(model.parameters(), lr=0.05)
    scheduler = StepLR(optimizer, 5)
    scaler = torch.cuda.amp.GradScaler(enabled=False)
    x: Tensor = torch.randn(64, 4)
    y = (x[:, 0] > 0).long()
    for epoch in range(8):
        options = {"num_workers": 1, "multiprocessing_context": start} if epoch == 0 else {}
        for a, b in DataLoader(TensorDataset(x, y), 16, shuffle=True, **options):
            with torch.autocast("cpu", enabled=False):
                loss = F.cross_entropy(model(a), b)
            optimizer.zero_grad()
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        scheduler.step()
    print(sys.argv[2:], loss.item() < 0.5)

if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_a_program_trains(start: str, tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("classes = 2\n")
    assert printed(tmp_path, TRAINING, start, "a", "-b") == ["['a', '-b'] True"]


MODULES = """
import torch
import torch.nn, torch.nn.functional, torch.nn.init, torch.nn.modules.batchnorm, torch.nn.utils.rnn
import torch.optim.lr_scheduler, torch.utils.data, torch.utils.checkpoint, torch.autograd
import torch.cuda.amp, torch.amp, torch.jit, torch.fx, torch.linalg, torch.fft, torch.special
import torch.backends.cudnn, torch.distributed, torch.compiler, torch.random, torch.onnx
import torch.version, torch.types, torch.profiler, torch._dynamo, torch.utils._pytree
import namecheck_runtime as nt
assert torch.nn is nt.nn and torch.Tensor is nt.Tensor
assert torch.nn.modules.batchnorm.BatchNorm1d is nt.nn.BatchNorm1d
assert torch.nn.__spec__.name == "namecheck_runtime.nn"
import importlib.metadata, importlib.util
print(importlib.metadata.version("torch") == torch.__version__, torch.version.cuda)
print(importlib.util.find_spec("torch.distributed.tensor"), "nn" in dir(torch))
for line in (
    "import torch.missing", "import torch.rules", "import torch.nn.missing", "torch.missing",
    "from torch import missing", "torch.nn.missing",
):
    try:
        exec(line)
    except (ImportError, AttributeError) as error:
        print(type(error).__name__, str(error).partition(" (/")[0])
"""


_NO_NAME = "module 'torch' has no attribute 'missing': namecheck_runtime does not have it"


def test_modules_are_found_and_missing_ones_named(tmp_path: Path) -> None:
    assert printed(tmp_path, MODULES) == [
        "True None",
        "None True",
        "ModuleNotFoundError No module named 'torch.missing'",
        "ModuleNotFoundError No module named 'torch.rules'",
        "ModuleNotFoundError No module named 'torch.nn.missing'",
        f"AttributeError {_NO_NAME}",
        "ImportError cannot import name 'missing' from 'torch'",
        "AttributeError module 'namecheck_runtime.nn' has no attribute 'missing'",
    ]


LOOKED_UP = """
import torch, torch.hub, torch.utils.model_zoo, torch.utils.dlpack, torch.utils.cpp_extension
import torch._dynamo.config, torch.utils.data.distributed, torch.library, torch.distributions.normal
from torch.fx import GraphModule, Node
from torch.nn.attention.flex_attention import BlockMask
from torch.autograd.graph import save_on_cpu
from torch.distributed import ReduceOp, all_reduce
from torch.nn.modules.module import _IncompatibleKeys
assert torch.torch is torch and torch._dynamo is torch.compiler
assert torch.distributions.normal.Normal is torch.distributions.Normal
assert torch.qint8 != torch.float32 and not isinstance(torch.qint8, torch.dtype)
assert torch.ones(2).layout != torch.sparse_coo and str(torch.sparse_coo) == "torch.sparse_coo"
assert torch._shape_as_tensor(torch.ones(2, 3)).tolist() == [2, 3]
assert torch.typename(torch.ones(2)) == "torch.FloatTensor" and torch.typename(3) == "int"
assert not torch.are_deterministic_algorithms_enabled()
torch.use_deterministic_algorithms(True, warn_only=True)
assert torch.are_deterministic_algorithms_enabled() and torch.get_deterministic_debug_mode() == 1
torch._assert(True, "no")
torch._dynamo.config.suppress_errors = True
torch.compiler.mark_static_address(torch.ones(2))
assert torch.equal(torch.utils.dlpack.from_dlpack(torch.ones(2)), torch.ones(2))
with save_on_cpu():
    assert issubclass(torch.OutOfMemoryError, RuntimeError)
for use in (
    lambda: torch.hub.load("a", "b"), lambda: torch.ones(2).to(torch.qint8),
    lambda: torch.vmap(abs), lambda: GraphModule(None, None), lambda: all_reduce(None),
    lambda: BlockMask(), lambda: torch._check(1 > 2, lambda: "one is not"),
    lambda: torch.utils.data.distributed.DistributedSampler([]), lambda: torch.cuda.CUDAGraph(),
):
    try:
        use()
    except Exception as error:
        print(type(error).__name__, str(error).partition(":")[0])
"""


def test_what_is_only_looked_up_is_there_and_refuses_when_it_is_used(tmp_path: Path) -> None:
    absent = "NotImplementedError namecheck_runtime does not have torch."
    no_group = "Default process group has not been initialized"
    assert printed(tmp_path, LOOKED_UP) == [
        f"{absent}hub.load",
        f"{absent}qint8",
        f"{absent}vmap",
        "NotImplementedError namecheck_runtime records no programs",
        f"ValueError {no_group}, please make sure to call init_process_group.",
        f"{absent}nn.attention.flex_attention.BlockMask",
        "RuntimeError one is not",
        "RuntimeError Requires distributed package to be available",
        "AssertionError namecheck_runtime has no CUDA",
    ]


def test_old_programs_find_what_they_use() -> None:
    x, y = nt.ones(2, 3, requires_grad=True), nt.ones(3, 4)
    for operands in ([x, y], (x, y)):
        x.grad = None
        nt.einsum("ij,jk->ik", operands).sum().backward()
        assert x.grad.tolist() == [[4.0] * 3] * 2
    assert x.type(nt.LongTensor).dtype is nt.int64
    assert nt.ones(2, dtype=nt.float64).new(2, 3).dtype is nt.float64
    assert nt.ones(2, dtype=nt.int64).new([1.5]).tolist() == [1]
    assert nt.ones(2).new().shape == (0,)
    y.order = "IK"
    assert y.order == "IK"


def test_a_replaced_function_is_replaced_everywhere(tmp_path: Path) -> None:
    program = """
import torch
import namecheck_runtime
torch.randperm = lambda count, **options: torch.arange(count)
from torch.utils.data import random_split
print([list(part) for part in random_split(range(4), [3, 1])], namecheck_runtime.randperm(2))
"""
    assert printed(tmp_path, program) == ["[[0, 1, 2], [3]] tensor([0, 1])"]


def test_install_comes_before_pytorch() -> None:
    program = """
import sys, types
sys.modules["torch"] = types.ModuleType("torch")
from namecheck_runtime.as_torch import install
try:
    install()
except RuntimeError as error:
    print(error)
del sys.modules["torch"]
import importlib
print(install() is install())
"""
    lines = run("-c", program).stdout.splitlines()
    assert lines == [
        "PyTorch is imported already: call install() before `import torch`",
        "True",
    ]


def test_the_command_says_how_it_is_used(tmp_path: Path) -> None:
    for arguments, code in (((), 2), (("--help",), 0), ((tmp_path / "none.py",), 1)):
        done = run("-m", "namecheck_runtime.as_torch", *arguments)
        assert done.returncode == code
        assert "usage: python -m namecheck_runtime.as_torch" in done.stdout + done.stderr
    (tmp_path / "it.py").write_text("import torch, sys\nprint(__name__, sys.argv[1:])\n")
    done = run("-m", "namecheck_runtime.as_torch", "-m", "it", "x", cwd=tmp_path)
    assert done.stdout == "__main__ ['x']\n", done.stderr
    (tmp_path / "bad.py").write_text("import sys\nsys.exit(7)\n")
    assert run("-m", "namecheck_runtime.as_torch", tmp_path / "bad.py").returncode == 7


# -- what model files ask first --------------------------------------------------------------------


def test_there_is_no_gpu() -> None:
    assert not nt.cuda.is_available()
    assert nt.cuda.device_count() == 0
    assert str(nt.device("cuda:1")) == "cuda:1"
    assert nt.device(0) is nt.device("cuda", 0)
    for move in (
        lambda: nt.zeros(2).to("cuda"),
        lambda: nt.zeros(2).cuda(),
        lambda: nt.zeros(2, device="cuda"),
        lambda: nt.tensor([1.0], device="cuda"),
        lambda: nt.nn.Linear(2, 2).to(nt.device("cuda")),
        lambda: nt.zeros(2).to(0),
    ):
        with pytest.raises(RuntimeError, match="namecheck_runtime has no device 'cuda"):
            move()
    with pytest.raises(AssertionError, match="has no CUDA"):
        nt.cuda.current_device()
    with pytest.raises(AssertionError, match="has no CUDA"), nt.cuda.device(0):
        pass
    with nt.cuda.device(-1):
        nt.cuda.manual_seed_all(1)
        nt.cuda.empty_cache()
    assert nt.zeros(2).to("cpu", non_blocking=True).device == nt.device("cpu")
    with pytest.raises(RuntimeError, match="no device of type 'abacus'"):
        nt.device("abacus")


def test_what_pytorch_compiles_runs_as_it_is() -> None:
    def double(x: Any) -> Any:
        return x * 2

    model = nt.nn.Linear(2, 2)
    assert nt.compile(model) is model
    assert nt.compile(mode="max-autotune")(double) is double
    assert nt.jit.script(model) is nt.jit.trace(model, nt.zeros(2)) is model
    assert nt.jit.ignore(double) is nt.jit.ignore()(double) is nt.jit.unused(double) is double
    assert nt.compiler.disable()(double) is double
    assert not nt.jit.is_scripting()
    assert isinstance(model, nt.jit.ScriptModule)
    with pytest.raises(NotImplementedError, match="state_dict"):
        nt.jit.save(model, "model.pt")
    with nt.autocast("cuda", dtype=nt.float16), nt.cuda.amp.autocast():
        assert model(nt.zeros(2)).dtype is nt.float32
    assert nt.autocast("cpu")(double)(2) == 4
    assert nt.utils.checkpoint.checkpoint(double, 3, use_reentrant=False) == 6
    assert nt.utils.checkpoint.checkpoint_sequential([double, double], 2, 3) == 12


def test_switches_can_be_set() -> None:
    nt.backends.cudnn.deterministic = True
    nt.backends.cudnn.deterministic = False
    nt.backends.cuda.matmul.allow_tf32 = True
    nt.backends.cuda.matmul.allow_tf32 = False
    assert not nt.backends.mps.is_available()
    with nt.backends.cudnn.flags(enabled=False):
        assert nt.backends.cudnn.version() is None
    assert nt.distributed.get_world_size() == 1
    assert not nt.distributed.is_initialized()


def test_a_block_may_draw_without_a_trace() -> None:
    nt.manual_seed(3)
    with nt.random.fork_rng():
        inside = nt.rand(2)
    assert nt.equal(nt.rand(2), inside)
    with nt.random.fork_rng(enabled=False):
        inside = nt.rand(2)
    assert not nt.equal(nt.rand(2), inside)


def test_old_constructors_have_a_dtype() -> None:
    assert nt.LongTensor([1, 2]).dtype is nt.int64
    assert nt.FloatTensor([1, 2]).tolist() == [1.0, 2.0]
    assert nt.FloatTensor(2, 3).shape == (2, 3)
    assert nt.DoubleTensor(nt.Size((2,))).dtype is nt.float64
    assert isinstance(nt.zeros(2), nt.FloatTensor)
    assert not isinstance(nt.zeros(2), nt.LongTensor)
    with pytest.raises(TypeError, match="convert with"):
        nt.LongTensor(nt.zeros(2))


def test_trees_are_taken_apart_and_put_together() -> None:
    from namecheck_runtime.utils._pytree import tree_flatten, tree_map, tree_unflatten

    tree = {"a": [1, (2, 3)], "b": None}
    leaves, spec = tree_flatten(tree)
    assert leaves == [1, 2, 3, None]
    assert tree_unflatten(leaves, spec) == tree
    assert tree_map(lambda x, y: (x, y), [1, 2], [3, 4]) == [(1, 3), (2, 4)]
    with pytest.raises(ValueError, match="holds 4 items"):
        tree_unflatten([1], spec)


def test_truncated_normal_draws_stay_within_their_bounds() -> None:
    nt.manual_seed(1)
    for options in ({}, {"a": 2.0, "b": 4.0}, {"mean": 1.0, "std": 0.1, "a": 0.95, "b": 1.0}):
        drawn = nt.nn.init.trunc_normal_(nt.empty(400, names=("C",)), **options)
        low, high = options.get("a", -2.0), options.get("b", 2.0)
        assert drawn.names == ("C",)
        assert low <= drawn.min().item() <= drawn.max().item() <= high
        assert drawn.std().item() > 0.01
    assert nt.nn.init.trunc_normal_(nt.empty(2, device="meta")).is_meta


def test_a_tensor_goes_where_another_is() -> None:
    x = nt.ones(2, requires_grad=True)
    other = nt.ones(1, dtype=nt.float64, requires_grad=True)
    moved = x.to(other)
    assert moved.dtype is nt.float64
    moved.sum().backward()
    assert x.grad.dtype is nt.float32
    assert other.grad is None


CLASSES = """
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.overrides import handle_torch_function, has_torch_function

class Logged(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        print(torch.overrides.resolve_name(func))
        with torch._C.DisableTorchFunctionSubclass():
            result = func(*args, **(kwargs or {}))
        return result.as_subclass(cls) if isinstance(result, torch.Tensor) else result

x = torch.ones(2).as_subclass(Logged)
y = torch.exp(x) + 1
print(type(y).__name__, has_torch_function((y,)))
model = nn.Linear(1, 1)
if isinstance(model, (nn.DataParallel, DistributedDataParallel)):
    model = model.module
with torch.device("meta"):
    print(nn.Linear(1, 1).weight.device, torch.is_storage(torch.ones(1).storage()))
table = nn.Embedding(3, 1, sparse=True)
table(torch.tensor([1])).sum().backward()
print(table.weight.grad.layout == torch.sparse_coo, table.weight.grad.is_sparse)
try:
    torch.cuda.synchronize()
except (torch.cuda.OutOfMemoryError, AssertionError) as error:
    print(type(error).__name__)
"""


def test_a_program_with_classes_of_tensors_devices_and_sparse_gradients(tmp_path: Path) -> None:
    assert printed(tmp_path, CLASSES) == [
        *("torch.exp", "torch.Tensor.add", "Logged True", "meta True", "True True"),
        "AssertionError",
    ]
