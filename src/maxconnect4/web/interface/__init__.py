"""What can be asked for under /api/v1."""
