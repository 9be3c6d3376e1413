"""Tables of Caribbean Stud that share meters: their names, their Submission, and the winners of a meter."""

import msgspec

from pitboss.house.storage.connections import Connection
from pitboss.submission import text_of

LINKS = {"progressive": "floor", "five-card-hand": "floor"}
"""By offer: the name of its shared meters."""
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
    """The tables that won a meter, in order."""
    moves = db.execute("SELECT chain, change FROM move WHERE meter = ? ORDER BY meter_seq", (meter,))
    return [chain for chain, change in moves if msgspec.json.decode(bytes(change)).get("pending", 0) > 0]
