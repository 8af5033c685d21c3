"""Workers that can be killed, packages that load when they are used, and the start of the console scripts.

The check that no namesake stands in our place lives here, too. It imports nothing but `verifiers.errors`;
everybody may import from it.
"""
