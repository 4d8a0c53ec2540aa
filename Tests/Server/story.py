"""Common parts of the tests: a server with its surroundings, and expectations of answers."""
import contextlib
import json
import os
import shutil
import sys
import tempfile
import time
import uuid

import wire
from apple import Between
from programs import TOKEN, Place, address

BEARER = f"Authorization: Bearer {TOKEN}"

MESSAGES = {
    400: "Problems parsing JSON", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 413: "Request body is too large",
    415: "Unsupported Media Type", 500: "Internal Server Error", 503: "Service Unavailable",
}


class Failure(Exception):
    pass


def insist(holds, *told):
    if not holds:
        raise Failure(" ".join(str(part) for part in told))


class Scene:
    """A simulator, and a proxy between it and the server that can answer instead."""

    def __init__(self, binaries, folder, database=None):
        self.place = Place(binaries, folder, database)
        # The key for the simulator's API.
        self.key = self.place.path("key.p8")
        self.store = self.place.simulator(
            "--api-key-file", self.key,
            "--product", "reader.monthly:Monthly:31", "--product", "reader.yearly:Yearly:365",
            "--product", "reader.premium:Premium:365", "--product", "reader.other:Other:30",
            "--pack", "com.example.gems.big:Big",
            "--notifications", "both")
        self.between = Between(self.store.port)
        self.order("webhook", url=f"http://127.0.0.1:{self.between.port}/hook", versions="both")
        self.roots = self.fetch_roots(self.store, "root")
        self.server = None
        self.checked = 0

    def fetch_roots(self, simulator, name):
        """Files with the roots of signed data and of receipts, as Apple has two."""
        paths = []
        for place in ("root.der", "receipt-root.der"):
            path = self.place.path(f"{name}-{place}")
            with open(path, "wb") as file:
                file.write(wire.ask(simulator.port, "GET", "/" + place).body)
            paths.append(path)
        return paths

    def start(self, *arguments, log=None, environment=None, **settings):
        """Starts a server, which gets the requests from then on; with a `log` its access log goes into
        that file."""
        self.server = self.place.server(
            self.between.port, self.roots, *arguments, settings=settings or None, log=log,
            environment=environment)
        return self.server

    def end(self):
        self.place.end()

    # The App Store.

    def order(self, what, simulator=None, **body):
        answer = wire.ask(
            (simulator or self.store).port, "POST", f"/control/{what}", [], body)
        insist(answer.status == 200, "the simulator:", what, answer.status, answer.body)
        return answer.json

    def buy(self, product="reader.monthly", environment="Production", customer=None):
        """The original transaction id, the customer, and the receipt."""
        customer = customer or uuid.uuid4().hex
        bought = self.order(
            "buy", customer=customer, product=product, environment=environment)
        return (
            bought["subscription"]["originalTransactionId"], customer,
            self.receipt(customer, environment))

    def receipt(self, customer, environment="Production"):
        path = f"/control/receipt?customer={customer}&environment={environment}"
        return wire.ask(self.store.port, "GET", path).json["receipt"]

    def notification(self, version):
        """The newest notification to the webhook."""
        for body in reversed(self.between.notifications):
            message = json.loads(body)
            if ("signedPayload" in message) == (version == 2):
                return message
        raise Failure("there was no notification")

    # The server.

    def ask(self, method, path, body=b"", headers=(BEARER,)):
        return wire.ask(self.server.port, method, path, headers, body)

    def expect(self, status, method, path, body=b"", headers=(BEARER,), error=None, message=None):
        """Sends a request, and checks status, field and code, and the common parts of all answers."""
        answer = self.ask(method, path, body, headers)
        told = (method, path, "->", answer.status, answer.body[:200])
        insist(answer.status == status, *told, "instead of", status)
        insist(
            answer.fields.get("cache-control") == "no-cache, no-store, must-revalidate", *told)
        insist(answer.fields.get("pragma") == "no-cache", *told)
        insist(len(answer.fields.get("x-request-id", "")) == 16, *told)
        if status >= 400:
            self._expect_error(answer, error, message, told)
        elif answer.body:
            insist(answer.fields["content-type"] == "application/json; charset=utf-8", *told)
        self.checked += 1
        return answer

    def _expect_error(self, answer, error, message, told):
        insist(answer.fields["content-type"] == "application/json; charset=utf-8", *told)
        members = answer.json
        insist(members["message"] != "", *told)
        expected = message or (None if error else MESSAGES.get(answer.status))
        insist(expected is None or members["message"] == expected, *told, "not:", expected)
        if error:
            field, code = error.split("/")
            insist(members.get("error") == {"field": field, "code": code}, *told, "not:", error)
        else:
            insist(set(members) == {"message"}, *told)


@contextlib.contextmanager
def staged(binaries, kind="sqlite"):
    """A scene on a database of this kind, cleared away at the end; a failure shows what the server said last."""
    folder = tempfile.mkdtemp()
    database = {
        "postgres": lambda: address(os.environ["STOREKEEPER_POSTGRES"]),
        "mariadb": lambda: os.environ["STOREKEEPER_MARIADB"]}.get(kind, lambda: None)()
    scene = Scene(binaries, folder, database)
    try:
        yield scene
    except BaseException:
        if scene.server:
            print("\n".join(scene.server.lines[-5:] + scene.server.errors[-5:]), file=sys.stderr)
        raise
    finally:
        scene.end()
        shutil.rmtree(folder)


def step(kind, title, work):
    """Does a part of a run, and prints a line about it with what the work returned."""
    start = time.monotonic()
    told = work()
    print(f"{kind}: {title}: {told}; {time.monotonic() - start:.1f} s", flush=True)
