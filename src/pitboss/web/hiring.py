"""Hiring: what is kept of a password is salted anew each time, and the same key with another password is refused."""

import asyncio

from msgspec.structs import replace

from pitboss.house.acts import Hire
from pitboss.house.office import KEY_REUSED, ActResult, password_hash_for_key
from pitboss.house.people import Person, hash_password, password_matches
from pitboss.house.writers import WriterPool


async def hire_once(pit: WriterPool, person: Person, asked: Hire, key: str) -> ActResult:
    """Have somebody hired, once for each key."""
    done = await _hire(pit, person, asked, key)
    if done.why == KEY_REUSED:  # it may be the same, which came twice at once
        done = await _hire(pit, person, asked, key)
    return done


async def _hire(pit: WriterPool, person: Person, asked: Hire, key: str) -> ActResult:
    kept = await pit.read(lambda db: password_hash_for_key(db, person.name, key))
    if not kept or not await asyncio.to_thread(password_matches, asked.password, kept):
        kept = await asyncio.to_thread(hash_password, asked.password)
    return await pit.do(lambda clerk: clerk.do(person, replace(asked, password=kept), key))
