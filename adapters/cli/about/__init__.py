"""What is installed and what the machine withstands: ``doctor``, ``list``, and the host that is attacked.

Only the console script and the verb ``sandbox`` of the folder above import from here.
"""
