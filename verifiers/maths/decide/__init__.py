"""Agreement of two readings under a policy: `answer_match.match` is the way in.

It imports from `formulas` and `reading`, and looks at no text itself. `reference_classes` says what a row's
references can be used for. `symbolic` runs in a worker process and is named by its path alone, so that
nothing but a worker loads sympy.
"""
