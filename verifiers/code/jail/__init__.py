"""The far side of the wall: started by exec as a package of its own, standard library only.

Nothing here may import from the rest of the library: the launcher is started with an empty environment
and without site-packages, so that a program forked from it finds nothing of ours in its memory.
"""
