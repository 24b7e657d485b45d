"""Inlay truth over the model files of whole packages, without a driver for each.

Each file of timm's and torchvision's models has names of models in a registry: the smallest that
builds is run. A class of vit_pytorch is built with arguments guessed from their names. Models of
transformers (`transformers.models`, only if it is named) are built with a small configuration. What
`namecheck show` claims of the file is compared with the run, as `inlay.py` does it. Needs torch
and the packages in `--python`. Exits with 1 if any claim is wrong.

    python tests/benchmarks/precision/inlay_models.py --python PYTHON [--missing] [PACKAGE ...]

`--keep FOLDER` keeps the events of each run there; a later call does not run the model again.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import importlib
import inspect
import json
import os
import pkgutil
import re
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import inlay

PACKAGES = ("timm.models", "torchvision.models", "vit_pytorch")
"""The packages that are compared if none is named."""

MORE = ("transformers.models",)
"""Packages that take an hour and more."""

SECONDS = 240
"""The most time that one file may take."""

LARGEST = 40e6
"""The most parameters of a model that is run."""

TRIED = 12
"""How many models of one file are tried."""

MOST = {"transformers": 4}
"""How many models of one file are run, if more than one."""


def trace(name: str) -> None:
    """Run the models of a module, and print its file and the events."""
    silent = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(0)
    recorder = inlay.Recorder()
    hooks = vars(builtins)
    hooks["__inlay_enter__"] = recorder.enter
    hooks["__inlay_assigned__"] = recorder.assigned
    hooks["__inlay_returned__"] = recorder.returned
    sys.meta_path.insert(0, Hooked(name))
    import_torchvision()  # which imports all of its models
    module = importlib.import_module(name)
    ran = []
    most = MOST.get(name.split(".")[0], 1)
    with torch.no_grad():
        for label, model, inputs in models(module):
            if label in ran:
                continue
            before = len(recorder.activations)
            try:
                model.eval()(**inputs) if isinstance(inputs, dict) else model.eval()(*inputs)
            except Exception:
                del recorder.activations[before:]
                continue
            ran.append(label)
            if len(ran) == most:
                break
    sys.stdout.flush()
    os.dup2(silent, 1)
    events = recorder.activations if ran else []
    print(json.dumps({"file": module.__file__, "ran": ran, "events": events}))
    sys.stdout.flush()
    os._exit(0)


def import_torchvision() -> None:
    """Import it although its compiled part does not load: most models do without."""
    import torch

    library = torch.library.Library("torchvision", "DEF")
    for _ in range(40):
        try:
            importlib.import_module("torchvision")
        except RuntimeError as error:
            missing = re.search(r"operator torchvision::(\w+) does not exist", str(error))
            if missing is None:
                raise
            library.define(f"{missing[1]}(Tensor input) -> Tensor")
            for loaded in [word for word in sys.modules if word.startswith("torchvision")]:
                del sys.modules[loaded]
        else:
            return


def list_modules(package: str) -> None:
    """Print the names of the modules of a package."""
    import_torchvision()
    path = importlib.import_module(package).__path__
    for found in pkgutil.walk_packages(path, package + "."):
        last = found.name.split(".")[-1]
        if package == "transformers.models" and not last.startswith("modeling_"):
            continue
        if not found.ispkg and not any(part[0] == "_" for part in found.name.split(".")):
            print(found.name)
    sys.stdout.flush()
    os._exit(0)


class Hooked:
    """Imports one module with the calls of the recorder in it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        if name != self.name:
            return None
        from importlib.machinery import PathFinder, SourceFileLoader

        spec = PathFinder.find_spec(name, path)

        class Loader(SourceFileLoader):
            def get_code(self, fullname: str) -> Any:
                tree = inlay.Hook().visit(ast.parse(self.get_data(self.path)))
                return compile(ast.fix_missing_locations(tree), self.path, "exec")

        if spec is not None and spec.origin is not None:
            spec.loader = Loader(name, spec.origin)
        return spec


# What is run


def models(module: ModuleType) -> Iterator[tuple[str, Any, Any]]:
    """Models of a module that can be built, with inputs."""
    makers: dict[str, Callable[[ModuleType], Iterator[tuple[str, Any, Any]]]] = {
        "timm": of_timm,
        "torchvision": of_torchvision,
        "vit_pytorch": guessed,
        "transformers": of_transformers,
    }
    return makers[module.__name__.split(".")[0]](module)


