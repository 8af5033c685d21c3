"""What a reward and the program that calls it must agree on, settled before the first row is paid.

`needs` says what a reward asks for and `host` what a program offers; `unscored` has the policies for rows
without a reward, `row_logs` the floats that a host may log, `gathering` and `row_calls` judge concurrent
calls together, `replies` tells the model's words from a host's text, `asked` says which reward is meant.
Adapters of hosts and the reward server import from here.
"""
