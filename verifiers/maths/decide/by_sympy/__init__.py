"""What sympy says, in a worker process only.

Nothing imports from here, so that nothing but a worker loads sympy.
"""
