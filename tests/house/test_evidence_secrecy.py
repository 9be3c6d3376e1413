"""Evidence keeps secrets: two servers that differ only in hidden cards answer all evidence requests alike."""

import asyncio
import re
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest
from secret_stories import differences, play_at_both_servers
from twin_servers import GAMES, TABLE, stop_clocks
from waiting import TIMEOUT
from watched_round import EVERY_CARD, VIEWERS, Received, Round

from pitboss.record.narration import narrate_sentences

PATHS = (
    "pit",
    f"pit/{TABLE}",
    f"log?chain={TABLE}",
    "log?chain=house",
    "chains",
    f"chains/{TABLE}/verify",
    "chains/house/verify",
    "disputes",
    f"rounds/{TABLE}/1/frames",
)


class EvidenceRound(Round):
    """A round in which everybody requests all these paths repeatedly."""

    async def request_everything(self, *, asking: bool = False, over: bool = False) -> None:
        del asking
        for who in VIEWERS:
            await self.lines[who].quiet()
            if not (over and who in EVERY_CARD):
                self.asked.setdefault(who, []).extend(await asyncio.to_thread(self._answers, who))

    async def received(self) -> Received:
        """Return the answers that everybody got."""
        return self.asked

    def _answers(self, who: str) -> list[str]:
        headers = {"authorization": f"Bearer {self.tokens[who]}"} if who in self.tokens else {}
        line, found = HTTPConnection("127.0.0.1", self.running.port, timeout=TIMEOUT), []
        for path in PATHS:
            line.request("GET", f"/api/{path}", headers=headers)
            answer = line.getresponse()
            text = re.sub(r'"milliseconds":\d+', "", answer.read().decode())  # durations differ by chance
            found.append(f"{path} {answer.status} {text}")
        line.close()
        return found


@pytest.fixture
def _stopped_clocks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from stop_clocks(monkeypatch)


def compare_servers(folder: Path, name: str, way: str, game: str = "caribbean stud") -> tuple[list[str], Received]:
    """Play a story at two servers; return the differences, and everything that viewers received from one of them."""
    (one, _), (other, _) = play_at_both_servers(folder, GAMES[game], name, way, EvidenceRound)
    return differences(one, other), one


@pytest.mark.usefixtures("_stopped_clocks")
@pytest.mark.filterwarnings("ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning")
@pytest.mark.parametrize(
    ("name", "way", "game"),
    [
        ("first reveal", "automatic", "caribbean stud"),
        ("Bob's hand", "by hand", "four card prime"),
        ("second card of the board", "automatic", "cajun stud"),
        ("the end, Bob folded", "by hand", "caribbean stud"),
        ("the end, void", "automatic", "caribbean stud"),
    ],
)
def test_no_evidence_reveals_a_hidden_card(tmp_path: Path, name: str, way: str, game: str) -> None:
    different, seen = compare_servers(tmp_path, name, way, game)
    assert different == []
    statuses = {text.split()[1] for texts in seen.values() for text in texts}
    assert statuses >= {"200", "401", "403"}
    (last,) = {text for text in seen["sue"][-len(PATHS) :] if text.startswith(f"rounds/{TABLE}/1/frames")}
    assert last.split()[1] == ("200" if "the end" in name else "404")


@pytest.mark.usefixtures("_stopped_clocks")
@pytest.mark.filterwarnings("ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning")
@pytest.mark.parametrize(
    ("module", "place"), [("log_pages", PATHS.index(f"log?chain={TABLE}")), ("frames", len(PATHS) - 1)]
)
def test_a_leak_planted_in_the_evidence_is_detected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, place: int
) -> None:
    """A folded hand that was never turned is sent to staff as to an auditor."""
    monkeypatch.setattr(
        sys.modules[f"pitboss.house.evidence.{module}"],
        "narrate_sentences",
        lambda entry, _, **__: narrate_sentences(entry),
    )
    different, seen = compare_servers(tmp_path, "the end, Bob folded", "automatic")
    last = len(seen["sue"]) - len(PATHS) + place
    assert {line.split(":")[0] for line in different if line.startswith("sue")} == {f"sue, {last}"}
