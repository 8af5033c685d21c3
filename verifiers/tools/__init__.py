"""A model's work with tools: calls that it makes, queries compared by their results, final states.

A call is read from a completion (`calls_in_text`, `python_calls`) or a row (`expected_calls`); `sql_running`
runs queries where they can do no harm. Rewards and adapters reach these verifiers by the registry, like all
others.
"""
