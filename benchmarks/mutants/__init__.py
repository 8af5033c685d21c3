"""Mutants of the modules that decide what is paid: how many of them the tests notice.

`python -m benchmarks.mutants` (or `make mutants`) draws a sample of Cosmic Ray's mutants, runs for each one
the tests that reach it, and lists what survived. `settings.toml` says where they are made,
`known.toml` which survivors change nothing, and which are left.
"""
