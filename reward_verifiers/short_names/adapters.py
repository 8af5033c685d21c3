"""Leads to `reward_verifiers.adapters` where no other package has this short name."""

from typing import TYPE_CHECKING

from reward_verifiers import lead_here

if TYPE_CHECKING:
    from reward_verifiers.adapters import *  # noqa: F403

lead_here(__name__)
