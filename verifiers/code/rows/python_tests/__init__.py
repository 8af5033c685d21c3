"""Data sets whose tests are Python source: asserts, functions named check, files for pytest and unittest."""
