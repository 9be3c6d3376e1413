"""The meters that the lines of one box are paid from, in turn."""

from pitboss.errors import Mistake
from pitboss.games.settlement_inputs import Balances, meter_key
from pitboss.money import CENT, format_money, meter_share


class MeterPurse:
    """Meter balances during the settlement of one box; each line reduces them for the next."""

    def __init__(self, balances: Balances) -> None:
        """Start with these balances."""
        self._balances = balances
        self._left = dict(balances.at_turn)
        self._emptied: set[str] = set()

    def take(self, name: str, stake: int, percent: int, *, at_reveal: bool) -> tuple[int, str]:
        """Return the cents that a share pays, rounded down, and the balance in words."""
        meter = meter_key(name, stake) if meter_key(name, stake) in self._balances.at_turn else name
        known = self._balances.at_reveal if at_reveal and meter in self._balances.at_reveal else self._left
        if meter not in known:
            when = " after the dealer's hand emptied it" if meter in self._emptied else ""
            raise Mistake(f"This hand pays {percent}% of the meter “{name}”; give that meter's balance{when}.")
        sharing = self._balances.sharing if at_reveal else 1
        if at_reveal and self._balances.has_its_part:
            return 0, "paid with the player's other box"
        paid = meter_share(known[meter], percent, sharing)
        shown = format_money(known[meter] // CENT) + (f" divided by {sharing}" if sharing > 1 else "")
        if known is self._left:
            self._left[meter] -= paid * sharing * CENT
            if percent == 100:  # noqa: PLR2004 (per cent); the new balance is unknown here
                self._emptied.add(meter)
                del self._left[meter]
        return paid, shown
