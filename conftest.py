"""What holds for every test and doctest: nothing is asked of a network."""

from __future__ import annotations

import os

from tests.network import refuse_other_machines
from training.environment import OFFLINE

# Before anything imports Hugging Face's libraries, which read these once; processes of tests inherit them.
os.environ.update(OFFLINE)
refuse_other_machines()
