"""What a recount adds up."""

import msgspec


class Sums(msgspec.Struct):
    """What was added up so far."""

    deals: int = 0
    net: int = 0
    wagered: int = 0

    def add(self, other: "Sums", times: int = 1) -> None:
        """Add so many times what another has."""
        self.deals += times * other.deals
        self.net += times * other.net
        self.wagered += times * other.wagered
