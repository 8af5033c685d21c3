"""ms-swift's own command, scoring and advantages, with this library's rewards in them."""
