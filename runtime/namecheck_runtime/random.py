"""`namecheck_runtime.random`: random numbers, and the generators that they come from."""

from __future__ import annotations

from namecheck_runtime.tensors.kernels.generators import Generator as Generator
from namecheck_runtime.tensors.kernels.generators import default_generator as default_generator
from namecheck_runtime.tensors.kernels.generators import get_rng_state as get_rng_state
from namecheck_runtime.tensors.kernels.generators import initial_seed as initial_seed
from namecheck_runtime.tensors.kernels.generators import manual_seed as manual_seed
from namecheck_runtime.tensors.kernels.generators import seed as seed
from namecheck_runtime.tensors.kernels.generators import set_rng_state as set_rng_state
