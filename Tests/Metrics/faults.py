"""Alerts, of which each fires at a server whose fault is made to happen: a Prometheus scrapes the servers every second, and
its rules wait for nothing."""
import contextlib
import datetime
import json
import os
import re
import socket
import sqlite3
import subprocess
import threading
import time
import urllib.request
from contextlib import closing
from http.server import BaseHTTPRequestHandler

import undecoded
import wire
from apple import Listener, serve_in_background
from hostile import until
from programs import TOKEN, Program, address, digest
from room import fill
from stalls import alone
from story import BEARER, insist

from messages import Collector

RULES = os.path.join(
    os.path.dirname(__file__), "..", "..", "Documentation", "operations", "alerts.yaml")


def figures_port(server):
    """The port of the figures of a server, by its log."""
    def lines():
        return [line for line in list(server.errors) if '"event":"figures"' in line]

    until(lines, "the log does not name the address of the figures")
    return int(re.search(r":(\d+)/metrics", lines()[0])[1])


class Stub:
    """What answers in Apple's place, as it is told."""

    def __init__(self):
        # The status and the body of its answers.
        self.answer = (200, b'{"status":21004}')
        self.traces = []
        stub = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                stub.traces.append(self.headers.get("traceparent"))
                # The API refuses the key, whatever verifyReceipt does.
                status, body = (401, b"") if "/inApps/" in self.path else stub.answer
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST

            def log_message(self, *_):
                pass

        self.port = serve_in_background(Listener(("127.0.0.1", 0), Handler))


