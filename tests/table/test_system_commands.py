"""Commands of the table game system: it deals and draws, and is no floorperson."""

from msgspec.structs import replace
from table_play import (
    ANTE,
    DEALER,
    PRESETS,
    after_command,
    open_for_gaming,
    shuffle_and_wager,
)

from pitboss.cards import DECK
from pitboss.rulebook.procedures import Do
from pitboss.submission import load
from pitboss.table import (
    Perform,
    Role,
    open_table,
    refusal,
)


def test_the_system_may_deal_but_not_act_as_floorperson() -> None:
    table = after_command(
        after_command(open_table(load(PRESETS["639a"])), Perform()), Perform(), replace(DEALER, role=Role.SYSTEM)
    )
    assert table.due.do is Do.VERIFY
    refused = refusal(table, Perform(), replace(DEALER, role=Role.SYSTEM))
    assert refused
    assert refused.why == "Waiting for a floorperson: the step “verify” is due."


def test_the_system_draws_only_what_is_offered() -> None:
    stud = shuffle_and_wager(open_for_gaming(PRESETS["639a"], {1: "Ann"}), {1: ANTE})
    assert refusal(stud, Perform(), replace(DEALER, magic=DECK[0], lucky=("dealer", "7"))) is None
    assert refusal(stud, Perform(), replace(DEALER, lucky=("teapot",)))
    cajun = shuffle_and_wager(open_for_gaming(PRESETS["683a"], {1: "Ann"}), {1: ANTE})
    for given in (replace(DEALER, magic=DECK[0]), replace(DEALER, lucky=("1",))):
        refused = refusal(cajun, Perform(), given)
        assert refused
        assert refused.cite == "house rule: only what is offered is drawn"
