"""The auditor at a real browser: logs verified on screen, clauses with their proofs, rounds, events and the ledger."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import pytest
from house_server import Player
from playwright.sync_api import expect
from screen import CALCULATION_TIMEOUT, PHONE, Screen
from shared_house import Guest, SharedHouse

from pitboss.money import format_money

Enter = Callable[..., Screen]


class Played(NamedTuple):
    """The only finished rounds of the house: some paid something and some nothing."""

    table: str
    patron: Guest
    rounds: list[dict[str, Any]]


@pytest.fixture(scope="module")
def played(house: SharedHouse) -> Played:
    """Rounds that a patron played with an automatic dealer without pauses."""
    table, patron = house.table("four-card-prime", rest=0), house.guest("ann")
    player = Player(house.url, patron.token, patron.name, table, 2, "audit")
    found: list[dict[str, Any]] = []
    while len({one["highest"] for one in found}) < 2:
        _play(player, len(found) + 4)
        _, found = house.request("GET", f"/api/rounds?table={table}", token=house.token("ada"))
    return Played(table, patron, found)


def _play(player: Player, rounds: int) -> None:
    """Play this many rounds, in a thread beside the browsers' event loop."""
    enough = player.play(lambda: bool(player.seen) and player.seen["view"]["round"] >= rounds)
    thread = Thread(target=lambda: asyncio.run(enough))
    thread.start()
    thread.join()


def test_the_screen_verifies_every_log(people: Enter, played: Played) -> None:
    """Guarantee 7: entries, rounds and postings are recalculated on screen, and all match."""
    ada, table = people("ada").go("/auditor?part=chains"), played.table
    chains = ada.page.locator("[data-chain]")
    expect(chains).to_have_count(5)  # the house, its three tables, and the one just played at
    ada.page.click("[data-do=verify-all]")
    expect(ada.page.locator("[data-verdict]")).to_have_text("Every log is whole.", timeout=CALCULATION_TIMEOUT)
    for chain in chains.all():
        name = chain.get_attribute("data-chain")
        says = ada.page.locator(f"[data-verified='{name}'] .good")
        entries = chain.locator("td").nth(2).inner_text()
        expect(says).to_contain_text(f"Whole: all {entries} entries are bound to one another")
    expect(ada.page.locator(f"[data-verified={table}]")).to_contain_text(f"{len(played.rounds)} rounds decided again")
    ada.picture("auditor-chains")
    assert ada.violations() == []


def test_the_screen_shows_where_a_log_was_changed(people: Enter, house: SharedHouse, played: Played) -> None:
    """Guarantee 7: one changed byte of one entry breaks the log."""
    ada, table = people("ada").go("/auditor?part=chains"), played.table
    with _byte_changed(house.data / "house.db", table, 7):
        ada.page.click("[data-do=verify-all]")
        expect(ada.page.locator("[data-verdict]")).to_have_text(f"Broken: {table}.", timeout=CALCULATION_TIMEOUT)
    expect(ada.page.locator(f"[data-verified={table}] .bad").first).to_contain_text("It breaks in")
    expect(ada.page.locator(f"[data-verified={table}] li").first).to_contain_text(
        f"Log “{table}”, entry 7: it or the one before"
    )


@contextmanager
def _byte_changed(database: Path, chain: str, entry: int) -> Iterator[None]:
    """Change a byte of an entry, and put it back for the tests that follow."""

    def write(text: bytes) -> None:
        with sqlite3.connect(database) as db:
            db.execute("UPDATE entry SET body = ? WHERE chain = ? AND seq = ?", (text, chain, entry))
        db.close()

    with sqlite3.connect(database) as db:
        ((body,),) = db.execute("SELECT body FROM entry WHERE chain = ? AND seq = ?", (chain, entry)).fetchall()
    db.close()
    changed = bytes(body).replace(b'"time":1', b'"time":2', 1)
    assert changed != body
    write(changed)
    try:
        yield
    finally:
        write(body)


def test_a_clause_links_to_its_code_and_its_tests(people: Enter, house: SharedHouse) -> None:
    """Searches § 639a.11(c)(3)(i) by its words. Every enforced clause has a test."""
    cite, proof = (
        "639a.11(c)(3)(i)",
        "test_639a_11_c_3_i_a_dealer_below_ace_king_pays_the_ante_and_returns_the_bet",
    )
    ada = people("ada").go("/auditor?part=clauses")
    page = ada.page
    _, matrix = house.request("GET", "/api/clauses")
    expect(page.locator("[data-clause]")).to_have_count(len(matrix))
    page.get_by_label("Chapter").select_option("639a")
    page.get_by_label("Words").fill("below ace-king")
    row = page.locator(f"[data-clause='{cite}']")
    expect(page.locator("[data-clause]")).to_have_count(1)
    expect(row.locator("td").nth(4)).to_have_text("enforced")
    tests = int(row.locator("td").nth(5).inner_text())
    row.get_by_role("link").click()
    sheet = page.locator("aside.sheet")
    expect(sheet.get_by_role("heading").first).to_have_text(f"§ {cite}")
    expect(sheet.locator("dl")).to_contain_text("pitboss.games.settlement")
    expect(sheet).to_contain_text(f"Proven by {tests} tests")
    expect(sheet.locator(".tests li")).to_have_count(tests)
    expect(sheet.locator(".tests")).to_contain_text(proof)
    ada.picture("auditor-clause")
    assert ada.violations() == []
    ada.go("/auditor?part=clauses&status=enforced")
    expect(page.locator("[data-clause]")).to_have_count(sum(one["status"] == "enforced" for one in matrix))
    proven = page.locator("[data-clause] td:nth-child(6)").all_inner_texts()
    assert all(int(number) for number in proven)


