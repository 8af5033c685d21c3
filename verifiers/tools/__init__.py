"""What a model does with tools: calls that it makes, queries compared by their results, final states.

`calls` reads and compares tool calls, `sql` runs queries where they can do no harm. Rewards and adapters
reach these verifiers by the registry, like all others.
"""
