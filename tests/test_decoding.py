"""Types are read by one thread at a time: what two do at once has ended a server that had just been started."""

import re
import threading
import time
from pathlib import Path

import msgspec

import pitboss
from pitboss.decoding import convert_value


class Odd:
    """Something that msgspec does not know."""


class Held(msgspec.Struct):
    odd: Odd


def test_two_threads_do_not_read_types_at_once() -> None:
    at, most, both = 0, 0, threading.Barrier(2)

    def slow(_: type, __: object) -> Odd:
        nonlocal at, most
        at += 1
        most = max(most, at)
        time.sleep(0.05)
        at -= 1
        return Odd()

    def read() -> None:
        both.wait()
        convert_value({"odd": 1}, Held, slow)

    threads = [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_nothing_reads_types_in_another_way() -> None:
    direct = re.compile(r"msgspec\.convert\(|\.decode\([^)]*type=")
    package = Path(pitboss.__file__).parent
    found = [file.name for file in package.rglob("*.py") if direct.search(file.read_text("utf-8"))]
    assert found == ["decoding.py"]
