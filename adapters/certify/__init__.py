"""Certificates of rewards: the exploit is looked for before a policy finds it.

`certify` is the way from a reward and `rows` to `findings`: the reward runs in a process of its own
(`isolated`), and each part of `looks` looks for one kind of hole. `adapters.cli` and training may
import it.
"""
