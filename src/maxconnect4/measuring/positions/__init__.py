"""Sets of positions that players are measured on: their files, and how they are made."""
