"""Games between programs: who plays, how a move is got out of a foreign program, and what comes of it all."""