def of_timm(module: ModuleType) -> Iterator[tuple[str, Any, tuple[Any, ...]]]:
    import timm
    import torch

    names = timm.list_models(module=module.__name__.rpartition(".")[2])
    small = (
        "test",
        "pico",
        "femto",
        "atto",
        "nano",
        "tiny",
        "small",
        "xxs",
        "xs",
        "_s",
        "18",
        "26",
    )

    def rank(name: str) -> tuple[int, int]:
        return next((i for i, word in enumerate(small) if word in name), len(small)), len(name)

    for name in sorted(names, key=rank)[:TRIED]:
        try:
            model = timm.create_model(name, pretrained=False)
        except Exception:
            continue
        if sum(p.numel() for p in model.parameters()) > LARGEST:
            continue
        yield name, model, (torch.randn(2, *model.default_cfg["input_size"]),)


def of_torchvision(module: ModuleType) -> Iterator[tuple[str, Any, tuple[Any, ...]]]:
    import torch
    import torchvision

    for name in torchvision.models.list_models():
        builder = torchvision.models.get_model_builder(name)
        if builder.__module__ != module.__name__:
            continue
        keywords = {"weights": None}
        if "weights_backbone" in inspect.signature(builder).parameters:
            keywords["weights_backbone"] = None
        model = builder(**keywords)
        if sum(p.numel() for p in model.parameters()) > 2 * LARGEST:
            continue
        image = torch.randn(2, 3, 224, 224)
        video = torch.randn(2, 3, 16, 112, 112)
        if "video" in module.__name__:
            yield name, model, (video,)
            yield name, model, (torch.randn(1, 3, 16, 224, 224),)
        elif "optical" in module.__name__:
            yield name, model, (torch.randn(1, 3, 128, 160), torch.randn(1, 3, 128, 160))
        elif "detection" in module.__name__:
            yield name, model, ([torch.rand(3, 200, 240), torch.rand(3, 210, 220)],)
        else:
            yield name, model, (image,)
            yield name, model, (torch.randn(2, 3, 299, 299),)


GUESSES: dict[str, Any] = {
    "image_size": 64,
    "img_size": 64,
    "image_height": 64,
    "patch_size": 8,
    "image_patch_size": 8,
    "frame_patch_size": 2,
    "frames": 8,
    "num_frames": 8,
    "num_classes": 11,
    "dim": 36,
    "depth": 2,
    "heads": 3,
    "mlp_dim": 52,
    "dim_head": 12,
    "channels": 3,
    "in_chans": 3,
    "seq_len": 64,
    "time_patch_size": 8,
    "max_seq_len": 64,
    "cls_depth": 1,
    "window_size": 4,
    "num_register_tokens": 4,
    "memory_size": 6,
}
"""Arguments of constructors by their names, so that no two dims are equal by chance."""


def guessed(module: ModuleType) -> Iterator[tuple[str, Any, tuple[Any, ...]]]:
    import torch

    classes = [
        cls
        for cls in vars(module).values()
        if inspect.isclass(cls)
        and cls.__module__ == module.__name__
        and issubclass(cls, torch.nn.Module)
    ]
    inputs = [
        (torch.randn(2, 3, 64, 64),),
        (torch.randn(2, 3, 8, 64, 64),),
        (torch.randn(2, 3, 64),),
        ([torch.randn(3, 64, 64), torch.randn(3, 32, 64)],),
        ([[torch.randn(3, 64, 64)], [torch.randn(3, 32, 64), torch.randn(3, 64, 32)]],),
    ]
    for cls in reversed(classes):  # the model is the last
        parameters = list(inspect.signature(cls.__init__).parameters.values())[1:]
        needed = [p for p in parameters if p.default is p.empty and p.kind not in (2, 4)]
        if any(p.name not in GUESSES for p in needed) or len(needed) < 3:
            continue
        words = {p.name for p in needed} | {"dim_head", "channels"}
        keywords = {p.name: GUESSES[p.name] for p in parameters if p.name in words}
        for given in inputs:
            try:
                yield cls.__name__, cls(**keywords), given
            except Exception:
                break


