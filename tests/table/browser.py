"""A real headless Chromium, driven over its DevTools connection; just enough for a guest."""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import math
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any, Self

import httpx
from websockets.sync.client import connect

CHROMIUM = next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)

FINGER_PX, DOUBLE_S = 40.0, 0.55
"""What `taps.js` takes for a double tap, and a little more."""


class LeftPageError(AssertionError):
    """The page was left for another one before it answered."""


class Browser:
    """One tab."""

    def __init__(self, profile: Path, width: int = 1280, height: int = 720) -> None:
        assert CHROMIUM is not None
        self._open = contextlib.ExitStack()
        self._numbers = itertools.count(1)
        self._touched = (math.inf, math.inf)
        self.complaints: list[str] = []
        """What the page's scripts threw or wrote to the console as errors."""
        self._process = subprocess.Popen(
            [
                CHROMIUM,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--no-proxy-server",
                "--remote-debugging-port=0",
                f"--user-data-dir={profile}",
                f"--window-size={width},{height}",
                "about:blank",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            line = connect(self._tab(profile / "DevToolsActivePort"), proxy=None, max_size=None)
            self._line = self._open.enter_context(line)
            for domain in ("Page", "Runtime", "Log"):
                self.call(f"{domain}.enable")
        except BaseException:
            self._end()
            raise

    def _tab(self, file: Path) -> str:
        url = f"http://127.0.0.1:{self._port(file)}/json/list"
        tabs = httpx.get(url, timeout=60, trust_env=False).json()
        return str(next(tab["webSocketDebuggerUrl"] for tab in tabs if tab["type"] == "page"))

    def _port(self, file: Path) -> int:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if file.exists() and "\n" in (text := file.read_text(encoding="utf-8")):
                return int(text.splitlines()[0])
            time.sleep(0.05)
        raise AssertionError("Chromium does not open its DevTools line")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def _end(self) -> None:
        self._open.close()
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        number = next(self._numbers)
        self._line.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._line.recv(timeout=60))
            self._note(message)
            if message.get("id") == number:
                if "navigated or closed" in json.dumps(message.get("error")):
                    raise LeftPageError(message["error"])
                assert "error" not in message, message
                return message["result"]

    def _note(self, message: dict[str, Any]) -> None:
        match message.get("method"):
            case "Runtime.exceptionThrown":
                self.complaints.append(json.dumps(message["params"]["exceptionDetails"])[:500])
            case "Log.entryAdded" if message["params"]["entry"]["level"] == "error":
                entry = message["params"]["entry"]
                self.complaints.append(f"{entry['text']} {entry.get('url', '')}".strip())

    def go(self, url: str) -> None:
        self.call("Page.navigate", url=url)

    def hasten(self, times: int) -> None:
        """Make timeouts fire so many times faster on pages opened from now on."""
        sooner = (
            f"((later) => {{ window.setTimeout = (what, ms) => later(what, ms / {times}); }})(setTimeout)"
        )
        self.call("Page.addScriptToEvaluateOnNewDocument", source=sooner)

    def leave(self) -> None:
        """Leave the page: afterwards it sends its table nothing more, however the old page ends."""
        self.go("about:blank")
        self.wait("location.href === 'about:blank'")

    def ask(self, script: str) -> Any:
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def text(self, selector: str) -> str:
        return self.ask(f"document.querySelector({selector!r})?.innerText ?? ''") or ""

    def wait(self, script: str, seconds: float = 60) -> None:
        """Wait until the script's value is true, perhaps on a page that is still being opened."""
        deadline = time.monotonic() + seconds
        while not self._now(script):
            assert time.monotonic() < deadline, (
                f"never true: {script}\n{self.text('body')}\n{self.complaints}"
            )
            time.sleep(0.03)

    def _now(self, script: str) -> Any:
        try:
            return self.ask(script)
        except LeftPageError:
            return None

    def tap(self, selector: str, words: str = "") -> None:
        """Tap the first element with these words."""
        found = f"[...document.querySelectorAll({selector!r})].find(e => e.innerText.includes({words!r}))"
        self.wait(f"!!{found}")
        self.ask(f"{found}.click()")

    def touch(self, selector: str, words: str = "") -> None:
        """Touch the middle of the first element with these words; fail if something lies over it."""
        named = "e.innerText + (e.ariaLabel ?? e.querySelector('[role=img]')?.ariaLabel ?? '')"
        found = (
            f"[...document.querySelectorAll({selector!r})].find(e => e.getClientRects().length"
            f" && !e.disabled && ({named}).includes({words!r}))"
        )
        self.wait(f"!!{found}")
        self.ask(f"{found}.scrollIntoView({{block: 'center', behavior: 'instant'}})")
        middle = (
            f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])({found}.getBoundingClientRect())"
        )
        self.wait(f"(([x, y]) => {found}.contains(document.elementFromPoint(x, y)))({middle})", 10)
        x, y = self.ask(middle)
        self._aim(x, y)
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self._touched = x, y

    def _aim(self, x: float, y: float) -> None:
        """Before a second touch at the same place, wait as a person does who looks at what came there."""
        if math.dist(self._touched, (x, y)) < FINGER_PX:
            time.sleep(DOUBLE_S)

    def choose(self, value: str, selector: str = "#dialog select") -> None:
        """Choose this value in the first select that offers it."""
        found = (
            f"[...document.querySelectorAll({selector!r})]"
            f".find(s => [...s.options].some(o => o.value === {value!r}))"
        )
        self.wait(f"!!{found}")
        told = "s.dispatchEvent(new Event('change', {bubbles: true}))"
        self.ask(f"(s => {{ s.value = {value!r}; {told}; }})({found})")

    def drag(self, selector: str, within: str, share: tuple[float, float]) -> None:
        """Drag the first such element in small steps to a place, given in shares of another one's sides."""
        self.ask(
            f"document.querySelector({within!r}).scrollIntoView({{block: 'center', behavior: 'instant'}})"
        )

        def box(of: str) -> tuple[float, ...]:
            sides = f"document.querySelector({of!r}).getBoundingClientRect()"
            return tuple(self.ask(f"(({{x, y, width, height}}) => [x, y, width, height])({sides})"))

        left, top, width, height = box(selector)
        x, y = left + width / 2, top + height / 2
        left, top, width, height = box(within)
        to_x, to_y = left + share[0] * width, top + share[1] * height
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        for n in range(1, 11):
            at = {"x": x + (to_x - x) * n / 10, "y": y + (to_y - y) * n / 10}
            self.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=[at])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def screen(self, width: int, height: int, mobile: bool = False) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=mobile,
        )

    def picture(self) -> bytes:
        """The page as a PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot")["data"])
