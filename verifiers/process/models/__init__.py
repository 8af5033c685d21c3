"""Models that rate steps or whole solutions: published formats as data, and one engine that reads them.

`verifiers.metrics` loads their weights, and nothing else of this library imports them.
"""
