"""Where programs run: the protocol of an engine, the engine on this machine with its isolation tiers, compilers
and launchers.

It imports the jail's constants; it knows nothing of tests.
"""
