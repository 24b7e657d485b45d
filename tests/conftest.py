"""Settings of the tests as a whole."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# How fast examples are made says something of the machine, and nothing of the code.
settings.register_profile("namecheck", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("namecheck")
