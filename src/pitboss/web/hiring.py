"""Hiring with idempotency keys.

A stored password hash has a random salt, so a repeated request is recognized by checking
its password against the stored hash. The same key with another password is refused.
"""

import asyncio

from msgspec.structs import replace

from pitboss.house.office.acts import Hire
from pitboss.house.office.office import KEY_REUSED, ActResult, password_hash_for_key
from pitboss.house.office.people import Person, hash_password, password_matches
from pitboss.house.writers import WriterPool


async def hire_once(pit: WriterPool, person: Person, asked: Hire, key: str) -> ActResult:
    """Hire a person, once for each key."""
    done = await _hire(pit, person, asked, key)
    if done.why == KEY_REUSED:  # the same request may have arrived twice at once
        done = await _hire(pit, person, asked, key)
    return done


async def _hire(pit: WriterPool, person: Person, asked: Hire, key: str) -> ActResult:
    stored = await pit.read(lambda db: password_hash_for_key(db, person.name, key))
    if not stored or not await asyncio.to_thread(password_matches, asked.password, stored):
        stored = await asyncio.to_thread(hash_password, asked.password)
    return await pit.do(lambda clerk: clerk.do(person, replace(asked, password=stored), key))
