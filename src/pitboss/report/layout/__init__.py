"""The layout of a table: what its felt says, where it stands, and the sheet to file.

layout     everything printed on the felt
spots      the areas of wagers and common cards
drawing    positions on the cloth, in millimetres
sheet      the drawing with every inscription numbered and its clause
"""

from pitboss.report.layout.layout import Layout, layout_of
from pitboss.report.layout.sheet import LayoutPaper, layout_paper

__all__ = ["Layout", "LayoutPaper", "layout_of", "layout_paper"]
