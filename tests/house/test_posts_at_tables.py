"""Who may do what at a table: every post, command and state, own seat and another's, cell by cell."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from staffed_house import Books, Staffed, open_socket, query, staffed_server
from table_states import STATES, asking, betting
from waiting import TIMEOUT

from pitboss.house.office.people import ROLES
from pitboss.house.startup import DEMO_PEOPLE
from pitboss.record.chain import decode_entry
from pitboss.table import commands

SEATS = {"own": 1, "free": 2, "other": 3}
"""Ann's, nobody's, Bob's."""
AT_HAND = {"light": True, "preshuffled": True, "depth": 20}
ACTORS = ("ann", "cy", "dana", "flo", "sue", "ada", "olga", "nobody")
"""A patron at the table, another patron, all staff, and somebody who is not signed in."""
CELLS: dict[str, dict[str, Any]] = {
    **{
        f"{kind} {whose}": {"type": kind, "seat": seat, **facts}
        for kind, facts in dict[str, dict[str, Any]](
            Sit={},
            Stand={},
            Leave={},
            Document={},
            Wager={"wagers": {"ante": 1000}},
            Decide={"multiple": 2},
            Warn={},
            Report={"kind": "wrong-number", "cards": 4},
            Correct={"card": "Kd", "number": 0},
        ).items()
        for whose, seat in SEATS.items()
    },
    "Correct dealer": {"type": "Correct", "card": "Kd", "number": 0, "place": "dealer"},
    "Report device": {"type": "Report", "kind": "malfunction", "device": "shuffler"},
    "Cover": {"type": "Cover", "device": "shuffler"},
    "Repair": {"type": "Repair", "device": "shuffler"},
    "ChangeDealing": {"type": "ChangeDealing", "dealing": "manual-shoe"},
    "Withhold": {"type": "Withhold", "reason": "no light"},
    "TakeOver": {"type": "TakeOver", "rules": "these rules", "engine": "this engine"},
    **{
        kind: {"type": kind}
        for kind in ("Perform", "Acknowledge", "Recut", "Idle", "Reject", "ChangeDeck", "Tick", "Reshuffle")
    },
}
"""Every command, with each kind of seat."""
_LEAVE = "Leave own, Leave other"
_COUNT = "Report own, Report other, Report device"
ACCEPTED: dict[str, dict[str, str]] = {
    "opening": {
        "ann": "Stand own, Leave own",
        "dana": f"{_LEAVE}, Perform",
        "flo": f"{_LEAVE}, ChangeDeck",
    },
    "betting open": {
        "ann": "Leave own, Wager own, Wager free",
        "dana": f"{_LEAVE}, Report device, Perform",
        "flo": f"{_LEAVE}, Report device, Recut, ChangeDeck, Reshuffle",
    },
    "dealing": {
        "ann": "Leave own",
        "dana": f"{_LEAVE}, {_COUNT}, Perform",
        "flo": f"{_LEAVE}, {_COUNT}",
    },
    "asking": {
        "ann": "Leave own, Decide own",
        "dana": f"{_LEAVE}, {_COUNT}",
        "flo": f"{_LEAVE}, {_COUNT}, Correct dealer, Warn own",
    },
    "claim pending": {
        "ann": "Leave own",
        "dana": f"{_LEAVE}, Report own, Report device",
        "flo": f"{_LEAVE}, Report own, Report device, Acknowledge, Reject, Withhold",
    },
    "payout undocumented": {
        "ann": "Leave own",
        "dana": f"{_LEAVE}, Report own, Report device",
        "flo": f"{_LEAVE}, Report own, Report device, Document own",
    },
    "void unacknowledged": {"ann": "Leave own", "dana": _LEAVE, "flo": f"{_LEAVE}, Acknowledge"},
    "device failed": {
        "ann": "Stand own, Leave own, Wager own, Wager free",
        "dana": f"{_LEAVE}, Idle, Cover",
        "flo": f"{_LEAVE}, Idle, ChangeDeck, Cover",
    },
    "device covered": {
        "ann": "Stand own, Leave own, Wager own, Wager free",
        "dana": f"{_LEAVE}, Idle",
        "flo": f"{_LEAVE}, Idle, ChangeDeck, Repair, ChangeDealing",
    },
}
"""By state and person: the commands accepted; all others are refused. Cy may sit down at a free seat in every state."""


@pytest.fixture(scope="module")
def staffed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staffed]:
    """A server with everybody signed in."""
    with staffed_server(tmp_path_factory.mktemp("people") / "data") as house:
        yield house


