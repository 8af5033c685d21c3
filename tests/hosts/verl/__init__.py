"""verl's own loaders, reward managers, Ray workers and advantages, with this library's rewards in them."""

import os

# Ray reads these when it is imported. On a busy machine its own half a minute for a start is not enough.
os.environ.setdefault("RAY_raylet_start_wait_time_s", "120")
os.environ.setdefault("RAY_agent_register_timeout_ms", "120000")
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
