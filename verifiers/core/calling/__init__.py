"""What surrounds a judgement: the columns that come in, the faults that go out, and sums with verifiers.

Nothing here knows a component; `verifiers.core` imports it, and the other packages import `columns`.
"""
