"""Where chunks of a file are scored: in this process, or in worker processes of this machine.

`results` is what becomes of a chunk, `isolation` what becomes of rows that no process survives; `engine` says
what a run asks of an engine. `adapters.cluster` has one for the machines of a Ray cluster.
"""
