"""Ways to tamper with the evidence of a house, each with the problem that an audit must report."""

import json
from collections.abc import Callable
from hashlib import sha256

from pitboss.house.hold.backfill import backfill_totals
from pitboss.house.office.office import Office
from pitboss.house.storage.sqlite import Sqlite
from pitboss.money import CENT


def byte(db: Sqlite) -> None:
    """Change one byte of one entry."""
    ((body,),) = db.execute("SELECT body FROM entry WHERE chain = '683a' AND seq = 30")
    db.execute("UPDATE entry SET body = ? WHERE chain = '683a' AND seq = 30", (bytes(body)[:-9] + b" " + body[-8:],))


def _swap(db: Sqlite) -> None:
    for old, new in ((10, 0), (11, 10), (0, 11)):
        db.execute("UPDATE entry SET seq = ? WHERE chain = '682a' AND seq = ?", (new, old))


def _delete(db: Sqlite) -> None:
    db.execute("DELETE FROM entry WHERE chain = '682a' AND seq = 12")


def _cut_off(db: Sqlite, chain: str, last: int) -> None:
    """Truncate a log and remove every trace of the later entries."""
    where = f"chain = '{chain}' AND seq > {last}"
    for account, amount in db.execute(f"SELECT account, SUM(amount) FROM posting WHERE {where} GROUP BY account"):
        db.execute("UPDATE account SET balance = balance - ? WHERE name = ?", (amount, account))
    for table in ("entry", "posting"):
        db.execute(f"DELETE FROM {table} WHERE {where}")
    db.execute(
        f"DELETE FROM played WHERE (chain, number) IN (SELECT chain, number FROM round WHERE chain = '{chain}' AND last > {last})"
    )
    db.execute(f"DELETE FROM round WHERE chain = '{chain}' AND last > {last}")
    db.execute(
        f"UPDATE chain SET seq = {last}, played = '[]',"
        f" hash = (SELECT hash FROM entry WHERE chain = '{chain}' AND seq = {last}) WHERE id = '{chain}'"
    )


def truncate(db: Sqlite) -> None:
    """Truncate a log so that only the checkpoints reveal it."""
    ((last,),) = db.execute("SELECT last FROM round WHERE chain = '683a' AND number = 2")
    _cut_off(db, "683a", last)
    db.execute("DELETE FROM held WHERE chain = '683a'")
    backfill_totals(db)


def _forge(db: Sqlite, chain: str, seq: int, change: Callable[[bytes], bytes]) -> None:
    """Change an entry, and recompute the hashes of all that follow."""
    rows = db.execute("SELECT seq, body FROM entry WHERE chain = ? AND seq >= ? ORDER BY seq", (chain, seq))
    ((previous,),) = db.execute("SELECT hash FROM entry WHERE chain = ? AND seq = ?", (chain, seq - 1))
    for number, body in rows:
        text = change(bytes(body)) if number == seq else bytes(body)
        previous = sha256(previous.encode() + text).hexdigest()
        db.execute("UPDATE entry SET body = ?, hash = ? WHERE chain = ? AND seq = ?", (text, previous, chain, number))
    db.execute("UPDATE chain SET hash = ? WHERE id = ?", (previous, chain))


def _settled(db: Sqlite, chain: str) -> int:
    """An entry of a round that settles a box with a payout."""
    for seq, body in db.execute("SELECT seq, body FROM entry WHERE chain = ? ORDER BY seq", (chain,)):
        if b'"type":"Settled"' in body and b'"pays":0' in body:
            return int(seq)
    raise AssertionError(chain)


def _forged_payout(db: Sqlite) -> None:
    _forge(db, "682a", _settled(db, "682a"), lambda body: body.replace(b'"pays":0', b'"pays":900', 1))


def _forged_buy_in(db: Sqlite) -> None:
    """A buy-in of another amount, with all consequences."""
    _forge(db, "house", 7, lambda body: body.replace(b'"amount":10000000', b'"amount":20000000'))
    db.execute("UPDATE posting SET amount = amount * 2 WHERE chain = 'house' AND seq = 7")
    for name, more in (("patron/ann", 1), ("cage", -1)):
        db.execute("UPDATE account SET balance = balance + ? WHERE name = ?", (more * 100_000_00 * CENT, name))


def _forged_act(db: Sqlite) -> None:
    _forge(db, "house", 7, lambda body: body.replace(b'"amount":10000000', b'"amount":20000000'))


