"""Apple's API in the server: notifications that did not arrive, refunds found by comparing, receipts
that are no longer needed, answers about consumption."""
import json
import os
import signal
import subprocess
import threading
import time

import wire
from hostile import until
from programs import SECRET, TOKEN
from story import insist


def check(scene):
    """Returns the number of checks; afterwards the simulator's webhook is as before."""
    store = Store(scene)
    try:
        killed(store)
        if scene.place.database is None:
            lost(store)
            refreshed(store)
            compared(store)
            migrated(store)
            consumed(store)
            failing(store)
        silent(store)
    finally:
        store.hook(f"http://127.0.0.1:{scene.between.port}/hook", "both")


class Store:
    """The simulator, and a server with a key for its API."""

    def __init__(self, scene):
        self.scene = scene
        state = wire.ask(scene.store.port, "GET", "/control/state").json
        simulator = f"http://127.0.0.1:{scene.store.port}"
        self.access = {
            "appStoreKey": scene.key,
            "appStoreKeyId": state["serverApi"]["keyId"],
            "appStoreIssuerId": state["serverApi"]["issuerId"],
            "appStoreProductionUrl": f"{simulator}/production",
            "appStoreSandboxUrl": f"{simulator}/sandbox",
        }
        self.servers = []

    def start(self, **settings):
        """Starts a server, and sends notifications to it."""
        server = self.scene.place.server(
            self.scene.between.port, self.scene.roots, name="recovery",
            settings={**self.access, **settings})
        self.servers.append(server)
        self.scene.server = server
        self.hook(f"http://127.0.0.1:{server.port}/api/v1/webhook/apple", "v2")
        return server

    def stop(self):
        insist(self.scene.server.stop() == 0, "the server did not end well")

    def hook(self, url, versions):
        self.scene.order("webhook", url=url, versions=versions)

    def told(self, event):
        """The lines of an event in the log of the last server."""
        lines = [json.loads(line) for line in list(self.servers[-1].errors)]
        return [line for line in lines if line["event"] == event]

    def recovered(self):
        """Waits until the server has asked for notifications, and returns what it logged."""
        until(lambda: len(self.told("recovered")) >= 2, "nothing was recovered")
        lines = self.told("recovered")
        # Neither environment waits for the other.
        insist(
            {line["environment"] for line in lines[:2]} == {"Production", "Sandbox"},
            "recovered:", lines)
        return lines

    def row(self, id):
        return self.scene.expect(200, "GET", f"/api/v1/apple/subs/{id}").json

    def lose(self, count=1):
        self.scene.order("lose", count=count)

    def sold(self, id):
        """The subscription as the simulator knows it."""
        held = wire.ask(self.scene.store.port, "GET", "/control/state").json["subscriptions"]
        return next(one for one in held if one["originalTransactionId"] == id)

    def known(self, environment="Production"):
        """Buys, and has the server told by a notification."""
        id, customer, _ = self.scene.buy(environment=environment)
        self.row(id)
        return id, customer

    def run(self, *arguments):
        """Runs the program with the settings of the last server."""
        return subprocess.run(
            [os.path.join(self.scene.place.binaries, "storekeeper-server"), *arguments,
             "--config", self.scene.place.path("recovery.json")],
            capture_output=True, text=True, timeout=60)


def killed(store):
    """The server is killed while purchases renew; after a restart it has caught up."""
    server = store.start()
    store.recovered()
    ids = [store.known()[0] for _ in range(8)] + [store.known("Sandbox")[0] for _ in range(2)]
    before = {id: store.row(id)["expiresDateUtc"] for id in ids}
    renewals = [
        threading.Thread(target=store.scene.order, args=("renew",),
                         kwargs={"originalTransactionId": id}) for id in ids]
    for renewal in renewals[:3]:
        renewal.start()
    until(lambda: store.row(ids[0])["expiresDateUtc"] != before[ids[0]], "nothing was renewed")
    server.stop(signal.SIGKILL)
    for renewal in renewals[3:]:
        renewal.start()
    for renewal in renewals:
        renewal.join(60)
    store.start()
    lines = store.recovered()
    insist(sum(line["recovered"] for line in lines) >= len(ids) - 3, "recovered:", lines)
    for id in ids:
        row, sold = store.row(id), store.sold(id)
        insist(row["expiresDateUtc"] == sold["expires"] != before[id], row, "instead of", sold)
    # A notification that has arrived counts once: a further start recovers nothing.
    store.stop()
    store.start()
    insist(sum(line["recovered"] for line in store.recovered()) == 0, store.told("recovered"))
    store.stop()


def lost(store):
    """On a schedule, without a restart; and by command, since a time."""
    store.start(recoveryInterval=1)
    id, _ = store.known()
    store.lose()
    store.scene.order("lapse", originalTransactionId=id, when="periodEnd")
    until(lambda: not store.row(id)["autoRenewal"], "the change was not recovered")
    store.stop()
    store.start(recoveryInterval=0)
    store.recovered()
    # Apple's dates are whole seconds here.
    start = int(time.time() - 1) * 1000
    id, _ = store.known()
    store.lose()
    store.scene.order("lapse", originalTransactionId=id, when="periodEnd")
    ended = store.run("recover", str(start))
    insist(ended.returncode == 0, ended)
    lines = [json.loads(line) for line in ended.stdout.splitlines()]
    insist([line["environment"] for line in lines] == ["Production", "Sandbox"], lines)
    # All since then: the purchase had arrived.
    first = lines[0]
    insist(first["recovered"] == 1 and first["repeated"] >= 1 and first["refused"] == 0, lines)
    insist(not store.row(id)["autoRenewal"], "the change was not recovered")
    again = store.run("recover")
    insist(again.returncode == 0 and '"recovered":0' in again.stdout, again)
    store.stop()


