"""Reports of matches and tournaments: an HTML page, CSV, JSON Lines, PGN and transcripts."""

from .data import Event, read_results
from .exports import games_csv, games_jsonl, games_pgn, save_transcripts, standings_csv
from .page import html_report

__all__ = [
    "Event",
    "games_csv",
    "games_jsonl",
    "games_pgn",
    "html_report",
    "read_results",
    "save_transcripts",
    "standings_csv",
]
