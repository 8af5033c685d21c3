"""What scored completions, or a run's history, say that a person should look at: hacking, drift, faults.

`auditing` is the way from rows to `findings`; `audited_rows` and `text_traits` read, `chance` says how likely
a figure is by itself, `alarms` follows a history step by step (training uses it, too), `detectors` has a
module for each kind of evidence, and `labels` holds a verdict against labels.
"""
