"""Common parts of the races of credits: servers that may be killed, clients that go on afterwards,
and ledgers that are replayed."""
import json
import os
import random
import signal
import subprocess
import threading
import time

import wire
from story import BEARER, insist
from wallet import HOOK, PREFIX, VERIFY, Wallet

PAIRS = 2000
PURCHASE = "payment.apple_iap:"
REFUND = "payment.apple_iap.refund:"
REVERSAL = "payment.apple_iap.refund_reversed:"


def emails():
    """Pairs of users with the same identity."""
    return {
        f"pair-{number}{side}": address
        for number in range(PAIRS)
        for side, address in [
            ("a", f"customer{number}@example.com"), ("b", f" Customer{number}@EXAMPLE.com ")]
    }


class Fleet:
    """One or two servers of one database."""

    def __init__(self, scene, count):
        self.scene, self.wallet = scene, Wallet(scene)
        self.users = emails()
        # Whether the servers stay away after a failure.
        self.is_over = False
        self.servers = [self.start() for _ in range(count)]

    def start(self):
        return self.wallet.start(user=self.users)

    def kill(self, numbers):
        for number in numbers:
            self.servers[number].process.send_signal(signal.SIGKILL)
        for number in numbers:
            self.servers[number].process.wait(60)

    def restart(self, numbers):
        for number in numbers:
            self.servers[number] = self.start()

    def port(self, number):
        return self.servers[number % len(self.servers)].port

    def stop(self):
        for server in self.servers:
            insist(server.stop() == 0, "a server did not end well:", server.errors[-5:])

    def audit(self):
        """Runs audit-ledger, which finds nothing; returns the number of entries."""
        place = self.scene.place
        database = place.database or f"sqlite:{place.path('server.sqlite')}"
        ended = subprocess.run(
            [os.path.join(place.binaries, "audit-ledger"), database], capture_output=True,
            text=True, timeout=120)
        insist(
            ended.returncode == 0 and ended.stdout == "", "audit-ledger:", ended.returncode,
            ended.stdout[:2000], ended.stderr[:2000])
        words = ended.stderr.replace(",", "").split()
        return int(words[words.index("checked") + 1])


class Line:
    """A connection to one of the servers, which is opened again when the server is back."""

    def __init__(self, fleet, number):
        self.fleet, self.number = fleet, number
        self.connection = None
        self.broken = 0

    def send(self, request):
        try:
            if self.connection is None:
                self.connection = wire.Connection(self.fleet.port(self.number))
            self.connection.send(request)
        except OSError:
            self.close()

    def receive(self):
        """The answer; None if the server ended first, so that the outcome is unknown."""
        if self.connection is None:
            return None
        try:
            return self.connection.answer()
        except (wire.Closed, OSError):
            self.broken += 1
            self.close()
            return None

    def ask(self, request):
        """Repeats a request until it is answered."""
        end = time.monotonic() + 120
        while True:
            self.send(request)
            answer = self.receive()
            if answer:
                return answer
            insist(time.monotonic() < end and not self.fleet.is_over, "no server answers")
            time.sleep(0.02)

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None


class Lane(threading.Thread):
    """A client with several connections, which works until it is told to end or has done its part."""

    def __init__(self, fleet, work, rounds=None):
        super().__init__(daemon=True)
        self.fleet, self.wallet, self.work, self.rounds = fleet, fleet.wallet, work, rounds
        self.lines = [Line(fleet, number) for number in range(4)]
        self.ending = threading.Event()
        self.failure = None
        self.outcomes, self.answered = {}, 0
        # Answers that have to hold after a kill.
        self.facts = []

    def run(self):
        try:
            done = 0
            while not self.ending.is_set() and done != self.rounds:
                outcome = self.work(self)
                self.outcomes[outcome] = self.outcomes.get(outcome, 0) + 1
                done += 1
        except BaseException as failure:
            self.failure = failure
        finally:
            for line in self.lines:
                line.close()

    def race(self, *requests):
        """Sends requests at nearly the same moment, each on a connection of its own, and repeats those
        that a killed server left open. Returns the answers."""
        lines = random.sample(self.lines, len(requests))
        for number in random.sample(range(len(requests)), len(requests)):
            lines[number].send(requests[number])
            if random.random() < 0.5:
                time.sleep(random.random() * 0.004)
        first = [line.receive() for line in lines]
        self.answered += sum(answer is not None for answer in first)
        return [
            answer or line.ask(request)
            for answer, line, request in zip(first, lines, requests)]

    def ask(self, request):
        answer = random.choice(self.lines).ask(request)
        self.answered += 1
        return answer

    # Requests.

    def verify(self, user, body):
        return wire.request("POST", VERIFY, self.wallet.bearer(user), body)

    def hook(self, body):
        return wire.request("POST", HOOK, (), body)

    def entry(self, user, event, amount):
        return wire.request("POST", f"{PREFIX}/entries", [BEARER], {
            "userId": user, "eventId": event, "changeType": "bonus" if amount > 0 else "spending",
            "bizType": "test", "bizId": "1", "amount": amount})

    def refund(self, id, kind="REFUND", at=0):
        """A new notification of a refund or its reversal, signed so many seconds from now."""
        date = None if kind == "REFUND_REVERSED" else int(time.time() * 1000)
        _, transaction = self.wallet.transaction(transactionId=id, revocationDate=date)
        return self.hook(self.wallet.notification(kind, transaction, at))

    # Answers.

    def granted(self, user, id, answer, credits=500):
        """Whether an answer of verify says that the user has the credits."""
        if answer.status != 200:
            return False
        members = answer.json
        insist(
            (members["status"], members["creditsAdded"]) in
            (("granted", credits), ("already_granted", 0)), members)
        insist(members["ledgerEventId"] == PURCHASE + id, members)
        self.facts.append(Fact(user, PURCHASE + id, credits))
        return True

    def refused(self, answer, code):
        insist(
            answer.status == 409 and answer.json["code"] == code, answer.status, answer.body,
            "instead of", code)

    def told(self, user, body, answer):
        """Checks the answer to a refund of the purchase that the body claims."""
        insist(answer.status == 200 and answer.body == b"", answer.status, answer.body)
        self.facts.append(Fact(user, claim=body))

    def booked(self, user, event, amount, answer):
        insist(
            answer.status == 200 or
            (answer.status == 409 and answer.json["code"] == "CREDIT_BALANCE_INSUFFICIENT"),
            "a booking:", answer.status, answer.body)
        if answer.status == 200:
            self.facts.append(Fact(user, event, amount))
        return answer.status == 200

    def ledger(self, user):
        """The user's entries by their events, after a check that they explain the balance."""
        return ledger(self, user)


