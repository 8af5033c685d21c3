"""Certificates of rewards: the exploit is looked for before a policy finds it.

`certify` is the way from a reward and `rows` to `findings`. The reward runs in a process of its own:
`subject` asks from outside, `child` answers inside, `loading` finds and calls what is certified. `golden`,
`floor`, `variants`, `search`, `steadiness` and `references` look for one kind of hole each.

How often a reward is wrong is told from rollouts by `trusting`: `witnesses` are verifiers that fail
differently, `trust_figures` what their agreement and a few labels show. `adapters.cli` and training may
import it.
"""
