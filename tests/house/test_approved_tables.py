"""Approvals: a real-money table needs all of them; a play-money table opens and says which are missing."""

import pytest
from approved_submissions import DAY, NEEDED, PRESETS, approved_text
from desk_house import House

from pitboss.house.office.acts import OpenTable, RecordApproval
from pitboss.house.office.money_kind import MONEY_KIND_NOTE, PLAY, REAL
from pitboss.house.office.office import ActResult
from pitboss.submission import Dealing, text_of
from pitboss.table import ChangeDealing, Cover, Report, Reshuffle
from pitboss.web.felt import table_layout

CASES = [(chapter, kind, f"{chapter}.2{part}") for chapter, kinds in NEEDED.items() for kind, part in kinds.items()]


@pytest.fixture
def real_money_house(sqlite_house: House) -> House:
    """A house for real money."""
    sqlite_house.office.note(MONEY_KIND_NOTE, after=REAL)
    return sqlite_house


def open_table_result(house: House, submission: str, table: str = "one") -> ActResult:
    return house.act(OpenTable(table, submission))


@pytest.mark.proves("639a.2(b)", "639a.2(c)", "639a.2(d)", "682a.2(b)", "683a.2(b)")
@pytest.mark.parametrize(("chapter", "kind", "cite"), CASES)
def test_2_a_real_money_table_needs_every_approval(real_money_house: House, chapter: str, kind: str, cite: str) -> None:
    refused = open_table_result(real_money_house, approved_text(chapter, kind))
    assert (refused.accepted, refused.cite) == (False, cite)
    assert f"(§ {cite})" in refused.why
    assert open_table_result(real_money_house, approved_text(chapter)).accepted


@pytest.mark.proves("{chapter}.5(g)")
@pytest.mark.parametrize("chapter", PRESETS)
def test_5_g_a_counting_reshuffler_needs_approval_before_use(real_money_house: House, chapter: str) -> None:
    refused = open_table_result(real_money_house, approved_text(chapter, "device", device=True))
    assert (refused.accepted, refused.cite) == (False, f"{chapter}.5(g)")
    assert open_table_result(real_money_house, approved_text(chapter, device=True)).accepted


@pytest.mark.proves("{chapter}.8(a)")
@pytest.mark.parametrize("chapter", PRESETS)
def test_8_a_a_manual_shoe_needs_an_approved_place(real_money_house: House, chapter: str) -> None:
    refused = open_table_result(real_money_house, approved_text(chapter, "manual-shoe"))
    assert (refused.accepted, refused.cite) == (False, f"{chapter}.8(a)")
    assert "the place of the manual shoe, by the Bureau of Casino Compliance" in refused.why
    assert open_table_result(real_money_house, approved_text(chapter)).accepted


@pytest.mark.proves("{chapter}.8(a)")
@pytest.mark.parametrize("dealing", ["hand", "automated-shoe"])
@pytest.mark.parametrize("chapter", PRESETS)
def test_8_a_other_dealing_methods_need_no_approved_place(real_money_house: House, chapter: str, dealing: str) -> None:
    text = approved_text(chapter, dealing=dealing)
    assert "manual-shoe = {" not in text.partition("\n[approvals]")[2]
    assert open_table_result(real_money_house, text).accepted


@pytest.mark.proves("{chapter}.8(a)")
@pytest.mark.parametrize("chapter", PRESETS)
def test_8_a_a_replacement_manual_shoe_needs_an_approved_place(real_money_house: House, chapter: str) -> None:
    text = approved_text(chapter, dealing="automated-shoe")
    real_money_house.open("without", text)
    real_money_house.open(
        "later", f'{text}manual-shoe = {{ reference = "BCC 3", date = 2027-01-16 }}\n'
    )  # it is the 15th
    real_money_house.open("approved", f'{text}manual-shoe = {{ reference = "BCC 3", date = {DAY} }}\n')
    real_money_house.patrons("ann")
    for table in ("without", "later", "approved"):
        real_money_house.seat(table, ann=1)
        for command in (Report("malfunction", device="shoe"), Cover("shoe"), Reshuffle()):
            real_money_house.send_ok("flo", table, command)
    for table in ("without", "later"):
        refused = real_money_house.send("flo", table, ChangeDealing(Dealing.MANUAL_SHOE))
        assert (refused.accepted, refused.cite) == (False, f"{chapter}.8(a)")
        assert real_money_house.send_ok("flo", table, ChangeDealing(Dealing.HAND)).accepted
    assert real_money_house.send_ok("flo", "approved", ChangeDealing(Dealing.MANUAL_SHOE)).accepted


@pytest.mark.proves("639a.2(b)")
def test_2_b_an_approval_with_a_future_date_does_not_count(real_money_house: House) -> None:
    tomorrow = approved_text("639a").replace(
        f'layout = {{ reference = "No. layout", date = {DAY}', 'layout = { reference = "No. layout", date = 2027-01-16'
    )
    assert open_table_result(real_money_house, tomorrow).cite == "639a.2(b)"  # it is the 15th
    assert open_table_result(real_money_house, tomorrow.replace("2027-01-16", "2027-01-15")).accepted


def test_the_boards_approval_may_be_recorded_by_the_house(real_money_house: House) -> None:
    undated = approved_text("682a", dated=False)
    assert open_table_result(real_money_house, undated).cite == "682a.12"
    real_money_house.act_ok(RecordApproval(undated, DAY, "PGCB 26-17"))
    assert open_table_result(real_money_house, undated).accepted


@pytest.mark.proves("639a.2(b)", "639a.2(c)", "682a.2(b)", "683a.2(b)")
@pytest.mark.parametrize("chapter", PRESETS)
def test_2_a_play_money_table_opens_without_approval_and_says_so(sqlite_house: House, chapter: str) -> None:
    sqlite_house.office.note(MONEY_KIND_NOTE, after=PLAY)
    assert open_table_result(sqlite_house, text_of(PRESETS[chapter])).accepted
    live = sqlite_house.desk.read_table("one")
    assert live
    said = table_layout(live, play_money=True).not_approved
    assert said.startswith("Not approved: ")
    assert all(f"(§ {chapter}.2{part})" in said for part in NEEDED[chapter].values())
    assert open_table_result(sqlite_house, approved_text(chapter), "two").accepted
    approved = sqlite_house.desk.read_table("two")
    assert approved
    assert table_layout(approved, play_money=True).not_approved == ""
