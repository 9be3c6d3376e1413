"""The sums of a recount."""

import msgspec


class Sums(msgspec.Struct):
    """Sums of deals, results and wagers."""

    deals: int = 0
    net: int = 0
    wagered: int = 0

    def add(self, other: "Sums", times: int = 1) -> None:
        """Add the sums of another, `times` times."""
        self.deals += times * other.deals
        self.net += times * other.net
        self.wagered += times * other.wagered
