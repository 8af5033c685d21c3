"""Public data sets that are known by their rows: which column is what, and what judges it.

They are described as data, by families; `recognition` tells which one a file is of, and refuses a guess that
could pay wrongly. The command line and the certificate import from here.
"""
