"""Records a history of clients and servers, and checks it: record.py BINARIES ENGINE [SECONDS] [--faults] [--keep FILE]

Three servers share a database. Sixteen clients ask any of them about the same few subscriptions, purchases and
users, which are replaced by new ones after some hundred requests. With faults, servers are killed and started again
or stand still for a while, and the database has faults of its own. At the end everything is read once more from a
new server, and the database is audited."""
import calendar
import collections
import itertools
import json
import os
import random
import signal
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Server"))

import audit
import check
import wire
from programs import Place
from stores import STORES, WRONG
from story import BEARER, insist
from wallet import HOOK, KEY, MAPPING, PREFIX, VERIFY, session

SERVERS, CLIENTS = 3, 16
# Those who read everything at the end.
READERS = 4
# Longer than most answers take, and shorter than a server stands still.
TIMEOUT = 3
# Groups that are asked about at the same time, and the requests after which one is replaced.
HOT, LENGTH = 2, {"links": 300, "holdings": 150, "purse": 200}
DRAW = "com.example.draw"
STORE = "/api/v1/store"
CATALOG = [
    {"identifier": f"{DRAW}.brushes", "productType": "nonConsumable", "isSubscribersOnly": True},
    {"identifier": f"{DRAW}.frames", "productType": "nonConsumable"},
    {"identifier": f"{DRAW}.full.monthly", "productType": "renewableSubscription"},
]
DAY = 86_400_000
numbers = itertools.count(int(time.time()) * 1_000_000)


class Apple:
    """The simulator, which sells and signs."""

    def __init__(self, place):
        self.place = place
        self.program = place.simulator(
            "--product", "reader.monthly:Monthly:31", "--pack", "com.example.gems.big:Big", "--app", f"{DRAW}:11")
        self.roots = []
        for name in ("root.der", "receipt-root.der"):
            self.roots.append(place.path(name))
            with open(self.roots[-1], "wb") as file:
                file.write(self.ask("GET", "/" + name).body)

    def ask(self, method, path, body=b""):
        answer = wire.ask(self.program.port, method, path, [], body)
        insist(answer.status == 200, "the simulator:", path, answer.status, answer.body)
        return answer

    def sign(self, payload):
        return patiently(lambda: self.ask("POST", "/control/sign", {"payload": payload}).json["signed"])

    def transaction(self, id, product, kind, bundle="com.example.reader", **members):
        now = int(time.time() * 1000)
        return self.sign({
            "transactionId": id, "originalTransactionId": id, "bundleId": bundle, "productId": product,
            "purchaseDate": now, "originalPurchaseDate": now, "quantity": 1, "type": kind,
            "inAppOwnershipType": "PURCHASED", "signedDate": now, "environment": "Production", **members})

    def notification(self, kind, transaction, bundle="com.example.reader", app=1234567890, date=None, name=None):
        return {"signedPayload": self.sign({
            "notificationType": kind, "notificationUUID": name or str(uuid.uuid4()), "version": "2.0",
            "signedDate": date or int(time.time() * 1000),
            "data": {
                "appAppleId": app, "bundleId": bundle, "bundleVersion": "1", "environment": "Production",
                "signedTransactionInfo": transaction}})}

    def sell(self):
        """A new subscription, and its receipt."""
        return patiently(self.sold)

    def sold(self):
        customer = uuid.uuid4().hex
        bought = self.ask("POST", "/control/buy", {
            "customer": customer, "product": "reader.monthly", "environment": "Production"}).json
        receipt = self.ask("GET", f"/control/receipt?customer={customer}&environment=Production").json["receipt"]
        return bought["subscription"]["originalTransactionId"], receipt


def patiently(work):
    """Repeats what has no answer, as on a machine that stood still."""
    for _ in range(9):
        try:
            return work()
        except (wire.Closed, OSError):
            time.sleep(0.1)
    return work()


