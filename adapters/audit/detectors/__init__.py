"""What each kind of evidence says: a function for each, from `Rows` to findings; nothing here reads files.

Every test says how likely its figure is by chance; past `chance.CHANCE` and its threshold it is more than
a note.
"""
