"""The loss of a database, and its rebuild from the stores:

    rehearsal.py BINARIES CUSTOMERS"""
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Server"))

import wire
from clock import Clock
from compare import differences
from programs import Place, TOKEN
from story import insist
from wallet import KEY, PREFIX, VERIFY, session

DAY = 86_400
PACKAGE = "com.example.reader"
MAPPING = """\
product_mappings:
  pack: {app_store_product_id: com.example.reader.pack, credits: 100}
  big: {app_store_product_id: com.example.reader.big, credits: 500, sort_order: 1}
  gems: {app_store_product_id: com.example.reader.gems, google_play_product_id: reader_gems, credits: 50}
"""
LEVELS = [
    {"name": "Basic", "description": "Basic", "portfolioLimit": 2, "fee": 4.99,
     "appleProductId": "reader.monthly", "googleProductId": "reader_standard"},
    {"name": "Pro", "description": "Pro", "portfolioLimit": 10, "fee": 9.99,
     "appleProductId": "reader.premium", "googleProductId": "reader_premium"},
]
KILLS = 10


class Rehearsal:
    def __init__(self, binaries, customers, folder):
        self.place, self.count = Place(binaries, folder), customers
        self.random = random.Random(20261126)
        self.clock = Clock(self.place.path("clock"))
        self.database = self.place.path("server.sqlite")
        self.store = self.place.simulator(
            "--api-key-file", self.place.path("key.p8"), "--pack", f"{PACKAGE}.pack:Pack",
            "--pack", f"{PACKAGE}.big:Big", "--play-package", PACKAGE,
            "--play-key-file", self.place.path("play.json"), "--play-audience", "rebuild",
            "--play-push-email", "push@example-project.iam.gserviceaccount.com")
        self.orders, self.ordered = wire.Connection(self.store.port), time.monotonic()
        # By user: the customers of each store, and what they have.
        self.apple, self.google, self.packs, self.gems = {}, {}, {}, {}
        # What only the host knew: the users whose links or orders are lost, and what they spent.
        self.forgotten, self.spent = set(), {}

    # The processes.

    def settings(self):
        state = wire.ask(self.store.port, "GET", "/control/state").json["serverApi"]
        url = f"http://127.0.0.1:{self.store.port}"
        for name, text in [
            ("packs.yaml", MAPPING), ("levels.json", json.dumps(LEVELS)), ("session.key", KEY)
        ]:
            with open(self.place.path(name), "w") as file:
                file.write(text)
        roots = []
        for root in ("root.der", "receipt-root.der"):
            roots.append(self.place.path(root))
            with open(roots[-1], "wb") as file:
                file.write(wire.ask(self.store.port, "GET", "/" + root).body)
        self.roots = roots
        return {
            "appStoreKey": self.place.path("key.p8"), "appStoreKeyId": state["keyId"],
            "appStoreIssuerId": state["issuerId"], "appStoreProductionUrl": f"{url}/production",
            "appStoreSandboxUrl": f"{url}/sandbox", "sessionKey": self.place.path("session.key"),
            "creditProducts": self.place.path("packs.yaml"),
            "levels": self.place.path("levels.json"), "orderEnvironment": "auto",
            "accountToken": {user(number): token(number) for number in range(self.everybody)},
            "googleServiceAccount": self.place.path("play.json"), "googlePackage": PACKAGE,
            "googlePushAudience": "rebuild",
            "googlePushEmail": "push@example-project.iam.gserviceaccount.com",
            "googlePlayUrl": url, "testClock": self.clock.path,
            # The simulator stands for many machines of Apple's.
            "appStoreRate": 100_000,
        }

    @property
    def everybody(self):
        """Those of today, and the new ones of tomorrow."""
        return self.count + max(3, self.count // 20)

    def start(self):
        self.server = self.place.server(
            self.store.port, self.roots, settings=self.given, log=self.place.path("server.log"))
        self.requests, self.asked = wire.Connection(self.server.port), time.monotonic()
        hooks = f"http://127.0.0.1:{self.server.port}/api/v1/webhook"
        self.control("webhook", url=f"{hooks}/apple", versions="v2")
        self.control("play/webhook", url=f"{hooks}/google")

    def control(self, what, **body):
        if time.monotonic() - self.ordered > 5:
            self.orders.close()
            self.orders = wire.Connection(self.store.port)
        answer = self.orders.ask("POST", f"/control/{what}", [], body)
        self.ordered = time.monotonic()
        insist(answer.status == 200, what, body, answer.status, answer.body)
        return answer.json

    def ask(self, path, body, user=None, status=200):
        bearer = session(user, exp=int(time.time()) + 400 * DAY) if user else TOKEN
        # A server ends connections on which nobody asks for a while.
        if time.monotonic() - self.asked > 5:
            self.requests.close()
            self.requests = wire.Connection(self.server.port)
        answer = self.requests.ask("POST", path, [f"Authorization: Bearer {bearer}"], body)
        self.asked = time.monotonic()
        insist(answer.status == status, path, body, answer.status, answer.body)
        return answer.json if answer.body else None

    def pass_time(self, seconds):
        self.control("advance", seconds=seconds)
        self.clock.move(seconds)

    # What customers do.

    def subscribe(self, number):
        bought = self.control(
            "buy", customer=customer(number), product="reader.monthly",
            appAccountToken=token(number))
        self.apple[number] = bought["subscription"]["originalTransactionId"]

    def buy(self, number, pack="pack"):
        bought = self.control(
            "buy", customer=customer(number), product=f"{PACKAGE}.{pack}",
            appAccountToken=token(number))["purchase"]
        self.ask(VERIFY, {
            "productCode": pack, "appStoreProductId": f"{PACKAGE}.{pack}",
            "transactionId": bought["transactionId"], "appAccountToken": None,
            "signedTransactionInfo": bought["signedTransactionInfo"]}, user(number))
        self.packs.setdefault(number, []).append(bought["transactionId"])

    def play(self, number):
        sold = self.control(
            "play/subscribe", customer=customer(number), product="reader_standard",
            account=token(number))
        self.google[number] = sold["purchase"]["purchaseToken"]
        self.order(number, "google", self.google[number])
        self.control("play/acknowledge", purchaseToken=self.google[number])

    def claim(self, number):
        self.ask("/api/v1/payments/google/purchases/verify", {
            "productCode": "gems", "googlePlayProductId": "reader_gems",
            "purchaseToken": self.gems[number]}, user(number))

    def order(self, number, vendor, evidence):
        self.ask(
            "/api/v1/subscription/order", {"vendor": vendor, "receiptData": evidence},
            user(number))

    def link(self, number):
        self.ask(
            "/api/v1/apple/link", {"ftcId": user(number), "originalTxId": self.apple[number]})

    def spend(self, number, amount, event):
        self.ask(
            f"{PREFIX}/entries",
            {"userId": user(number), "eventId": event, "changeType": "spending",
             "bizType": "render", "bizId": event, "amount": -amount})

    # The story.

    def populate(self):
        """Nine of ten customers buy from Apple, the tenth from Google, which is asked more slowly."""
        for number in range(self.count):
            if number % 10 == 9:
                self.play(number)
                continue
            self.subscribe(number)
            if number % 2 == 0:
                self.buy(number)
            if number % 4 == 0:
                self.link(number)
            elif number % 4 == 1:
                receipt = wire.ask(
                    self.store.port, "GET", f"/control/receipt?customer={customer(number)}").json
                self.order(number, "apple", receipt["signedTransactionInfo"])
        for number in self.some(self.packs, 0.1):
            self.spend(number, 10, f"early-{number}")
            self.spent[number] = 0
        return f"{len(self.apple)} customers of Apple, {len(self.google)} of Google, " \
            f"{len(self.packs)} with credits"

    def mine(self):
        """Google's customers buy packs of credits, of which Google tells; the app of every second one has sent it."""
        for number in self.google:
            sold = self.control(
                "play/buy", customer=customer(number), product="reader_gems", account=token(number))
            self.gems[number] = sold["purchase"]["purchaseToken"]
            if number % 20 == 9:
                self.claim(number)
        return f"{len(self.gems)} packs of Google's"

    def copy(self):
        """The backup; the moment at which it was made."""
        backup = self.place.path("backup.sqlite")
        with sqlite3.connect(self.database) as source, sqlite3.connect(backup) as target:
            source.backup(target)
        self.backup = self.now
        return f"{os.path.getsize(backup):,} bytes"

    @property
    def now(self):
        return time.time() + self.clock.lead

    def some(self, of, share):
        """So many of those about whom nothing special is known yet, each once."""
        free = sorted(number for number in of if number not in self.taken)
        chosen = self.random.sample(free, max(1, int(len(of) * share)))
        self.taken.update(chosen)
        return chosen

    taken = set()

    def go_on(self):
        """What the stores know of: renewals, refunds, cancellations, changes, purchases."""
        self.taken = set(self.spent)
        renewed = self.random.sample(sorted(self.apple), len(self.apple) * 6 // 10)
        for number in renewed:
            self.control("renew", originalTransactionId=self.apple[number])
        for number in self.some(self.apple, 0.04):
            self.control("refund", originalTransactionId=self.apple[number])
        for number in self.some(renewed, 0.05):
            self.control("lapse", originalTransactionId=self.apple[number], reason="cancelled")
        for number in self.some(self.packs, 0.05):
            self.control("refund", transactionId=self.packs[number][0])
        for number in self.some(self.packs, 0.02):
            self.control("refund", transactionId=self.packs[number][0])
            self.control("reverseRefund", transactionId=self.packs[number][0])
        for number in self.some(self.packs, 0.1):
            self.buy(number, "big")
        for number in self.some(self.packs, 0.02):
            self.buy(number, "big")
            self.control("refund", transactionId=self.packs[number][-1])
        for number in self.gems:
            if number % 20 != 9:
                self.claim(number)
        for number in sorted(self.gems)[::8]:
            self.control("play/revoke", purchaseToken=self.gems[number])
        for number in range(self.count, self.everybody):
            self.subscribe(number)
        paid = set(self.random.sample(sorted(self.google), len(self.google) * 6 // 10))
        for number, purchase in self.google.items():
            # The others end, of which Google tells, too.
            self.control(
                "play/renew" if number in paid else "play/expire", purchaseToken=purchase)
        for number in self.some(paid, 0.1):
            self.control("play/revoke", purchaseToken=self.google[number])
        for number in self.some(paid, 0.1):
            self.control("play/cancel", purchaseToken=self.google[number])
        return f"{len(renewed)} renewals of Apple's, {len(self.google) * 6 // 10} of Google's, " \
            f"{self.everybody - self.count} new customers"

    def know(self):
        """What only the host knows: links, unlinks and spending."""
        for number in range(self.count, self.everybody):
            self.link(number)
            self.forgotten.add(user(number))
        linked = [number for number in self.apple if number % 4 == 0 and number < self.count]
        for number in self.some(linked, 0.02):
            self.ask(
                "/api/v1/apple/unlink",
                {"ftcId": user(number), "originalTxId": self.apple[number]}, status=204)
            self.forgotten.add(user(number))
        for number in self.some(self.packs, 0.05):
            self.spend(number, 25, f"late-{number}")
            self.spent[number] = 25
        return f"{len(self.forgotten)} links and unlinks, {len(self.spent)} users who spend"

    def lose(self):
        """The server is killed, and its database replaced by the copy."""
        self.server.stop(signal.SIGKILL)
        os.rename(self.database, self.place.path("lost.sqlite"))
        for end in ("-wal", "-shm"):
            if os.path.exists(self.database + end):
                os.rename(self.database + end, self.place.path("lost.sqlite" + end))
        shutil.copy(self.place.path("backup.sqlite"), self.database)
        return "the database is that of the backup"

    def rebuild(self):
        """Rebuilds; the command is killed ten times on its way. Returns its summary."""
        since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.backup - 1))
        command = [
            os.path.join(self.place.binaries, "storekeeper-server"), "rebuild", "--since", since,
            "--config", self.place.path("server.json")]
        print("   $ storekeeper-server rebuild --since", since, "--config server.json")
        places = []
        for kill in range(KILLS):
            process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            if kill % 2 == 0:
                # As soon as it has come some places further than the last one.
                for _ in range(1 + self.random.randrange(1 + self.count // 200)):
                    before = self.job()
                    while process.poll() is None and self.job() in (before, None):
                        time.sleep(0.002)
            else:
                # Between two places that it keeps.
                time.sleep(0.1 + self.random.random() * 0.2)
            insist(process.poll() is None, "it ended before kill", kill)
            process.kill()
            process.communicate()
            places.append(self.job())
            if kill == 0:
                early = subprocess.run(command, capture_output=True, text=True)
                insist(
                    early.returncode == 69 and "less than two minutes ago" in early.stderr,
                    early.returncode, early.stderr)
            # Its lease ends.
            self.pass_time(121)
        insist(len(set(places)) > 3, "it was killed at the same place again and again:", places)
        start = time.monotonic()
        ended = subprocess.run(command, capture_output=True, text=True)
        insist(ended.returncode == 0, ended.returncode, ended.stdout, ended.stderr[-2000:])
        for line in ended.stderr.splitlines():
            if '"event":"rebuild"' in line:
                print("   " + line)
        print("   " + ended.stdout.strip())
        summary = json.loads(ended.stdout)
        insist(summary["complete"] is True, summary)
        insist(summary["faults"] == {}, summary)
        return f"killed {KILLS} times, the last part took {time.monotonic() - start:.1f} s"

    def job(self):
        """The place of the rebuild, without what was known at its start."""
        with sqlite3.connect(self.database, timeout=30) as database:
            rows = database.execute("SELECT place FROM job_place WHERE job = 'rebuild'").fetchall()
        return " ".join(rows[0][0].split(" ")[8:]) if rows and rows[0][0] else None

    def compare(self):
        """Every table is as in the lost database, but for what only the host knew."""
        lost, told = self.place.path("lost.sqlite"), []
        found = differences(
            lost, self.database, self.forgotten,
            {user(number): amount for number, amount in self.spent.items()})
        for table, (rows, others) in found.items():
            told.append(f"{table} {rows:,}")
            insist(not others, table, "differs in", len(others), "rows:", *others[:6])
        return ", ".join(told)

    def repeat(self):
        """Repeated, it changes nothing."""
        ended = subprocess.run(
            [os.path.join(self.place.binaries, "storekeeper-server"), "rebuild", "--since",
             str(int(self.backup * 1000)), "--config", self.place.path("server.json")],
            capture_output=True, text=True)
        insist(ended.returncode == 0, ended.stdout, ended.stderr[-2000:])
        summary = json.loads(ended.stdout)
        insist(summary["notifications"]["recovered"] == 0, summary)
        insist(summary["credits"]["purchases"] == 0, summary)
        purchases = summary["purchases"]
        insist([purchases[name] for name in ("added", "revoked", "restored")] == [0] * 3, summary)
        self.compare()
        audit = subprocess.run(
            [os.path.join(self.place.binaries, "audit-ledger"),
             f"sqlite:{self.database}"], capture_output=True, text=True)
        insist(audit.returncode == 0, audit.stdout, audit.stderr)
        return f"asked Apple {purchases['askedOfApple']:,} times about customers; nothing changed"

    def run(self):
        self.given = self.settings()
        self.start()
        for title, work in [
            ("customers", self.populate), ("29 days pass", lambda: self.pass_time(29 * DAY)),
            ("packs", self.mine), ("the backup", self.copy), ("a day passes", lambda: self.pass_time(DAY)),
            ("the stores go on", self.go_on), ("the host goes on", self.know),
            ("the loss", self.lose), ("the rebuild", self.rebuild), ("compared", self.compare),
            ("repeated", self.repeat)]:
            start = time.monotonic()
            told = work()
            took = time.monotonic() - start
            print(f"{title}: {told + '; ' if told else ''}{took:.1f} s", flush=True)


def user(number):
    return f"user-{number}"


def customer(number):
    return f"customer-{number}"


def token(number):
    return f"00000000-0000-4000-8000-{number:012x}"


def main(binaries, customers):
    folder = tempfile.mkdtemp()
    rehearsal = Rehearsal(binaries, int(customers), folder)
    try:
        rehearsal.run()
    finally:
        rehearsal.place.end()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
