"""``python -m training.cli``."""

from . import main

main()
