"""The numbers of slips (`slip`)."""

from pitboss.house.storage.connections import Connection


def take_number(db: Connection, kind: str, entry: int) -> int:
    """Take the next number of a kind for an entry of the house's log."""
    ((number,),) = db.execute(
        "INSERT INTO slip (kind, number, entry) SELECT ?, COALESCE(MAX(number), 0) + 1, ? FROM slip WHERE kind = ?"
        " RETURNING number",
        (kind, entry, kind),
    )
    return int(number)


def assigned_numbers(db: Connection) -> dict[tuple[str, int], int]:
    """Return the entry of every slip, by kind and number."""
    rows = db.execute("SELECT kind, number, entry FROM slip")
    return {(str(kind), int(number)): int(entry) for kind, number, entry in rows}
