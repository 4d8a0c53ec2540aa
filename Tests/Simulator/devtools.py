"""Drives Chromium by its DevTools protocol, with Python's standard library alone."""

import base64
import json
import os
import pathlib
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request

DEADLINE = 60  # seconds that anything may take on a busy machine


class Failure(Exception):
    """An expectation was not met."""


def until(what, condition):
    """Waits until a condition returns a true value, and returns it."""
    end = time.monotonic() + DEADLINE
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Failure(f"did not come: {what}")
        time.sleep(0.05)


class WebSocket:
    """The client's side of RFC 6455 as far as Chromium needs it: complete text messages."""

    def __init__(self, url):
        host, _, path = url.removeprefix("ws://").partition("/")
        name, _, port = host.partition(":")
        self.socket = socket.create_connection((name, int(port)), timeout=DEADLINE)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self.stream = self.socket.makefile("rb")
        if b" 101 " not in self.stream.readline():
            raise Failure("the browser does not speak WebSocket")
        while self.stream.readline().strip():
            pass

    def send(self, text):
        self._frame(1, text.encode())

    def receive(self):
        whole = b""
        while True:
            first, second = self._read(2)
            length = second & 0x7F
            if length == 126:
                (length,) = struct.unpack(">H", self._read(2))
            elif length == 127:
                (length,) = struct.unpack(">Q", self._read(8))
            content = self._read(length)
            opcode = first & 0x0F
            if opcode == 9:
                self._frame(10, content)
            elif opcode == 8:
                raise Failure("the browser closed the connection")
            elif opcode in (0, 1):
                whole += content
                if first & 0x80:
                    return whole.decode()

    def _frame(self, opcode, content):
        head = bytes([0x80 | opcode])
        if len(content) < 126:
            head += bytes([0x80 | len(content)])
        elif len(content) < 65536:
            head += bytes([0x80 | 126]) + struct.pack(">H", len(content))
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", len(content))
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(content))
        self.socket.sendall(head + mask + masked)

    def _read(self, count):
        content = self.stream.read(count)
        if len(content) < count:
            raise Failure("the browser went away")
        return content


class Browser:
    """Chromium without a window, with one page of 1280 by 900 at first."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        command = ["chromium", "--headless", "--remote-debugging-port=0", "--no-first-run",
                   "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                   "--disable-background-networking", "--disable-component-update",
                   f"--user-data-dir={self.folder.name}", "about:blank"]
        if os.getuid() == 0:
            # Chromium refuses to run its sandbox as root. It opens the simulator's page alone.
            command.insert(1, "--no-sandbox")
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self._connect()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()

    def _connect(self):
        file = pathlib.Path(self.folder.name) / "DevToolsActivePort"

        def port():
            if self.process.poll() is not None:
                raise Failure(f"chromium ended with {self.process.returncode}")
            lines = file.read_text().splitlines() if file.exists() else []
            return lines[0] if len(lines) == 2 else None

        address = f"http://127.0.0.1:{until('the browser', port)}/json/list"

        def page():
            with urllib.request.urlopen(address, timeout=DEADLINE) as answer:
                pages = json.load(answer)
            return next((page for page in pages if page["type"] == "page"), None)

        self.socket = WebSocket(until("a page", page)["webSocketDebuggerUrl"])
        self.number = 0
        self.complaints = []  # what the page wrote to the console as an error, and exceptions
        self.requests = []  # all addresses that the page asked for
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
            self.call(f"{domain}.enable")
        self.resize(1280, 900)

    def call(self, method, **parameters):
        """Sends a command and returns its result; records events that arrive before it."""
        self.number += 1
        self.socket.send(json.dumps(
            {"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.receive())
            if message.get("id") == self.number:
                if "error" in message:
                    raise Failure(f"{method}: {message['error']['message']}")
                return message["result"]
            self._note(message)

    def _note(self, message):
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.complaints.append(parameters["exceptionDetails"]["text"])
        elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.complaints.append(parameters["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] == "error":
            self.complaints.append(str(parameters["args"]))
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def resize(self, width, height):
        """Gives the page another size, in points."""
        self.call("Emulation.setDeviceMetricsOverride",
                  width=width, height=height, deviceScaleFactor=1, mobile=False)

    def open(self, url):
        self.call("Page.navigate", url=url)
        until("the page", lambda: self.value("document.readyState === 'complete'"))

    def value(self, expression):
        """The value of a JavaScript expression in the page."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in result:
            raise Failure(f"{expression}: {result['exceptionDetails']['text']}")
        return result["result"].get("value")

    def wait(self, expression):
        return until(expression, lambda: self.value(expression))

    def click(self, selector):
        """Clicks the center of an element as a mouse does; it has to be topmost there."""
        place = self.value(f"""(() => {{
          const element = document.querySelector({json.dumps(selector)});
          if (!element) return null;
          element.scrollIntoView({{ block: "center" }});
          const box = element.getBoundingClientRect();
          const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
          const top = document.elementFromPoint(x, y);
          return element.contains(top) && !element.disabled ? [x, y] : null;
        }})()""")
        if not place:
            raise Failure(f"cannot be clicked: {selector}")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1],
                      button="left", clickCount=1)

    def type(self, selector, text):
        """Replaces the text of a field."""
        self.click(selector)
        self.value(f"document.querySelector({json.dumps(selector)}).select()")
        self.call("Input.insertText", text=text)

    def choose(self, selector, value):
        self.value(f"""(() => {{
          const list = document.querySelector({json.dumps(selector)});
          list.value = {json.dumps(value)};
          list.dispatchEvent(new Event("change", {{ bubbles: true }}));
        }})()""")
        if self.value(f"document.querySelector({json.dumps(selector)}).value") != value:
            raise Failure(f"cannot be chosen in {selector}: {value}")

    def nameless_controls(self):
        """The roles of controls that a screen reader cannot name."""
        tree = self.call("Accessibility.getFullAXTree")["nodes"]
        controls = {"button", "textbox", "combobox", "spinbutton", "listbox", "link"}
        return [node["role"]["value"] for node in tree
                if not node["ignored"] and node["role"]["value"] in controls
                and not node.get("name", {}).get("value")]

    def screenshot(self, path):
        picture = self.call("Page.captureScreenshot", format="png")["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(picture))
