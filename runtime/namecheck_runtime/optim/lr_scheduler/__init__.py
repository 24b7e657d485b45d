"""`namecheck_runtime.optim.lr_scheduler`: learning rates that change while a program trains.

Source: torch.optim.lr_scheduler.
"""

from __future__ import annotations

from namecheck_runtime.optim.lr_scheduler.combined import ChainedScheduler as ChainedScheduler
from namecheck_runtime.optim.lr_scheduler.combined import SequentialLR as SequentialLR
from namecheck_runtime.optim.lr_scheduler.cycles import (
    CosineAnnealingWarmRestarts as CosineAnnealingWarmRestarts,
)
from namecheck_runtime.optim.lr_scheduler.cycles import CyclicLR as CyclicLR
from namecheck_runtime.optim.lr_scheduler.cycles import OneCycleLR as OneCycleLR
from namecheck_runtime.optim.lr_scheduler.decays import ConstantLR as ConstantLR
from namecheck_runtime.optim.lr_scheduler.decays import CosineAnnealingLR as CosineAnnealingLR
from namecheck_runtime.optim.lr_scheduler.decays import ExponentialLR as ExponentialLR
from namecheck_runtime.optim.lr_scheduler.decays import LinearLR as LinearLR
from namecheck_runtime.optim.lr_scheduler.decays import MultiStepLR as MultiStepLR
from namecheck_runtime.optim.lr_scheduler.decays import PolynomialLR as PolynomialLR
from namecheck_runtime.optim.lr_scheduler.decays import StepLR as StepLR
from namecheck_runtime.optim.lr_scheduler.lambdas import LambdaLR as LambdaLR
from namecheck_runtime.optim.lr_scheduler.lambdas import MultiplicativeLR as MultiplicativeLR
from namecheck_runtime.optim.lr_scheduler.plateau import ReduceLROnPlateau as ReduceLROnPlateau
from namecheck_runtime.optim.lr_scheduler.scheduler import LRScheduler as LRScheduler
from namecheck_runtime.optim.lr_scheduler.scheduler import _LRScheduler as _LRScheduler
