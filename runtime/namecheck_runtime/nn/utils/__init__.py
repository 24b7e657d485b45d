"""`namecheck_runtime.nn.utils`: its one submodule, `rnn`."""

from namecheck_runtime.surface import namespace

__getattr__, __dir__ = namespace(__name__)
