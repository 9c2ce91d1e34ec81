"""A headless Chromium, asked by WebDriver: a page as its reader sees it."""

import base64
import http.client
import json
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Self

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--hide-scrollbars", "--window-size=1280,1000"),
)
MISSING = "Chromium or its driver is not installed: apt-get install chromium chromium-driver"


def installed() -> bool:
    return all(map(shutil.which, ("chromium", "chromedriver")))


class Browser:
    """One session with a profile of its own; close it, or use it as a context manager."""

    def __init__(self) -> None:
        self._profile = tempfile.mkdtemp(prefix="codeindex-chromium-")
        self._driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True
        )
        assert self._driver.stdout is not None
        said = next(line for line in self._driver.stdout if "successfully on port" in line)
        self._port = int(said.rstrip(". \n").rpartition(" ")[2])
        options = {
            "args": [*FLAGS, f"--user-data-dir={self._profile}"],
            "binary": shutil.which("chromium"),
        }
        wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        made = self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self._session = f"/session/{made['sessionId']}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._call("DELETE", self._session)
        self._driver.terminate()
        self._driver.wait(30)
        if self._driver.stdout:
            self._driver.stdout.close()
        shutil.rmtree(self._profile, ignore_errors=True)

    def _call(self, method: str, path: str, body: Any = None) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=120)
        try:
            text = None if body is None else json.dumps(body)
            connection.request(method, path, text, {"Content-Type": "application/json"})
            value = json.loads(connection.getresponse().read())["value"]
        finally:
            connection.close()
        assert not (isinstance(value, dict) and "error" in value), value
        return value

    def open(self, page: Path) -> None:
        self.open_url(page.as_uri())

    def open_url(self, url: str) -> None:
        self._call("POST", f"{self._session}/url", {"url": url})

    def back(self) -> None:
        self._call("POST", f"{self._session}/back", {})

    def resize_window(self, width: int, height: int) -> None:
        self._call("POST", f"{self._session}/window/rect", {"width": width, "height": height})

    def run(self, script: str, *arguments: object) -> Any:
        """Run a function's body in the page; a promise is waited for."""
        body = {"script": script, "args": list(arguments)}
        return self._call("POST", f"{self._session}/execute/sync", body)

    def press(self, *keys: str) -> None:
        """Press keys one after the other, wherever the focus is."""
        strokes = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        actions = [{"type": "key", "id": "keys", "actions": strokes}]
        self._call("POST", f"{self._session}/actions", {"actions": actions})

    def media(self, **features: str) -> None:
        """Have the page believe what its reader prefers: `prefers_color_scheme="dark"`."""
        said = [{"name": name.replace("_", "-"), "value": one} for name, one in features.items()]
        body = {"cmd": "Emulation.setEmulatedMedia", "params": {"features": said}}
        self._call("POST", f"{self._session}/goog/cdp/execute", body)

    def resize(self, width: int, height: int) -> None:
        """Give the page the screen of a phone of this size, in CSS pixels."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": True}
        body = {"cmd": "Emulation.setDeviceMetricsOverride", "params": size}
        self._call("POST", f"{self._session}/goog/cdp/execute", body)

    def said(self) -> list[str]:
        """Return what the console said since it was asked last."""
        log = self._call("POST", f"{self._session}/se/log", {"type": "browser"})
        return [f"{one['level']}: {one['message']}" for one in log]

    def picture(self) -> bytes:
        return base64.b64decode(self._call("GET", f"{self._session}/screenshot"))
