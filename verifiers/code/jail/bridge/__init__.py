"""The bridge between two sandboxes: values cross as copies where a copy is faithful, else as handles.

Both ends run this code, the program's and the tests'. What a handle does is done on the side where the object
lives, and its answer crosses as data; neither end runs code of the other. Standard library only: the launcher
loads it. From the top down: `link` speaks by `value_writing` and `value_reading`, a `ledger` has what each
end knows.
"""
