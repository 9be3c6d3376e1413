"""Card faces as SVG, drawn with paths only, so that they do not depend on fonts.

They are designed for small sizes, five or six in a row on a sign: a large index, one plain pip, much white.

>>> card_svg(Card("As"))
'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 63 88" role="img" aria-label="ace of spades">...</svg>'
"""

from typing import Final

from pitboss.cards import Card, Color, Rank, Suit

VIEW_BOX: Final = "0 0 63 88"
"""A poker card's proportions, 63 by 88 millimetres."""

_INK: Final = {Color.BLACK: "#1d2321", Color.RED: "#b3202c"}
_GOLD: Final = "#c9ab63"

# Strokes, in a box 20 wide and 30 high; the ten is drawn narrow so that its index is as wide as any other.
_INDEX: Final = {
    Rank.TWO: "M2.6 9.2C2.6 4.8 5.6 2 10 2s7.2 2.8 7.2 6.8c0 3.2-1.6 5.6-4.6 8.8L2.6 28H17.8",
    Rank.THREE: "M3 6.4C4.4 3.6 6.8 2 10 2c4.3 0 7 2.5 7 6.1 0 3.8-2.9 6.2-7.4 6.2 5 0 8.4 2.5 8.4 6.8 "
    "0 4.2-3.4 6.9-8.2 6.9-3.8 0-6.6-1.8-7.8-5.2",
    Rank.FOUR: "M14 28V2L1.8 20.4H18.6",
    Rank.FIVE: "M16.4 2H5L3.8 13.2C5.6 11.4 7.6 10.7 10 10.7c4.8 0 8 3.5 8 8.5 0 5.3-3.4 8.8-8.3 8.8"
    "-3.8 0-6.4-1.8-7.6-5",
    Rank.SIX: "M15.6 3.6C9 4.6 2.2 10.4 2.2 19.4c0 5.4 3.2 8.6 7.8 8.6s7.8-3.4 7.8-8.2-3.1-7.8-7.4-7.8"
    "c-4.2 0-7 2.6-7.9 6.2",
    Rank.SEVEN: "M2.2 2H17.6L7.8 28",
    Rank.EIGHT: "M10 14C6 14 3.2 11.5 3.2 8S6 2 10 2s6.8 2.5 6.8 6-2.8 6-6.8 6Zm0 0c-4.7 0-8 2.9-8 7s3.3 7 8 7 8"
    "-2.9 8-7-3.3-7-8-7Z",
    Rank.NINE: "M4.4 26.4C11 25.4 17.8 19.6 17.8 10.6 17.8 5.2 14.6 2 10 2S2.2 5.4 2.2 10.2s3.1 7.8 7.4 7.8"
    "c4.2 0 7-2.6 7.9-6.2",
    Rank.TEN: "M1 6.6 5 2V28M15 2c3.2 0 4.9 4 4.9 13S18.2 28 15 28s-4.9-4-4.9-13S11.8 2 15 2Z",
    Rank.JACK: "M8 2H14.6V20.4C14.6 25.4 12.2 28 8.4 28 5.2 28 3 26.2 2.4 22.8",
    Rank.QUEEN: "M10 2c5 0 8 4.6 8 13s-3 13-8 13-8-4.6-8-13S5 2 10 2ZM11 20.5 18.6 29.5",
    Rank.KING: "M3 2V28M17.2 2 3.4 17.2M8.4 11.8 18.4 28",
    Rank.ACE: "M1.8 28 10 2 18.2 28M4.8 19.6H15.2",
}

# Filled, in a box 40 by 40.
_PIP: Final = {
    Suit.SPADES: "M20 2C25 10 37 16.5 37 25.5 37 30.5 33.4 33.5 29.6 33.5 26.4 33.5 23.6 32 22 29.5"
    " 22.4 33 24 36 27 38H13C16 36 17.6 33 18 29.5 16.4 32 13.6 33.5 10.4 33.5 6.6 33.5 3 30.5 3 25.5"
    " 3 16.5 15 10 20 2Z",
    Suit.HEARTS: "M20 37C14 28.5 3 21.5 3 12.5 3 7 6.8 3 11.6 3 15.2 3 18.4 5.2 20 8.8 21.6 5.2 24.8 3"
    " 28.4 3 33.2 3 37 7 37 12.5 37 21.5 26 28.5 20 37Z",
    Suit.DIAMONDS: "M20 1.5C23.5 8 29 14.5 34.5 20 29 25.5 23.5 32 20 38.5 16.5 32 11 25.5 5.5 20 11 14.5"
    " 16.5 8 20 1.5Z",
    Suit.CLUBS: "M20 2.5C24.8 2.5 28.4 6.2 28.4 10.7 28.4 13 27.4 15.2 26 16.7 27.2 16.2 28.5 15.9 29.8"
    " 15.9 34.4 15.9 38 19.5 38 24 38 28.6 34.4 32.2 29.8 32.2 26.5 32.2 23.7 30.4 22.2 27.6 22.5 32.2"
    " 24.2 35.8 27.2 38H12.8C15.8 35.8 17.5 32.2 17.8 27.6 16.3 30.4 13.5 32.2 10.2 32.2 5.6 32.2"
    " 2 28.6 2 24 2 19.5 5.6 15.9 10.2 15.9 11.5 15.9 12.8 16.2 14 16.7 12.6 15.2 11.6 13 11.6 10.7 11.6"
    " 6.2 15.2 2.5 20 2.5Z",
}


def card_name(card: Card) -> str:
    """Return the card in words: “ace of spades”."""
    return f"{card.rank.name} of {card.suit.name}".lower()


def card_svg(card: Card) -> str:
    """Return the card's face as an SVG document that needs no font and no style sheet."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{VIEW_BOX}" role="img" aria-label="{card_name(card)}">'
        f"{card_drawing(card)}</svg>"
    )


def card_drawing(card: Card) -> str:
    """Return the content of the card's `<svg>`, for a page that defines each face once."""
    ink = _INK[card.suit.color]
    court = Rank.JACK <= card.rank <= Rank.KING
    # A court card has a thin gold frame; a picture would be unreadable at this size.
    frame = f'<rect x="4" y="4" width="55" height="80" rx="3" fill="none" stroke="{_GOLD}"/>' if court else ""
    return (
        '<rect x=".5" y=".5" width="62" height="87" rx="5" fill="#fffefb" stroke="#8f8a7c"/>'
        f"{frame}"
        f'<path d="{_INDEX[card.rank]}" transform="translate(9 9) scale(1.15)" fill="none" stroke="{ink}"'
        ' stroke-width="4.2" stroke-linejoin="round" stroke-linecap="round"/>'
        f'<path d="{_PIP[card.suit]}" transform="translate(20.5 45) scale(.88)" fill="{ink}"/>'
    )