class Recorder:
    """The file of the history."""

    def __init__(self, path):
        self.path, self.file, self.lock = path, open(path, "w"), threading.Lock()
        self.count = 0

    def write(self, line):
        text = json.dumps(line, separators=(",", ":")) + "\n"
        with self.lock:
            self.count += "do" in line
            self.file.write(text)


class Servers:
    """The processes, which may be away."""

    def __init__(self, place, apple, store):
        self.place, self.apple, self.store = place, apple, store
        self.key, self.mapping = place.path("session.key"), place.path("gems.yaml")
        self.catalog = place.path("draw.json")
        for path, text in [(self.key, KEY), (self.mapping, MAPPING), (self.catalog, json.dumps(CATALOG))]:
            with open(path, "w") as file:
                file.write(text)
        self.expected, self.ends, self.errors = set(), [], collections.Counter()
        self.programs = [self.start(number) for number in range(SERVERS)]

    def start(self, number):
        """All of them have the same settings."""
        return self.place.server(
            self.apple.program.port, self.apple.roots, name=f"server-{number}",
            log=self.place.path(f"server-{number}.log"), settings={
                "database": self.store.of(number), "app": {"com.example.reader": 1234567890, DRAW: 11},
                "creditProducts": self.mapping, "sessionKey": self.key, "catalog": {DRAW: self.catalog},
                "entitlementEnvironment": "auto", "appStoreUrl": f"http://127.0.0.1:{self.apple.program.port}",
                **self.store.settings})

    def kill(self, chosen):
        for number in chosen:
            self.expected.add(self.programs[number])
            self.programs[number].process.send_signal(signal.SIGKILL)
        for number in chosen:
            self.programs[number].process.wait(60)

    def restart(self, chosen):
        for number in chosen:
            self.look(self.programs[number])
            self.programs[number] = self.start(number)

    def freeze(self, number, seconds):
        process = self.programs[number].process
        process.send_signal(signal.SIGSTOP)
        try:
            time.sleep(seconds)
        finally:
            process.send_signal(signal.SIGCONT)

    def look(self, program):
        """Remembers what a server reported, and whether it ended by itself."""
        if program.process.poll() is not None and program not in self.expected:
            self.ends.append((program.process.returncode, program.errors[-5:]))
            self.expected.add(program)
        for line in program.errors:
            try:
                self.errors[json.loads(line).get("event", "?")] += 1
            except (ValueError, AttributeError):
                self.errors[line[:60]] += 1
        program.errors.clear()

    def stop(self):
        for program in self.programs:
            if program.process.poll() is None:
                self.expected.add(program)
                status = program.stop()
                if status != 0:
                    self.ends.append((status, program.errors[-5:]))
            self.look(program)


class Client(threading.Thread):
    """Asks, and writes down when it asked and what was answered."""

    def __init__(self, scene, number, timeout=TIMEOUT):
        super().__init__(daemon=True)
        self.scene, self.number, self.timeout, self.chance = scene, number, timeout, random.Random()
        self.connections = [None] * SERVERS
        self.failure = None

    def run(self):
        works = [link_work, purse_work, holding_work]
        try:
            while not self.scene.is_over.is_set():
                self.chance.choices(works, [45, 40, 15])[0](self)
        except BaseException as failure:
            self.failure = failure
        finally:
            for number in range(SERVERS):
                self.close(number)

    def close(self, number):
        if self.connections[number]:
            self.connections[number][1].close()
        self.connections[number] = None

    def connect(self):
        """A server, and a connection to it; nothing was asked yet if a server is away."""
        end = time.monotonic() + 120
        while True:
            number = self.chance.randrange(SERVERS)
            program = self.scene.servers.programs[number]
            if self.connections[number] and self.connections[number][0] is not program:
                self.close(number)
            try:
                if self.connections[number] is None:
                    self.connections[number] = (program, wire.Connection(program.port, self.timeout))
                return number, self.connections[number][1]
            except OSError:
                insist(time.monotonic() < end, "no server answers")
                time.sleep(0.02)

    def ask(self, do, method, path, read, body=b"", headers=(BEARER,), group=None, is_final=False, **args):
        """One operation. `read` makes of a good answer what is written down, and may add members to the line."""
        number, connection = self.connect()
        data = wire.request(method, path, headers, body)
        line = {"client": self.number, "server": number, "do": do, "with": args}
        if group:
            line["group"] = group
        if is_final:
            line["final"] = True
        line["start"] = time.monotonic_ns()
        try:
            connection.send(data)
            answer = connection.answer(method)
        except (wire.Closed, OSError) as failure:
            self.close(number)
            answer = None
            why = "no answer in time" if isinstance(failure, TimeoutError) else "the connection ended"
        line["end"] = time.monotonic_ns()
        is_known = answer is not None and answer.status < 500
        if not is_known:
            line.update(outcome="unknown", why=why if answer is None else str(answer.status))
        elif answer.status >= 400:
            line.update(outcome="refused", answer=refusal(answer))
        else:
            line.update(outcome="ok", answer=read(answer, line))
        self.scene.recorder.write(line)
        if not is_known:
            # As a client that waits before it asks again; otherwise little but unknown operations would remain of an
            # outage, of which more than some are hard to judge.
            time.sleep(self.chance.uniform(0, 1))
        return line