def accepted_cells(state: str, who: str) -> set[str]:
    return {"Sit free"} if who == "cy" else set(filter(None, ACCEPTED[state].get(who, "").split(", ")))


def role_of(who: str) -> commands.Role:
    return ROLES[DEMO_PEOPLE[who]]


def test_the_cells_cover_all_commands_and_each_is_accepted_somewhere() -> None:
    kinds = {kind.__name__ for kind in commands.ROLES_BY_COMMAND}
    assert {cell["type"] for cell in CELLS.values()} == kinds
    done = {CELLS[cell]["type"] for state in STATES for who in ACTORS for cell in accepted_cells(state, who)}
    assert done == kinds - {"Tick", "TakeOver"}  # the server itself sends these


def test_every_cell_of_the_permission_matrix(staffed: Staffed, tell: Callable[[str], None]) -> None:
    books, cells, allowed = Books(staffed.server), 0, 0
    may = {kind.__name__: roles for kind, roles in commands.ROLES_BY_COMMAND.items()}
    for state, make in STATES.items():
        table = state.replace(" ", "-")
        make(staffed, table)
        before = books.read()
        for who in ACTORS:
            for cell in CELLS.keys() - accepted_cells(state, who):
                status, answer = staffed.order(who, table, CELLS[cell], AT_HAND)
                cells += 1
                if who == "nobody":
                    assert (status, answer["detail"]) == (401, "You are not signed in."), (state, cell)
                else:
                    assert status == 409, (state, who, cell, answer)
                    role = role_of(who)
                    not_theirs = answer["detail"].endswith(" may do this.")
                    assert not_theirs == (role not in may[CELLS[cell]["type"]]), (state, who, cell, answer)
                    assert answer["extra"]["cite"], (state, who, cell)
                assert books.read() == before, (state, who, cell)
    for state, make in STATES.items():
        for who in ACTORS:
            for cell in sorted(accepted_cells(state, who)):
                table = f"{state.replace(' ', '-')}-{allowed}"
                make(staffed, table)
                seq = query(staffed.server, "SELECT seq FROM chain WHERE id = ?", table)[0][0]
                status, answer = staffed.order(who, table, CELLS[cell], AT_HAND)
                cells, allowed = cells + 1, allowed + 1
                assert role_of(who) in may[CELLS[cell]["type"]]
                assert (status, answer.get("accepted")) == (200, True), (state, who, cell, answer)
                found = query(staffed.server, "SELECT body FROM entry WHERE chain = ? AND seq > ?", table, seq)
                if "waiting" in answer:
                    assert found == [], "one person alone leads to nothing"
                else:
                    assert [(decode_entry(body).given.actor, decode_entry(body).given.role) for (body,) in found] == [
                        (who, role_of(who))
                    ], (state, cell)
    books.close()
    tell(f"the table's matrix: {cells} cells, {allowed} of them carried out")
    assert cells == len(STATES) * len(ACTORS) * len(CELLS)


def test_a_socket_answers_like_the_api(staffed: Staffed) -> None:
    """Each message is authorized: the refusal is the same over HTTP and over the socket."""
    table = "by-socket"
    betting(staffed, table)
    books = Books(staffed.server)
    before = books.read()
    for who in ACTORS[:-1]:
        with staffed.socket(who) as line:
            for number, cell in enumerate(sorted(CELLS.keys() - accepted_cells("betting open", who))):
                _, answer = staffed.order(who, table, CELLS[cell], AT_HAND)
                order = {"key": f"socket-{number}", "table": table, "command": CELLS[cell], "entered": AT_HAND}
                line.send(json.dumps({"type": "order", **order}))
                reply = json.loads(line.recv(TIMEOUT))
                assert (reply["accepted"], reply["why"], reply["cite"]) == (
                    False,
                    answer["detail"],
                    answer["extra"]["cite"],
                ), (who, cell)
    assert books.read() == before
    with open_socket(staffed.server) as line:
        line.send(json.dumps({"type": "order", "key": "k", "table": table, "command": CELLS["Sit free"]}))
        reply = json.loads(line.recv(TIMEOUT))
        assert (reply["accepted"], reply["why"]) == (False, "You are not signed in.")
    assert books.read() == before
    books.close()


def test_refuses_advice_on_unknown_cards(staffed: Staffed) -> None:
    asking(staffed, "scanned")
    assert staffed.ask("ann", "GET", "/api/tables/scanned/advice")[0] == 409  # it is her turn
    assert staffed.ask("bob", "GET", "/api/tables/scanned/advice")[0] == 409
    assert staffed.ask("nobody", "GET", "/api/tables/scanned/advice")[0] == 401
