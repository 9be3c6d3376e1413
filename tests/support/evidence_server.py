"""The eventful house on a server with its people: evidence over HTTP."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from evidence_house import eventful_house
from house_server import PASSWORD
from staffed_house import Staffed, staffed_server

from pitboss.house.office.acts import Hire
from pitboss.house.office.office import HOUSE_PERSON
from pitboss.house.office.people import Post, hash_password

PEOPLE = {
    "ann": Post.PATRON,
    "cy": Post.PATRON,
    "dana": Post.DEALER,
    "flo": Post.FLOORPERSON,
    "sue": Post.SURVEILLANCE,
    "ada": Post.AUDITOR,
    "olga": Post.OPERATOR,
}
"""The people hired; all have the same password."""
RowFilter = Callable[[dict[str, Any]], bool]
"""Whether a row matches a filter."""


def hired_house(folder: Path) -> Path:
    """Make the eventful house in a folder, to be copied, and hire the people; return the folder."""
    house, kept = eventful_house(folder), hash_password(PASSWORD)
    for name, post in PEOPLE.items():
        house.act(Hire(name, post, kept), HOUSE_PERSON)
    house.db.close()
    return folder


def serve_copy(made: Path, data: Path) -> Iterator[Staffed]:
    """For a fixture: the shipped server on a copy of that house, with everybody signed in."""
    shutil.copytree(made, data)
    with staffed_server(data, *PEOPLE, PITBOSS_DEMO="false") as house:
        yield house


def get_ok(staffed: Staffed, who: str, path: str) -> Any:
    """Get a path that this person may read."""
    status, answer = staffed.ask(who, "GET", path)
    assert status == 200, (who, path, answer)
    return answer
