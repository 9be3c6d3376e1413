"""Papers and views: table signs, rack cards, PAR sheets, charts, and the mathematics for screens.

The functions are pure: the same input gives the same bytes on every machine.
"""

from pitboss.report.faces import card_svg
from pitboss.report.signs import sign_html, sign_pdf, sign_pictures

__all__ = ["card_svg", "sign_html", "sign_pdf", "sign_pictures"]
