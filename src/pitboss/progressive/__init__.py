"""Progressive meters in micro-cents: seeds, increments, reserves, wins, splits, reversal.

>>> from pitboss.progressive import accept, bank_of, turn
>>> from pitboss.games import Hands
>>> from pitboss.submission import load
>>> bank = bank_of(load("caribbean-stud-standard"), {"progressive": 100, "five-card-hand": 100})
>>> wagers = {"ante": 1000, "progressive": 100}
>>> bank = accept(bank, wagers)  # 53% of $1.00 on the meter, 15% into its reserve
>>> royal = Hands.of(player="Ah Kh Qh Jh Th", dealer="Ac Kd 9d 7d 3s")
>>> bank, lines = turn(bank, royal, wagers, [2])
>>> lines[-1].why
'Royal flush pays 100% of the main meter, $10,000.53.'
>>> bank.meters["main"].pending, bank.meters["main"].current
(1000053000000, 1000000000000)
"""

from pitboss.progressive.bank import (
    Bank,
    accept,
    bank_of,
    cancel,
    end_round,
    give_back,
    open_bank,
    paid,
    pay,
    pay_part,
    reveal,
    take,
    take_back,
    turn,
    unclaimed,
    void,
)
from pitboss.progressive.meter import Meter, Rule, Win

__all__ = [
    "Bank",
    "bank_of",
    "open_bank",
    "accept",
    "reveal",
    "turn",
    "take",
    "unclaimed",
    "pay",
    "pay_part",
    "paid",
    "give_back",
    "take_back",
    "cancel",
    "void",
    "end_round",
    "Meter",
    "Rule",
    "Win",
]