class Fact:
    """Something that was answered: an entry of a ledger, or that a claimed purchase is refunded."""

    def __init__(self, user, event=None, amount=None, claim=None):
        self.user, self.event, self.amount, self.claim = user, event, amount, claim
        self.time = time.monotonic()


def ledger(asker, user):
    def read(path):
        bearer = asker.fleet.wallet.bearer(user)
        answer = asker.ask(wire.request("GET", PREFIX + path, bearer))
        insist(answer.status == 200, path, answer.status, answer.body)
        return answer.json

    # Its race is over, so that the two answers agree.
    return replayed(user, read("/ledger?per_page=100"), read("/balance")["balance"])


def remain(fleet, facts):
    """Checks that what was answered is still so. Returns the number of users."""
    users = {}
    for fact in facts:
        users.setdefault(fact.user, []).append(fact)
    line = Line(fleet, random.randrange(2))
    for user, facts in users.items():
        # Users of unfinished races may change between two answers.
        page = line.ask(
            wire.request("GET", f"{PREFIX}/ledger?per_page=100", fleet.wallet.bearer(user)))
        insist(page.status == 200, page.status, page.body)
        entries = replayed(user, page.json)
        for fact in facts:
            if fact.event:
                entry = entries.get(fact.event)
                insist(entry and entry["amount"] == fact.amount, "lost:", vars(fact), entries)
            else:
                request = wire.request("POST", VERIFY, fleet.wallet.bearer(user), fact.claim)
                answer = line.ask(request)
                insist(
                    answer.status == 409 and answer.json["code"] == "PAYMENT_TRANSACTION_REVOKED",
                    "a refund was lost:", answer.body, entries)
    line.close()
    return len(users)


def replayed(user, page, total=None):
    """The entries by their events; every balance follows from the entries before, up to the total."""
    entries = list(reversed(page["data"]))
    insist(page["total"] == len(entries), "a ledger of", page["total"])
    events, balance = {}, 0
    for entry in entries:
        before, balance = balance, balance + entry["amount"]
        told = (user, json.dumps(entries))
        insist(balance >= 0 and entry["balance_after"] == balance, "a wrong balance:", *told)
        insist(entry["event_id"] not in events, "an event twice:", *told)
        kind, *round = entry["event_id"].split(":", 1)
        if kind + ":" == REFUND:
            purchase = events.get(PURCHASE + round[0].split(":")[0])
            insist(purchase, "a refund of nothing:", *told)
            insist(entry["amount"] == -min(purchase["amount"], before), "clawback:", *told)
        if kind + ":" == REVERSAL:
            refund = events.get(REFUND + round[0])
            insist(refund and entry["amount"] == -refund["amount"], "a reversal:", *told)
        events[entry["event_id"]] = entry
    insist(total in (None, balance), "the ledger of", user, "does not explain", total, entries)
    return events


def run(lanes):
    """Runs lanes to their end."""
    for lane in lanes:
        lane.start()
    for lane in lanes:
        lane.join(3600)
    return sum_up(lanes)


def sum_up(lanes):
    """The numbers of outcomes; raises the first failure."""
    outcomes = {}
    for lane in lanes:
        if lane.failure:
            raise lane.failure
        for outcome, count in lane.outcomes.items():
            outcomes[outcome] = outcomes.get(outcome, 0) + count
    return outcomes
