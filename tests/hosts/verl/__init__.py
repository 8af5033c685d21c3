"""verl's own loaders, reward managers, Ray workers and advantages, with this library's rewards in them."""