def refreshed(store):
    """A purchase recorded from signed data is refreshed, although there is no receipt."""
    store.start(recoveryInterval=0)
    store.hook(None, "none")
    id, customer, _ = store.scene.buy()
    device = wire.ask(
        store.scene.store.port, "GET", f"/control/receipt?customer={customer}").json
    store.scene.expect(
        200, "POST", "/api/v1/apple/subs",
        {"signedTransactionInfo": device["signedTransactionInfo"]})
    store.scene.order("renew", originalTransactionId=id)
    row = store.scene.expect(200, "PATCH", f"/api/v1/apple/subs/{id}").json
    insist(row["expiresDateUtc"] == store.sold(id)["expires"], row, store.sold(id))
    store.stop()


def compared(store):
    """A refund whose notification never comes is found in the history."""
    store.start(recoveryInterval=0)
    store.recovered()
    id, _ = store.known()
    account = {"ftcId": f"reader-{id}", "originalTxId": id}
    store.scene.expect(200, "POST", "/api/v1/apple/link", account)
    store.hook(None, "none")
    store.scene.order("refund", originalTransactionId=id)
    before = store.row(id)
    ended = store.run("reconcile", id)
    insist(ended.returncode == 0 and ended.stdout.count("\n") == 1, ended)
    insist(
        json.loads(ended.stdout) == {
            "environment": "Production", "transactions": 1, "added": [], "revoked": [id],
            "restored": [], "subscriptions": [id], "refused": 0}, ended.stdout)
    after = store.row(id)
    insist(after["expiresDateUtc"] < before["expiresDateUtc"], before, after)
    unknown = store.run("reconcile", "1")
    insist(unknown.returncode == 69 and "4040010" in unknown.stderr, unknown)
    store.stop()


def migrated(store):
    """Stored receipts lead to the histories of their customers."""
    without = {name: None for name in store.access}
    store.start(**without)
    store.hook(None, "none")
    id, _, receipt = store.scene.buy()
    store.scene.expect(200, "POST", "/api/v1/apple/subs", {"receiptData": receipt})
    store.scene.order("refund", originalTransactionId=id)
    store.stop()
    insist(not store.told("recovered"), "a server without a key asked Apple's API")
    store.start(migrateReceipts=True)
    until(lambda: store.told("migrated"), "nothing was migrated")
    line = store.told("migrated")[0]
    insist(line["migrated"] == 1 and line["complete"], line)
    insist(
        all(line[name] == 0 for name in ["withoutPurchase", "refused", "notFound"]), line)
    insist(store.row(id)["expiresDateUtc"] <= now(), store.row(id))
    store.stop()


def consumed(store):
    """The contents of the file are sent to Apple, which decides by it; without a file nothing is sent."""
    path = store.scene.place.path("consumption.json")
    with open(path, "w") as file:
        json.dump({"customerConsented": True, "deliveryStatus": "DELIVERED",
                   "sampleContentProvided": False, "refundPreference": "DECLINE"}, file)
    for settings, decision in [({"consumption": path}, "REFUND_DECLINED"), ({}, "REFUND")]:
        store.start(outboxInterval=1, **settings)
        id, _ = store.known()
        store.scene.order("requestRefund", originalTransactionId=id)
        time.sleep(2.5)
        decided = store.scene.order("decideRefund", originalTransactionId=id)
        types = [one["type"] for one in decided["notifications"]]
        insist(types == [decision], "Apple decided", types, "instead of", decision)
        store.stop()
        failures = [line for line in store.servers[-1].errors if "failed" in line]
        insist(not failures, failures)


def failing(store):
    """Refusals of Apple are logged with their cause, and the server serves on."""
    store.start(appStoreKeyId="ABCDEFGHIJ", recoveryInterval=1)
    until(lambda: store.told("worker failed"), "nothing was logged")
    error = store.told("worker failed")[0]["error"]
    insist("notificationHistory" in error and "status 401" in error, error)
    insist(store.scene.ask("GET", "/ready", headers=()).status == 200, "not ready")
    store.stop()
    # The server does not wait for Apple before it ends.
    for environment in ["Production", "Sandbox"]:
        store.scene.order("fault", fault="tooManyRequests", count=1000, environment=environment)
    store.start()
    time.sleep(0.5)
    start = time.monotonic()
    store.stop()
    insist(time.monotonic() - start < 5, "the server waited for Apple")
    insist(not store.told("worker failed"), store.told("worker failed"))
    insist(not store.told("recovered"), "the fault did not reach the server")


def silent(store):
    """No log has the key, a token or signed data."""
    with open(store.scene.key) as file:
        secrets = [line for line in file.read().splitlines() if "-----" not in line]
    for server in store.servers:
        text = "\n".join(server.lines + server.errors)
        for secret in [*secrets, SECRET, TOKEN, "eyJ"]:
            insist(secret not in text, "a secret was logged")


def now():
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
