"""A user's plug-in file: rewards of their own under names for ``--reward_funcs``."""

import sys
from pathlib import Path

from adapters.hosts.trainers.ms_swift import register

sys.path.append(str(Path(__file__).parents[3]))  # last: the library itself is the installed one

from tests.hosts.common import breaking_reward, comparing_reward

register(breaking_reward(), "breaking")
register(comparing_reward(), "comparing")
