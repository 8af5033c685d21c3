"""What the modules of this folder say when they have no enclosure."""

from __future__ import annotations


class NoEnclosureError(Exception):
    """A range has no value, or none that is enclosed here."""
