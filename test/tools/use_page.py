#!/usr/bin/python3
"""use_page.py CHROMIUM PAGE [PICTURES]: tests the page of a report in headless chromium
by key presses, without a mouse, in the dark style, on a phone and printed, and checks
the page after each. The report must have at least two arenas. With PICTURES, a prefix,
screenshots and the printed page are written."""
import base64
import json
import os
import subprocess
import sys
import tempfile
import time

CODES = {"Tab": 9, "Enter": 13, "Escape": 27, "End": 35, "Home": 36, "ArrowLeft": 37,
         "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}


class Browser:
    """One page, driven by the protocol of the developer tools over two pipes."""

    def __init__(self, chromium, profile):
        their_input, self.output = os.pipe()
        self.input, their_output = os.pipe()
        command = [chromium, "--headless", "--no-sandbox", "--disable-gpu",
                   "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
                   "--disable-background-networking", "--remote-debugging-pipe",
                   f"--user-data-dir={profile}", "about:blank"]
        # It reads descriptor 3 and writes 4.
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec 3<&{their_input} 4>&{their_output}; exec "$@"',
             "bash", *command],
            pass_fds=(their_input, their_output), stderr=subprocess.DEVNULL)
        os.close(their_input)
        os.close(their_output)
        self.count, self.rest, self.session = 0, b"", None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]

    def receive(self):
        while b"\0" not in self.rest:
            part = os.read(self.input, 1 << 16)
            assert part, "the browser is gone"
            self.rest += part
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **params):
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.count:
                assert "error" not in answer, answer
                return answer["result"]

    def open(self, url, theme):
        self.call("Emulation.setDeviceMetricsOverride", width=1280, height=1800,
                  deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": theme}])
        self.call("Page.navigate", url=url)
        ready = "document.documentElement?.dataset.ready === 'yes'"
        while not self.get(ready):
            time.sleep(0.02)

    def get(self, expression):
        result = self.call("Runtime.evaluate", expression=expression,
                           returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def press(self, *keys):
        for key in keys:
            event = {"key": key, "windowsVirtualKeyCode": CODES.get(key, ord(key[0]))}
            text = {"text": "\r" if key == "Enter" else key}
            self.call("Input.dispatchKeyEvent", type="keyDown", **event,
                      **(text if len(key) == 1 or key == "Enter" else {}))
            self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def tab_to(self, expression):
        """Presses Tab until the element has the focus."""
        for _ in range(200):
            if self.get(f"document.activeElement === {expression}"):
                return
            self.press("Tab")
        raise AssertionError(f"Tab does not come to {expression}")

    def write(self, path, data):
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        self.call("Browser.close")
        self.process.wait(timeout=60)


def text(browser, name):
    return browser.get(f"document.getElementById('{name}').textContent")


def picture(browser):
    """The map after two frames."""
    return browser.get(
        "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => "
        "done(document.getElementById('map').toDataURL()))))")


def buffers_shown(browser):
    """The buffers of the first arena, which has the most bytes."""
    report = json.loads(text(browser, "report"))
    return report["arenas"][0]["buffers"]


def use(browser):
    element = "document.getElementById('%s')"
    # Choose another arena, and then the one with slots again.
    browser.tab_to("document.querySelector('#arenas tbody tr:last-child')")
    browser.press("Enter")
    last = text(browser, "name")
    browser.get("document.querySelector('#arenas tbody tr').focus()")
    browser.press(" ")
    assert text(browser, "name") != last, last

    browser.tab_to(element % "map")
    browser.press("ArrowRight")
    first = text(browser, "details")
    assert first.startswith("slot "), first
    browser.press("ArrowRight")
    assert text(browser, "details") != first
    browser.press("ArrowLeft")
    assert text(browser, "details") == first
    browser.press("Escape")
    assert text(browser, "details") == ""
    whole = picture(browser)
    browser.press("+")
    assert picture(browser) != whole
    browser.press("0")
    assert picture(browser) == whole

    buffers = buffers_shown(browser)
    browser.tab_to(element % "search")
    browser.press(*"b1")
    assert text(browser, "count") == f"1 of {len(buffers)}", text(browser, "count")
    browser.get("document.getElementById('search').select()")
    browser.press("Escape")
    browser.get("(e => { e.value = ''; e.oninput(); })(document.getElementById('search'))")

    browser.tab_to(element % "rows-scroll")
    browser.press("ArrowDown")
    assert browser.get("document.querySelector('#rows tr.on').dataset.name") == \
        buffers[0]["name"]
    browser.press("End")
    assert browser.get("document.querySelector('#rows tr.on').dataset.name") == \
        buffers[-1]["name"]
    button = "document.querySelectorAll('#rows th button')[1]"
    browser.tab_to(button)
    sort = "document.querySelectorAll('#rows th')[1].getAttribute('aria-sort')"
    browser.press("Enter")
    assert browser.get(sort) == "ascending"
    browser.press("Enter")
    assert browser.get(sort) == "descending"
    # The element with the focus is visibly marked.
    assert browser.get(f"getComputedStyle({button}).outlineStyle") == "solid"


def contrast(browser, of, on):
    """The WCAG contrast of two colours of the style."""
    def luminance(name):
        colour = browser.get(
            "getComputedStyle(document.documentElement)"
            f".getPropertyValue('{name}').trim()").lstrip("#")
        parts = [int(colour[i:i + 2], 16) / 255 for i in (0, 2, 4)]
        parts = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4
                 for p in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    low, high = sorted((luminance(of), luminance(on)))
    return (high + 0.05) / (low + 0.05)


def look(browser, theme):
    is_dark = "document.documentElement.classList.contains('dark')"
    assert browser.get(is_dark) == (theme == "dark")
    for of in ("--text", "--soft", "--mark", "--bound", "--capacity"):
        for on in ("--back", "--plot"):
            assert contrast(browser, of, on) >= 4.5, (theme, of, on)
    browser.tab_to("document.getElementById('theme')")
    browser.press("Enter")
    assert browser.get(is_dark) == (theme != "dark")
    browser.press("Enter")


def show_on_phone(browser):
    """Checks that the page is not wider than a small screen, that the map is on the
    first screen of a laptop and of a phone, and that its buttons zoom."""
    for width, height in ((360, 740), (1280, 800)):
        browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=1, mobile=width < 600)
        picture(browser)
        wide = browser.get("document.documentElement.scrollWidth")
        assert wide <= width, (wide, width)
        end = browser.get("document.getElementById('map').getBoundingClientRect().bottom")
        assert end <= height, (end, height)
    whole = picture(browser)
    browser.get("document.querySelectorAll('#tools button')[0].click()")
    assert picture(browser) != whole
    browser.get("document.querySelectorAll('#tools button')[2].click()")
    assert picture(browser) == whole


def print_page(browser):
    """Checks the printed page: light style, all rows, no buttons, nothing cut off."""
    browser.call("Emulation.setDeviceMetricsOverride", width=520, height=1000,
                 deviceScaleFactor=1, mobile=False)
    browser.call("Emulation.setEmulatedMedia", media="print", features=[
        {"name": "prefers-color-scheme", "value": "dark"}])
    browser.get("window.dispatchEvent(new Event('beforeprint'))")
    assert not browser.get("document.documentElement.classList.contains('dark')")
    assert browser.get("document.querySelectorAll('#rows tbody tr').length") == \
        len(buffers_shown(browser))
    assert browser.get("[...document.querySelectorAll('button, input')].every("
                       "e => getComputedStyle(e).display === 'none' || e.closest('th'))")
    assert browser.get("[...document.querySelectorAll('td')].every("
                       "e => e.scrollWidth <= e.clientWidth + 1)")
    assert browser.get("document.documentElement.scrollWidth <= innerWidth")
    browser.get("window.dispatchEvent(new Event('afterprint'))")
    browser.call("Emulation.setEmulatedMedia", media="", features=[
        {"name": "prefers-color-scheme", "value": "dark"}])
    assert browser.get("document.documentElement.classList.contains('dark')")


def main():
    chromium, page = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(chromium, profile)
        for theme in ("light", "dark"):
            browser.open("file://" + page, theme)
            look(browser, theme)
            use(browser)
            show_on_phone(browser)
            if len(sys.argv) > 3:
                browser.write(f"{sys.argv[3]}-{theme}.png", browser.call(
                    "Page.captureScreenshot", captureBeyondViewport=True)["data"])
        print_page(browser)
        if len(sys.argv) > 3:
            browser.write(sys.argv[3] + ".pdf", browser.call("Page.printToPDF")["data"])
        browser.close()
    print("used by keyboard, in the dark and on paper")


if __name__ == "__main__":
    main()
