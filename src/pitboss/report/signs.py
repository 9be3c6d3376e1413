"""Draw a sign and its rack card, as a PDF for the printer and as one HTML page."""

import json
from html import escape
from pathlib import Path
from typing import Final, Literal

import msgspec

from pitboss.cards import Card
from pitboss.disclaimer import DISCLAIMER
from pitboss.games.declarations import Notice
from pitboss.report.faces import VIEW_BOX, card_drawing, card_name, card_svg
from pitboss.submission.signs import Panel, Row, Sign

_HERE: Final = Path(__file__).parent


Part = Literal["", "sign", "rack-card"]
"""The part to draw; empty for both."""


def sign_pdf(sign: Sign, only: Part = "") -> bytes:
    """Return the sign's Letter sheets and then its rack card, or one of them, as a reproducible PDF."""
    (pdf,) = _compile_pages(sign, "pdf", only=only)
    return pdf


def sign_pictures(sign: Sign, ppi: int = 96) -> list[bytes]:
    """Return the same pages as PNG pictures."""
    return _compile_pages(sign, "png", ppi)


def _compile_pages(sign: Sign, kind: Literal["pdf", "png"], ppi: int = 96, only: Part = "") -> list[bytes]:
    import typst  # noqa: PLC0415 (slow to load)

    data = {
        "sign": msgspec.to_builtins(sign, enc_hook=str),
        "faces": {str(card): card_svg(card) for card in _cards(sign)},
        "names": {str(card): card_name(card) for card in _cards(sign)},
    }
    drawn = typst.compile(
        _HERE / "sign.typ",
        root=_HERE,
        format=kind,
        ppi=ppi,
        ignore_system_fonts=True,  # the page looks the same on every machine
        sys_inputs={
            "only": only,
            "disclaimer": DISCLAIMER,
            **{name: json.dumps(value) for name, value in data.items()},
        },
    )
    return [drawn] if isinstance(drawn, bytes) else drawn


def sign_html(sign: Sign) -> str:
    """Return the sign and its rack card as one self-contained HTML page."""
    panels = sorted(sign.panels, key=lambda panel: not panel.required)
    faces = "".join(
        f'<symbol id="card-{card}" viewBox="{VIEW_BOX}">{card_drawing(card)}</symbol>' for card in _cards(sign)
    )
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(sign.title)} at {escape(sign.property)}</title>
<style>
:root {{ --accent: {escape(sign.accent)} }}
{(_HERE / "sign.css").read_text("utf-8")}</style>
<svg class="faces" aria-hidden="true">{faces}</svg>
<main>
<section class="sign" aria-label="Sign">
<header class="masthead">{_title(sign, "h1")}</header>
{_notices(sign)}
<div class="odds">
{"".join(_panel(panel, "h2", f"sign-{place}", pictured=True) for place, panel in enumerate(panels))}</div>
{_footer(sign, "".join(f'<p class="warning">{escape(warning)}</p>' for warning in sign.warnings))}
</section>
<article class="rack" aria-label="Rack card">
<section class="front">
<header class="masthead">{_title(sign, "h2")}</header>
<h3>Object of the game</h3>
<p>{escape(sign.object)}</p>
<h3>How to play</h3>
<ol>
{"".join(f"<li>{escape(line)}</li>{chr(10)}" for line in sign.play)}</ol>
{_notices(sign)}
<p class="help">{escape(sign.help_line)}</p>
</section>
<section class="back">
<h3>What it pays</h3>
<div class="odds">
{"".join(_panel(panel, "h4", f"card-{place}", pictured=False) for place, panel in enumerate(panels))}</div>
{_footer(sign)}
</section>
</article>
</main>
</html>
"""


def _cards(sign: Sign) -> list[Card]:
    return sorted({card for panel in sign.panels for row in panel.rows for card in row.cards})


def _title(sign: Sign, level: str) -> str:
    return (
        f'<p class="property">{escape(sign.property)}</p><{level}>{escape(sign.title)}</{level}>'
        f'<p class="wagers">{escape(sign.wagers)}</p>'
    )


def _notices(sign: Sign) -> str:
    return f'<div class="notices">{"".join(map(_notice, sign.notices))}</div>' if sign.notices else ""


def _notice(notice: Notice) -> str:
    return f"<p>{escape(notice.text)} {_tag(notice.cite)}</p>"


def _tag(cite: str) -> str:
    return f'<span class="cite">§&nbsp;{escape(cite)}</span>' if cite else ""


def _panel(panel: Panel, level: str, name: str, *, pictured: bool) -> str:
    letter = f'<span class="letter">Paytable {escape(panel.paytable)}</span> ' if panel.paytable else ""
    note = f'<p class="note">{escape(panel.note)}</p>' if panel.note else ""
    shown = pictured and any(row.cards for row in panel.rows)
    rows = "".join(_row(row, pictured=shown) for row in panel.rows)
    return (
        f'<section class="panel"><div class="heading"><{level} id="{name}">{escape(panel.title)}</{level}>'
        f'<p class="source">{letter}{_tag(panel.cite)}</p></div>{note}'
        f'<table aria-labelledby="{name}">\n{rows}</table></section>\n'
    )


def _row(row: Row, *, pictured: bool) -> str:
    picture = f'<td class="cards">{_hand(row.cards)}</td>' if pictured else ""
    return f'<tr><th scope="row">{escape(row.hand)}</th>{picture}<td class="pays">{escape(row.pays)}</td></tr>\n'


def _hand(cards: tuple[Card, ...]) -> str:
    if not cards:
        return ""
    drawn = "".join(f'<svg viewBox="{VIEW_BOX}"><use href="#card-{card}"/></svg>' for card in cards)
    return f'<span class="hand" role="img" aria-label="{", ".join(map(card_name, cards))}">{drawn}</span>'


def _footer(sign: Sign, warnings: str = "") -> str:
    posted = f" Posted under {', '.join(map(_tag, sign.posted_under))}." if sign.posted_under else ""
    proposal = f'<p class="edition">{escape(sign.proposal)}</p>' if sign.proposal else ""
    return (
        f'<footer><p class="help">{escape(sign.help_line)}</p>'
        f'<p class="edition">{escape(sign.edition)}, version {escape(sign.version)}.{posted}</p>'
        f"{proposal}{warnings}"
        f'<p class="disclaimer">{escape(DISCLAIMER)}</p></footer>'
    )
