"""One thread decodes at a time: two at once have crashed a server just after its start."""

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


def test_two_threads_do_not_decode_at_once() -> None:
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


def test_all_code_decodes_through_this_module() -> None:
    direct = re.compile(r"msgspec\.convert\(|\.decode\([^)]*type=")
    package = Path(pitboss.__file__).parent
    found = [file.name for file in package.rglob("*.py") if direct.search(file.read_text("utf-8"))]
    assert found == ["decoding.py"]
