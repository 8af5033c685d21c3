"""Whether two readings agree under a policy: `answer_match.match` is the way in.

It imports from `formulas` and `read.readings`, and looks at no text itself; `symbolic` runs in a worker
process and is named by its path alone. The verifier may import `answer_match` and `policy`.
"""
