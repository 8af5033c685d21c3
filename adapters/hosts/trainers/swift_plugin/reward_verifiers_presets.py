"""A plug-in for ms-swift's ``--external_plugins`` that makes every preset known as a reward function."""

from adapters.hosts.trainers.ms_swift import register
from rewards import preset_names

for preset in preset_names():
    register(preset)
