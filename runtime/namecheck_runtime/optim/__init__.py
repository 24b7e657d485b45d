"""`namecheck_runtime.optim`: optimizers, which change parameters by their gradients.

Source: torch.optim.  An optimizer works on elements alone: the state that it keeps for a parameter
has the parameter's dims and names.
"""

from __future__ import annotations

from namecheck_runtime.optim import lr_scheduler as lr_scheduler
from namecheck_runtime.optim.adagrad import Adagrad as Adagrad
from namecheck_runtime.optim.adam import Adam as Adam
from namecheck_runtime.optim.adamw import AdamW as AdamW
from namecheck_runtime.optim.optimizer import Optimizer as Optimizer
from namecheck_runtime.optim.rmsprop import RMSprop as RMSprop
from namecheck_runtime.optim.sgd import SGD as SGD

__all__ = ["SGD", "Adagrad", "Adam", "AdamW", "Optimizer", "RMSprop", "lr_scheduler"]
