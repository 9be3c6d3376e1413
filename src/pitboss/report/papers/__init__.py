"""Papers that an operator files or keeps: forms, layouts, slips, training records; as reproducible PDFs."""

from pitboss.report.papers.typst import pdf_of, pictures_of

__all__ = ["pdf_of", "pictures_of"]
