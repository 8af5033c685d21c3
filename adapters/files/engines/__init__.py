"""Where chunks of a file are scored: in this process, or in worker processes of this machine.

`results` is what becomes of a chunk, `apart` finds the row that breaks it, `row_faults` says what becomes of
that row, and `isolation` of one that no process survives; `engine` says what a run asks of an engine.
`adapters.cluster` has one for the machines of a Ray cluster; `adapters.serve` pays by `row_faults`, too.
"""
