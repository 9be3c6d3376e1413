"""Hiring: what is kept of a password is salted anew each time, and the same key with another password is refused."""

import asyncio

from msgspec.structs import replace

from pitboss.house.acts import Hire
from pitboss.house.office import USED, Done, kept_for
from pitboss.house.people import Person, fits, hashed
from pitboss.house.pit import Pit


async def hired(pit: Pit, person: Person, asked: Hire, key: str) -> Done:
    """Have somebody hired, once for each key."""
    done = await _hired(pit, person, asked, key)
    if done.why == USED:  # it may be the same, which came twice at once
        done = await _hired(pit, person, asked, key)
    return done


async def _hired(pit: Pit, person: Person, asked: Hire, key: str) -> Done:
    kept = await pit.read(lambda db: kept_for(db, person.name, key))
    if not kept or not await asyncio.to_thread(fits, asked.password, kept):
        kept = await asyncio.to_thread(hashed, asked.password)
    return await pit.do(lambda clerk: clerk.do(person, replace(asked, password=kept), key))
