"""A table of the house without play: an automatic dealer spreads its cards, and the prompt asks a human dealer to."""

import pytest
from desk_house import House

from pitboss.house.floor.duties import list_duties, prompt
from pitboss.record.chain import decode_entry
from pitboss.submission import text_of
from pitboss.table import Idle, Perform, Sit, Stand, Wager, events

PRESETS = {"639a": "caribbean-stud-standard", "682a": "four-card-prime-standard", "683a": "cajun-stud-standard"}


@pytest.mark.proves("{chapter}.5(f)")
@pytest.mark.parametrize("chapter", PRESETS)
def test_5_f_an_automatic_table_spreads_and_then_washes_its_cards(house: House, chapter: str) -> None:
    house.open("pit", PRESETS[chapter])
    house.patrons("ann", "bob")
    house.seat("pit", ann=1)
    house.send_ok("ann", "pit", Stand(1))
    spread = house.live_table("pit").table
    assert (spread.spread, spread.ready, spread.due.do) == ("down", False, "wash")
    house.send_ok("bob", "pit", Sit(2))
    house.send_ok("bob", "pit", Wager(2, {"ante": 1000}))
    bodies = house.db.execute("SELECT body FROM entry WHERE chain = 'pit' ORDER BY seq")
    entries = [decode_entry(bytes(body)) for (body,) in bodies]
    kinds = [type(event) for entry in entries for event in entry.events]
    after = kinds[kinds.index(events.Idled) :]
    order = [kind for kind in after if kind in (events.Idled, events.Ready, events.Shuffled, events.Dealt)]
    assert order[:3] == [events.Idled, events.Ready, events.Shuffled]
    (given,) = [entry.given for entry in entries if isinstance(entry.command, Idle)]
    assert given.actor == "automatic dealer"


@pytest.mark.proves("639a.5(f)")
def test_5_f_the_prompt_tells_a_dealer_to_spread_the_cards(house: House) -> None:
    house.open("pit", text_of("caribbean-stud-standard"), automatic=False)
    house.patrons("ann")
    house.send_ok("dealer", "pit", Perform(), preshuffled=True)
    house.seat("pit", ann=1)
    house.send_ok("ann", "pit", Stand(1))
    live = house.live_table("pit")
    assert prompt(live.table).text == "Spread both decks face down: nobody plays (§ 639a.5(f))."
    assert "Nobody plays: spread the cards (§ 639a.5(f))." in [duty.text for duty in list_duties(live, live.table.now)]
    reply = house.send("dealer", "pit", Perform())
    assert (reply.accepted, reply.cite) == (False, "639a.5(f)")
    house.send_ok("dealer", "pit", Idle())
