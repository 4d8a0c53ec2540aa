"""Orders and logins while Apple and Google are slow, wrong or silent, or refuse us; a server whose clock or
package name is wrong; and pushes of strangers:

    order_vendors.py BINARIES sqlite|postgres [--long]

Orders that wait for a silent store until its time is up, and the repetitions that a store is granted, are in the long
form alone."""
import json
import os
import signal
import subprocess
import sys
import threading
import time

import wire
from hostile import hang_up, until
from moments import at_once
from shop import LEVELS, PACKAGE, PREFIX, VENDORS, Shop
from standin import ACCESS, StandIn, cut, failing, html, invalid_grant, silent, trickle
from story import insist, staged, step
from throughput import HERE

# A login waits five seconds for a store; the rest is for a busy machine.
LOGIN = 5 + 3
# The faults after which the server waits for the store until its time is up.
ENDLESS = [silent, trickle]
FAULTS = [
    *ENDLESS, cut, html, failing(500), failing(503, "120"), failing(429), failing(429, "120")]
# The faults after which the server asks the token server no second time, and one of the others.
BRIEF = [silent, html, failing(429)]
# The orders that wait for silent stores at the same time.
PATIENT = 40


class Vendors:
    def __init__(self, shop, is_long):
        self.shop, self.is_long = shop, is_long
        self.stand_in = StandIn(shop)
        # A user of each store, whom no fault concerns.
        self.healthy = []

    def start(self, *arguments, **settings):
        """Starts a server that asks the stand-in."""
        port = self.stand_in.port
        return self.shop.start(*arguments, apple=port, google=port, **{
            "googleServiceAccount": self.stand_in.account, **settings})

    def subscriber(self, vendor):
        """A new user with a stored subscription; with the purchase, and what a login shows."""
        user, purchase = self.shop.user(), self.shop.bought(vendor)
        return user, purchase, self.shop.ordered(user, purchase)

    # Faults.

    def faults(self):
        """Each fault of each store at the same time, for logins and for orders; others are not held up."""
        server = self.start()
        self.healthy = [self.subscriber(vendor) for vendor in VENDORS]
        descriptors, threads = server.descriptors, tasks(server)
        cases = [(vendor, fault) for vendor in VENDORS for fault in FAULTS]
        works, spoilt = [], []
        for vendor, fault in cases:
            stored = self.subscriber(vendor)
            fresh = (self.shop.user(), self.shop.bought(vendor))
            for purchase in [stored[1], fresh[1]]:
                self.stand_in.faults[purchase["receiptData"]] = fault
            works += [
                lambda case=stored, fault=fault: self.login("GET", "/current", case, fault),
                lambda case=stored, fault=fault: self.login("POST", "/token-refresh", case, fault)]
            if fault not in ENDLESS or self.is_long:
                works.append(lambda case=fresh, fault=fault: self.refused(*case, fault))
            spoilt.append((stored, fresh))
        over = threading.Event()
        slowest = []
        watch = threading.Thread(target=lambda: slowest.append(self.others(over)), daemon=True)
        watch.start()
        try:
            at_once(*works)
        finally:
            over.set()
            watch.join()
        rows, claims = self.shop.rows(), self.shop.claims()
        for (user, _, _), (other, _) in spoilt:
            insist(user in rows, "the subscription of a user is lost")
            insist(other not in rows and other not in claims.values(), "an order was stored")
        # The stores are well again.
        self.stand_in.faults = {}
        for (user, _, shown), (other, purchase) in spoilt:
            insist(self.shop.current(user) == shown, "another subscription than before")
            self.shop.ordered(other, purchase)
        until(lambda: self.stand_in.held == 0, "requests to a store are left open", 120)
        # Connections to the stand-in are kept for later requests.
        allowed = descriptors + 64
        until(lambda: server.descriptors <= allowed, "descriptors are left open")
        insist(tasks(server) <= threads + 64, tasks(server), "threads instead of", threads)
        self.shop.stop()
        return f"{len(works)} requests at once; the slowest of {slowest[0][0]} others took " \
            f"{slowest[0][1]:.2f} s"

    def login(self, method, path, case, fault):
        user, _, shown = case
        start = time.monotonic()
        answer = self.shop.ask(method, path, user)
        took = time.monotonic() - start
        told = (method, path, fault.__name__, answer.status, answer.body, f"{took:.1f} s")
        insist(answer.status == 200 and answer.json["subscription"] == shown, *told)
        insist(took < LOGIN, *told)

    def refused(self, user, purchase, fault):
        """The order is answered with 503, and when to try again."""
        answer = self.shop.order(user, purchase)
        told = (purchase["vendor"], fault.__name__, answer.status, answer.fields, answer.body)
        insist(answer.status == 503, *told)
        insist(answer.json == {"message": "the vendor cannot be reached"}, *told)
        named = fault.__name__.partition(", again after ")[2]
        # A vendor's time is passed on as it was given.
        expected = named or "30"
        insist(answer.fields.get("retry-after") == expected, expected, "expected:", *told)

    def others(self, over):
        """Requests that need no store, or one that answers; gives how many, and the slowest."""
        slowest, count = 0, 0
        while not over.is_set():
            for user, purchase, shown in self.healthy:
                for work in [
                    lambda: self.shop.current(user) == shown,
                    lambda: self.shop.order(user, purchase).status == 200,
                    lambda: self.shop.ask("GET", "/products", user).status == 200,
                ]:
                    start = time.monotonic()
                    insist(work(), "another user is not served")
                    slowest, count = max(slowest, time.monotonic() - start), count + 1
        insist(slowest < LOGIN / 2, "another user waited for", slowest, "s")
        return count, slowest

    def crowd(self):
        """Many orders wait for silent stores: others are served, and the end waits for the stop timeout
        alone."""
        server = self.start("--stop-timeout", "1")
        self.healthy = [self.subscriber(vendor) for vendor in VENDORS]
        clients = []
        for number in range(PATIENT):
            purchase = {"vendor": VENDORS[number % 2], "receiptData": f"c2lsZW50{number:04}"}
            self.stand_in.faults[purchase["receiptData"]] = silent
            connection = wire.Connection(server.port)
            connection.send(wire.request(
                "POST", f"{PREFIX}/order", self.shop.bearer(self.shop.user()), purchase))
            clients.append(connection)
        until(lambda: self.stand_in.held == PATIENT, "the stores are not asked")
        over = threading.Event()
        threading.Timer(1, over.set).start()
        count, slowest = self.others(over)
        insist(self.stand_in.held == PATIENT, "the stores are not asked any more")
        server.process.send_signal(signal.SIGTERM)
        for client in clients:
            insist(client.answer().status == 503, "who waits for a store when the server ends")
            client.close()
        insist(server.wait() == 0, "the server did not end well:", server.errors[-5:])
        self.shop.servers.remove(server)
        self.stand_in.faults = {}
        return f"{PATIENT} orders wait; the slowest of {count} others took {slowest:.2f} s"

    # Environments.

    def environments(self):
        """A receipt of the Sandbox is refused where that counts for nobody, and its host is not asked about it."""
        self.start(orderEnvironment="Production")
        user, customer = self.shop.user(), "tester"
        self.shop.control(
            "buy", customer=customer, product=LEVELS[0]["appleProductId"], environment="Sandbox")
        receipt = wire.ask(
            self.shop.store.port, "GET",
            f"/control/receipt?customer={customer}&environment=Sandbox").json["receipt"]
        order = self.shop.order(user, {"vendor": "apple", "receiptData": receipt})
        self.shop.refused(order, "invalid")
        asked = self.stand_in.asked[receipt]
        insist(asked == 1, "Apple was asked", asked, "times")
        self.shop.stop()
        return "refused after one question"

    # Our credentials.

    def credentials(self):
        """Google's token server is slow, wrong or silent, or refuses our key."""
        server = self.start()
        case = self.subscriber("google")
        fresh = (self.shop.user(), self.shop.bought("google"))
        # Nothing else waits for an access token then.
        until(lambda: self.is_acknowledged(case[1]), "the purchase is not acknowledged")
        faults = [*(FAULTS if self.is_long else BRIEF), invalid_grant]
        for fault in faults:
            self.stand_in.faults[ACCESS] = fault
            self.shop.control("play/access", change="revokeTokens")
            noted = len(attentions(server))
            self.login("GET", "/current", case, fault)
            if fault not in ENDLESS or self.is_long:
                self.refused(*fresh, fault)
            if fault is invalid_grant:
                until(lambda: len(attentions(server)) > noted, "nobody is told of the refused key")
                told = {name: attentions(server)[-1].get(name) for name in ["vendor", "app", "reason"]}
                insist(told == {"vendor": "google", "app": PACKAGE, "reason": "refused"}, told)
                failed = self.failed_sources(server)
                insist(failed == [{"vendor": "google", "app": PACKAGE}], "ready:", failed)
        rows = self.shop.rows()
        insist(case[0] in rows and fresh[0] not in rows, "rows have changed")
        del self.stand_in.faults[ACCESS]
        insist(self.shop.current(case[0]) == case[2], "another subscription than before")
        self.shop.ordered(*fresh)
        insist(not self.failed_sources(server), "ready:", self.failed_sources(server))
        self.shop.stop()
        return f"{len(faults)} faults, the row was kept"

    def failed_sources(self, server):
        """The sources that failed, as /ready names them; it succeeds all the same."""
        answer = wire.ask(server.port, "GET", "/ready")
        insist(answer.status == 200, answer.status, answer.body)
        failed = answer.json["failedSources"]
        return [{name: text for name, text in one.items() if name != "since"} for one in failed]

    def clock(self):
        """The clock of the server is ten minutes ahead, or behind: Google refuses our key in the first case,
        and says nothing about purchases therefore."""
        library = self.shop.scene.place.path("clock.so")
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-o", library, os.path.join(HERE, "load", "clock.c"),
             "-ldl"], check=True)
        self.shop.start()
        cases = [self.subscriber(vendor) for vendor in VENDORS]
        self.shop.stop()
        for shift in [600, -600]:
            server = self.shop.start(environment={"LD_PRELOAD": library, "SHIFT": str(shift)})
            for user, purchase, shown in cases:
                insist(self.shop.current(user) == shown, "a login at", shift, "s shows another")
                answer = self.shop.order(user, purchase)
                is_refused = purchase["vendor"] == "google" and shift > 300
                insist(
                    answer.status == (503 if is_refused else 200), purchase["vendor"], shift,
                    answer.status, answer.body)
            insist(all(user in self.shop.rows() for user, _, _ in cases), "a row is lost")
            self.shop.stop()
            told = [(line["vendor"], line["reason"]) for line in attentions(server)]
            insist(told == ([("google", "refused")] * 2 if shift > 300 else []), shift, told)
        return "ahead Google refuses our key, behind all is well; the rows were kept"

    # Pushes and packages.

    def pushes(self):
        """A stranger's push changes nothing, though its token is Google's and for our audience; the same push
        of Pub/Sub then ends the subscription."""
        self.shop.start()
        user, purchase, shown = self.subscriber("google")
        token = purchase["receiptData"]
        # Revoked without a push.
        self.shop.control("play/revoke", purchaseToken=token)
        number = self.notification(token)
        asked = ["stranger", "unverifiedEmail", "otherAudience", "expired", "fromTheFuture",
                 "otherIssuer", "altered", "unknownKey", "unsigned", "nobody"]
        for sender in asked:
            status = self.push(number, sender)
            insist(status == 401, "a push as", sender, "is answered with", status)
        insist(user in self.shop.rows(), "a stranger has ended a subscription")
        insist(self.shop.sql("SELECT * FROM google_push_messages") == [], "a message is kept")
        insist(self.push(number, "pubSub") == 204, "the push of Pub/Sub is refused")
        insist(user not in self.shop.rows(), "the push of Pub/Sub has no effect")
        insist(user in self.shop.claims().values(), "the claim is gone")
        self.shop.stop()
        return f"{len(asked)} false senders, all 401"

    def reviews(self):
        """Google's question about a chargeback is answered once, as the file says, and Google decides by it; without a
        file nothing is sent."""
        path = self.shop.scene.place.path("review.json")
        with open(path, "w") as file:
            json.dump({"refundPreference": "DECLINE", "sampleContentProvided": True}, file)
        for settings, state, decided in [({"googleRefundReview": path}, "answered", 0), ({}, "waiting", 2)]:
            self.shop.start(**settings)
            token = self.subscriber("google")[1]["receiptData"]
            self.shop.control("play/requestRefundReview", purchaseToken=token)
            number = self.notification(token)
            for _ in range(2):
                insist(self.push(number, "pubSub") == 204, "the question is not taken")
            question = "SELECT state FROM apple_consumption_request ORDER BY requested_ms DESC LIMIT 1"
            until(lambda: self.shop.sql(question) == [[state]], f"the question is not {state}")
            before = self.notifications(token)
            self.shop.control("play/decideRefundReview", purchaseToken=token)
            after = self.notifications(token)
            insist(len(after) - len(before) == decided, "Google decided", before, after)
            self.shop.stop()
        cases = self.shop.sql("SELECT count(*) FROM apple_consumption_request")
        insist(cases == [["2"]], "cases:", cases)
        return "answered once, or left"

    def catalog(self):
        """The command compares the levels with what Google sells: one-time products are in no list of this server."""
        self.shop.start()
        ended = subprocess.run(
            [os.path.join(self.shop.scene.place.binaries, "storekeeper-server"), "compare-catalog",
             "--config", self.shop.scene.place.path("shop.json")],
            capture_output=True, text=True, timeout=60)
        found = [json.loads(line) for line in ended.stdout.splitlines()]
        insist(
            [(line["difference"], line["product"]) for line in found]
            == [("unlisted", "reader_gems"), ("unlisted", "reader_lifetime")], ended)
        insist(ended.returncode == 1, "the status does not tell it", ended)
        self.shop.stop()
        return "differences are told"

    def levels(self):
        """SIGHUP reads the levels again; a file that is refused, or lacks a level in use, changes nothing."""
        server = self.shop.start()
        user = self.subscriber("google")[0]

        def shown():
            return self.shop.ask("GET", "/products", user).json

        def replaced(levels, event):
            with open(self.shop.levels, "w") as file:
                file.write(levels if isinstance(levels, str) else json.dumps(levels))
            return hang_up(server, event)

        before = shown()
        insist(len(before) == len(LEVELS), before)
        for refused, reason in [("[", None), (LEVELS[1:], LEVELS[0]["name"])]:
            told = replaced(refused, "levels refused")["reason"]
            insist(reason is None or reason in told, "the reason:", told)
            insist(shown() == before, "levels that were refused have an effect")
        more = [*LEVELS, {
            **LEVELS[1], "name": "Max", "appleProductId": "reader.max", "googleProductId": "reader_max"}]
        insist(replaced(more, "levels reloaded")["levels"] == 3, "the log tells another number")
        insist([level["name"] for level in shown()] == ["Basic", "Max", "Pro"], shown())
        replaced(LEVELS, "levels reloaded")
        insist(shown() == before, "the levels are not as before")
        self.shop.stop()
        return "read again"

    def packages(self):
        """With a wrong package name Google knows none of the purchases: a login and a push keep them."""
        self.shop.start()
        case = user, purchase, shown = self.subscriber("google")
        token = purchase["receiptData"]
        self.shop.stop()
        server = self.shop.start(googlePackage="com.example.other")
        insist(self.shop.current(user) == shown, "a login shows another subscription")
        until(lambda: attentions(server), "nobody is told of the wrong package")
        insist([line["reason"] for line in attentions(server)] == ["doubtful"], attentions(server))
        self.shop.refused(self.shop.order(user, purchase), "invalid")
        self.shop.refused(self.shop.order(self.shop.user(), purchase), "invalid")
        # Of the right package, which is another one for this server.
        self.shop.control("play/notify", purchaseToken=token, type=2)
        insist(self.push(self.notification(token), "pubSub") == 204, "the push is not taken")
        insist(self.shop.rows()[user][0] == "google", "the row is lost")
        self.shop.stop()
        # Of our package, while Google says that there is no such purchase.
        server = self.shop.start()
        for status, reason in [(404, "notFound"), (400, "invalid")]:
            self.shop.control(
                "play/fault", fault="error", status=status, reason=reason, at="subscription",
                always=True)
            self.shop.control("play/notify", purchaseToken=token, type=2)
            insist(self.push(self.notification(token), "pubSub") == 204, "the push is not taken")
            insist(self.shop.current(user) == shown, "a login shows another subscription")
        self.shop.control("play/fault", fault="none")
        insist(user in self.shop.rows(), "the row is lost")
        insist(self.shop.current(user) == shown, "another subscription than before")
        self.shop.ordered(user, purchase)
        self.shop.stop()
        return "kept at logins and pushes"

    def state(self):
        return wire.ask(self.shop.store.port, "GET", "/control/play/state").json

    def is_acknowledged(self, purchase):
        return any(
            known["acknowledged"] for known in self.state()["purchases"]
            if known["purchaseToken"] == purchase["receiptData"])

    def notification(self, token):
        """The number of the newest notification about a purchase, which went nowhere."""
        return self.notifications(token)[0]

    def notifications(self, token):
        """The numbers of the notifications about a purchase, newest first."""
        return [
            note["number"] for note in self.state()["notifications"]
            if note["purchaseToken"] == token]

    def push(self, number, sender):
        """Pushes a notification; returns the server's status."""
        port = self.shop.scene.server.port
        self.shop.control("play/webhook", url=f"http://127.0.0.1:{port}/api/v1/webhook/google")
        attempt = self.shop.control("play/push", number=number, **{"as": sender})["attempt"]
        self.shop.control("play/webhook")
        return attempt["status"]


def attentions(server):
    """The lines of the log that call for somebody."""
    lines = [line for line in list(server.errors) if line.startswith("{")]
    return [
        event for event in map(json.loads, lines) if event["event"] == "a vendor needs attention"]


def tasks(server):
    return len(os.listdir(f"/proc/{server.process.pid}/task"))


def main():
    binaries, kind = sys.argv[1:3]
    with staged(binaries, kind) as scene:
        vendors = Vendors(Shop(scene), "--long" in sys.argv)

        step(kind, "stores that are slow, wrong or silent", vendors.faults)
        step(kind, "a crowd that waits for silent stores", vendors.crowd)
        step(kind, "environments that count for nobody", vendors.environments)
        step(kind, "no access token", vendors.credentials)
        step(kind, "a clock ten minutes off", vendors.clock)
        step(kind, "pushes of strangers", vendors.pushes)
        step(kind, "questions about chargebacks", vendors.reviews)
        step(kind, "the catalog of the Play Console", vendors.catalog)
        step(kind, "levels that are read again", vendors.levels)
        step(kind, "a wrong package name", vendors.packages)


main()
