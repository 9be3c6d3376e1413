"""A person at a browser: a page of real Chromium, with everything it received and all its errors."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any

import programs
from node import VENV, node
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Response,
    WebSocket,
    expect,
    sync_playwright,
)

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "build" / "screens"
"""Where screenshots are kept; `make screens` puts those of the documents beside them."""
AXE = ROOT / "ui" / "node_modules" / "axe-core" / "axe.min.js"
WIDE, PHONE = {"width": 1366, "height": 860}, {"width": 390, "height": 844}
_PLAIN = "footer.below { position: static !important }"
"""For a picture of a whole page: the sticky footer goes to the end."""
TIMEOUT = 20_000
"""Milliseconds until something must appear."""
CALCULATION_TIMEOUT = 180_000
"""Milliseconds for a calculation without a cache, compiling included."""
_TWO_FRAMES = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(null))))"
_GRAVE = """async () => (await axe.run(document, { resultTypes: ['violations'], selectors: false })).violations
    .filter((one) => one.impact === 'serious' || one.impact === 'critical')"""
_OUTCOMES = "(lines) => lines.map((line) => [line.dataset.line, line.dataset.outcome])"


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium, driven by the Node that builds the screens: Playwright's own needs a library that may be missing."""
    path = programs.chromium()
    assert path, "Chromium is missing: `make test` installs it"
    os.environ["PLAYWRIGHT_NODEJS_PATH"] = str(node())
    unsafe = os.geteuid() == 0 or path.is_relative_to(VENV)  # Chromium's own sandbox needs a program of the system's
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path,
            args=[*(["--no-sandbox"] if unsafe else []), "--force-color-profile=srgb", "--disable-gpu"],
            env={**os.environ, **programs.environment_of(path)},
        )
        yield browser
        browser.close()


@cache
def _axe() -> str:
    return AXE.read_text("utf-8")