def _forged_closing(db: Sqlite) -> None:
    """A table that was closed long before."""
    ((seq,),) = db.execute("SELECT seq FROM entry WHERE chain = 'house' AND CAST(body AS TEXT) LIKE '%CloseTable%'")
    _forge(db, "house", seq, lambda body: body.replace(b'"time":17', b'"time":16'))


def _forged_garbage(db: Sqlite) -> None:
    _forge(db, "683a", 20, lambda _: b'{"seq":20}')


def _dropped_checkpoint(db: Sqlite) -> None:
    db.execute("DELETE FROM checkpoint WHERE number = 2")


def _renumbered_checkpoint(db: Sqlite) -> None:
    db.execute("DELETE FROM checkpoint WHERE number = 2")
    db.execute("UPDATE checkpoint SET number = 2 WHERE number = 3")


def _unsigned_server(db: Sqlite) -> None:
    """A server that started long before the last round and has signed no checkpoint."""
    ((last,),) = db.execute("SELECT MAX(ended) FROM round")
    Office(db, lambda: last - 3600).note("the server started")


def _changed_checkpoint(db: Sqlite) -> None:
    ((body,),) = db.execute("SELECT body FROM checkpoint WHERE number = 1")
    changed = bytes(body).replace(b'"balances":0', b'"balances":1')
    db.execute("UPDATE checkpoint SET body = ? WHERE number = 1", (changed,))


def _changed_heads(db: Sqlite) -> None:
    ((body,),) = db.execute("SELECT body FROM checkpoint WHERE number = 1")
    kept = json.loads(body)
    kept["heads"]["682a"][0] -= 1
    db.execute("UPDATE checkpoint SET body = ? WHERE number = 1", (json.dumps(kept).encode(),))


def _one(sql: str) -> Callable[[Sqlite], None]:
    def tamper(db: Sqlite) -> None:
        before = db.execute("SELECT total_changes()")[0][0]
        db.execute(sql)
        assert db.execute("SELECT total_changes()")[0][0] > before, "nothing was changed"

    return tamper


