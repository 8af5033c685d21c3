"""Rewards on the machines of a Ray cluster: files, Ray data sets, and the batches of trainers.

`engine` scores files (``verify-cli score --engine ray``), `dataset` scores Ray data sets, `ray_reward` pays a
trainer's batches. They stand on `crew`, which keeps actors at work and replaces those that are lost. Ray is
imported when it is first used; the command line imports from here.
"""
