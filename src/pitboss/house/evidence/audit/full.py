"""The audit of a whole house."""

from functools import partial

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pitboss.house.evidence.audit.books import NOBODY, AuditReport, Books, Progress
from pitboss.house.evidence.audit.checkpoint_audit import check_checkpoints
from pitboss.house.evidence.audit.ledger_audit import check_ledger, check_strays
from pitboss.house.evidence.audit.logs import check_house, check_table
from pitboss.house.evidence.audit.meters import check_meters
from pitboss.house.evidence.audit.people import check_people
from pitboss.house.evidence.audit.slips import check_slips
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.logs import HOUSE
from pitboss.house.storage.reading import read_snapshot


def verify_house(
    db: Connection, public_key: Ed25519PublicKey | None = None, progress: Progress = NOBODY
) -> AuditReport:
    """Audit one snapshot of the whole database; others may write meanwhile.

    Without a public key, each checkpoint is verified with the key it names.
    """
    with read_snapshot(db):
        books = Books(db, public_key, progress)
        _check(books)
    return books.found


def _check(books: Books) -> None:
    if HOUSE not in books.chains:
        books.say(f"The log “{HOUSE}” is missing.")
    for chain in sorted(books.chains.values(), key=lambda chain: (chain.kind != HOUSE, chain.id)):
        books.found.logs += 1
        check = check_house if chain.kind == HOUSE else check_table
        books.try_check(f"Log “{chain.id}”", partial(check, books, chain))
    for name in books.house.tables.keys() - books.chains.keys():
        books.say(f"Log “{name}”: the house opened this table, but its log is missing.")
    books.try_check("The ledger", partial(check_ledger, books))
    books.try_check("The ledger", partial(check_strays, books))
    books.try_check("The meters", partial(check_meters, books))
    books.try_check("The people", partial(check_people, books))
    books.try_check("The slips", partial(check_slips, books))
    books.try_check("The checkpoints", partial(check_checkpoints, books))
