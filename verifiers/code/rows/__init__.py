"""Rows of data sets, as they are shipped: what tests a row with these columns means.

One module for each family of shapes; `table.py` lists them all and `references.py` reads what a row's answer
column may hold. Only `verifiers.code.pass_rate` imports from here.
"""
