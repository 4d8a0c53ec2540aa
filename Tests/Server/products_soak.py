"""GET products beside writes, for minutes: products_soak.py BINARIES [SECONDS [USERS]]

A server on SQLite with so many users (by default a million) answers wrk with 64 connections, beside 500 grants and
first links a second, for so long (by default ten minutes). Prints the reads a second, the latency of the hundredth
slowest, the writes a second and the resident memory of each minute. Everything is on one machine.
"""
import concurrent.futures
import contextlib
import json
import os
import shutil
import sqlite3
import sys
import tempfile
import threading
import time

from products_load import filled, requests, user
from story import BEARER, insist
from studio import DRAW
from throughput import measure, split
from wallet import VERIFY, session

READERS, WRITERS = 64, 32
# Milliseconds between an answer and the next write of a connection; with about 14 for the answer, 500 a second.
DELAY = 1000 * WRITERS // 500 - 14
MAPPING = f"product_mappings:\n  coins_pack: {{app_store_product_id: {DRAW}.coins, credits: 500}}\n"


def grants(scene, count):
    """Requests of users for the credits of one purchase each."""
    studio = scene.studio

    def grant(number):
        id, signed = studio.transaction("coins", type="Consumable", start=0)
        body = {"productCode": "coins_pack", "appStoreProductId": f"{DRAW}.coins", "transactionId": id,
                "signedTransactionInfo": signed, "appAccountToken": None}
        token = session(user(number + 1), exp=int(time.time()) + 86_400)
        return "POST", VERIFY, [f"Authorization: Bearer {token}"], json.dumps(body)

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        return list(pool.map(grant, range(count)))


def links(count):
    """Requests to link subscriptions, each with an account of its own."""
    return [("POST", "/api/v1/apple/link", [BEARER],
             json.dumps({"ftcId": f"reader-{number}", "originalTxId": str(500_000_000_000_000 + number)}))
            for number in range(count)]


def store_subscriptions(path, count):
    """Stores subscriptions that nobody owns."""
    now = int(time.time())
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.execute("PRAGMA synchronous = OFF")
        database.executemany(
            "INSERT INTO apple_subscription (environment, original_transaction_id, last_transaction_id,"
            " product_id, purchase_date_utc, expires_date_utc, tier, cycle, auto_renewal, created_utc,"
            " updated_utc, as_of_ms, in_billing_retry)"
            " VALUES ('production', ?1, ?1, ?2, ?3, ?4, 'standard', 'month', 1, ?3, ?3, ?5, 0)",
            ((str(500_000_000_000_000 + number), f"{DRAW}.full.monthly", now, now + 30 * 86_400, now * 1000)
             for number in range(count)))


def main():
    binaries = sys.argv[1]
    seconds, users = map(int, (sys.argv[2:] + ["600", "1000000"][len(sys.argv[2:]):]))
    folder = tempfile.mkdtemp()
    scene = None
    try:
        mapping = os.path.join(folder, "packs.yaml")
        with open(mapping, "w") as file:
            file.write(MAPPING)
        settings = {"product": {f"{DRAW}.full.monthly": "standard/month"}, "acceptAnyAccount": True,
                    "creditProducts": mapping}
        count = seconds * 1000 // DELAY * WRITERS // 2 + 1000
        scene = filled(binaries, os.path.join(folder, "server"), users, settings,
                       lambda path: store_subscriptions(path, count))
        pairs = zip(grants(scene, count), links(count))
        writes = split([write for pair in pairs for write in pair], threads=WRITERS)
        written = []
        writer = threading.Thread(target=lambda: written.append(measure(
            "writes", scene.server.port, writes, seconds + 2, connections=WRITERS, delay=DELAY)))
        writer.start()
        reads, resident = requests(users), []
        for minute in range(max(1, seconds // 60)):
            a_second, middle, slow = measure(
                "reads", scene.server.port, reads, min(60, seconds), connections=READERS)
            resident.append(scene.server.resident)
            print(f"minute {minute + 1}: {a_second:,.0f} reads a second, p50 {middle:.2f} ms, p99 {slow:.2f} ms,"
                  f" {resident[-1] / 1024:.0f} MiB resident", flush=True)
        writer.join()
        print(f"{written[0][0]:.0f} grants and links a second, p50 {written[0][1]:.2f} ms,"
              f" p99 {written[0][2]:.2f} ms; resident memory {resident[-1] / resident[0] - 1:+.1%} after the"
              " first minute")
        insist(scene.server.stop() == 0, "the server did not end well")
    finally:
        if scene:
            scene.end()
        shutil.rmtree(folder)


main()
