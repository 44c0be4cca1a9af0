"""What the commands show on a terminal, and read from it."""
