"""Findings in scored completions or a run's history that a person should look at: hacking, drift, faults.

`auditing` is the way from rows to `findings`, of a file and of a run that goes on; `audited_rows` and
`row_traits` read, `chance` says how likely a figure is by itself, `alarms` follows a history step by step
(training uses it, too), and `labels` holds a verdict against labels. `verdict_evidence`, `group_evidence` and
`time_evidence` have a function for each kind of evidence, from `Rows` to findings; none reads files. Every
test says how likely its figure is by chance; past `chance.CHANCE` and its threshold it is more than a note.
"""
