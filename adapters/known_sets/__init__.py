"""Public datasets recognised by their rows: the meaning of each column, and the verifier.

They are described as data, by families; `recognition` tells which one a file is of, and refuses a guess that
could pay wrongly. The command line and the certificate import from here.
"""
