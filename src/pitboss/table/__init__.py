"""The table. So far its shoe: an unbiased shuffle, and a commitment to the order of the cards.

>>> from pitboss.cards import DECK
>>> from pitboss.table.commitment import commit, opening, opens
>>> from pitboss.table.shoe import fixed, shuffled
>>> bytes_of = fixed("practice")
>>> cards = shuffled(DECK, bytes_of)
>>> committed = commit(cards, [bytes_of(32) for _ in cards])
>>> opens(committed.root, opening(committed, 0))
True
"""