class Prometheus:
    """A Prometheus that scrapes servers by name."""

    def __init__(self, place, targets):
        with open(RULES) as file:
            rules = re.sub(r"^( +for:).*$", r"\1 0s", file.read(), flags=re.MULTILINE)
        with open(place.path("rules.yaml"), "w") as file:
            file.write(rules)
        config = {
            "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
            "rule_files": [place.path("rules.yaml")],
            "scrape_configs": [{"job_name": "storekeeper", "static_configs": [
                {"targets": [f"127.0.0.1:{port}"], "labels": {"instance": name}}
                for name, port in targets.items()]}],
        }
        with open(place.path("prometheus.yaml"), "w") as file:
            json.dump(config, file)
        with closing(socket.create_server(("127.0.0.1", 0))) as free:
            self.port = free.getsockname()[1]
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={place.path('prometheus.yaml')}",
             f"--storage.tsdb.path={place.path('prometheus')}",
             f"--web.listen-address=127.0.0.1:{self.port}", "--log.level=error"])

    @property
    def alerts(self):
        """The alerts that fire, each with the server at which it does."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/v1/alerts", timeout=10) as answer:
                alerts = json.load(answer)["data"]["alerts"]
        except OSError:
            return set()
        return {
            (alert["labels"]["alertname"].removeprefix("Storekeeper"), alert["labels"]["instance"])
            for alert in alerts if alert["state"] == "firing"}

    def expect(self, alert, instance):
        until(lambda: (alert, instance) in self.alerts,
              f"{alert} does not fire at {instance}, but: {self.alerts}", seconds=120)


def check(scene):
    place = scene.place
    stub, collector = Stub(), Collector(status=400)
    soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=10)
    expiring = digest(place, TOKEN) + soon.strftime("@%Y-%m-%dT%H:%M:%SZ")
    state = wire.ask(scene.store.port, "GET", "/control/state").json
    refusing = f"http://127.0.0.1:{stub.port}"
    metrics = ("--metrics", "127.0.0.1:0")
    apple = place.server(
        stub.port, scene.roots, *metrics, "--otlp", f"http://127.0.0.1:{collector.port}",
        "--otlp-share", "100", name="apple", settings={"token": {"test": expiring}})
    keys = place.server(scene.between.port, scene.roots, *metrics, name="keys", settings={
        "appStoreKey": scene.key, "appStoreKeyId": state["serverApi"]["keyId"],
        "appStoreIssuerId": state["serverApi"]["issuerId"],
        "appStoreProductionUrl": f"{refusing}/production", "appStoreSandboxUrl": f"{refusing}/sandbox"})
    outbox = with_waiting_messages(scene, metrics)
    disk, disk_file = on_a_small_disk(place, metrics)
    newer, settings = undecoded.notification(place)
    old = place.server(1, None, *metrics, name="old", settings=settings)
    busy = without_a_table(scene, metrics)
    away = place.server(
        scene.between.port, scene.roots, *metrics, name="away",
        settings={"database": address(os.environ["STOREKEEPER_POSTGRES"])})
    well = place.server(scene.between.port, scene.roots, *metrics, name="well", settings={"token": {"test": digest(place, TOKEN)}})

    prometheus = Prometheus(place, {
        "apple": figures_port(apple), "keys": figures_port(keys), "outbox": figures_port(outbox),
        "disk": figures_port(disk), "old": figures_port(old), "busy": figures_port(busy),
        "away": figures_port(away), "well": figures_port(well)})
    try:
        prometheus.expect("EndsSoon", "apple")
        prometheus.expect("OutboxStuck", "outbox")
        prometheus.expect("MessagesParked", "outbox")

        def verify(server):
            return wire.ask(
                server.port, "POST", "/api/v1/apple/subs", [BEARER], {"receiptData": "YSByZWNlaXB0"})

        verify(apple)
        prometheus.expect("SharedSecretWrong", "apple")
        insist(any(line.get("reason", "").endswith("(21004)") for line in apple.log), apple.log)
        insist(any('"receipt not verified"' in line for line in apple.errors), apple.errors)
        insist(all(re.fullmatch("00-[0-9a-f]{32}-[0-9a-f]{16}-01", trace) for trace in stub.traces[-1:]),
               stub.traces)

        def notify_wrongly():
            wire.ask(apple.port, "POST", "/api/v1/webhook/apple", [], {"password": "wrong"})

        with Repeatedly(notify_wrongly):
            prometheus.expect("NotificationsRefused", "apple")

        stub.answer = (503, b"")
        with Repeatedly(lambda: verify(apple)):
            prometheus.expect("StoreAway", "apple")
            prometheus.expect("SpansDropped", "apple")

        stub.answer = (200, b'{"status":21005}')
        with Repeatedly(lambda: verify(apple)):
            prometheus.expect("VerificationsUnavailable", "apple")

        id, _, receipt = scene.buy()
        stored = wire.ask(keys.port, "POST", "/api/v1/apple/subs", [BEARER], {"receiptData": receipt})
        insist(stored.status == 200, stored.status)
        with Repeatedly(lambda: wire.ask(keys.port, "PATCH", f"/api/v1/apple/subs/{id}", [BEARER])):
            prometheus.expect("CredentialsRefused", "keys")

        wire.ask(old.port, "POST", "/api/v1/webhook/apple", [], newer)
        prometheus.expect("NotificationsNotDecoded", "old")

        prometheus.expect("JobFails", "busy")

        place.order_database("stop")
        with Repeatedly(lambda: wire.ask(away.port, "GET", f"/api/v1/apple/subs/{id}", [BEARER])):
            prometheus.expect("DatabaseAway", "away")

        until(lambda: scene.between.notifications, "no notification came")
        new = scene.notification(2)
        with locked(place, "busy"), contextlib.ExitStack() as clients:
            for _ in range(32):
                clients.enter_context(
                    Repeatedly(lambda: wire.ask(busy.port, "POST", "/api/v1/webhook/apple", [], new)))
            prometheus.expect("Conflicts", "busy")

        def lock_for_a_while():
            with locked(place, "busy"):
                time.sleep(1.5)

        with Repeatedly(lock_for_a_while), Repeatedly(lambda: notify(scene, busy)):
            prometheus.expect("RequestsSlow", "busy")

        fill(disk_file)
        # A route that writes, without asking anybody.
        with Repeatedly(lambda: notify(scene, disk)):
            prometheus.expect("DiskFull", "disk")
            prometheus.expect("RequestsFail", "disk")
        insist(any("the disk is full" in line for line in disk.lines + disk.errors), disk.errors[-5:])

        keys.kill()
        prometheus.expect("Down", "keys")
        at_well = {alert for alert, instance in prometheus.alerts if instance == "well"}
        insist(at_well == set(), "an alert without a fault:", at_well)
    finally:
        prometheus.process.kill()
        prometheus.process.wait()


class Repeatedly:
    """Does something several times a second, until its block ends."""

    def __init__(self, work):
        self.work = work
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self):
        while not self.ended.wait(0.2):
            try:
                self.work()
            except (OSError, wire.Closed):
                pass

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join(60)


def notify(scene, server):
    """A notification of a new purchase, which is stored."""
    before = len(scene.between.notifications)
    scene.buy()
    until(lambda: len(scene.between.notifications) > before + 1, "no notification came")
    wire.ask(server.port, "POST", "/api/v1/webhook/apple", [], scene.notification(2))


@contextlib.contextmanager
def locked(place, name):
    """Another process writes to the database of a server, and does not end."""
    with closing(sqlite3.connect(f"{place.path(name)}.sqlite", isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        yield


def without_a_table(scene, metrics):
    """A server whose refreshes fail from the start, as somebody dropped a table of theirs."""
    place = scene.place
    server = place.server(scene.between.port, scene.roots, name="busy")
    insist(server.stop() == 0, "the server did not end well")
    place.sql("DROP TABLE polling_log", "busy")
    return place.server(
        scene.between.port, scene.roots, *metrics, name="busy", settings={"refreshInterval": 1})


def with_waiting_messages(scene, metrics):
    """A server in whose outbox a message has waited for two hours with a worker that died, and another one is parked."""
    place = scene.place
    server = place.server(scene.between.port, scene.roots, name="outbox")
    insist(server.stop() == 0, "the server did not end well")
    old, later = int(time.time()) - 7200, int(time.time()) + 7200
    columns = "kind, original_transaction_id, already_expired, created_utc, failures, parked_utc, parked_reason"
    place_sql = f"INSERT INTO outbox ({columns}) VALUES "
    with closing(sqlite3.connect(f"{place.path('outbox')}.sqlite")) as database, database:
        # One of a kind that somebody delivers, as e-mails are meant to wait where there is no mail server. A worker that died
        # has its lease.
        database.execute(place_sql + f"('link', '1', 0, {old}, 0, NULL, NULL)")
        database.execute(
            "INSERT INTO outbox (kind, original_transaction_id, already_expired, created_utc, failures, lease_token,"
            f" lease_until_utc, wake_utc) VALUES ('event', '3', 0, {old}, 0, 'dead', {later}, {later})")
        database.execute(place_sql + f"('link', '2', 0, {old}, 1, {old}, 'address_missing')")
    return place.server(scene.between.port, scene.roots, *metrics, name="outbox")


def on_a_small_disk(place, metrics):
    """A server with a disk of its own, and a path to it."""
    folder = place.path("disk")
    os.mkdir(folder)
    command = 'mount -t tmpfs -o size=8m tmpfs "$0" && exec "$@"'
    binary, *arguments = [
        argument.replace("reader=1", "reader=1234567890") for argument in alone(place, "disk/store")]
    roots = [argument for name in ("root-root.der", "root-receipt-root.der")
             for argument in ("--test-root", place.path(name))]
    server = Program(
        "unshare", ["--map-root-user", "--mount", "bash", "-c", command, folder, binary, *arguments,
                    *roots, "--allow-test-root", *metrics])
    place.running.append(server)
    return server, f"/proc/{server.process.pid}/root{folder}/full"
