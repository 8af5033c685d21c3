"""The reward that is certified, in a process of its own: `subject` asks from outside, `child` answers inside.

`loading` finds and calls it, `literals` reads its source, `watched` notes what it does besides.
"""
