"""How an option is named, and where a text chooses one."""
