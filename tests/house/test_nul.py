"""A NUL character, which PostgreSQL cannot store, is the client's mistake and does not halt the house."""

import json
from pathlib import Path

from house_server import Server
from served_house import TABLE
from waiting import TIMEOUT
from websockets.sync.client import connect

NUL = "\x00"
WITH_NUL: tuple[tuple[str, str, object], ...] = (
    ("GET", "/api/tables/%00", None),
    ("GET", "/api/tables/%00/advice", None),
    ("GET", "/api/rounds?table=%00", None),
    ("GET", "/api/rounds?patron=%00", None),
    ("GET", "/api/rounds/%00/1", None),
    ("POST", "/api/session", {"name": NUL, "password": "x"}),
    ("POST", f"/api/tables/{TABLE}/orders", {"command": {"type": "Cover", "device": NUL}}),
    ("POST", f"/api/tables/{TABLE}/orders", {"command": {"type": "Wager", "seat": 1, "wagers": {NUL: 1}}}),
    ("POST", "/api/acts", {"act": {"type": "BuyIn", "patron": NUL, "amount": 100}}),
    ("POST", "/api/acts", {"act": {"type": "Amend", "giver": NUL, "taker": "house", "amount": 1, "reason": "x"}}),
    ("POST", "/api/acts", {"act": {"type": "Approve", "id": NUL}}),
    ("POST", "/api/acts", {"act": {"type": "Dismiss", "name": NUL}}),
    ("POST", "/api/acts", {"act": {"type": "Fill", "table": NUL, "amount": 100}}),
    ("POST", "/api/acts", {"act": {"type": "OpenTable", "table": NUL, "submission": NUL}}),
)


def test_a_nul_character_does_not_halt_the_house(tmp_path: Path, postgres_url: str) -> None:
    """NUL: the client's mistake, not the database's failure."""
    server = Server(tmp_path / "data", PITBOSS_DATABASE=postgres_url)
    try:
        token = server.start().sign_in("olga")
        for number, (method, path, body) in enumerate(WITH_NUL):
            status, _ = server.request(method, path, body, token, Idempotency_Key=f"nul-{number}")
            assert status in {400, 404}, (method, path, body, status)
        url = server.url.replace("http", "ws") + "/api/live"
        with connect(url, additional_headers={"authorization": f"Bearer {token}"}) as line:
            for message in (
                {"type": "order", "key": "k", "table": NUL, "command": {"type": "Tick"}},
                {"type": "order", "key": NUL, "table": TABLE, "command": {"type": "Tick"}},
                {"type": "watch", "table": NUL},
            ):
                line.send(json.dumps(message))
                assert json.loads(line.recv(TIMEOUT))["type"] == "error"
        assert server.request("GET", "/ready")[0] == 200
        log = (tmp_path / "server.log").read_text("utf-8")
        assert '"level":"error"' not in log
        assert '"level":"critical"' not in log
    finally:
        server.stop()
