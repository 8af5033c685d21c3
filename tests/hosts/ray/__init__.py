"""Tests with Ray itself; a package, since a folder `ray` by itself would stand in for Ray when it is imported."""
