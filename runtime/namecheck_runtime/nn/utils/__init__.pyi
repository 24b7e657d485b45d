"""The functions of `namecheck_runtime.nn.utils`, as type checkers read them.

Written by `tests/data/write_surface.py` from the registry.
"""

from namecheck_runtime.nn.utils import rnn as rnn
from namecheck_runtime.nn.utils.clip_grad import clip_grad_norm as clip_grad_norm
from namecheck_runtime.nn.utils.clip_grad import clip_grad_norm_ as clip_grad_norm_
from namecheck_runtime.nn.utils.clip_grad import clip_grad_value_ as clip_grad_value_
from namecheck_runtime.nn.utils.clip_grad import clip_grads_with_norm_ as clip_grads_with_norm_
from namecheck_runtime.nn.utils.clip_grad import get_total_norm as get_total_norm
from namecheck_runtime.nn.utils.convert_parameters import (
    parameters_to_vector as parameters_to_vector,
)
from namecheck_runtime.nn.utils.convert_parameters import (
    vector_to_parameters as vector_to_parameters,
)
from namecheck_runtime.nn.utils.norm_hooks import remove_spectral_norm as remove_spectral_norm
from namecheck_runtime.nn.utils.norm_hooks import remove_weight_norm as remove_weight_norm
from namecheck_runtime.nn.utils.norm_hooks import spectral_norm as spectral_norm
from namecheck_runtime.nn.utils.norm_hooks import weight_norm as weight_norm