def refusal(answer):
    members = answer.json
    if "code" in members:
        return members["code"]
    if "error" in members:
        return f"{members['error']['field']}/{members['error']['code']}"
    return str(answer.status)


def nothing(answer, line):
    return True


# Groups that everybody asks about for a while.


class Hot:
    """The groups of a kind."""

    def __init__(self, make, length):
        self.make, self.length = make, length
        self.groups, self.all, self.making = [], [], 0
        self.changed = threading.Condition()

    def take(self, client):
        with self.changed:
            while len(self.groups) + self.making >= HOT:
                if self.groups:
                    group = client.chance.choice(self.groups)
                    group.left -= 1
                    if group.left == 0:
                        self.groups.remove(group)
                    return group
                insist(self.changed.wait(120), "no group is made")
            self.making += 1
        # Meanwhile the others go on with what there is.
        group = self.make(client)
        group.left = self.length
        with self.changed:
            self.making -= 1
            self.all.append(group)
            self.groups.append(group)
            self.changed.notify_all()
        return group


class Quarrel:
    """Two subscriptions that three accounts want."""

    def __init__(self, client):
        scene = client.scene
        self.name = f"links-{next(numbers)}"
        self.accounts = [f"{self.name}-{letter}" for letter in "abc"]
        self.receipts, self.expiries = {}, {}
        for _ in range(2):
            id, receipt = scene.apple.sell()
            answer = scene.insistently(client, "POST", "/api/v1/apple/subs", {"receiptData": receipt})
            self.receipts[id], self.expiries[id] = receipt, answer["expiresDateUtc"]
        self.ids = list(self.receipts)
        self.sold = {id: [] for id in self.ids}
        scene.recorder.write({
            "cell": "links", "group": self.name, "subscriptions": self.expiries, "accounts": self.accounts})

    def read(self, client):
        for id in self.ids:
            read_subscription(client, self.name, id)
        for account in self.accounts:
            list_subscriptions(client, self.name, account)


def subscription(answer, line):
    members = answer.json
    return [members["ftcUserId"], members["inUse"], members["expiresDateUtc"]]


def rows(answer, line):
    found = answer.json
    return sorted([row["originalTransactionId"], row["inUse"], row["expiresDateUtc"]] for row in found["data"])


def membership(answer, line):
    members = answer.json
    return [members["ftcId"], members["appleSubsId"], members["expireDate"]]


