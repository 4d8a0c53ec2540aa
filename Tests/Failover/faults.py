"""Faults of a cluster of three while customers verify and link purchases:

    faults.py BINARIES FAULT…"""
import collections
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

for folder in ("Server", "PostgreSQL"):
    sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", folder))

import wire
from programs import Place
from story import BEARER, insist
from three import order

SERVERS = 3
LANES = 6
# No answer may take longer: a server waits for a commit, for its outcome and for a leader, each for a limit of its own.
LONGEST = 25
# Seconds from the promotion, or the first commit that the cluster took after it from anybody, to the first success at
# each of the servers.
GOAL = 5

Answer = collections.namedtuple("Answer", "server path status began ended")


class Stage:
    def __init__(self, binaries, folder):
        self.place = Place(binaries, folder, os.environ["STOREKEEPER_POSTGRES_THREE"])
        self.store = self.place.simulator("--product", "reader.monthly:Monthly:31")
        roots = []
        for name in ("root.der", "receipt-root.der"):
            roots.append(self.place.path(name))
            with open(roots[-1], "wb") as file:
                file.write(wire.ask(self.store.port, "GET", "/" + name).body)
        self.servers = [
            self.place.server(
                self.store.port, roots, name=f"server{number}", log=self.place.path(f"server{number}.log"))
            for number in range(SERVERS)]
        self.lock = threading.Lock()
        self.answers, self.problems = [], []
        # The owner of each purchase that a server answered as linked, and the other account that asked for it.
        self.linked = {}
        # The times at which each server was ready, and was not.
        self.ready = [[] for _ in self.servers]
        # The times at which a node took a commit of a plain client, and when that was begun.
        self.commits = []
        self.stopped = threading.Event()

    # Requests.

    def ask(self, number, method, path, body=b"", headers=()):
        """One request to a server, whose answer has to be one of the contract's."""
        began = time.time()
        try:
            answer = wire.ask(
                self.servers[number].port, method, path, (BEARER, *headers), body, timeout=4 * LONGEST)
        except (OSError, wire.Closed) as failure:
            self.complain(f"{method} {path}: no answer: {failure!r}")
            return None
        ended = time.time()
        with self.lock:
            self.answers.append(Answer(number, path, answer.status, began, ended))
        if ended - began > LONGEST:
            self.complain(f"{method} {path}: {answer.status} after {ended - began:.1f} s")
        # The contract fixes 500 where a receipt is verified (linking rules, section 6.1).
        verifies = method == "POST" and path.endswith("/subs")
        if answer.status == 503 and "retry-after" not in answer.fields:
            self.complain(f"{method} {path}: 503 without Retry-After")
        elif answer.status == 500 and not verifies and self.has_conflicted(number, answer):
            pass
        elif answer.status not in ((200, 422, 500) if verifies else (200, 204, 422, 503)):
            self.complain(f"{method} {path}: {answer.status} {answer.body[:200]}")
        return answer

    def has_conflicted(self, number, answer):
        """Whether a unit of work conflicted to the end, as behind commits that nobody confirms; the contract fixes 500 for
        that (linking rules, section 2.1)."""
        end = time.time() + 5
        while time.time() < end:
            with open(self.place.path(f"server{number}.log"), errors="replace") as log:
                for line in log:
                    if f'"id":"{answer.fields["x-request-id"]}"' in line:
                        return "units of work conflicted" in line
            time.sleep(0.2)
        return False

    def complain(self, text):
        with self.lock:
            self.problems.append(text)

    def insistently(self, method, path, body, statuses):
        """Asks one server after the other, until one takes the request."""
        while not self.stopped.is_set():
            answer = self.ask(random.randrange(SERVERS), method, path, body)
            if answer and answer.status in statuses:
                return answer
            time.sleep(0.1)
        return None

    # Customers.

    def serve(self, lane):
        """A purchase after the other: it is verified, and two accounts want it at once."""
        number = 0
        while not self.stopped.is_set():
            name = f"lane{lane}-{number}"
            number += 1
            bought = wire.ask(
                self.store.port, "POST", "/control/buy", [], {"customer": name, "product": "reader.monthly"})
            id = bought.json["subscription"]["originalTransactionId"]
            receipt = wire.ask(self.store.port, "GET", f"/control/receipt?customer={name}").json["receipt"]
            if not self.insistently("POST", "/api/v1/apple/subs", {"receiptData": receipt}, [200]):
                return
            with self.lock:
                self.linked[id] = None
            accounts = [f"{name}-a", f"{name}-b"]
            found = {}

            def link(account):
                found[account] = self.insistently(
                    "POST", "/api/v1/apple/link", {"ftcId": account, "originalTxId": id}, [200, 422])

            rival = threading.Thread(target=link, args=(accounts[1],))
            rival.start()
            link(accounts[0])
            rival.join()
            if None in found.values():
                return
            owners = [account for account in accounts if found[account].status == 200]
            if len(owners) != 1:
                self.complain(f"{id}: the owners {owners}")
            with self.lock:
                self.linked[id] = (owners[0] if owners else None, [each for each in accounts if each not in owners])

    def watch(self, number):
        while not self.stopped.is_set():
            try:
                status = wire.ask(self.servers[number].port, "GET", "/ready", timeout=10).status
                self.ready[number].append((time.time(), status == 200))
            except (OSError, wire.Closed):
                self.complain("/ready: no answer")
            time.sleep(0.2)

    def witness(self, address):
        """A plain client that writes to one node, so that the cluster's own delays are told from the servers'."""
        url = f"postgres://storekeeper@{address}"
        command = ["psql", "-X", "-q", "-c", "INSERT INTO witness DEFAULT VALUES", url]
        while not self.stopped.is_set():
            began = time.time()
            try:
                if subprocess.run(command, capture_output=True, timeout=2).returncode == 0:
                    with self.lock:
                        self.commits.append((began, time.time()))
            except subprocess.TimeoutExpired:
                pass
            time.sleep(0.3)

    # Faults. Each returns whether a node was promoted by it.

    def kill(self, leader):
        order("kill", leader)
        self.until_leader()
        order("start", leader)
        return True

    def freeze(self, leader):
        order("freeze", leader)
        time.sleep(30)
        order("thaw", leader)
        self.until_leader()
        return True

    def restart(self, leader):
        """One after the other, the leader last."""
        for node in [node for node in (1, 2, 3) if node != leader] + [leader]:
            order("stop", node)
            order("start", node)
            if node != leader:
                order("whole")
        self.until_leader()
        return True

    def switch(self, _):
        order("switch")
        self.until_leader()
        return True

    def cut(self, leader):
        """The leader leads on, and no commit can be answered."""
        order("cut", leader)
        time.sleep(15)
        order("mend", leader)
        return False

    @staticmethod
    def until_leader():
        while order("leader") is None:
            time.sleep(0.1)

    def hurt(self, fault):
        leader, before, began = order("leader"), len(order("promotions")), time.time()
        promotes = getattr(self, fault)(leader)
        order("whole")
        # Until every server has written again.
        end = time.time() + 60
        moment = time.time()
        while any(self.first_write(number, moment) is None for number in range(SERVERS)):
            insist(time.time() < end, fault, "some server does not write again")
            time.sleep(0.1)
        told = f"{fault}: {time.time() - began:.1f} s"
        promotions = order("promotions")
        if promotes:
            insist(len(promotions) > before, fault, "nobody was promoted")
            # Of several promotions, the last is what ended the fault.
            promotion = promotions[-1]
            with self.lock:
                taken = min((ended for began, ended in self.commits if began > promotion), default=promotion)
            told += f", from the promotion to the first commit of a plain client: {taken - promotion:.2f} s"
            back = [self.first_write(number, promotion) - promotion for number in range(SERVERS)]
            told += ", to the servers' first writes: " + ", ".join(f"{each:.2f}" for each in back) + " s"
            back = [each - (taken - promotion) for each in back]
            if max(back) > GOAL:
                self.complain(f"{fault}: the service is back after {max(back):.1f} s")
        if fault in ("kill", "freeze"):
            for number in range(SERVERS):
                if all(isReady for moment, isReady in self.ready[number] if moment > began):
                    self.complain(f"{fault}: server {number} was always ready")
        end = time.time() + 10
        for number in range(SERVERS):
            while not self.ready[number][-1][1]:
                insist(time.time() < end, fault, "server", number, "does not become ready again")
                time.sleep(0.1)
        mine = [answer for answer in self.answers if answer.ended > began]
        counts = collections.Counter(answer.status for answer in mine)
        told += f", answers: {dict(sorted(counts.items()))}"
        told += f", the longest {max(answer.ended - answer.began for answer in mine):.1f} s"
        print(told, flush=True)
        for problem in self.problems[:10]:
            print("  " + problem, flush=True)
        insist(not self.problems, len(self.problems), "problems")

    def first_write(self, number, moment):
        """When a server first answered a request with success after a moment, or none."""
        with self.lock:
            ends = [
                answer.ended for answer in self.answers
                if answer.server == number and answer.ended > moment and answer.status == 200]
        return min(ends, default=None)

    # The run.

    def run(self, faults):
        threads = [threading.Thread(target=self.serve, args=(lane,)) for lane in range(LANES)]
        threads += [threading.Thread(target=self.watch, args=(number,)) for number in range(SERVERS)]
        url = os.environ["STOREKEEPER_POSTGRES_THREE"]
        addresses = url.split("@")[1].split("/")[0].split(",")
        database = url.split("/")[3].split("?")[0]
        subprocess.run(
            ["psql", "-X", "-q", "-c", "CREATE TABLE witness (moment timestamptz DEFAULT now())", url], check=True)
        threads += [threading.Thread(target=self.witness, args=(f"{each}/{database}",)) for each in addresses]
        for thread in threads:
            thread.daemon = True
            thread.start()
        try:
            time.sleep(2)
            for fault in faults:
                self.hurt(fault)
        finally:
            self.stopped.set()
            for thread in threads:
                thread.join(2 * LONGEST)
        self.compare()

    def compare(self):
        """Everything that was answered with success is there, and nothing has two owners."""
        for id, owned in self.linked.items():
            stored = self.ask(0, "GET", f"/api/v1/apple/subs/{id}")
            insist(stored and stored.status == 200, "the verified purchase", id, "is lost")
            if owned is None:
                continue
            owner, others = owned
            for account in [owner, *others]:
                page = self.ask(1, "GET", "/api/v1/apple/subs", headers=(f"X-Ftc-Id: {account}",)).json
                ids = [row["originalTransactionId"] for row in page["data"]]
                insist(ids == ([id] if account == owner else []), account, "has", ids, "instead of", id, owned)
        owned = sum(each is not None for each in self.linked.values())
        print(f"{len(self.linked)} purchases verified and {owned} linked, none lost and none owned twice", flush=True)


def main():
    folder = tempfile.mkdtemp()
    stage = Stage(sys.argv[1], folder)
    try:
        stage.run(sys.argv[2:])
    except BaseException:
        for server in stage.servers:
            print("\n".join(server.errors[-5:]), file=sys.stderr)
        if kept := os.environ.get("STOREKEEPER_FAILOVER_LOGS"):
            shutil.copytree(folder, kept, dirs_exist_ok=True)
        raise
    finally:
        stage.place.end()
        shutil.rmtree(folder)


main()
