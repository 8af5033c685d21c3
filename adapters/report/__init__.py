"""Reports of scored files and of training folders: figures, charts, and one HTML page without a network.

`rows` holds the numbers of every row and what a person reads of it, `figures` the statistics, `charts` their
pictures; `page` puts them into one file, of which everything in the folder ``assets`` is a part. Only the
command line imports from here.
"""
