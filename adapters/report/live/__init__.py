"""A report that is served while its files grow: what is read anew, and the server on this machine.

Imports from everything else in `adapters.report`; the command line imports from here.
"""
