"""Workers that can be killed, packages that load when they are used, and the start of the console scripts.

The check that no package of the same name has taken our place is here, too. It imports nothing but
`verifiers.errors`; every package may import from it.
"""
