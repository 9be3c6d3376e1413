"""`pitboss hire`: adds the first people of a house, on the machine it runs on."""

import getpass
import secrets
import sys
import time
from typing import Annotated

from cyclopts import Parameter

from pitboss.cli.output import console, private_files
from pitboss.errors import Mistake, hint


@private_files()
def hire(
    name: Annotated[str, Parameter(help="Name of the person.")],
    post: Annotated[str, Parameter(help="patron, dealer, floorperson, surveillance, auditor or operator.")],
    /,
    *,
    data: Annotated[str | None, Parameter(help="Data folder of the house.")] = None,
    database: Annotated[str | None, Parameter(help="postgresql://… instead of SQLite in the data folder.")] = None,
) -> None:
    """Add a person to a house, or change their post or password. The password is prompted for, or read from a pipe."""
    from pitboss.house.config import load_config  # noqa: PLC0415
    from pitboss.house.office.acts import Hire  # noqa: PLC0415 (heavy imports come with the command)
    from pitboss.house.office.office import HOUSE_PERSON, Office  # noqa: PLC0415
    from pitboss.house.office.people import Post, hash_password  # noqa: PLC0415
    from pitboss.house.startup import connect_or_create, report_database_errors  # noqa: PLC0415

    if post not in set(Post):
        raise Mistake(f"There is no post “{post}”; {hint(post, Post)}")
    password_hash = hash_password(_password(name))
    config = load_config(None, data=data, database=database)
    with report_database_errors():
        db = connect_or_create(config)
        done = Office(db, time.time).do(HOUSE_PERSON, Hire(name, Post(post), password_hash), secrets.token_hex(8))
        db.close()
    if not done.accepted:
        raise Mistake(done.why)
    console().print(f"{name} now has the post {post}.", highlight=False)


def _password(name: str) -> str:
    """Prompt for a password, or read it from a pipe."""
    try:
        given = getpass.getpass(f"Password of {name}: ") if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
        given.encode()  # a terminal that is not UTF-8 may pass invalid text
    except UnicodeError:
        raise Mistake("The password must be UTF-8 text.") from None
    return given
