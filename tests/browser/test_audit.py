"""The auditor at a real browser: logs verified in view, clauses with their proofs, rounds, events and the ledger."""

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from house_server import Player, Server
from playwright.sync_api import expect
from screen import PHONE, Screen

from pitboss.money import dollars
from pitboss.submission import text_of

Enter = Callable[..., Screen]
TABLE = "quick"


@pytest.fixture
def rounds(house: Server) -> list[dict[str, Any]]:
    """Finished rounds of a table that does not rest between them, some of which paid something and some nothing."""
    olga, ada = house.sign_in("olga"), house.sign_in("ada")
    text = text_of("four-card-prime-standard")
    status, done = house.act(olga, "quick", type="OpenTable", table=TABLE, submission=text, scanned=False, settings={})
    assert status == 200, done
    ann = Player(house.url, house.sign_in("ann"), "ann", TABLE, 2, "audit")
    found: list[dict[str, Any]] = []
    while len({one["highest"] for one in found}) < 2:
        _played(ann, len(found) + 4)
        _, found = house.request("GET", f"/api/rounds?table={TABLE}", token=ada)
    return found


def _played(player: Player, rounds: int) -> None:
    """Have so many rounds played, beside the event loop of the browsers."""
    enough = player.play(lambda: bool(player.seen) and player.seen["view"]["round"] >= rounds)
    thread = Thread(target=lambda: asyncio.run(enough))
    thread.start()
    thread.join()


def test_every_log_is_verified_in_view(people: Enter, rounds: list[dict[str, Any]]) -> None:
    """Guarantee 7: entries, rounds and postings are worked out again while one looks, and all are as written."""
    ada = people("ada").go("/auditor?part=chains")
    chains = ada.page.locator("[data-chain]")
    expect(chains).to_have_count(5)  # the house, its three tables, and the one just played at
    ada.page.click("[data-do=verify-all]")
    expect(ada.page.locator("[data-verdict]")).to_have_text("Every log is whole.", timeout=60_000)
    for chain in chains.all():
        name = chain.get_attribute("data-chain")
        says = ada.page.locator(f"[data-verified='{name}'] .good")
        entries = chain.locator("td").nth(2).inner_text()
        expect(says).to_contain_text(f"Whole: all {entries} entries are bound to one another")
    expect(ada.page.locator(f"[data-verified={TABLE}]")).to_contain_text(f"{len(rounds)} rounds decided again")
    ada.picture("auditor-chains")
    assert ada.violations() == []


@pytest.mark.usefixtures("rounds")
def test_a_log_that_was_changed_is_found_broken_and_where(people: Enter, house: Server) -> None:
    """Guarantee 7: one byte of one entry, changed behind the house's back, and the log is not whole."""
    _change(house.data / "house.db", TABLE, 7)
    ada = people("ada").go("/auditor?part=chains")
    ada.page.click("[data-do=verify-all]")
    expect(ada.page.locator("[data-verdict]")).to_have_text(f"Broken: {TABLE}.", timeout=60_000)
    expect(ada.page.locator(f"[data-verified={TABLE}] .bad").first).to_contain_text("It breaks in")
    expect(ada.page.locator(f"[data-verified={TABLE}] li").first).to_contain_text(
        f"Log “{TABLE}”, entry 7: it or the one before"
    )


def _change(database: Path, chain: str, entry: int) -> None:
    with sqlite3.connect(database) as db:
        ((body,),) = db.execute("SELECT body FROM entry WHERE chain = ? AND seq = ?", (chain, entry)).fetchall()
        changed = bytes(body).replace(b'"time":1', b'"time":2', 1)
        assert changed != body
        db.execute("UPDATE entry SET body = ? WHERE chain = ? AND seq = ?", (changed, chain, entry))
    db.close()


def test_a_clause_leads_to_what_enforces_it_and_to_the_tests_that_prove_it(people: Enter, house: Server) -> None:
    """§ 639a.11(c)(3)(i), looked for by its words; no clause that is enforced is without a test."""
    cite, proof = (
        "639a.11(c)(3)(i)",
        "test_639a_11_c_3_i_a_weak_dealer_loses_the_ante_and_returns_the_bet_whatever_the_hand",
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
    expect(sheet.locator("dl")).to_contain_text("pitboss.games.settle")
    expect(sheet).to_contain_text(f"Proven by {tests} tests")
    expect(sheet.locator(".tests li")).to_have_count(tests)
    expect(sheet.locator(".tests")).to_contain_text(proof)
    ada.picture("auditor-clause")
    assert ada.violations() == []
    ada.go("/auditor?part=clauses&status=enforced")
    expect(page.locator("[data-clause]")).to_have_count(sum(one["status"] == "enforced" for one in matrix))
    proven = page.locator("[data-clause] td:nth-child(6)").all_inner_texts()
    assert all(int(number) for number in proven)


def test_a_round_is_found_by_its_amount_and_replayed(people: Enter, rounds: list[dict[str, Any]]) -> None:
    """The highest payout of a round, to the cent: rounds that paid another amount are not among those found."""
    most = max(one["highest"] for one in rounds)
    alike = [f"{TABLE}/{one['number']}" for one in rounds if one["highest"] == most]
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
        expect(row.locator("td").nth(5)).to_have_text(dollars(most))
    assert f"least={most}" in page.url
    ada.picture("auditor-rounds")
    page.reload()  # what was looked for is in the address
    expect(page.locator("[data-round]")).to_have_count(len(alike))
    page.get_by_label("to $", exact=True).fill(f"{most / 100 - 0.01:.2f}")
    page.click("[data-do=find]")
    expect(page.locator("[role=status]", has_text="No finished round is so.")).to_be_visible()
    page.go_back()
    page.locator("[data-round]").first.get_by_role("link").click()
    expect(page.locator("h1")).to_contain_text(f"Round {alike[0].partition('/')[2]} at {TABLE}")


def test_older_events_are_on_further_pages_each_once(people: Enter, house: Server) -> None:
    """A hundred to a page; a wager suspended and resumed many times, and all of it is found again."""
    olga, ada = house.sign_in("olga"), people("ada")
    for number in range(104):
        act: dict[str, object] = {"table": "cajun-stud", "offer": "lo-ball"}
        act |= {"type": "Resume"} if number % 2 else {"type": "Suspend", "reason": f"trial {number}"}
        status, done = house.act(olga, f"trial-{number}", **act)
        assert status == 200, done
    _, all_events = house.request("GET", "/api/events?limit=200", token=house.sign_in("ada"))
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


@pytest.mark.usefixtures("rounds")
def test_the_ledger_is_whole_to_the_micro_cent(people: Enter, house: Server) -> None:
    """Guarantee 1: what everybody has is nothing together, on a phone too; a patron's account is the patron's balance."""
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
    _, ledger = house.request("GET", "/api/ledger", token=house.sign_in("ada"))
    assert shown == ledger
    _, account = house.request("GET", "/api/account", token=house.sign_in("ann"))
    assert shown["patron/ann"] == account["balance"] * 1_000_000
    ada.page.get_by_label("Accounts with").fill("patron/")
    expect(rows).to_have_count(sum("patron/" in name for name in shown))
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert ada.violations() == []


def _micro(written: str) -> int:
    """Return the micro-cents of an amount as the ledger writes it: “−$1,234.5675”."""
    whole, _, part = written.replace("−", "-").replace("$", "").replace(",", "").partition(".")
    return int(f"{whole}{part.strip():0<8}")
