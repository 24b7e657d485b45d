"""What `torch.optim` keeps of parameters, as source that the analyzer evaluates.

Optimizers that a project writes itself go over `param_groups` and keep tensors in `state`. The
steps of PyTorch's own change no dims, and are left out, as is all that our runtime library does for
schedulers, hooks and checkpoints. It is never imported (`Program.counterpart`).

Source: torch.optim (2.9).
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any


class Optimizer:
    def __init__(self, params: Any, defaults: Any) -> None:
        self.defaults = defaults
        self.state: Any = defaultdict(dict)
        self.param_groups: Any = []
        groups = list(params)
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def add_param_group(self, param_group: Any) -> None:
        params = param_group["params"]
        group = {**self.defaults, **param_group}
        group["params"] = list(params) if isinstance(params, (list, tuple)) else [params]
        self.param_groups.append(group)

    def zero_grad(self, set_to_none: bool = True) -> None:
        pass

    def step(self, closure: Any = None) -> Any:
        return None if closure is None else closure()


class SGD(Optimizer):
    def __init__(self, params: Any, lr: Any = 1e-3, momentum: Any = 0, **options: Any) -> None:
        super().__init__(params, dict(lr=lr, momentum=momentum, **options))


class RMSprop(SGD):
    pass


class Adam(Optimizer):
    def __init__(
        self, params: Any, lr: Any = 1e-3, betas: Any = (0.9, 0.999), **options: Any
    ) -> None:
        super().__init__(params, dict(lr=lr, betas=betas, **options))


class AdamW(Adam):
    pass


class NAdam(Adam):
    pass


class RAdam(Adam):
    pass


class Adamax(Adam):
    pass


class Adagrad(Optimizer):
    def __init__(self, params: Any, lr: Any = 1e-2, **options: Any) -> None:
        super().__init__(params, dict(lr=lr, **options))


class Adadelta(Adagrad):
    pass


class LBFGS(Adagrad):
    pass
