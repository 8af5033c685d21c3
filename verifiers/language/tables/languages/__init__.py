"""One file a language: whatever has a ``TABLE`` is read. docs/languages.md has the walk of adding one."""
