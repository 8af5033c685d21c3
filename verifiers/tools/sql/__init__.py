"""Queries: what a row's database is, running a query where it can do no harm, comparing what comes of it.

Only `verifiers.tools` imports from here.
"""
