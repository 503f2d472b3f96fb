#!/usr/bin/env python3
"""Checks a report of `eltwise bench --html` in headless Chromium: windows of a phone and a desktop, light and dark.

usage: tools/check-report.py REPORT.html [--screenshots DIR [--top PIXELS]]

* the page loads without errors, warnings or exceptions, and requests no other resource;
* it has one roofline plot, with a title and a description, and a bar for each case;
* nothing is wider than the window, and the text of plots is at least 9 pixels high;
* light and dark have different backgrounds.

Needs `chromium` (Debian: `apt-get install -y chromium`) or `google-chrome`; exits with 77 if neither is installed.
Controls the browser over a pipe, with the standard library only.
"""

import argparse
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

WINDOWS = {"phone": (390, 844), "desktop": (1280, 900)}
SCHEMES = ["light", "dark"]

LOOK = """
(() => {
  const shown = (e) => e.getClientRects().length > 0;
  const plots = [...document.querySelectorAll('svg[aria-labelledby]')].filter(shown);
  const letters = plots.flatMap((p) => [...p.querySelectorAll('text')].map((t) =>
    parseFloat(getComputedStyle(t).fontSize) * p.getBoundingClientRect().width / p.viewBox.baseVal.width));
  return {
    plots: plots.length,
    described: plots.every((p) => p.getAttribute('aria-labelledby').split(' ').every((id) => document.getElementById(id)?.textContent.length > 5)),
    marks: plots.reduce((n, p) => n + p.querySelectorAll('.mark').length, 0),
    rows: document.querySelectorAll('.row').length,
    bars: document.querySelectorAll('.row svg.bar .full').length,
    smallest: Math.min(...letters),
    width: document.documentElement.scrollWidth,
    window: document.documentElement.clientWidth,
    height: document.documentElement.scrollHeight,
    paper: getComputedStyle(document.body).backgroundColor,
  };
})()
"""


class Browser:
    """A headless Chromium, controlled over a pipe."""

    def __init__(self, program: str, profile: str):
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        def pipes() -> None:
            # The browser reads from descriptor 3 and writes to 4. Copy the pipes to high numbers first: they may be 3
            # or 4 themselves.
            reads, writes = os.dup(to_browser), os.dup(from_browser)
            high_reads, high_writes = os.dup2(reads, 100), os.dup2(writes, 101)
            os.dup2(high_reads, 3)
            os.dup2(high_writes, 4)

        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                   "--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank"]
        self.process = subprocess.Popen([program, *options], preexec_fn=pipes, close_fds=False,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.events = b"", 0, []

    def receive(self) -> dict:
        while b"\0" not in self.buffer:
            data = os.read(self.read_end, 1 << 20)
            if not data:
                sys.exit("error: the browser closed the connection")
            self.buffer += data
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method: str, session: str | None = None, **params) -> dict:
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    sys.exit(f"error: {method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, method: str) -> None:
        while not any(e.get("method") == method for e in self.events):
            self.events.append(self.receive())

    def close(self) -> None:
        self.call("Browser.close")
        self.process.wait(timeout=30)


def complaints(events: list[dict], url: str) -> list[str]:
    """Console messages, exceptions, and requests for other resources."""
    found = []
    for event in events:
        params = event.get("params", {})
        match event.get("method"):
            case "Runtime.consoleAPICalled":
                found.append(f"console: {params['args']}")
            case "Runtime.exceptionThrown":
                found.append(f"exception: {params['exceptionDetails']['text']}")
            case "Log.entryAdded":
                found.append(f"log: {params['entry']['text']}")
            case "Network.requestWillBeSent" if params["request"]["url"] != url:
                found.append(f"request: {params['request']['url'][:200]}")
    return found


def look(browser: Browser, url: str, window: str, scheme: str, args: argparse.Namespace) -> tuple[dict, list[str]]:
    """Opens the page with one window and colour scheme; returns its properties and problems."""
    browser.events.clear()
    target = browser.call("Target.createTarget", url="about:blank")["targetId"]
    session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    for domain in ["Page", "Runtime", "Log", "Network"]:
        browser.call(f"{domain}.enable", session)
    width, height = WINDOWS[window]
    browser.call("Emulation.setDeviceMetricsOverride", session, width=width, height=height,
                 deviceScaleFactor=1, mobile=window == "phone")
    browser.call("Emulation.setEmulatedMedia", session, features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.call("Page.navigate", session, url=url)
    browser.wait_for("Page.loadEventFired")
    page = browser.call("Runtime.evaluate", session, expression=LOOK, returnByValue=True)["result"]["value"]
    found = complaints(browser.events, url)
    checks = {
        "one roofline plot": page["plots"] == 1,
        "a title and a description of the plot": page["described"],
        "points in the plot": page["marks"] > 0,
        "a bar for each case": page["rows"] == page["bars"] > 0,
        "text of at least 9 pixels": page["smallest"] >= 9,
        "nothing wider than the window": page["width"] <= page["window"],
    }
    found += [f"expected {what}" for what, holds in checks.items() if not holds]
    if args.screenshots:
        args.screenshots.mkdir(parents=True, exist_ok=True)
        shown = min(args.top or page["height"], page["height"])
        clip = {"x": 0, "y": 0, "width": width, "height": shown, "scale": 1}
        image = browser.call("Page.captureScreenshot", session, format="png", captureBeyondViewport=True, clip=clip)
        (args.screenshots / f"report-{window}-{scheme}.png").write_bytes(base64.b64decode(image["data"]))
    browser.call("Target.closeTarget", targetId=target)
    return page, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("report", type=Path)
    parser.add_argument("--screenshots", type=Path, metavar="DIR")
    parser.add_argument("--top", type=int, metavar="PIXELS", help="only the first PIXELS of the page")
    args = parser.parse_args()
    program = next(filter(None, map(shutil.which, ["chromium", "google-chrome", "chromium-browser"])), None)
    if not program:
        print("skipped: neither chromium nor google-chrome is installed")
        sys.exit(77)
    url = args.report.resolve(strict=True).as_uri()
    failures, papers = 0, {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(program, profile)
        for window in WINDOWS:
            for scheme in SCHEMES:
                page, found = look(browser, url, window, scheme, args)
                papers[scheme] = page["paper"]
                for complaint in found:
                    print(f"error: {window}, {scheme}: {complaint}", file=sys.stderr)
                failures += len(found)
                print(f"{window:8} {scheme:6} {page['rows']} cases, {page['marks']} points, {page['width']} x {page['height']}")
        browser.close()
    if papers["light"] == papers["dark"]:
        print("error: light and dark have the same background", file=sys.stderr)
        failures += 1
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