def test_a_round_is_found_by_its_amount_and_replayed(people: Enter, played: Played) -> None:
    """A search by payout, to the cent, finds only rounds that paid this amount."""
    table, _, rounds = played
    most = max(one["highest"] for one in rounds)
    alike = [f"{table}/{one['number']}" for one in rounds if one["highest"] == most]
    assert 0 < len(alike) < len(rounds)
    ada = people("ada").go("/auditor?part=rounds")
    page = ada.page
    expect(page.locator("[data-round]")).to_have_count(len(rounds))
    for label in ("Highest payout from $", "to $"):
        page.get_by_label(label, exact=True).fill(f"{most / 100:.2f}")
    page.click("[data-do=find]")
    expect(page.locator("[data-round]")).to_have_count(len(alike))
    assert [one.get_attribute("data-round") for one in page.locator("[data-round]").all()] == alike
    for row in page.locator("[data-round]").all():
        expect(row.locator("td").nth(5)).to_have_text(format_money(most))
    assert f"least={most}" in page.url
    ada.picture("auditor-rounds")
    page.reload()  # the address contains the search
    expect(page.locator("[data-round]")).to_have_count(len(alike))
    page.get_by_label("to $", exact=True).fill(f"{most / 100 - 0.01:.2f}")
    page.click("[data-do=find]")
    expect(page.locator("[role=status]", has_text="No finished round matches.")).to_be_visible()
    page.go_back()
    page.locator("[data-round]").first.get_by_role("link").click()
    expect(page.locator("h1")).to_contain_text(f"Round {alike[0].partition('/')[2]} at {table}")


def test_older_events_are_on_further_pages_without_repetition(people: Enter, house: SharedHouse) -> None:
    """A hundred events to a page: every suspension and resumption of a wager is listed once."""
    ada = people("ada")
    for number in range(104):
        act: dict[str, object] = {"type": "Resume"} if number % 2 else {"type": "Suspend", "reason": f"trial {number}"}
        house.do("olga", table="cajun-stud", offer="lo-ball", **act)
    _, all_events = house.request("GET", "/api/events?limit=200", token=ada.token)
    shown = ada.go("/auditor?part=events").page.locator("[data-event]")
    expect(shown).to_have_count(100)
    expect(shown.first).to_contain_text("lo-ball")
    seen = [one.get_attribute("data-event") for one in shown.all()]
    ada.page.get_by_role("button", name="Older events").click()
    expect(shown).to_have_count(len(all_events) - 100)
    seen += [one.get_attribute("data-event") for one in shown.all()]
    assert seen == [f"{one['log']}/{one['entry']}" for one in all_events]
    expect(ada.page.get_by_role("button", name="Older events")).to_have_count(0)
    ada.page.get_by_role("button", name="Newer events").click()
    expect(shown).to_have_count(100)
    ada.page.get_by_label("With the words").fill("trial 102")
    expect(shown).to_have_count(1)
    assert ada.violations() == []


def test_the_ledger_balances_to_the_micro_cent(people: Enter, house: SharedHouse, played: Played) -> None:
    """Guarantee 1: all accounts sum to zero, also on a phone; a patron's account equals the shown balance."""
    ada = people("ada", size=PHONE).go("/auditor?part=ledger")
    total = ada.page.locator("[data-total]")
    expect(total).to_have_attribute("data-total", "0")
    expect(total).to_have_text("$0.00")
    rows = ada.page.locator("[data-account]")
    shown = {
        str(row.get_attribute("data-account")): _micro(row.locator("td").nth(1).inner_text()) for row in rows.all()
    }
    assert sum(shown.values()) == 0
    assert len({one for one in shown.values() if one}) > 3
    _, ledger = house.request("GET", "/api/ledger", token=ada.token)
    assert shown == ledger
    _, account = house.request("GET", "/api/account", token=played.patron.token)
    assert shown[f"patron/{played.patron.name}"] == account["balance"] * 1_000_000
    ada.page.get_by_label("Accounts with").fill("patron/")
    expect(rows).to_have_count(sum("patron/" in name for name in shown))
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert ada.violations() == []


def _micro(written: str) -> int:
    """Return the micro-cents of an amount as the ledger writes it: “−$1,234.5675”."""
    whole, _, part = written.replace("−", "-").replace("$", "").replace(",", "").partition(".")
    return int(f"{whole}{part.strip():0<8}")