SIZES = {
    72: "hidden_size d_model n_embd dim embed_dim out_hidden_size encoder_hidden_size"
    " decoder_hidden_size",
    6: "num_attention_heads num_heads n_head n_heads encoder_attention_heads"
    " decoder_attention_heads decoder_num_attention_heads",
    2: "num_hidden_layers num_layers n_layer n_layers depth encoder_layers decoder_layers"
    " num_decoder_layers decoder_num_hidden_layers num_experts_per_tok n_group eos_token_id",
    44: "intermediate_size encoder_ffn_dim ffn_dim hidden_dim d_ff mlp_dim"
    " decoder_intermediate_size encoder_feedforward_dim",
    52: "decoder_ffn_dim decoder_feedforward_dim",
    3: "num_key_value_heads type_vocab_size",
    101: "vocab_size",
    34: "embedding_size",
    14: "head_dim v_head_dim",
    12: "dim_head d_kv",
    58: "projection_dim",
    67: "max_position_embeddings",
    24: "max_source_positions",
    31: "max_target_positions",
    96: "image_size",
    16: "patch_size",
    20: "num_mel_bins",
    7: "sliding_window",
    9: "num_queries",
    38: "fpn_hidden_size mask_feature_size",
    28: "moe_intermediate_size",
    5: "num_experts num_local_experts state_size",
    8: "n_routed_experts qk_rope_head_dim",
    22: "q_lora_rank",
    26: "kv_lora_rank",
    18: "qk_nope_head_dim",
    1: "topk_group bos_token_id decoder_start_token_id",
    0: "pad_token_id",
}
"""Sizes in a configuration of transformers, and what they are called."""

CONFIG = {word: size for size, words in SIZES.items() for word in words.split()}

WIDTHS = (
    "hidden_size embed_dim dim intermediate_size num_attention_heads num_heads depth vocab_size"
)

KEPT = (
    "",
    "head_dim num_key_value_heads embedding_size",
    "image_size patch_size",
    f"head_dim num_key_value_heads image_size patch_size {WIDTHS}",
)
"""Sizes that stay what they are where a model does not run with the others."""


def of_transformers(module: ModuleType) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    import torch
    import transformers

    for cls in reversed(list(vars(module).values())):
        if not inspect.isclass(cls) or cls.__module__ != module.__name__:
            continue
        if not issubclass(cls, transformers.PreTrainedModel) or cls.__name__.endswith(
            "PreTrainedModel"
        ):
            continue
        for kept in KEPT:
            try:
                config = small_config(cls.config_class, kept.split())
                config._attn_implementation = config._experts_implementation = "eager"
                with torch.device("meta"):
                    weights = sum(p.numel() for p in cls(config).parameters())
                if weights > LARGEST:
                    continue
                model = cls(config)
            except Exception:
                continue
            for given in inputs_of(model):
                yield cls.__name__, model, given


def small_config(cls: Any, kept: list[str], depth: int = 0) -> Any:
    """A configuration of a class with small sizes, but for those that are kept."""
    import transformers

    if isinstance(cls, str):
        cls = getattr(transformers, cls)
    usual = vars(cls())
    sizes: dict[str, Any] = {
        word: size
        for word, size in CONFIG.items()
        if type(usual.get(word)) is int and word not in kept
    }
    for word in ("layer_types", "mlp_layer_types"):
        if isinstance(usual.get(word), list) and "num_hidden_layers" in sizes:
            kinds = list(dict.fromkeys(usual[word]))
            sizes[word] = (kinds * 2)[: max(2, len(kinds))]
            sizes["num_hidden_layers"] = len(sizes[word])
    for word in getattr(cls, "sub_configs", None) or ():
        if hasattr(usual.get(word), "to_dict") and depth < 2:
            sizes[word] = small_config(type(usual[word]), kept, depth + 1)
    return cls(**sizes)


