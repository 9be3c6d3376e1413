"""Training over HTTP: anybody may practise, every answer is graded, and only staff store records."""

import csv
import io
import subprocess
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import httpx
import pytest
from house_server import Server
from pypdf import PdfReader
from waiting import TIMEOUT, until

GAMES = ("caribbean-stud", "four-card-prime", "cajun-stud")
PLAYER, DEALER = "/api/training/player", "/api/training/dealer"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    found = Server(tmp_path_factory.mktemp("training") / "data").start()
    yield found
    assert found.stop() == 0


def get(server: Server, path: str, status: int = 200) -> Any:
    found, answer = server.request("GET", path)
    assert found == status, answer
    return answer


def post(server: Server, path: str, body: object, status: int = 200) -> Any:
    found, answer = server.request("POST", path, body)
    assert found == status, answer
    return answer


@pytest.mark.parametrize("game", GAMES)
def test_a_player_drill_is_graded_with_exact_values(server: Server, game: str) -> None:
    drill = get(server, f"{PLAYER}/{game}?seed=7")
    assert drill == get(server, f"{PLAYER}/{game}?seed=7&kind=hard")
    assert drill["hand"] != get(server, f"{PLAYER}/{game}?kind=any")["hand"]
    graded = [
        post(server, f"{PLAYER}/answer", {"hand": drill["hand"], "multiple": option["multiple"]})
        for option in drill["options"]
    ]
    worths = {option["multiple"]: Fraction(option["worth"]) for option in graded[0]["options"]}
    for one in graded:
        assert Fraction(one["cost"]) == max(worths.values()) - worths[one["multiple"]]
        assert one["right"] == (one["severity"] == "none") == (Fraction(one["cost"]) == 0)
        assert [option["multiple"] for option in one["options"] if option["best"]] == [
            multiple for multiple, worth in worths.items() if worth == max(worths.values())
        ]
        assert one["thumbs"]
    assert sum(one["right"] for one in graded) == 1  # close, but one is best
    answers = [{"hand": one["hand"], "multiple": one["multiple"], "seconds": 3} for one in graded]
    score = post(server, f"{PLAYER}/score", {"answers": answers, "ante": 2000})
    assert (score["asked"], score["right"], score["seconds"]) == (len(graded), 1, 3 * len(graded))
    assert Fraction(score["cost"]) == sum(Fraction(one["cost"]) for one in graded)
    assert score["lost"] == round(Fraction(score["cost"]) * 2000)


def test_mistakes_from_the_clients_list_are_asked_again(server: Server) -> None:
    hands = [get(server, f"{PLAYER}/cajun-stud?seed={seed}")["hand"] for seed in range(4)]
    again = post(server, f"{PLAYER}/again", {"hands": hands, "seed": "x"})
    assert again == post(server, f"{PLAYER}/again", {"hands": hands, "seed": "x"})
    ranks = sorted(card[0] for card in again["hand"]["player"])
    assert ranks in [sorted(card[0] for card in one["player"]) for one in hands]


@pytest.mark.parametrize("game", GAMES)
def test_a_dealer_gets_every_kind_of_drill_graded_with_clauses(server: Server, game: str) -> None:
    for kind, shape in {"pay": "pay", "read": "read", "irregular": "choice", "procedure": "choice"}.items():
        drill = get(server, f"{DEALER}/{game}?kind={kind}&seed=s")
        assert drill["type"] == shape
        assert drill["drill"] == {"game": game, "kind": kind, "seed": "s", "table": "", "preset": ""}
        if kind == "pay":
            blank = post(server, f"{DEALER}/answer", {"drill": drill["drill"]})
            assert not blank["right"]
            keys = ("seat", "wager", "answer", "amount")
            lines = [{key: line[key] for key in keys} for line in blank["lines"]]
            graded = [post(server, f"{DEALER}/answer", {"drill": drill["drill"], "lines": lines})]
        else:
            graded = [
                post(server, f"{DEALER}/answer", {"drill": drill["drill"], "choice": option["answer"]})
                for option in drill["options"]
            ]
        assert sum(one["right"] for one in graded) == 1
        assert all(one["clause"]["cite"] and one["clause"]["duty"] for one in graded)


def test_a_table_test_is_composed_and_scored(server: Server) -> None:
    test = get(server, f"{DEALER}/caribbean-stud?kind=test&seed=exam")
    assert test["type"] == "test"
    assert len(test["questions"]) == 20
    answers = [
        {"drill": one["drill"], "seconds": 5, **({"choice": one["options"][0]["answer"]} if "options" in one else {})}
        for one in test["questions"]
    ]
    score = post(server, f"{DEALER}/score", {"answers": answers})
    assert (score["asked"], score["seconds"], score["allowed"]) == (20, 100, test["seconds"])
    assert score["in_time"]
    assert score["asked"] - score["right"] == len({error["drill"]["seed"] for error in score["errors"]})
    assert sum(one["errors"] for one in score["clauses"]) == len(score["errors"])
    assert all(error["clause"]["cite"].startswith("639a.") for error in score["errors"])


