"""The throughput of the server on loopback: load.py BINARIES sqlite|postgres [SECONDS]

wrk with 16 connections, each one a thread: requests a second, and the latency of the middle and the
hundredth slowest request; beside them, in the same run, libmicrohttpd with an answer that is always the
same.
"""
import sys

from story import BEARER, insist, staged
from throughput import bare, measure, split

STORED = 8000


class Load:
    def __init__(self, scene, kind, seconds):
        self.scene, self.kind, self.seconds = scene, kind, seconds
        self.held = []

    def fill(self):
        """Creates subscriptions by measured notifications, each linked with its own account."""
        self.scene.order("webhook", url=f"http://127.0.0.1:{self.scene.between.port}/hook",
                         versions="v2")
        for number in range(STORED):
            answer = self.scene.order("buy", customer=f"reader-{number}", product="reader.monthly")
            self.held.append((answer["subscription"]["originalTransactionId"], f"reader-{number}"))
        notes = list(self.scene.between.notifications)
        insist(len(notes) == STORED, "notifications are missing")
        self.scene.store.stop()
        self.measure_notes(notes)
        for note in notes:
            self.scene.expect(200, "POST", "/api/v1/webhook/apple", note, ())
        for id, account in self.held:
            self.scene.expect(
                200, "POST", "/api/v1/apple/link", {"ftcId": account, "originalTxId": id})

    def measure(self, title, requests, port=None, statuses="200", seconds=None):
        a_second, middle, slow = measure(
            title, port or self.scene.server.port, requests, seconds or self.seconds, statuses)
        print(f"{self.kind}: {title}: {a_second:,.0f} a second,"
              f" p50 {middle:.2f} ms, p99 {slow:.2f} ms", flush=True)
        return a_second

    def gets(self):
        return [("GET", f"/api/v1/apple/subs/{id}", [BEARER], "") for id, _ in self.held]

    def run(self, hello):
        get, link, unlink = self.gets(), [], []
        for id, account in self.held:
            body = f'{{"ftcId":"{account}","originalTxId":"{id}"}}'
            link.append(("POST", "/api/v1/apple/link", [BEARER], body))
            unlink.append(("POST", "/api/v1/apple/unlink", [BEARER], body))
        lists = [("GET", "/api/v1/apple/subs", [BEARER, f"X-Ftc-Id: {account}"], "")
                 for _, account in self.held]
        bound = self.measure("hello of libmicrohttpd", split(get), hello.port)
        one = self.measure("get one", split(get))
        print(f"{self.kind}: get one: {one / bound:.2f} of hello")
        self.restart("--threads", "1")
        alone = self.measure("get one, with one event loop", split(get))
        print(f"{self.kind}: get one: {one / alone:.2f} of that with one event loop")
        self.restart()
        self.measure("list", split(lists))
        pairs = [step for pair in zip(unlink, link) for step in pair]
        self.measure("link and unlink, each", split(pairs, 2), statuses="200,204")

    def restart(self, *arguments):
        insist(self.scene.server.stop() == 0, "the server did not end well")
        self.scene.start(*arguments, log=self.scene.place.path("access.log"))

    def measure_notes(self, notes):
        """Notifications for a second; not all are sent, so that each is new."""
        requests = [("POST", "/api/v1/webhook/apple", [], note.decode()) for note in notes]
        a_second = self.measure("notification of version 2", split(requests), seconds=1)
        insist(a_second < len(notes), "some notifications came twice; there should be more")


def main():
    binaries, kind = sys.argv[1:3]
    seconds = int((sys.argv[3:] or ["5"])[0])
    with staged(binaries, kind) as scene:
        bound = bare("hello", scene.place.folder)
        scene.place.running.append(bound)
        scene.start(log=scene.place.path("access.log"))
        load = Load(scene, kind, seconds)
        load.fill()
        load.run(bound)
        insist(scene.server.stop() == 0, "the server did not end well")


if __name__ == "__main__":
    main()
