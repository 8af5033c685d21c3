"""What each extra is for, tried where only it is installed."""
