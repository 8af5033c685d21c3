"""A plug-in for ms-swift's ``--external_plugins`` that makes every preset known as a reward function."""

from reward_verifiers.adapters.hosts.trainers.ms_swift import register
from reward_verifiers.rewards import preset_names

for preset in preset_names():
    register(preset)
