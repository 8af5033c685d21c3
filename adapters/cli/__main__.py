"""``python -m adapters.cli``."""

from . import main

main()
