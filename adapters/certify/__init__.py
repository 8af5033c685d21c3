"""Certificates of rewards: the exploit is looked for before a policy finds it.

`certificate` is the way from a reward and `certified_rows` to `certificate_findings`. The reward runs in a
process of its own: `subject` asks from outside, `child` answers inside, `loading` finds and calls what is
certified. `golden`, `floor`, `variants`, `search`, `steadiness` and `references` look for one kind of hole
each.

`trusting` estimates from rollouts how often a reward is wrong: `witnesses` are verifiers that fail
differently, and `trust_figures` evaluates their agreement and a few labels. `adapters.cli` and training may
import it.
"""
