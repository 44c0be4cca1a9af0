"""The report of the assignment for a program: a page and a text, ready to hand in."""

from .blocks import Report
from .content import report_of
from .markdown import markdown_report
from .page import html_report

__all__ = ["Report", "html_report", "markdown_report", "report_of"]
