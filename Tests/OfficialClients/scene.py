"""What the programs for both clients have in common: a simulator, its orders, a webhook, and expectations."""

import contextlib
import http.server
import json
import os
import signal
import subprocess
import tempfile
import threading
import time
import urllib.request

DEADLINE = 30  # seconds that anything may take on a busy machine


class Failure(Exception):
    """An expectation was not met."""


def expect(what, found, expected):
    """Compares a value with the one that is right."""
    if found != expected:
        raise Failure(f"{what}: {found!r}, expected {expected!r}")


def expect_that(what, holds):
    """Checks a condition."""
    if not holds:
        raise Failure(what)


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


class Webhook:
    """A server that keeps each request that it receives, as headers and JSON, and answers with 200."""

    def __init__(self):
        self.received = []
        received = self.received

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                received.append((dict(self.headers), json.loads(body)))
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    def clear(self):
        self.received.clear()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Simulator:
    """A running simulator, with orders as a script gives them."""

    def __init__(self, address, folder):
        self.address = address
        self.folder = folder

    def fetch(self, path):
        """The body of an answer to GET."""
        with urllib.request.urlopen(self.address + path, timeout=DEADLINE) as answer:
            return answer.read()

    def state(self, path="/control/state"):
        return json.loads(self.fetch(path))

    def order(self, name, **body):
        """Gives an order, which has to succeed, and returns the answer."""
        request = urllib.request.Request(
            f"{self.address}/control/{name}", json.dumps(body).encode(),
            {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=DEADLINE) as answer:
            return json.loads(answer.read())

    def file(self, name):
        """The content of a file that the simulator wrote."""
        with open(os.path.join(self.folder, name), "rb") as file:
            return file.read()


@contextlib.contextmanager
def simulator(program, *arguments):
    """Runs the simulator on a free port; FOLDER in an argument becomes a folder for its files."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [program, *(argument.replace("FOLDER", folder) for argument in arguments)],
            stdout=subprocess.PIPE, text=True)
        try:
            line = process.stdout.readline().strip()
            expect_that(f"the simulator says where it listens, not {line!r}", "http://" in line)
            yield Simulator(line.removeprefix("listening on "), folder)
        finally:
            process.send_signal(signal.SIGTERM)
            status = process.wait(timeout=DEADLINE)
    expect("the simulator's status at its end", status, 0)