def link_work(client):
    quarrel, chance = client.scene.hot["links"].take(client), client.chance
    name, account, id = quarrel.name, chance.choice(quarrel.accounts), chance.choice(quarrel.ids)
    both = {"ftcId": account, "originalTxId": id}
    kind = chance.choices(
        ["link", "unlink", "read", "list", "renew", "verify", "refresh"], [32, 24, 23, 14, 5, 1, 1])[0]
    if kind == "link":
        force = chance.random() < 0.2
        client.ask("link", "POST", "/api/v1/apple/link", membership, {**both, "force": force}, group=name,
                   account=account, subscription=id, force=force)
    elif kind == "unlink":
        client.ask("unlink", "POST", "/api/v1/apple/unlink", nothing, both, group=name,
                   account=account, subscription=id)
    elif kind == "read":
        read_subscription(client, name, id)
    elif kind == "list":
        list_subscriptions(client, name, account)
    elif kind == "renew":
        renew(client, quarrel, id)
    elif kind == "verify":
        client.ask("verify", "POST", "/api/v1/apple/subs", subscription, {"receiptData": quarrel.receipts[id]},
                   group=name, subscription=id)
    else:
        client.ask("verify", "PATCH", f"/api/v1/apple/subs/{id}", subscription, group=name, subscription=id)


def read_subscription(client, name, id):
    client.ask("read", "GET", f"/api/v1/apple/subs/{id}", subscription, group=name, subscription=id)


def list_subscriptions(client, name, account):
    client.ask("list", "GET", "/api/v1/apple/subs", rows, headers=(BEARER, f"X-Ftc-Id: {account}"), group=name,
               account=account)


def renew(client, quarrel, id):
    """Apple tells of a charge, whose period ends a day after that of the charge before, or of an older one once more."""
    sold = quarrel.sold[id]
    if sold and client.chance.random() < 0.3:
        body, expiry = client.chance.choice(sold)
    else:
        begin = time.strptime(quarrel.expiries[id], "%Y-%m-%dT%H:%M:%SZ")
        end = calendar.timegm(begin) + (len(sold) + 1) * 86_400
        expiry = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(end))
        apple = client.scene.apple
        body = apple.notification("DID_RENEW", apple.transaction(
            str(next(numbers)), "reader.monthly", "Auto-Renewable Subscription", originalTransactionId=id,
            expiresDate=end * 1000))
        sold.append((body, expiry))
    client.ask("renew", "POST", "/api/v1/webhook/apple", nothing, body, (), quarrel.name, subscription=id,
               expiry=expiry)


class Purse:
    """Three users, their events, and transactions that all of them claim."""

    def __init__(self, client):
        self.users = [f"u-{next(numbers)}" for _ in range(3)]
        self.bearers = {
            user: (f"Authorization: Bearer {session(user, exp=int(time.time()) + 86_400)}",) for user in self.users}
        self.events, self.transactions, self.news = [], [], []

    def read(self, client):
        """The whole ledgers, of however many pages, and the balances."""
        for user, headers in self.bearers.items():
            def pages(answer, line):
                total, found = entries(answer, line)
                while len(found) < total:
                    _, connection = client.connect()
                    page = len(found) // 100 + 1
                    answer = connection.ask("GET", f"{PREFIX}/ledger?per_page=100&page={page}", headers)
                    found = entries(answer, line)[1] + found
                return [total, found]

            client.ask("ledger", "GET", f"{PREFIX}/ledger?per_page=100", pages, headers=headers, is_final=True, user=user)
            client.ask("balance", "GET", f"{PREFIX}/balance", balance, headers=headers, user=user)


def purse_work(client):
    purse, chance = client.scene.hot["purse"].take(client), client.chance
    user = chance.choice(purse.users)
    kind = chance.choices(["book", "grant", "balance", "ledger", "news"], [40, 20, 16, 17, 7])[0]
    if kind == "book":
        book(client, purse, user)
    elif kind == "grant":
        grant(client, purse, user)
    elif kind == "balance":
        client.ask("balance", "GET", f"{PREFIX}/balance", balance, headers=purse.bearers[user], user=user)
    elif kind == "ledger":
        client.ask("ledger", "GET", f"{PREFIX}/ledger?per_page=100", entries, headers=purse.bearers[user], user=user)
    elif purse.transactions:
        tell(client, purse)


def balance(answer, line):
    return answer.json["balance"]


