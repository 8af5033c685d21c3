"""One program for each extra, which uses what the extra is for; `python -m tests.extras` runs each where only it is installed.

The programs run on the installed wheel; the repository comes after it on the path, for tests' small models and servers.
"""