class Screen:
    """One person's page."""

    def __init__(self, browser: Browser, url: str, *, size: dict[str, int] | None = None, still: bool = True) -> None:
        """Open a separate browser context with empty storage."""
        self.url, self.name, self.token = url, "", ""
        motion: Any = "reduce" if still else "no-preference"
        self.context: BrowserContext = browser.new_context(
            viewport=size or WIDE,  # type: ignore[arg-type]
            reduced_motion=motion,
            accept_downloads=True,
        )
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(TIMEOUT)
        expect.set_options(timeout=TIMEOUT)
        self.wrong: list[str] = []
        """The errors and warnings of the browser."""
        self.received: list[tuple[str, str]] = []
        """Every answer and every frame since `record_traffic`, in order: its URL and its text."""
        self.unread = 0
        """Answers whose text is still being read."""
        self._asked, self._unanswered = 0, set[Request]()
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.wrong.append(f"page error: {error} {error.stack}"))
        self.page.on("request", self._request)
        self.page.on("requestfinished", self._answered)
        self.page.on("requestfailed", self._answered)

    def _console(self, message: ConsoleMessage) -> None:
        refused = re.search(r"status of (400|401|409) ", message.text)  # the browser's note on what the server refused
        if message.type in {"error", "warning"} and not refused:
            self.wrong.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def _request(self, request: Request) -> None:
        self._asked += 1
        self._unanswered.add(request)

    def _answered(self, request: Request) -> None:
        self._unanswered.discard(request)

    def _response(self, response: Response) -> None:
        if "/api/" in response.url and response.status < 300:
            place = len(self.received)
            self.received.append((response.url, ""))
            self.unread += 1
            with suppress(Exception):  # the page went on, and the browser forgot the answer
                self.received[place] = (response.url, response.text())
            self.unread -= 1

    def _socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.received.append((socket.url, str(frame))))

    def record_traffic(self) -> "Screen":
        """Record everything that the page receives from now on."""
        self.page.on("response", self._response)
        self.page.on("websocket", self._socket)
        return self

    def wait_until(self, condition: Callable[[], object], limit: float = TIMEOUT) -> "Screen":
        """Wait for a condition that the page itself does not show."""
        end = monotonic() + limit / 1000
        while not condition():
            assert monotonic() < end, "what is waited for does not come"
            self.page.evaluate(_TWO_FRAMES)
        return self

    def wait_until_quiet(self) -> "Screen":
        """Wait until all requests are answered and drawn, and no new ones start."""

        def drawn() -> bool:
            if self._unanswered:
                return False
            asked = self._asked
            self.page.evaluate(_TWO_FRAMES)
            return asked == self._asked

        return self.wait_until(drawn, CALCULATION_TIMEOUT)

    def go(self, path: str) -> "Screen":
        """Go to a screen."""
        self.page.goto(self.url + path)
        return self

    def sign_in(self, name: str) -> "Screen":
        """Sign in as a demo person, with one click."""
        self.go("/")
        self.page.click(f"[data-person={name}]")
        expect(self.page.locator("header.top")).to_contain_text(name)
        return self

    def use_session(self, name: str, token: str) -> "Screen":
        """Use the session of a person who is signed in already."""
        self.name, self.token = name, token
        self.context.add_cookies([{"name": "pitboss", "value": token, "url": self.url}])
        return self

    def sit(self, table: str, seat: int) -> "Screen":
        """Go to a table and take a seat."""
        self.go(f"/table/{table}")
        self.page.click(f"[data-sit='{seat}']")
        expect(self.page.locator("[data-do=wager]")).to_be_visible()
        return self

    def drawer(self, name: str) -> "Screen":
        """Open a drawer over the edge of the felt."""
        if not self.page.locator("[role=dialog]").count():
            self.page.locator(f".tools [data-drawer={name}]:visible, [data-do=more]:visible").first.click()
        self.page.click(f"[data-tab={name}]")
        return self

    def stand(self) -> "Screen":
        """Give up one's seat, in two steps."""
        self.drawer("seat").page.click("[data-do=leave]")
        self.page.click("[data-do=leave-yes]")
        return self

    def put(self, seat: int, **chips: int) -> "Screen":
        """Put the chosen chip on spots of a box, this often on each."""
        self.page.locator("[data-spot$='/ante']").first.wait_for()
        if not self.page.locator(f"[data-spot^='{seat}/']").count():
            tab = self.page.locator(f"[data-box-tab='{seat}']")
            tab.click() if tab.count() else self.page.select_option("[data-another]", str(seat))
        for spot, times in chips.items():
            for _ in range(times):
                self.page.click(f"[data-spot='{seat}/{spot.replace('_', '-')}']")
        return self

    def wager(self) -> "Screen":
        """Wager the chips on the felt."""
        self.page.click("[data-do=wager]")
        return self

    def decide(self, multiple: int) -> "Screen":
        """Decide as soon as it is this person's turn; a button that has just appeared does not take a click yet."""
        self.page.click(f"[data-multiple='{multiple}'][aria-disabled=false]")
        return self

    def tab(self, to: str) -> "Screen":
        """Go to an element with the Tab key alone, from the current focus."""
        for _ in range(120):
            if self.page.evaluate("to => document.activeElement.matches(to)", to):
                return self
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead to {to}")

    def settled(self) -> dict[str, str]:
        """Wait for the settlement; return the outcome of each line of this person's boxes."""
        lines = self.page.locator("[data-line][data-outcome]")
        lines.first.wait_for()
        return dict(lines.evaluate_all(_OUTCOMES))

    @property
    def balance(self) -> int:
        """The cents that the header shows."""
        return int(self.page.locator("[data-balance]").get_attribute("data-balance") or 0)

    def picture(self, name: str, *, whole: bool = False) -> Path:
        """Save a screenshot."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        path = PICTURES / f"{name}.png"
        self.page.evaluate("scrollTo(0, 0)")
        self.page.screenshot(path=path, full_page=whole, animations="disabled", style=_PLAIN if whole else "")
        return path

    def violations(self) -> list[str]:
        """Return the serious and critical problems that axe finds on this screen."""
        self.page.evaluate(_axe())
        grave = self.page.evaluate(_GRAVE)
        return [
            f"{one['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:200]}"
            for one in grave
            for node in one["nodes"][:3]
        ]

    def cards_seen(self) -> set[str]:
        """Return every card named in the page, its storage or its traffic, except in pictures of odds."""
        texts = [
            text
            for where, text in self.received
            if not re.search(r"/(layout|sign|clauses|presets|training|math)", where)
        ]
        stored = "() => [...Object.values(localStorage), ...Object.values(sessionStorage)]"
        texts += [f" {text}" for text in self.page.evaluate(stored)]
        named = {card for text in texts for card in re.findall(r'"([2-9TJQKA][cdhs])"', text)}
        told = {card for text in texts for card in re.findall(r"[ →]([2-9TJQKA][cdhs])\b", text)}
        return named | told | self._spoken()

    def _spoken(self) -> set[str]:
        ranks = {"10": "T", "jack": "J", "queen": "Q", "king": "K", "ace": "A"}
        words = re.findall(r"(\w+) of (clubs|diamonds|hearts|spades)", self.page.content())
        return {ranks.get(rank, rank) + suit[0] for rank, suit in words if rank in ranks or rank.isdigit()}

    def close(self) -> None:
        """Close the browser."""
        self.context.close()