def inputs_of(model: Any) -> Iterator[dict[str, Any]]:
    """Inputs that a model of transformers may take."""
    import torch

    config = model.config

    def size(word: str, usual: int, of: Any = config) -> int:
        value = getattr(of, word, usual)
        value = value[0] if isinstance(value, list | tuple) else value
        return value if isinstance(value, int) else usual

    tokens = torch.randint(3, min(size("vocab_size", 100, config.get_text_config()), 100), (2, 11))
    mask = torch.ones(2, 11, dtype=torch.long)
    mask[1, :3] = 0
    text = {"input_ids": tokens, "attention_mask": mask}
    boxes = {"input_ids": tokens, "bbox": torch.randint(0, 99, (2, 11, 4))}
    decoder = {"decoder_input_ids": tokens[:, :7]}
    seen = getattr(config, "vision_config", config)
    side, channels = size("image_size", 64, seen), size("num_channels", 3, seen)
    image = {"pixel_values": torch.randn(2, channels, side, side)}
    frames = torch.randn(2, size("num_frames", 8), channels, side, side)
    wave = torch.randn(2, 6000)
    bins, length = size("num_mel_bins", 80), 2 * size("max_source_positions", 24)
    whole, some = torch.randn(2, bins, length), torch.randn(2, 57, bins)
    past = torch.randn(2, size("context_length", 32), size("num_input_channels", 1))
    spectra = torch.randn(2, size("max_length", 64), bins)
    parameters = inspect.signature(model.forward).parameters
    for given in (
        *(text, {"input_ids": tokens}, {"input_ids": tokens, **decoder}),
        *({**text, **image}, {"input_ids": tokens, **image}, image),
        *({"pixel_values": torch.randn(2, 3, *sides)} for sides in ((128, 96), (64, 64))),
        *({**image, **decoder}, {"pixel_values": frames}, {**image, **boxes}, boxes),
        *({"input_values": wave}, {"input_values": wave[:, None]}, {"input_values": spectra}),
        *({"input_values": wave, **decoder}, {"input_features": whole}, {"input_features": some}),
        *({"input_features": whole, **decoder}, {"input_features": some, **decoder}),
        {"past_values": past},
    ):
        if given.keys() <= parameters.keys():
            yield given


# The comparison


def files(package: str, python: str) -> list[str]:
    """The modules of a package that may have models."""
    command = [python, __file__, "--list", package]
    process = subprocess.run(command, capture_output=True, text=True, check=True)
    return process.stdout.split()


def judge(name: str, python: str, keep: Path | None) -> list[dict[str, Any]]:
    """The right and wrong claims in the file of a module."""
    from namecheck.analysis import analyze

    answer = happened(name, python, keep)
    if not answer["ran"]:
        raise inlay.Stopped("no model of it ran")
    path = Path(answer["file"])
    analysis = analyze(str(path), path.read_bytes(), thorough=True)
    claims = inlay.read_claims([list(shape) for shape in analysis.shapes])
    judging = inlay.Judge(claims)
    for activation in answer["events"]:
        judging.hear(activation)
    return judging.table()


def happened(name: str, python: str, keep: Path | None) -> Any:
    """What happened when the models of a module ran, now or in an earlier run that was kept."""
    file = keep / f"{name}.json" if keep is not None else None
    if file is not None and file.exists():
        return json.loads(file.read_text())
    command = [python, __file__, "--trace", name]
    try:
        process = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise inlay.Stopped("it takes too long") from None
    if process.returncode or not process.stdout:
        raise inlay.Stopped((process.stderr.strip().splitlines() or ["no answer"])[-1][:200])
    text = process.stdout.splitlines()[-1]
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return json.loads(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("packages", nargs="*", default=PACKAGES)
    parser.add_argument("--python", default=sys.executable, help="an interpreter that has torch")
    parser.add_argument("--missing", action="store_true", help="list assignments without a claim")
    parser.add_argument("--keep", type=Path, help="a folder to keep the events of each run in")
    parser.add_argument("--trace", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--list", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.list:
        list_modules(options.packages[0])
    if options.trace:
        signal.alarm(SECONDS)
        trace(options.packages[0])
        return
    total: dict[str, int] = defaultdict(int)
    ran = 0
    for package in options.packages:
        names = files(package, options.python) if package in (*PACKAGES, *MORE) else [package]
        for name in names:
            try:
                rows = judge(name, options.python, options.keep)
            except inlay.Stopped as stop:
                print(f"{name:34s} left out: {stop}", flush=True)
                continue
            ran += 1
            for key, count in inlay.show_driver(name, rows, options.missing).items():
                total[key] += count
    print(f"{ran} files")
    inlay.show_line("all", total)
    sys.exit(1 if total["wrong"] else 0)


if __name__ == "__main__":
    main()
