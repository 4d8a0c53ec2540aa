"""Ten minutes of mixed load with faults: soak.py BINARIES [SECONDS [apart]]

At least 100,000 requests; the server's resident memory at the end is within 10 % of that after the first
minute, and no descriptor is left over. Prints the figures. With `apart` no request makes the server ask
Apple, which shows what of its memory is not the HTTP client's.
"""
import collections
import json
import random
import socket
import sys
import threading
import time

import hostile
import wire
from story import BEARER, insist, staged

CLIENTS = 12


class Soak:
    def __init__(self, scene, seconds, apart):
        self.scene, self.seconds = scene, seconds
        # The share of requests that ask Apple.
        self.asking = 0 if apart else 1
        self.counts = collections.Counter()
        self.unexpected = []
        self.isOver = threading.Event()
        self.held = []
        for number in range(60):
            id, customer, receipt = scene.buy()
            scene.expect(200, "POST", "/api/v1/apple/subs", {"receiptData": receipt})
            self.held.append((id, f"reader-{number}", receipt))
        # Notifications of version 1 make the server ask Apple.
        self.notes = [
            note for note in scene.between.notifications
            if not apart or "signedPayload" in json.loads(note)]

    @property
    def port(self):
        return self.scene.server.port

    # Clients.

    def work(self, seed):
        """A client with its own subscriptions: mostly valid requests, some invalid, some malicious."""
        chance = random.Random(seed)
        held = self.held[seed::CLIENTS]
        while not self.isOver.is_set():
            try:
                with wire.Connection(self.port) as connection:
                    for _ in range(chance.randrange(1, 200)):
                        if self.isOver.is_set():
                            return
                        self.ask(connection, chance, *chance.choice(held))
            except (wire.Closed, OSError):
                self.counts["connections ended"] += 1
            if chance.random() < 0.5:
                self.misbehave(chance)

    def ask(self, connection, chance, id, account, receipt):
        link = {"ftcId": account, "originalTxId": id}
        one = f"/api/v1/apple/subs/{id}"
        method, path, headers, body, expected = chance.choices(
            [
                ("GET", one, [BEARER], b"", {200}),
                ("GET", "/api/v1/apple/subs", [BEARER, f"X-Ftc-Id: {account}"], b"", {200}),
                ("POST", "/api/v1/apple/link", [BEARER], link, {200}),
                ("POST", "/api/v1/apple/unlink", [BEARER], link, {204, 422}),
                ("POST", "/api/v1/webhook/apple", [], chance.choice(self.notes),
                 {200, 422, 503}),
                ("POST", "/api/v1/apple/subs", [BEARER], {"receiptData": receipt}, {200, 422}),
                ("PATCH", one, [BEARER], b"", {200, 422}),
                ("GET", f"/api/v1/apple/receipt/{id}", [BEARER], b"", {200}),
                ("GET", "/ready", [], b"", {200}),
                ("GET", one, [], b"", {401}),
                ("GET", "/api/v1/apple/subs/1", [BEARER], b"", {404}),
                ("POST", "/api/v1/apple/link", [BEARER], b"{" * 5000, {400}),
                ("POST", "/api/v1/apple/link", [BEARER], b" " * 1_100_000, {413}),
            ],
            weights=[30, 10, 12, 12, 6, self.asking, self.asking, 5, 5, 5, 5, 2, 0.2])[0]
        answer = connection.ask(method, path, headers, body)
        self.counts[answer.status] += 1
        if answer.status not in expected:
            self.unexpected.append((method, path, answer.status, answer.body[:200]))

    def misbehave(self, chance):
        """A connection that breaks off."""
        self.counts["rude connections"] += 1
        path = f"/api/v1/apple/receipt/{chance.choice(self.held)[0]}"
        data = wire.request("GET", path, [BEARER]) * chance.randrange(1, 20)
        kind = chance.randrange(4)
        if kind == 0:
            data = data[:chance.randrange(len(data))]
        elif kind == 1:
            data = bytearray(data)
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            with wire.Connection(self.port) as connection:
                connection.send(bytes(data))
                if kind == 2:
                    connection.socket.setsockopt(
                        socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        except OSError:
            pass

    def linger(self):
        """Many idle connections, and some that send a byte now and then, come and go."""
        while not self.isOver.wait(0.5):
            clients = [wire.Connection(self.port) for _ in range(300)]
            for _ in range(20):
                if self.isOver.wait(0.5):
                    break
                for client in clients[:30]:
                    try:
                        client.send(b"G")
                    except OSError:
                        pass
            for client in clients:
                client.close()

    def trouble(self):
        """Apple is slow, wrong or unreachable for a while."""
        chance = random.Random(0)
        while not self.isOver.wait(5):
            self.scene.between.answer = chance.choice([
                lambda *_: (503, b""), lambda *_: (200, b"{"), lambda *_: time.sleep(1) or (500, b""),
            ])
            self.isOver.wait(2)
            self.scene.between.answer = None

    # The complete test.

    def run(self):
        server = self.scene.server
        before = server.descriptors
        threads = [threading.Thread(target=self.work, args=(seed,)) for seed in range(CLIENTS)]
        threads += [threading.Thread(target=self.linger), threading.Thread(target=self.trouble)]
        for thread in threads:
            thread.daemon = True
            thread.start()
        resident = []
        for second in range(self.seconds):
            time.sleep(1)
            insist(server.process.poll() is None, "the server is gone:", server.errors[-5:])
            resident.append(server.resident)
        self.isOver.set()
        for thread in threads:
            thread.join(60)
        hostile.until(lambda: server.descriptors <= before + 2, "descriptors are left open", 60)
        self.report(resident, before)

    def report(self, resident, before):
        requests = sum(count for status, count in self.counts.items() if isinstance(status, int))
        first = resident[min(59, self.seconds // 3)]
        print(f"soak: {requests:,} requests in {self.seconds} s:", dict(self.counts))
        print("soak: resident memory, KiB, a minute:", *resident[59::60])
        print(
            f"soak: resident memory {first:,} KiB after the first minute, {resident[-1]:,} at the"
            f" end ({resident[-1] / first - 1:+.1%}), at most {max(resident):,};"
            f" descriptors {before} before, {self.scene.server.descriptors} after", flush=True)
        insist(not self.unexpected, len(self.unexpected), "unexpected:", self.unexpected[:3])
        insist(resident[-1] <= first * 1.10, "memory grew")
        if self.seconds >= 600:
            insist(requests >= 100_000, "too few requests")


def main():
    binaries, seconds = sys.argv[1], int((sys.argv[2:] or ["600"])[0])
    apart = sys.argv[3:] == ["apart"]
    with staged(binaries) as scene:
        scene.start("--request-timeout", "3", "--idle-timeout", "20")
        Soak(scene, seconds, apart).run()
        insist(scene.server.stop() == 0, "the server did not end well")


main()