def test_drills_use_the_submission_of_a_preset_or_an_open_table(server: Server) -> None:
    card = get(server, f"{DEALER}/cajun-stud?seed=1&preset=cajun-stud-rack-card")
    assert card["payout_limit"] == 50_000_00
    assert get(server, f"{DEALER}/cajun-stud?seed=1")["payout_limit"] is None
    table = get(server, f"{DEALER}/cajun-stud?seed=1&table=cajun-stud")
    assert table["drill"]["table"] == "cajun-stud"
    assert post(server, f"{DEALER}/answer", {"drill": table["drill"]})["lines"]
    hand = get(server, f"{PLAYER}/cajun-stud?seed=1&table=cajun-stud")["hand"]
    assert hand["table"] == "cajun-stud"
    assert "There is no game “teapot”" in get(server, f"{DEALER}/teapot", 404)["detail"]
    assert post(server, f"{PLAYER}/answer", {"hand": hand, "multiple": 0})["options"]


def test_683a_12_f_a_player_is_graded_under_the_payout_limit(server: Server) -> None:
    """With a flush to come and Raises of three times made: at $1,000 a third one of three times costs an Ante."""
    cards = {"game": "cajun-stud", "player": ["Ah", "Kh"], "board": ["9h", "4h"], "raised": [3, 3]}
    hand = {**cards, "preset": "cajun-stud-rack-card"}

    def graded(**more: object) -> Any:
        return post(server, f"{PLAYER}/answer", {"hand": hand, "multiple": 3, **more})

    high, low = graded(ante=1_000_00), graded(ante=10_00)
    assert [option["worth"] for option in high["options"]] == ["-7", "43/8", "39/8", "35/8"]
    assert (high["right"], high["cost"]) == (False, "1")
    assert "under the payout limit of $50,000 per player" in high["counts"]
    assert [option["worth"] for option in low["options"]] == ["-7", "13/2", "117/16", "65/8"]
    assert low == graded()
    body = {"answers": [{"hand": hand, "multiple": 3}, {"hand": hand, "multiple": 1}], "ante": 1_000_00}
    score = post(server, f"{PLAYER}/score", body)
    assert (score["right"], score["cost"], score["lost"]) == (1, "1", 1_000_00)
    without = post(server, f"{PLAYER}/answer", {"hand": cards, "multiple": 3, "ante": 1_000_00})
    assert "payout limit" not in without["counts"]
    assert (
        "is not whole cents"
        in post(server, f"{PLAYER}/answer", {"hand": hand, "multiple": 3, "ante": 1_000_01}, 400)["detail"]
    )


HAND = {"game": "caribbean-stud", "player": ["Kc", "Qc", "6s", "Ah", "7c"], "up": ["8c"]}
DRILL = {"game": "caribbean-stud", "kind": "irregular", "seed": "1"}


@pytest.mark.parametrize(
    ("path", "body", "status", "says"),
    [
        (f"{PLAYER}/answer", {"hand": HAND, "multiple": 1}, 400, "Choose 2 times the Ante"),
        (f"{PLAYER}/answer", {"hand": {**HAND, "up": ["7c"]}, "multiple": 0}, 400, "7c is listed twice"),
        (f"{PLAYER}/answer", {"hand": {**HAND, "up": []}, "multiple": 0}, 400, "sees 1 card as"),
        (f"{PLAYER}/answer", {"hand": {**HAND, "game": "teapot"}, "multiple": 0}, 400, "Validation failed"),
        (f"{PLAYER}/answer", {"hand": {**HAND, "table": "teapot"}, "multiple": 0}, 404, "There is no open table"),
        (f"{PLAYER}/answer", {"hand": {**HAND, "preset": "../x"}, "multiple": 0}, 404, "There is no preset"),
        (f"{PLAYER}/answer", {"hand": {**HAND, "preset": "cajun-stud-standard"}, "multiple": 0}, 400, "is for cajun-stud"),
        (f"{PLAYER}/again", {"hands": []}, 400, "Validation failed"),
        (f"{DEALER}/answer", {"drill": DRILL, "choice": "call home"}, 400, "not one of the answers"),
        (f"{DEALER}/answer", {"drill": {**DRILL, "kind": "test"}}, 400, "question by question"),
        (f"{DEALER}/answer", {"drill": {**DRILL, "seed": "a b"}}, 400, "Validation failed"),
        (f"{DEALER}/answer", {"drill": {**DRILL, "kind": "read"}, "choice": "Five aces"}, 400, "not one of the hands"),
        (f"{DEALER}/score", {"answers": [{"drill": DRILL}, {"drill": {**DRILL, "game": "cajun-stud"}}]}, 400, "one game"),
        (f"{DEALER}/score", {"answers": [{"drill": DRILL}] * 2}, 400, "irregular “1” occurs twice"),
    ],
)  # fmt: skip
def test_refuses_impossible_drills_in_one_sentence(
    server: Server, path: str, body: object, status: int, says: str
) -> None:
    assert says in post(server, path, body, status)["detail"]


