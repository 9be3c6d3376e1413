"""The workshop over HTTP: forms and Submissions, their problems and figures, approvals, mathematics."""

import asyncio
import io
import json
import os
import signal
import ssl
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import openpyxl
import pypdf
import pytest
from desk_house import House
from house_server import Server
from waiting import TIMEOUT

from pitboss.errors import Mistake
from pitboss.exact.liability import highest_round_loss
from pitboss.games import GAMES
from pitboss.house.office.acts import RecordApproval
from pitboss.rulebook import rulebook
from pitboss.submission import load, parse, presets, text_of
from pitboss.submission.choices import Choices, OfferChoices, TableChoices, choices_of, toml_of
from pitboss.submission.form import form_of
from pitboss.submission.model import Dealing, Shuffler, Submission
from pitboss.submission.terms import terms_of
from pitboss.web.advice import WorkerProcesses
from pitboss.web.operator import worker_jobs

RACK = "cajun-stud-rack-card"
STUD = "caribbean-stud-standard"
TLS = ssl.create_default_context()
"""Created once and never used: httpx would create one for each request."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("workshop") / "data")
    try:
        yield made.start()
    finally:
        made.stop()


@pytest.fixture(scope="module")
def olga(server: Server) -> str:
    return server.session("olga")


def send(server: Server, path: str, body: object = None, token: str = "", **headers: str) -> httpx.Response:
    known = {"authorization": f"Bearer {token}"} if token else {}
    method = "GET" if body is None else "POST"
    return httpx.request(
        method, server.url + path, json=body, headers={**known, **headers}, timeout=TIMEOUT, verify=TLS
    )


def send_ok(server: Server, path: str, body: object = None, token: str = "") -> Any:
    answer = send(server, path, body, token)
    assert answer.status_code == 200, answer.text
    return answer.json()


def fraction_of(figure: dict[str, Any]) -> Fraction:
    found = Fraction(figure["exact"])
    assert figure["number"] == pytest.approx(float(found), rel=1e-12)
    return found


# Forms.


def test_a_form_composes_the_submission_it_was_filled_from() -> None:
    for name in presets():
        assert parse(toml_of(choices_of(load(name))), name) == (load(name), [])


def test_special_characters_survive_a_round_trip() -> None:
    table = TableChoices(seats=1, boxes=1, dealing=Dealing.HAND, shuffler=Shuffler.NONE, decks=1, unit=1)
    odd = 'a "b" \\ \n\t\x7f \x01 é 🂡 #'
    chosen = Choices(
        game="x",
        property=odd,
        version="'''",
        table=table,
        wagers={odd: OfferChoices(paytable=odd, minimum=1, maximum=123, amounts=[0, 5], starting={odd: 150})},
        readings={odd: odd, "": ""},
    )
    found, wrong = parse(toml_of(chosen), "odd")
    assert isinstance(found, Submission)
    assert not wrong
    assert choices_of(found) == chosen


@pytest.mark.parametrize("game", GAMES)
def test_a_form_has_every_choice_and_valid_clauses(game: str) -> None:
    form, rules = form_of(game), rulebook().games[game]
    cites = [
        form.seats.cite,
        form.boxes.cite,
        form.decks.cite,
        *(option.cite for option in (*form.dealing, *form.shufflers, *form.abandoned_wagers)),
        *(clause for reading in form.readings for clause in reading.clauses),
        *(cite for wager in form.wagers for cite in (wager.cite, *(table.cite for table in wager.tables))),
        *([form.payout_limit.cite] if form.payout_limit else []),
    ]
    for cite in cites:
        rulebook().cite(cite)
    assert [wager.offer for wager in form.wagers if wager.required] == [GAMES[game].required]
    assert {table.name for wager in form.wagers for table in wager.tables} == set(rules.paytables)
    for wager in form.wagers:
        assert wager.offer in form.start.wagers
        for table in wager.tables:
            assert {one.letter or "-" for one in table.paytables} == set(rules.paytables[table.name].printed)
    assert (form.payout_limit is None) == (game == "caribbean-stud")


def test_639a_12_d_a_form_shows_meters_envy_and_links() -> None:
    progressive = next(wager for wager in form_of("caribbean-stud").wagers if wager.offer == "progressive")
    assert progressive.meters
    (table,) = progressive.tables
    by_letter = {one.letter: one for one in table.paytables}
    assert [meter.name for meter in by_letter["G"].meters] == ["mega", "major", "minor"]
    assert [meter.name for meter in by_letter["F"].meters] == ["mega", "major"]
    assert (by_letter["A"].meters[0].seed_cents, by_letter["A"].meters[0].primary) == (10_000_00, "53%")
    assert {letter for letter, one in by_letter.items() if one.envy} == set("DFGH")  # 639a.12(d)(6)
    assert {letter for letter, one in by_letter.items() if not one.linked} == set("ABCE")  # 639a.12(d)(3)
    assert {(one.wager, one.hand): one.pays for one in progressive.meters.envy}[500, "Royal flush"] == 5_000_00


def test_everybody_may_read_presets_and_fill_forms(server: Server, olga: str) -> None:
    found = {one["name"]: one for one in send_ok(server, "/api/presets")}
    assert set(found) == set(presets())
    assert found[RACK]["text"] == text_of(RACK)
    form = send_ok(server, "/api/games/cajun-stud/form")
    start = form["start"]
    start["wagers"]["ante"]["paytable"] = "B"
    start["wagers"]["ante"]["minimum"] = 750
    text = send_ok(server, "/api/submissions/compose", start, olga)["submission"]
    draft, wrong = parse(text, "composed")
    assert not wrong
    assert draft
    assert (draft.wagers["ante"].paytable, draft.wagers["ante"].minimum) == ("B", 750)
    assert send(server, "/api/games/poker/form").status_code == 404


# Problems and figures of a Submission.


def test_a_valid_submission_is_shown_with_exact_figures(server: Server, olga: str) -> None:
    found = send_ok(server, "/api/submissions/examine", {"submission": text_of(STUD)}, olga)
    assert found["in_order"]
    assert found["problems"] == []
    assert found["submission"]["wagers"]["ante"]["maximum"] == 10_000_00
    by_offer = {one["shown"]["offer"]: one for one in found["wagers"]}
    ante = by_offer["ante"]["shown"]
    # The published total loss over all deals; tests/exact/test_base.py.
    assert fraction_of(ante["figures"]["house_edge"]) == Fraction(1_041_372_912_372, 19_933_230_517_200)
    assert ante["figures"]["house_edge"]["text"] == "5.224 %"
    assert ante["figures"]["element_of_risk"]["text"] == "2.555 %"
    assert ante["figures"]["standard_deviation"]["text"] == "2.243"
    assert ante["edge_of"] == "the player's expected loss over the Ante, by the best decisions"
    assert fraction_of(by_offer["bonus"]["shown"]["figures"]["house_edge"]) == Fraction(80_820, 2_598_960)
    assert by_offer["progressive"]["meters"]["curves"][0]["break_even"]["text"] == "$240,830.00"
    # 639a.12(b): 100 to 1 on a Bet of twice the Ante, and the Ante itself.
    assert by_offer["ante"]["most"] == 2 * 10_000_00 * 100 + 10_000_00
    assert found["liability"] == 7 * found["liability_box"]
    again = send_ok(server, "/api/submissions/compose", found["submission"], olga)["submission"]
    assert parse(again, "again")[0] == load(STUD)


def test_683a_12_f_the_payout_limit_bounds_the_cost_of_a_box() -> None:
    rack, free = load(RACK), parse(text_of(RACK).replace("payout_limit = 50_000", ""), "free")[0]
    assert free
    limited, unlimited = (highest_round_loss(terms_of(one), 6, {}) for one in (rack, free))
    sides = sum(amount for offer, amount in unlimited.offers.items() if offer != "ante")
    assert limited.box == 50_000_00 + sides
    assert unlimited.box == unlimited.offers["ante"] + sides > limited.box
    assert limited.round == 6 * limited.box


def test_all_problems_are_reported_together_with_clauses(server: Server, olga: str) -> None:
    text = text_of(RACK).replace("payout_limit = 50_000", "payout_limit = 40_000").replace("seats = 6", "seats = 9")
    found = send_ok(server, "/api/submissions/examine", {"submission": text}, olga)
    assert not found["in_order"]
    assert {(one["where"], one["cite"]) for one in found["problems"]} == {
        ("table.seats", "683a.2(a)"),
        ("table.payout_limit", "683a.12(f)"),
    }
    assert len(found["wagers"]) == 5  # valid wagers are still analyzed
    assert found["liability"] is None
    prime = send_ok(server, "/api/submissions/examine", {"submission": text_of("four-card-prime-standard")}, olga)
    assert prime["in_order"]
    assert [one["offer"] for one in prime["warnings"]] == ["ante", "aces-bonus"]
    nothing = send_ok(server, "/api/submissions/examine", {"submission": "game = "}, olga)
    assert (nothing["submission"], len(nothing["problems"])) == (None, 1)
    assert "not TOML" in nothing["problems"][0]["problem"]
    lacking = send_ok(server, "/api/submissions/examine", {"submission": 'game = "cajun-stud"'}, olga)
    assert {one["where"] for one in lacking["problems"]} == {"property", "version", "table", "wagers"}
    assert send(server, "/api/submissions/examine", {"submission": "x" * 32_769}, olga).status_code == 400


def test_a_submission_is_printed_as_sign_rack_card_layout_and_par(server: Server, olga: str) -> None:
    body = {"submission": text_of(RACK)}
    pages = {}
    for kind in ("sign", "rack-card", "layout", "par"):
        answer = send(server, f"/api/submissions/{kind}", body, olga)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf")
        assert answer.headers["content-disposition"] == f'attachment; filename="cajun-stud-rack-card-{kind}.pdf"'
        pages[kind] = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(answer.content)).pages]
    assert "Trim at the marks" not in "".join(pages["sign"])
    assert [page.startswith("Rack card, 4 × 9 in.") for page in pages["rack-card"]] == [True]
    assert "1-800-GAMBLER" in pages["sign"][0]
    assert "683a.2(b)(3)" in pages["layout"][1]
    assert pages["par"][0].startswith("PAR sheet")
    book = send(server, "/api/submissions/xlsx", body, olga)
    sheet = openpyxl.load_workbook(io.BytesIO(book.content))["Summary"]
    assert str(sheet["C7"].value).startswith("=")
    refused = send(server, "/api/submissions/sign", {"submission": text_of(RACK).replace('"B"', '"Z"', 1)}, olga)
    assert refused.status_code == 400
    assert refused.json()["detail"] == (
        "The Submission is not valid: wagers.ante.paytable: There is no Paytable Z; the Submission chooses one of A, B, C. "
        "(683a.12(a))"
    )


def test_changes_are_described_in_words(server: Server, olga: str) -> None:
    new = text_of(RACK).replace("minimum = 5\n", "minimum = 10\n", 1).replace("[wagers.lo-ball]", "[wagers.lowball]")
    found = send_ok(server, "/api/submissions/diff", {"before": text_of(RACK), "after": new}, olga)
    assert [one["change"] for one in found] == [
        "The minimum of ante changed from $5.00 to $10.00.",
        "The wager lo-ball is no longer offered.",
        "The wager lowball is now offered, by Paytable A.",
    ]
    bad = send(server, "/api/submissions/diff", {"before": "x", "after": new}, olga)
    assert (bad.status_code, "the one before" in bad.json()["detail"]) == (400, True)


def test_who_may_use_the_workshop(server: Server) -> None:
    body = {"submission": "x"}
    for who, status in (("ann", 403), ("", 401), ("flo", 200), ("ada", 200)):
        token = server.session(who) if who else ""
        assert send(server, "/api/submissions/examine", body, token).status_code == status, who
    looks = {"/api/submissions": {"olga", "ada", "flo"}, "/api/holds": {"olga", "ada"}}
    for path, may in looks.items():
        for who in ("olga", "ada", "flo", "sue", "dana", "ann"):
            assert send(server, path, token=server.session(who)).status_code == (200 if who in may else 403), (
                path,
                who,
            )
        assert send(server, path).status_code == 401
    cookie = httpx.post(f"{server.url}/api/session", json={"name": "olga", "password": "play-money"}).cookies
    forged = httpx.post(f"{server.url}/api/submissions/examine", json=body, cookies=dict(cookie))
    assert forged.status_code == 403  # another site cannot use the cookie


# Submissions of the house, and the Board's approval.


def test_submissions_are_stored_with_dates_and_approvals(server: Server, olga: str) -> None:
    text = text_of("four-card-prime-standard").replace('version = "1"', 'version = "2"')
    opening = {"type": "OpenTable", "table": "superseded", "submission": text}
    assert server.act(olga, "open-it", **opening)[0] == 200
    approval = {"type": "RecordApproval", "submission": text, "date": "2024-02-29", "reference": "Letter 7 of 2024"}
    assert server.act(olga, "approved", **approval)[0] == 200

    def found() -> dict[str, Any]:
        (one,) = [one for one in send_ok(server, "/api/submissions", token=olga) if one["version"] == "2"]
        return dict(one)

    known = found()
    assert known["current"]
    assert known["sha256"] == sha256(text.encode()).hexdigest()
    assert known["text"] == text
    assert [(one["date"], one["reference"], one["by"]) for one in known["approvals"]] == [
        ("2024-02-29", "Letter 7 of 2024", "olga")
    ]
    assert server.act(olga, "close-it", type="CloseTable", table="superseded")[0] == 200
    (table,) = found()["tables"]
    assert not found()["current"]
    assert table["since"] <= table["until"]
    events = send_ok(server, "/api/events", token=olga)
    assert any("the Board's approval of 2024-02-29 is recorded: Letter 7 of 2024" in one["what"] for one in events)
    kept = {one["sha256"]: one for one in send_ok(server, "/api/submissions", token=olga)}
    assert len(kept) == 4  # three tables of the demonstration, and it
    before = kept[known["supersedes"]]
    assert (before["game"], before["version"], before["supersedes"]) == ("four-card-prime", "as published", None)
    form = send(server, f"/api/submissions/{known['sha256']}/form", token=olga)
    assert (form.status_code, form.headers["content-type"]) == (200, "application/pdf")
    assert form.headers["content-disposition"] == 'attachment; filename="four-card-prime-2-form.pdf"'
    words = "".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(form.content)).pages)
    for said in (
        "Letter 7 of 2024",
        "2024-02-29",
        "olga",
        "Against version as published.",
        "The version changed from as published to 2.",
    ):
        assert said in words
    first = send(server, f"/api/submissions/{before['sha256']}/form", token=olga)
    assert b"%PDF" in first.content
    assert send(server, f"/api/submissions/{'0' * 64}/form", token=olga).status_code == 404
    layout = send(server, f"/api/submissions/{known['sha256']}/layout", token=olga)
    assert layout.status_code == 200, layout.text
    assert "Inscriptions and marked areas" in pypdf.PdfReader(io.BytesIO(layout.content)).pages[1].extract_text()
    assert send(server, f"/api/submissions/{'0' * 64}/layout", token=olga).status_code == 404
    path = f"/api/submissions/{known['sha256']}/form"
    for who, status in (("ada", 200), ("flo", 200), ("dana", 403), ("ann", 403)):
        assert send(server, path, token=server.session(who)).status_code == status, who
    assert send(server, path).status_code == 401


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"date": "2027-01-16"}, "2027-01-16 is in the future"),
        ({"date": "29.2.2024"}, "is not a date such as"),
        ({"date": "20240229"}, "is not a date such as"),
        ({"date": "2023-02-29"}, "is not a date such as"),
        ({"reference": " "}, "Enter the Board's reference"),
        ({"reference": "a\nb"}, "Enter the Board's reference"),
        ({"submission": "game = "}, "is not TOML"),
        ({"submission": text_of(RACK).replace("seats = 6", "seats = 7")}, "table.seats: A table has 1 to 6"),
        ({"submission": "approved = 2024-01-01\n" + text_of(RACK)}, "another date of approval: 2024-01-01"),
    ],
)  # fmt: skip
def test_refuses_an_impossible_approval(sqlite_house: House, changes: dict[str, str], why: str) -> None:
    """The clock of the house stands at 2027-01-15."""
    right = {"submission": text_of(RACK), "date": "2027-01-15", "reference": "Letter 1"}
    done = sqlite_house.act(RecordApproval(**{**right, **changes}))
    assert not done.accepted
    assert why in done.why
    assert sqlite_house.act(RecordApproval(**right)).accepted


# The worker process.


def test_a_worker_process_is_restarted_after_it_dies() -> None:
    async def asks() -> None:
        adviser = WorkerProcesses()
        try:
            first = await adviser.work(os.getpid)
            assert first not in {os.getpid(), await adviser.work(os.getppid)}
            assert await adviser.run_cached(os.getpid) == await adviser.run_cached(os.getpid) == first
            os.kill(first, signal.SIGKILL)
            assert await adviser.work(os.getpid) not in {first, os.getpid()}
            for _ in range(2):  # a mistake is raised each time, not cached
                with pytest.raises(Mistake, match="cannot be read"):
                    await adviser.run_cached(worker_jobs.document, 'game = "x"', "sign")
        finally:
            adviser.stop()

    asyncio.run(asks())


def test_the_server_process_loads_no_kernels(tmp_path: Path) -> None:
    """Numba runs in other processes only."""
    code = "import json, sys, pitboss.web.server; print(json.dumps([n in sys.modules for n in ('numba', 'numpy')]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, cwd=tmp_path)
    assert json.loads(done.stdout) == [False, False]
