"""What holds for every test and doctest: nothing is asked of a network."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

from tests.network import refuse_other_machines
from training.environment import OFFLINE

# Before anything imports Hugging Face's libraries, which read these once; processes of tests inherit them.
os.environ.update(OFFLINE)
refuse_other_machines()

# Both go by the clock on the wall, which says nothing on a busy machine.
settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")
