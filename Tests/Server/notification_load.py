"""A notification with a transaction and a renewal inside, from the socket to the commit, one at a time:

    notification_load.py BINARIES BENCHMARKS sqlite|postgres [ROUNDS]

Beside it, in turn, its bound: three signatures by OpenSSL and the same rows by the engine's own C interface, which the
section notification-bound of the program BENCHMARKS measures.
"""
import statistics
import subprocess
import sys

from story import insist, staged
from throughput import measure

# More than a server takes in a second, so that each is new.
PER_ROUND = 3000


def notifications(scene, count):
    """The bodies of notifications of first purchases."""
    scene.order(
        "webhook", url=f"http://127.0.0.1:{scene.between.port}/hook", versions="v2")
    for number in range(count):
        scene.order("buy", customer=f"reader-{number}", product="reader.monthly")
    insist(len(scene.between.notifications) == count, "notifications are missing")
    return [note.decode() for note in scene.between.notifications]


def bound(benchmarks, kind):
    """Transactions a second."""
    printed = subprocess.run(
        [benchmarks, "notification-bound"], capture_output=True, text=True, check=True).stdout
    name = {"sqlite": "SQLite", "postgres": "PostgreSQL"}[kind]
    return next(float(line.split()[1]) for line in printed.splitlines() if line.startswith(name + " "))


def main():
    binaries, benchmarks, kind = sys.argv[1:4]
    rounds = int((sys.argv[4:] or ["5"])[0])
    with staged(binaries, kind) as scene:
        notes = notifications(scene, PER_ROUND * (rounds + 1))
        scene.store.stop()
        scene.start(log=scene.place.path("access.log"))
        ours, bounds = [], []
        for round in range(rounds + 1):
            requests = [("POST", "/api/v1/webhook/apple", [], note)
                        for note in notes[round * PER_ROUND:(round + 1) * PER_ROUND]]
            ours.append(measure("notifications", scene.server.port, [requests], 1, connections=1)[0])
            insist(ours[-1] < PER_ROUND, "some came twice; there should be more")
            bounds.append(bound(benchmarks, kind))
        # The first round warms up.
        ratios = [one / other for one, other in zip(ours[1:], bounds[1:])]
        print(f"{kind}: notification with two inside, from socket to commit, medians of {rounds} rounds:"
              f" {statistics.median(ours[1:]):,.0f} a second; three signatures by OpenSSL and the rows in C"
              f" {statistics.median(bounds[1:]):,.0f}; ratio {statistics.median(ratios):.2f}", flush=True)
        insist(scene.server.stop() == 0, "the server did not end well")


main()
