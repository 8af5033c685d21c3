"""What the Makefile installs: environments.toml names it, `make lock` pins it, locks.install installs it."""
