"""Stopping the server: after SIGTERM every accepted request is answered, after SIGKILL nothing
acknowledged is lost."""
import signal
import threading
import time
import uuid

import wire
from hostile import until
from story import BEARER, insist


def check(scene):
    stop_under_load(scene)
    kill_under_load(scene)


def stored(scene, count):
    """The identifiers of the subscriptions that the server knows."""
    ids = []
    for _ in range(count):
        id, _, receipt = scene.buy()
        scene.expect(200, "POST", "/api/v1/apple/subs", {"receiptData": receipt})
        ids.append(id)
    return ids


class Load:
    """Clients that read, and link and unlink their own subscriptions, until the server stops."""

    def __init__(self, scene, ids):
        self.port = scene.server.port
        self.answered, self.broken = [], []
        self.clients = [threading.Thread(target=self.work, args=(id,)) for id in ids]
        for client in self.clients:
            client.start()

    def work(self, id):
        body = {"ftcId": f"reader-{id}", "originalTxId": id}
        requests = [
            ("POST", "/api/v1/apple/link", body, 200),
            ("GET", f"/api/v1/apple/subs/{id}", b"", 200),
            ("POST", "/api/v1/apple/unlink", body, 204),
        ]
        try:
            while True:
                with wire.Connection(self.port) as connection:
                    self.talk(connection, requests)
        except OSError:
            pass  # No new connection is taken.

    def talk(self, connection, requests):
        """Reads until the server ends the connection."""
        while True:
            for method, path, body, status in requests:
                try:
                    answer = connection.ask(method, path, [BEARER], body)
                except (wire.Closed, OSError):
                    if connection.rest:
                        self.broken.append(connection.rest)
                    return
                self.answered.append(answer.fields["x-request-id"])
                if answer.status not in (status, 422):
                    self.broken.append((path, answer.status, answer.body))

    def wait(self, count):
        while len(self.answered) < count:
            time.sleep(0.01)

    def end(self):
        for client in self.clients:
            client.join(60)


def stop_under_load(scene):
    scene.start()
    ids = stored(scene, 16)
    until(lambda: len(scene.server.log) >= len(ids), "requests are missing in the access log")
    before = {line["id"] for line in scene.server.log if "id" in line}
    load = Load(scene, ids)
    load.wait(1000)
    insist(scene.server.stop() == 0, "the server did not end well")
    load.end()
    insist(not load.broken, "answers broke off:", load.broken[:3])
    logged = {line["id"] for line in scene.server.log if "id" in line} - before
    lost = logged - set(load.answered)
    insist(not lost, len(lost), "requests were worked on and not answered")
    scene.checked += len(load.answered)


def kill_under_load(scene):
    """Everything acknowledged is there after a restart on the same database."""
    scene.start()
    acknowledged = {}
    done = threading.Event()

    def work():
        while not done.is_set():
            id, _, receipt = scene.buy()
            account = uuid.uuid4().hex
            try:
                with wire.Connection(scene.server.port) as connection:
                    path, body = "/api/v1/apple/subs", {"receiptData": receipt}
                    if connection.ask("POST", path, [BEARER], body).status != 200:
                        continue
                    acknowledged[id] = None
                    body = {"ftcId": account, "originalTxId": id}
                    if connection.ask("POST", "/api/v1/apple/link", [BEARER], body).status == 200:
                        acknowledged[id] = account
            except (wire.Closed, OSError):
                return

    clients = [threading.Thread(target=work) for _ in range(8)]
    for client in clients:
        client.start()
    while len(acknowledged) < 60:
        time.sleep(0.01)
    scene.server.stop(signal.SIGKILL)
    done.set()
    for client in clients:
        client.join(60)
    scene.start()
    for id, account in acknowledged.items():
        row = scene.expect(200, "GET", f"/api/v1/apple/subs/{id}").json
        if account:
            insist(row["ftcUserId"] == account and row["inUse"], "a link was lost:", row)
            page = scene.expect(
                200, "GET", "/api/v1/apple/subs", headers=(BEARER, f"X-Ftc-Id: {account}")).json
            insist([one["originalTransactionId"] for one in page["data"]] == [id], page)
    insist(scene.server.stop() == 0, "the server did not end well")
