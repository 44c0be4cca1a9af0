"""Reports of matches and tournaments: a page to look at, tables and texts to work with."""

from .event import Event
from .page import html_report
from .pgn import games_pgn
from .reading import read
from .records import games_jsonl
from .spreadsheets import games_csv, standings_csv
from .transcripts import save_transcripts

__all__ = [
    "Event",
    "games_csv",
    "games_jsonl",
    "games_pgn",
    "html_report",
    "read",
    "save_transcripts",
    "standings_csv",
]
