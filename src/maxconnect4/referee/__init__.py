"""Games between programs: players, sandbox, games, tournaments, statistics and reports."""
