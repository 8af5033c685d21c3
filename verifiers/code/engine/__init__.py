"""Engines that run programs: their protocol, and the engine on this machine.

Isolation tiers, compilers and launchers belong to the latter. It imports the jail's constants, and knows
nothing of tests.
"""