def entries(answer, line):
    """The length, and the entries of the page, the oldest first."""
    page = answer.json
    return [page["total"], [
        [entry["event_id"], entry["amount"], entry["balance_after"],
         ((entry.get("metadata") or {}).get("ext") or {}).get("notification_uuid")]
        for entry in reversed(page["data"])]]


def book(client, purse, user):
    chance = client.chance
    if purse.events and chance.random() < 0.15:
        user, event, amount = chance.choice(purse.events[-10:])
    else:
        amount = chance.randrange(1, 100) if chance.random() < 0.4 else -chance.randrange(1, 300)
        event = uuid.uuid4().hex
        purse.events.append((user, event, amount))
    client.ask(
        "book", "POST", f"{PREFIX}/entries", balance, {
            "userId": user, "eventId": event, "changeType": "bonus" if amount > 0 else "spending",
            "bizType": "test", "bizId": "1", "amount": amount}, user=user, event=event, amount=amount)


def granted(answer, line):
    members = answer.json
    line["balance"] = members["newBalance"]
    insist(members["creditsAdded"] == (500 if members["status"] == "granted" else 0), members)
    return members["status"]


def grant(client, purse, user):
    chance, apple = client.chance, client.scene.apple
    if not purse.transactions or chance.random() < 0.15:
        id = str(next(numbers))
        purse.transactions.append((id, apple.transaction(id, "com.example.gems.big", "Consumable")))
    id, signed = chance.choice(purse.transactions[-3:])
    client.ask(
        "grant", "POST", VERIFY, granted, {
            "productCode": "big_pack", "appStoreProductId": "com.example.gems.big", "transactionId": id,
            "signedTransactionInfo": signed, "appAccountToken": None}, purse.bearers[user], user=user, transaction=id)


def tell(client, purse):
    """Apple tells of a refund or its reversal, with dates that are not always in their order, or once more."""
    chance, apple = client.chance, client.scene.apple
    if purse.news and chance.random() < 0.3:
        body, args = chance.choice(purse.news[-6:])
    else:
        id, _ = chance.choice(purse.transactions[-4:])
        kind = chance.choice(["REFUND", "REFUND", "REFUND_REVERSED"])
        date = int(time.time() * 1000) - chance.choice([0, 0, 200, 1000])
        revoked = {"revocationDate": date, "revocationReason": 0} if kind == "REFUND" else {}
        name = str(uuid.uuid4())
        body = apple.notification(
            kind, apple.transaction(id, "com.example.gems.big", "Consumable", **revoked), date=date, name=name)
        args = {"transaction": id, "kind": kind, "date": date, "uuid": name}
        purse.news.append((body, args))
    client.ask("news", "POST", HOOK, nothing, body, (), **args)


class Holding:
    """A purchase and a subscription that three users want."""

    def __init__(self, client):
        apple = client.scene.apple
        self.name = f"holdings-{next(numbers)}"
        self.users = [f"{self.name}-{letter}" for letter in "abc"]
        self.bearers = {
            user: (f"Authorization: Bearer {session(user, exp=int(time.time()) + 86_400)}",) for user in self.users}
        self.ids = [str(next(numbers)) for _ in range(2)]
        self.signed = [
            apple.transaction(self.ids[0], f"{DRAW}.frames", "Non-Consumable", DRAW),
            apple.transaction(
                self.ids[1], f"{DRAW}.full.monthly", "Auto-Renewable Subscription", DRAW,
                expiresDate=int(time.time() * 1000) + 30 * DAY)]
        self.is_known = False
        client.scene.recorder.write({
            "cell": "holdings", "group": self.name, "purchase": self.ids[0], "plan": self.ids[1], "users": self.users,
            "bought": f"{DRAW}.frames", "extra": f"{DRAW}.brushes"})

    def read(self, client):
        for user in self.users:
            read_products(client, self, user)


def products(answer, line):
    members = answer.json
    held = members["subscription"]
    return [
        members["purchasedProducts"], members["acquiredProducts"], members["allowedProducts"],
        held and held["originalTransactionId"]]


