"""What keeps a process in hand: workers that can be killed, packages that load when they are used, the start of
the console scripts, and the check that no namesake stands in our place.

It imports nothing but `verifiers.errors`; everybody may import from it.
"""
