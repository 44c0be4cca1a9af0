"""The report of the assignment for a program, ready to hand in: what is in it, as a document."""

from .content import report_of, split

__all__ = ["report_of", "split"]