def acquired(answer, line):
    return [answer.json["created"], answer.json["allowedProducts"]]


def holding_work(client):
    holding, chance = client.scene.hot["holdings"].take(client), client.chance
    name, user = holding.name, chance.choice(holding.users)
    headers = holding.bearers[user]
    kind = chance.choices(
        ["claim", "products", "acquire", "dissociate", "subscriber", "restore", "refund"], [30, 25, 10, 14, 8, 6, 1])[0]
    if kind == "claim":
        chosen = chance.choice([[0], [1], [0, 1]])
        line = client.ask(
            "claim", "POST", f"{STORE}/receipts/validate", nothing, {
                "bundleId": DRAW, "userId": user, "signedTransactions": [holding.signed[one] for one in chosen]},
            headers, name, user=user, ids=[holding.ids[one] for one in chosen])
        if line["outcome"] == "ok" and 0 in chosen:
            holding.is_known = True
    elif kind == "products":
        read_products(client, holding, user)
    elif kind == "acquire":
        client.ask(
            "acquire", "POST", f"{STORE}/users/{user}/acquire", acquired,
            {"bundleId": DRAW, "productId": f"{DRAW}.brushes"}, headers, name, user=user)
    elif kind == "dissociate":
        id = chance.choice(holding.ids)
        client.ask(
            "dissociate", "POST", f"{STORE}/users/{user}/dissociate", lambda answer, _: answer.json["dissociated"],
            {"bundleId": DRAW, "originalTransactionId": id}, group=name, user=user, id=id)
    elif kind == "subscriber":
        client.ask(
            "subscriber", "GET", f"{STORE}/shared/{DRAW}/subscriber?userId={user}",
            lambda answer, _: answer.json["isSubscriber"], headers=headers, group=name, user=user)
    elif kind == "restore":
        client.ask(
            "restore", "POST", f"{STORE}/users/{user}/restore", products, {"bundleId": DRAW}, headers, name, user=user)
    elif holding.is_known:
        apple, date = client.scene.apple, int(time.time() * 1000)
        body = apple.notification("REFUND", apple.transaction(
            holding.ids[0], f"{DRAW}.frames", "Non-Consumable", DRAW, revocationDate=date, revocationReason=0), DRAW, 11)
        client.ask("refund", "POST", "/api/v1/webhook/apple", nothing, body, (), name)


def read_products(client, holding, user):
    client.ask(
        "products", "GET", f"{STORE}/users/{user}/products?bundleId={DRAW}", products, headers=holding.bearers[user],
        group=holding.name, user=user)


# Faults.


class Faults(threading.Thread):
    def __init__(self, scene, seconds):
        super().__init__(daemon=True)
        self.scene, self.chance = scene, random.Random()
        self.pause = 2 if seconds < 60 else 5
        self.counts, self.failure = collections.Counter(), None

    def run(self):
        kinds = {
            "a server is killed": lambda chance: self.kill([chance.randrange(SERVERS)]),
            "all servers are killed": lambda chance: self.kill(range(SERVERS)),
            "a server stands still": lambda chance: self.scene.servers.freeze(
                chance.randrange(SERVERS), chance.uniform(0.5, TIMEOUT + 2)),
            **{title: lambda _, fault=fault: fault(self.scene.store, self)
               for title, fault in type(self.scene.store).faults.items()},
        }
        titles = list(kinds)
        # Each once, then by chance.
        order = itertools.chain(self.chance.sample(titles, len(titles)), iter(lambda: self.chance.choice(titles), None))
        try:
            for title in order:
                if self.scene.is_over.wait(self.chance.uniform(0.5, 1.5) * self.pause):
                    return
                kinds[title](self.chance)
                self.counts[title] += 1
        except BaseException as failure:
            self.failure = failure

    def kill(self, chosen):
        self.scene.servers.kill(chosen)
        time.sleep(self.chance.uniform(0, 0.5))
        self.scene.servers.restart(chosen)


