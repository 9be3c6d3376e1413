"""Papers and views: table signs, rack cards, PAR sheets, charts, and the mathematics for screens.

The functions are pure: the same input gives the same bytes on every machine.

signs, faces                             table signs and rack cards; pictures of cards
par, chart                               PAR sheets; strategy charts
layout, papers                           the felt and its sheet; forms, slips and records as PDFs
mathematics, math_views                  the figures of a game for screens
hold_comparison, submission_report       our figures beside the published holds; problems and figures of a Submission
shuffle_statistics                       fairness of shuffles
"""

from pitboss.report.faces import card_svg
from pitboss.report.signs import sign_html, sign_pdf, sign_pictures

__all__ = [
    "sign_html",
    "sign_pdf",
    "sign_pictures",
    "card_svg",
]
