"""What Pitboss puts on paper and screen: table signs and rack cards, drawn from what a Submission obliges one to post.

The functions are pure: the same sign gives the same bytes on every machine.
"""

from pitboss.report.faces import card_svg
from pitboss.report.signs import sign_html, sign_pdf, sign_pictures

__all__ = ["card_svg", "sign_html", "sign_pdf", "sign_pictures"]