MAIN = "639a/progressive/main@100"
POSTED = "SELECT seq FROM posting WHERE chain = '683a' AND account = 'patron/cy' AND amount < 0 LIMIT 1"
FED = f"SELECT seq FROM contribution WHERE meter = '{MAIN}' ORDER BY seq LIMIT 1"
TAMPERED: dict[str, tuple[Callable[[Sqlite], None], str]] = {
    "a byte of an entry": (byte, "Log “683a”, entry 30: it or the one before it was changed"),
    "a hash": (_one("UPDATE entry SET hash = 'x' WHERE chain = '683a' AND seq = 31"), "Log “683a”, entry 31: "),
    "two entries swapped": (_swap, "Log “682a”, entry 10: it or the one before it was changed"),
    "an entry deleted": (_delete, "Log “682a”: entry 12 is missing."),
    "entries deleted": (
        _one("DELETE FROM entry WHERE chain = '682a' AND seq IN (12, 13, 14)"),
        "Log “682a”: entries 12 to 14 are missing.",
    ),
    "the last entry deleted": (
        _one("DELETE FROM entry WHERE chain = '683a' AND seq = (SELECT seq FROM chain WHERE id = '683a')"),
        "Log “683a”: it ends with entry ",
    ),
    "the end of a log": (
        _one("UPDATE chain SET hash = 'x' WHERE id = '683a'"),
        "its hash is not the one that the log should end with",
    ),
    "a header": (
        _one(
            "UPDATE chain SET header = CAST(replace(CAST(header AS TEXT), 'Demonstration', 'Other') AS BLOB) WHERE id = '683a'"
        ),
        "Log “683a”, entry 1: ",
    ),
    "settings": (
        _one("UPDATE chain SET settings = '{\"betting\": 1}' WHERE id = '683a'"),
        "Log “683a”: its settings do not match the house's log.",
    ),
    "a closed table": (_one("UPDATE chain SET is_open = 1 WHERE id = '682a'"), "Log “682a”: the table is open;"),
    "what a round under way remembers": (
        _one("UPDATE chain SET played = '[[\"progressive\", 100]]' WHERE id = '683a'"),
        "Log “683a”: ",
    ),
    "a table nobody opened": (
        _one("UPDATE chain SET kind = 'table' WHERE id = 'house'"),
        "Log “house”: the house never opened this table.",
    ),
    "a forged payout": (_forged_payout, "does not cause its events"),
    "a forged entry": (_forged_garbage, "Log “683a”, entry 20: "),
    "a table closed before": (_forged_closing, "Log “682a”, entry 1: the table was closed before it."),
    "a forged act": (_forged_act, "Log “house”, entry 7: its postings do not match its events: "),
    "a forged buy-in": (_forged_buy_in, "Checkpoint 1: entry "),
    "a posting": (
        _one(
            f"UPDATE posting SET amount = amount - 1 WHERE chain = '683a' AND account = 'patron/cy' AND seq = ({POSTED})"
        ),
        "patron/cy by -1 micro-cents.",
    ),
    "a posting to another account": (
        _one(
            f"UPDATE posting SET account = 'house' WHERE chain = '683a' AND account = 'patron/cy' AND seq = ({POSTED})"
        ),
        "Account patron/cy: it holds ",
    ),
    "postings deleted": (
        _one(f"DELETE FROM posting WHERE chain = '683a' AND seq = ({POSTED})"),
        "its postings do not match its events: patron/cy by +",
    ),
    "a posting of no entry": (
        _one("INSERT INTO posting (chain, seq, line, account, amount) VALUES ('683a', 9999, 0, 'house', 0)"),
        "Log “683a”: there is a posting of entry 9999, which is missing.",
    ),
    "a balance": (
        _one("UPDATE account SET balance = balance + 1 WHERE name = 'patron/ann'"),
        "Account patron/ann: it holds ",
    ),
    "two balances": (
        _one(
            "UPDATE account SET balance = balance + CASE name WHEN 'house' THEN 5 ELSE -5 END WHERE name IN ('house', 'cage')"
        ),
        "Account cage: it holds ",
    ),
    "wagers on a table": (
        _one("UPDATE account SET balance = 0 WHERE name = 'table/639a/wagers'"),
        "Account table/639a/wagers: it holds 0 micro-cents, and 1500000000 are in play at the table.",
    ),
    "a meter": (
        _one(f"UPDATE meter SET current = current + 1, house = house + 1 WHERE id = '{MAIN}'"),
        f"Meter {MAIN}: it is not where its opening, ",
    ),
    "a meter out of balance": (
        _one(f"UPDATE meter SET current = current + 1 WHERE id = '{MAIN}'"),
        f"Meter {MAIN}: its contributions do not match its amounts and payouts.",
    ),
    "a meter and its account": (
        _one(f"UPDATE meter SET reserve = reserve + 1 WHERE id = '{MAIN}'"),
        f"Account meter/{MAIN}/reserve: it holds ",
    ),
    "how often a meter moved": (
        _one(f"UPDATE meter SET seq = seq + 1 WHERE id = '{MAIN}'"),
        f"Meter {MAIN}: it says it was moved ",
    ),
    "the parameters of a meter": (
        _one(f"UPDATE meter SET rule = '[]' WHERE id = '{MAIN}'"),
        f"Meter {MAIN}: its parameters are not those of the Submission.",
    ),
    "a meter invented": (
        _one("INSERT INTO meter SELECT 'x/y/z@1', 0, 0, 0, 0, 0, 0, 0, 0, '[]'"),
        "Meter x/y/z@1: no table was opened with it.",
    ),
    "a contribution": (
        _one(f"UPDATE contribution SET current = current + 1 WHERE meter = '{MAIN}' AND seq = ({FED})"),
        f"the meter {MAIN} has a contribution of ",
    ),
    "a contribution deleted": (
        _one(f"DELETE FROM contribution WHERE meter = '{MAIN}' AND seq = ({FED})"),
        f"the meter {MAIN} has a contribution of nothing by it;",
    ),
    "a contribution of another table": (
        _one(f"UPDATE contribution SET chain = '683a' WHERE meter = '{MAIN}' AND seq = ({FED})"),
        f"Meter {MAIN}: it has contributions of the table 683a, which has no such meter.",
    ),
    "a balance that is none": (
        _one("UPDATE account SET balance = 'much' WHERE name = 'house'"),
        "The ledger: it cannot be checked any further",
    ),
    "a move": (
        _one(f"UPDATE move SET change = '{{\"paid\": 1}}' WHERE meter = '{MAIN}' AND meter_seq = 1"),
        f"the meter {MAIN} has a move of ",
    ),
    "a move deleted": (
        _one(f"DELETE FROM move WHERE meter = '{MAIN}' AND meter_seq = 1"),
        f"Meter {MAIN}: after move 0 comes move 2, by entry ",
    ),
    "a move of linked tables": (
        _one("UPDATE move SET change = '{\"paid\": 1}' WHERE meter = 'link:x/progressive/main@100' AND meter_seq = 2"),
        "the meter link:x/progressive/main@100 has a move of {'paid': 1} by it;",
    ),
    **{
        f"a round's {column}": (
            _one(f"UPDATE round SET {column} = {column} + 1 WHERE chain = '683a' AND number = 1"),
            f"Log “683a”, round 2: its `{column}` is ",
        )
        for column in ("first", "last", "ended", "wagered", "highest", "is_void")
    },
    "a round's table": (
        _one("UPDATE round SET after = '{}' WHERE chain = '683a' AND number = 1"),
        "Log “683a”, round 2: the snapshot after it does not match its entries.",
    ),
    "a round deleted": (
        _one("DELETE FROM round WHERE chain = '683a' AND number = 1"),
        "Log “683a”, round 2: it is not among the finished rounds.",
    ),
    "a round invented": (
        _one(
            "INSERT INTO round SELECT chain, 99, first, last, ended, wagered, highest, is_void, after FROM round WHERE chain = '683a' AND number = 1"
        ),
        "Log “683a”: it has 5 rows of `round`, and its entries lead to 4.",
    ),
    "what a patron played": (
        _one("UPDATE played SET net = net + 1 WHERE chain = '683a' AND number = 1"),
        "Log “683a”, round 2: the result of cy is ",
    ),
    "who played": (
        _one("UPDATE played SET patron = 'bob' WHERE chain = '683a' AND number = 1"),
        "Log “683a”, round 2: the stored patrons and its entries disagree on bob.",
    ),
    "a checkpoint": (_changed_checkpoint, "Checkpoint 1: its signature is invalid"),
    "a checkpoint that cannot be read": (
        _one("UPDATE checkpoint SET body = 'x' WHERE number = 2"),
        "Checkpoint 2: it cannot be read: ",
    ),
    "where logs ended": (_changed_heads, "Checkpoint 1: the ends of the logs do not match the signed hash."),
    "a signature": (
        _one("UPDATE checkpoint SET signature = replace(signature, substr(signature, 1, 2), '00') WHERE number = 2"),
        "Checkpoint 2: its signature is invalid",
    ),
    "the time of a checkpoint": (
        _one("UPDATE checkpoint SET time = time + 1 WHERE number = 2"),
        "Checkpoint 2: it was signed as checkpoint 2 of ",
    ),
    "sums of a wager": (
        _one("UPDATE held SET won = won + 1 WHERE chain = '683a' AND wager = 'ante'"),
        "Log “683a”: the sums of ante of $10.00 are (",
    ),
    "sums of a wager deleted": (
        _one("DELETE FROM held WHERE chain = '683a' AND wager = 'pocket-bonus'"),
        "Log “683a”: the sums of pocket-bonus of $5.00 are (0, 0, 0); its entries lead to (",
    ),
    "a checkpoint deleted": (_dropped_checkpoint, "Checkpoint 3: it does not follow checkpoint 1"),
    "a checkpoint renumbered": (_renumbered_checkpoint, "Checkpoint 2: it was signed as checkpoint 3"),
    "every checkpoint deleted": (_one("DELETE FROM checkpoint"), "There are finished rounds but no checkpoint"),
    "the checkpoints of a server deleted": (_unsigned_server, " has signed no checkpoint: those after checkpoint 3 "),
    "a post": (
        _one("UPDATE person SET post = 'operator' WHERE name = 'ann'"),
        "Person “ann”: known as operator; the house's log says patron.",
    ),
    "somebody dismissed": (
        _one("UPDATE person SET is_active = 1 WHERE name = 'bob'"),
        "Person “bob”: known as patron; the house's log says patron, dismissed.",
    ),
    "somebody whom nobody hired": (
        _one("INSERT INTO person SELECT 'eva', 'operator', password, 1, 0, 0 FROM person LIMIT 1"),
        "Person “eva”: known as operator; the house's log says nobody.",
    ),
    "somebody deleted": (
        _one("DELETE FROM person WHERE name = 'ann'"),
        "Person “ann”: known as nobody; the house's log says patron.",
    ),
    "a log cut off without a trace": (truncate, "Checkpoint 1: the log “683a” had an entry "),
}
"""By name: the tampering, and words of the expected problem."""