class Scene:
    def __init__(self, binaries, engine, folder, history):
        self.place, self.store = Place(binaries, folder), {**STORES, **WRONG}[engine](folder)
        self.apple = Apple(self.place)
        self.servers = Servers(self.place, self.apple, self.store)
        self.recorder, self.is_over = Recorder(history), threading.Event()
        self.hot = {
            "links": Hot(Quarrel, LENGTH["links"]), "purse": Hot(Purse, LENGTH["purse"]),
            "holdings": Hot(Holding, LENGTH["holdings"])}

    def insistently(self, client, method, path, body):
        """Asks until there is an answer; it is no part of the history."""
        end = time.monotonic() + 120
        while True:
            number, connection = client.connect()
            try:
                answer = connection.ask(method, path, (BEARER,), body)
                if answer.status == 200:
                    return answer.json
            except (wire.Closed, OSError):
                client.close(number)
            insist(time.monotonic() < end, path, "is not answered")
            time.sleep(0.02)

    def run(self, seconds, faults):
        """Returns the seconds that the clients worked."""
        for client in (clients := [Client(self, number) for number in range(CLIENTS)]):
            client.start()
        if faults:
            faults.start()
        # Where the machine itself stands still, that does not count.
        worked, last = 0, time.monotonic()
        while worked < seconds and not any(client.failure for client in clients):
            time.sleep(0.2)
            worked, last = worked + min(1, time.monotonic() - last), time.monotonic()
        self.is_over.set()
        for thread in [faults, *clients] if faults else clients:
            thread.join(180)
            if thread.failure:
                raise thread.failure
            insist(not thread.is_alive(), "a client does not end")
        return worked

    def look(self):
        """Reads everything, from a server that is new."""
        self.servers.stop()
        self.servers.programs = [self.servers.start(0)] * SERVERS
        groups = [group for hot in self.hot.values() for group in hot.all]

        def read(number):
            client = Client(self, CLIENTS + number, timeout=60)
            for group in groups[number::READERS]:
                group.read(client)

        with ThreadPoolExecutor(READERS) as readers:
            list(readers.map(read, range(READERS)))
        self.recorder.file.close()
        self.servers.programs = self.servers.programs[:1]
        self.servers.stop()


def main(binaries, engine, *arguments):
    arguments = list(arguments)
    kept = None
    if "--keep" in arguments:
        place = arguments.index("--keep")
        _, kept = arguments[place:place + 2]
        del arguments[place:place + 2]
    has_faults = "--faults" in arguments
    seconds = float(next((argument for argument in arguments if argument != "--faults"), "10"))
    folder = tempfile.mkdtemp()
    history = kept or os.path.join(folder, "history.jsonl")
    scene = None
    try:
        scene = Scene(binaries, engine, folder, history)
        faults = Faults(scene, seconds) if has_faults else None
        took = scene.run(seconds, faults)
        count = scene.recorder.count
        scene.look()
        print(f"{engine}: {count:,} operations by {CLIENTS} clients over {SERVERS} servers in {took:.0f} s,"
              f" {count / took:,.0f} a second", flush=True)
        if faults:
            print("   faults: " + ", ".join(f"{title} {number}" for title, number in sorted(faults.counts.items())))
        print("   reported by the servers: " + (", ".join(
            f"{name} {number:,}" for name, number in scene.servers.errors.most_common(12)) or "nothing"))
        start = time.monotonic()
        status = check.main([history], engine in ("mariadb", "galera"))
        print(f"   checked in {time.monotonic() - start:.0f} s")
        for ending in scene.servers.ends:
            print("   a server ended by itself:", *ending)
            status = 1
        for found in audit.findings(scene.place, scene.store):
            print("   audit:", found)
            status = 1
        if engine in WRONG:
            insist(status, "nothing was found, although the store is wrong on purpose")
            return 0
        if status and not kept:
            kept = os.path.join(tempfile.gettempdir(), f"history-{engine}-{os.getpid()}.jsonl")
            shutil.copy(history, kept)
        if kept:
            print(f"   the history: {kept}")
        return status
    finally:
        if scene:
            scene.place.end()
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
