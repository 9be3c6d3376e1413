"""Tables of Caribbean Stud that share meters: what they are called, their Submission, and who won off a meter."""

import msgspec

from pitboss.house.storage.connections import Connection
from pitboss.submission import text_of

LINKS = {"progressive": "floor", "five-card-hand": "floor"}
"""By offer: what its meters are shared under."""
MAIN, FIVE = "link:floor/progressive/main@100", "link:floor/progressive/main@500"
HAND = "link:floor/five-card-hand/five-card-hand@100"
ROYAL = "Ah Kh Qh Jh Th"
PRESET = text_of("caribbean-stud-standard").replace('linked = "no"', 'linked = "tables"')


def submission(*, paytable: str = "A", starting: str = "", dealing: str = "manual-shoe", **readings: str) -> str:
    """A Submission of linked Caribbean Stud with these choices."""
    text = PRESET.replace('paytable = "A"            # A to H', f'paytable = "{paytable}" #')
    text = text.replace('dealing = "manual-shoe"', f'dealing = "{dealing}"')
    text = text.replace("# starting = { main = 12_500 }", f"starting = {{ main = {starting} }} #") if starting else text
    return text + "".join(f'{name.replace("_", "-")} = "{option}"\n' for name, option in readings.items())


def winners(db: Connection, meter: str) -> list[str]:
    """The tables that won off a meter, in the order in which it was measured."""
    moves = db.execute("SELECT chain, change FROM move WHERE meter = ? ORDER BY meter_seq", (meter,))
    return [chain for chain, change in moves if msgspec.json.decode(bytes(change)).get("pending", 0) > 0]
