"""One file a language: whatever has a ``TABLE`` is read. CONTRIBUTING.md shows how to add one."""