def test_too_many_requests_are_answered_with_429(tmp_path_factory: pytest.TempPathFactory) -> None:
    server = Server(tmp_path_factory.mktemp("rate") / "data", PITBOSS_ORDERS_PER_SECOND="1").start()
    try:
        statuses, begun = list[int](), time.monotonic()
        while 429 not in statuses:
            statuses.append(server.request("GET", f"{DEALER}/cajun-stud?kind=irregular")[0])
            assert len(statuses) <= 5 + 1 + (time.monotonic() - begun)
    finally:
        server.stop()
    assert statuses == [200] * max(5, len(statuses) - 1) + [429]


def test_every_answer_of_a_score_counts_towards_the_rate_limit(tmp_path_factory: pytest.TempPathFactory) -> None:
    """With a burst of six requests, six answers are graded together, and seven are refused."""
    server = Server(tmp_path_factory.mktemp("score") / "data", PITBOSS_ORDERS_PER_SECOND="1.2").start()
    drills = [{"drill": {**DRILL, "seed": f"{seed}"}} for seed in range(7)]
    seven = {
        f"{DEALER}/score": {"answers": drills},
        f"{PLAYER}/score": {"answers": [{"hand": HAND, "multiple": 2}] * 7},
    }

    def six() -> tuple[float, Any] | None:
        at = time.monotonic()
        status, answer = server.request("POST", f"{DEALER}/score", {"answers": drills[:6]})
        return (at, answer) if status == 200 else None

    try:
        is_full_again = True
        while is_full_again:  # as after five seconds, on a busy machine
            begun, graded = until(six, "six are graded together")
            refused = [server.request("POST", path, body) for path, body in seven.items()]
            is_full_again = time.monotonic() - begun >= 5
        assert graded["asked"] == 6
        assert [(status, "Too many" in answer["detail"]) for status, answer in refused] == [(429, True)] * 2
    finally:
        server.stop()


def test_the_server_process_does_not_use_numba(server: Server) -> None:
    """The pool of hard hands lives in the adviser's process: nothing of it is imported with the routes."""
    code = "import sys, pitboss.web.training; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    del server


def test_a_table_test_recorded_by_an_examiner_is_in_the_dealers_record(server: Server) -> None:
    """The house grades it again; the examiner is the person who is signed in, whatever the request says."""
    dana, flo = server.session("dana"), server.session("flo")
    test = get(server, f"{DEALER}/caribbean-stud?kind=test&seed=exam")
    answers = [{"drill": one["drill"], "choice": "", "lines": [], "seconds": 5} for one in test["questions"]]
    score = post(server, f"{DEALER}/score", {"answers": answers})
    path, body = "/api/training/records", {"person": "dana", "answers": answers}
    for who, status in (("", 401), (server.session("ann"), 403), (server.session("sue"), 409)):
        assert server.request("POST", path, body, who, Idempotency_Key="exam")[0] == status
    for _ in range(2):  # the same key, once
        status, done = server.request("POST", path, body, flo, Idempotency_Key="exam")
        assert (status, done["accepted"]) == (200, True), done
    status, (one,) = server.request("GET", f"{path}/dana", token=dana)
    assert (one["person"], one["examined_by"], one["drill"]) == ("dana", "flo", "Table test")
    assert [one[name] for name in ("asked", "right", "seconds", "allowed")] == [
        score[name] for name in ("asked", "right", "seconds", "allowed")
    ]
    (mine,) = server.request("GET", path, token=dana)[1]
    assert (mine["person"], mine["examined"], mine["records"]) == ("dana", 1, 1)
    assert {"dana", "flo"} <= {one["person"] for one in server.request("GET", path, token=flo)[1]}
    assert server.request("GET", f"{path}/flo", token=dana)[0] == 403
    assert server.request("GET", f"{path}/nobody/pdf", token=flo)[0] == 404
    forged = body | {"score": 20}
    assert server.request("POST", path, forged, flo, Idempotency_Key="forged")[0] == 400


def test_a_training_record_is_printed_and_exported(server: Server) -> None:
    headers = {"authorization": f"Bearer {server.session('dana')}"}
    drill = get(server, f"{DEALER}/cajun-stud?kind=read&seed=own")["drill"]
    body = {"person": "dana", "answers": [{"drill": drill, "choice": "", "seconds": 5}]}
    own = server.request("POST", "/api/training/records", body, headers["authorization"][7:], Idempotency_Key="own")
    assert own[0] == 200
    at = f"http://127.0.0.1:{server.port}/api/training/records/dana"
    paper, sheet = (httpx.get(f"{at}/{kind}", headers=headers, timeout=TIMEOUT) for kind in ("pdf", "csv"))
    assert (paper.headers["content-type"], sheet.headers["content-type"][:8]) == ("application/pdf", "text/csv")
    words = PdfReader(io.BytesIO(paper.content)).pages[0].extract_text()
    assert [one for one in ("dana", "Hand reading", "practice", "Cajun Stud") if one not in words] == []
    rows = list(csv.DictReader(io.StringIO(sheet.text)))
    assert (rows[0]["game"], rows[0]["drill"], rows[0]["right"], rows[0]["examined_by"]) == (
        "cajun-stud",
        "Hand reading",
        "0",
        "",
    )
