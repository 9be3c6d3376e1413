"""An unchanged house verifies, and the audit locates any tampering."""

from pathlib import Path

import pytest
from evidence_house import WAGERS, House
from table_play import PRESETS
from tampering import TAMPERED, byte, truncate

from pitboss.errors import Mistake
from pitboss.house import evidence
from pitboss.house.evidence import AuditReport, signing_key, verify_house
from pitboss.house.office.acts import CashOut
from pitboss.house.storage.sqlite import Sqlite
from pitboss.money import CENT
from pitboss.submission import text_of
from pitboss.table import Decide, Report, Role, Sit, Wager


def _audit(db: Sqlite, made: Path) -> AuditReport:
    return verify_house(db, signing_key(made).public_key())


def test_an_unchanged_house_verifies(house: Sqlite, made: Path) -> None:
    told: list[tuple[int, int]] = []
    found = verify_house(house, signing_key(made).public_key(), lambda done, of: told.append((done, of)))
    assert found.problems == []
    assert (found.logs, found.checkpoints, found.followed) == (6, 3, [])
    assert found.entries == told[-1][0] == told[-1][1]
    for count, sql in (
        (found.rounds, "SELECT COUNT(*) FROM round"),
        (found.postings, "SELECT COUNT(*) FROM posting"),
        (found.meters, "SELECT COUNT(*) FROM meter"),
        (found.entries, "SELECT COUNT(*) FROM entry"),
    ):
        assert count == house.execute(sql)[0][0] > 0
    assert house.execute("SELECT COUNT(*) FROM move")[0][0] > 4
    assert verify_house(house).problems == []


@pytest.mark.parametrize("what", TAMPERED)
def test_tampering_is_located(house: Sqlite, made: Path, what: str) -> None:
    tamper, expected = TAMPERED[what]
    tamper(house)
    problems = _audit(house, made).problems
    assert any(expected in problem for problem in problems), problems


def test_only_a_checkpoint_reveals_a_truncated_log(house: Sqlite, made: Path) -> None:
    truncate(house)
    problems = _audit(house, made).problems
    assert problems
    assert all(problem.startswith("Checkpoint ") for problem in problems), problems


def test_one_changed_byte_is_one_problem(house: Sqlite, made: Path) -> None:
    byte(house)
    problems = _audit(house, made).problems
    assert [problem.partition(":")[0] for problem in problems] == ["Log “683a”, entry 30"]


def test_a_debt_from_a_reversed_payout_verifies(tmp_path: Path) -> None:
    house = House(tmp_path / "house.db")
    house.source.stack("Ah 5c 3d Kh 6d Ac Qh 7h Kd Jh 8s 6s Th 9c 8c")  # a royal flush, a straight, ace-king
    house.open("639a", "ann", text_of(PRESETS["639a"]))
    house.open("682a", "bob", text_of(PRESETS["682a"]))
    house.order("639a", Sit(2), "bob")
    house.order("639a", Wager(1, WAGERS["639a"]), "ann")
    house.order("639a", Wager(2, {"ante": 1000}), "bob")
    house.order("639a", Decide(1, 2), "ann")
    house.order("639a", Decide(2, 2), "bob")
    assert house.table("639a").boxes[2].settled, "bob is paid while ann's jackpot waits"
    ((holds,),) = house.db.execute("SELECT balance FROM account WHERE name = 'patron/bob'")
    house.act(CashOut("bob", holds // CENT - 100))
    house.order("639a", Report("wrong-number", seat=2, cards=6), "dana", Role.DEALER)
    assert house.db.execute("SELECT balance FROM account WHERE name = 'owed/bob'")[0][0] < 0
    house.play("639a", 1)
    assert verify_house(house.db).problems == []
    for account, more in (("owed/bob", 1), ("patron/bob", -1)):
        house.db.execute(
            "UPDATE posting SET amount = amount + ? WHERE rowid ="
            " (SELECT rowid FROM posting WHERE account = ? AND chain = '639a' ORDER BY seq DESC, line DESC LIMIT 1)",
            (more * 10**12, account),
        )
    assert any("its postings do not match its events: " in problem for problem in verify_house(house.db).problems)


def test_a_checkpoint_signed_with_another_key_is_reported(house: Sqlite, tmp_path: Path) -> None:
    other = signing_key(tmp_path)
    assert [problem[:12] for problem in verify_house(house, other.public_key()).problems] == [
        "Checkpoint 1",
        "Checkpoint 2",
        "Checkpoint 3",
    ]


def test_the_signing_key_is_kept_and_private(tmp_path: Path) -> None:
    key = signing_key(tmp_path)
    assert (tmp_path / "signing.key").stat().st_mode & 0o777 == 0o600
    assert signing_key(tmp_path).private_bytes_raw() == key.private_bytes_raw()
    read = evidence.public_key(tmp_path / "signing.pub")
    assert read.public_bytes_raw() == key.public_key().public_bytes_raw()
    (tmp_path / "signing.key").write_text("nonsense")
    with pytest.raises(Mistake, match="is not a private key"):
        signing_key(tmp_path)
    with pytest.raises(Mistake, match="is not a public key"):
        evidence.public_key(tmp_path / "signing.key")
