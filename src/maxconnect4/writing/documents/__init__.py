"""Documents, with headings, paragraphs, lists, tables and pictures: read from what people write, and written down."""

from .blocks import Document
from .markdown import as_markdown
from .page import as_page

__all__ = ["Document", "as_markdown", "as_page"]
