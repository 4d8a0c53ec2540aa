"""The throughput of GET products on SQLite, at growing numbers of users:

    products_load.py BINARIES [SECONDS ROUNDS SIZE…]

Beside it, in the same run, bare servers in C: one that reads the same rows of the same database, and one
that reads nothing. Each user has a subscription and a product acquired through it, stored as the server
itself stored those of the first user.
"""
import contextlib
import os
import shutil
import sqlite3
import statistics
import sys
import tempfile

from story import BEARER, Scene, insist
from studio import DRAW, STORE, Studio
from throughput import bare, measure, split

REQUESTS = 16_000
TABLES = ["apple_transaction", "apple_pending_renewal", "store_associations", "store_acquired",
          "store_validation"]


def user(number):
    return f"user-{number}"


def multiply(path, count):
    """Repeats the rows of the only user for others."""
    changed = {"user_id": "'user-' || n", "original_transaction_id": "CAST(400000000000000 + n AS TEXT)",
               "transaction_id": "CAST(400000000000000 + n AS TEXT)"}
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.execute("PRAGMA synchronous = OFF")
        for table in TABLES:
            names = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            values = ", ".join(changed.get(name, name) for name in names)
            database.execute(
                f"WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers"
                f" WHERE n < {count}) INSERT INTO {table} ({', '.join(names)})"
                f" SELECT {values} FROM {table}, numbers")
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def filled(binaries, folder, size, settings={}, prepare=lambda path: None):
    """A server with so many users, and what `prepare` does to its database before that of the last start."""
    os.mkdir(folder)
    scene = Scene(binaries, folder)
    studio = scene.studio = Studio(scene)
    studio.start(**settings)
    first = studio.subscriber()
    studio.acquired(first, "brushes")
    insist(studio.server.stop() == 0, "the server did not end well")
    multiply(scene.place.path("studio.sqlite"), size)
    prepare(scene.place.path("studio.sqlite"))
    studio.start(log=os.path.join(folder, "access.log"), **{
        "testClock": None, "validationInterval": 60, "outboxInterval": 60, **settings})
    answer = studio.good(studio.ask("GET", f"/users/{user(size)}/products?bundleId={DRAW}"))
    insist(answer["allowedProducts"] == [f"{DRAW}.brushes"], answer)
    return scene


def requests(size):
    return split([
        ("GET", f"{STORE}/users/{user(number * 7_919 % size + 1)}/products?bundleId={DRAW}",
         [BEARER], "") for number in range(REQUESTS)])


def main():
    binaries = sys.argv[1]
    seconds, rounds, *sizes = map(int, sys.argv[2:] or ("5", "5", "1000", "1000000"))
    folder = tempfile.mkdtemp()
    scenes = []
    try:
        for size in sizes:
            scenes.append(filled(binaries, os.path.join(folder, str(size)), size))
        place = scenes[0].place
        hello = bare("hello", folder)
        reader = bare("products", folder, place.path("studio.sqlite"))
        place.running += [hello, reader]
        servers = [("bare, reads nothing", hello, sizes[0]), ("bare, SQLite", reader, sizes[0])]
        servers += [(f"ours, {size:,} users", scene.server, size)
                    for size, scene in zip(sizes, scenes)]
        rates = {title: [] for title, _, _ in servers}
        for _ in range(rounds + 1):
            for title, server, size in servers:
                rates[title].append(measure(title, server.port, requests(size), seconds)[0])
        # The first round only warms up.
        rate = {title: statistics.median(figures[1:]) for title, figures in rates.items()}
        nothing, bound, first = [rate[title] for title, _, _ in servers[:3]]
        print(f"GET products, {rounds} rounds of {seconds} s in turn, medians")
        for title, a_second in rate.items():
            print(f"{title:24}{a_second:8,.0f} a second, {a_second / bound:.2f} of bare on SQLite,"
                  f" {a_second / nothing:.2f} of bare, {first / a_second:.2f} of the time at {sizes[0]:,}",
                  flush=True)
    finally:
        for scene in scenes:
            scene.end()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
