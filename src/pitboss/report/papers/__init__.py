"""Papers that an operator files or keeps: forms, layouts, slips, training records; as reproducible PDFs."""

from pitboss.report.papers.render import render_pdf

__all__ = ["render_pdf"]
