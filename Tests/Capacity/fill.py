"""Fills a database with purchases, and prints the bytes that they take:

    fill.py BINARIES ENGINE DATABASE COUNT…

Of ten purchases, one begins a subscription and nine renew it. Each has come with a notification; each subscription has
a membership, and each renewal left a snapshot of it. The renewals of a month come in an order that has nothing to do
with that of the first purchases, as in life; so indexes are as full as they become.

Not made: receipts (six to ten kB each where a host keeps them in the database), orders, entitlements, credits."""
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Server"))

from programs import Place, address

RENEWALS = 9
BATCH = 500_000
STEP = 1_000_003
TABLES = [
    "apple_transaction", "apple_webhook", "apple_subscription", "apple_pending_renewal",
    "apple_renewal_set", "ftc_vip", "member_snapshot",
]


class SQLite:
    text = "TEXT"

    def __init__(self, path):
        self.address = f"sqlite:{path}"
        self.path = path

    def open(self):
        self.database = sqlite3.connect(self.path, isolation_level=None)
        self.run("PRAGMA synchronous = OFF")
        self.run("PRAGMA cache_size = -4000000")

    def run(self, sql):
        return self.database.execute(sql).fetchall()

    @staticmethod
    def numbers(first, last):
        return (
            f"(WITH RECURSIVE numbers(n) AS (VALUES({first}) UNION ALL"
            f" SELECT n + 1 FROM numbers WHERE n < {last}) SELECT n FROM numbers) AS numbers")

    def settle(self):
        self.run("PRAGMA wal_checkpoint(TRUNCATE)")

    def sizes(self):
        """The bytes of each table and of its indexes."""
        found = {table: [0, 0] for table in TABLES}
        owners = {
            name: (table, kind) for name, table, kind in
            self.run("SELECT name, tbl_name, type FROM sqlite_master")}
        for name, bytes in self.run("SELECT name, sum(pgsize) FROM dbstat GROUP BY name"):
            table, kind = owners.get(name, (name, "table"))
            if table in found:
                found[table][kind == "index"] += bytes
        return found

    def whole(self):
        return os.path.getsize(self.path)


class Postgres:
    text = "TEXT"

    def __init__(self, url):
        self.url = url or os.environ["STOREKEEPER_POSTGRES"]
        self.address = self.url if "://" in self.url else address(self.url)

    def open(self):
        pass

    def run(self, sql):
        answer = subprocess.run(
            ["psql", "-X", "-q", "-At", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-d", self.url, "-c", sql],
            capture_output=True, text=True)
        if answer.returncode != 0:
            raise Exception(answer.stderr)
        return [line.split("\t") for line in answer.stdout.splitlines()]

    @staticmethod
    def numbers(first, last):
        return f"generate_series({first}::bigint, {last}) AS numbers(n)"

    def settle(self):
        for table in TABLES:
            self.run(f"VACUUM ANALYZE {table}")

    def sizes(self):
        return {
            table: [int(bytes) for bytes in self.run(
                f"SELECT pg_table_size('{table}'), pg_indexes_size('{table}')")[0]]
            for table in TABLES}

    def whole(self):
        return int(self.run("SELECT pg_database_size(current_database())")[0][0])


class MariaDB:
    text = "CHAR"

    def __init__(self, url):
        self.address = url or os.environ["STOREKEEPER_MARIADB"]
        parts = urllib.parse.urlsplit(self.address)
        socket = dict(urllib.parse.parse_qsl(parts.query)).get("socket")
        self.database = parts.path[1:]
        place = ["-S", socket] if socket else ["-h", parts.hostname, "-P", str(parts.port or 3306)]
        self.command = ["mariadb", "--no-defaults", *place, "-u", parts.username, "-N", "-B", self.database, "-e"]

    def open(self):
        pass

    def run(self, sql):
        answer = subprocess.run([*self.command, sql], capture_output=True, text=True)
        if answer.returncode != 0:
            raise Exception(answer.stderr)
        return [line.split("\t") for line in answer.stdout.splitlines()]

    @staticmethod
    def numbers(first, last):
        return f"(SELECT seq AS n FROM seq_{first}_to_{last}) AS numbers"

    def settle(self):
        for table in TABLES:
            self.run(f"ANALYZE TABLE {table}")

    def sizes(self):
        found = {table: [0, 0] for table in TABLES}
        for table, index, bytes in self.run(
                "SELECT table_name, index_name, stat_value * @@innodb_page_size FROM mysql.innodb_index_stats"
                f" WHERE stat_name = 'size' AND database_name = '{self.database}'"):
            if table in found:
                # The rows of a table stand in its primary key.
                found[table][index not in ("PRIMARY", "GEN_CLUST_INDEX")] += int(bytes)
        return found

    def whole(self):
        return int(self.run(
            "SELECT sum(file_size) FROM information_schema.innodb_sys_tablespaces"
            f" WHERE name LIKE '{self.database}/%'")[0][0])


ENGINES = {"sqlite": SQLite, "postgres": Postgres, "mariadb": MariaDB}


def migrate(binaries, engine):
    """Starts a server once, which makes the tables."""
    with tempfile.TemporaryDirectory() as folder:
        place = Place(binaries, folder, engine.address)
        apple = {"appStoreUrl": None, "allowTestRoot": None}
        try:
            if place.server(None, None, settings=apple).stop() != 0:
                raise Exception("the server did not end well")
        finally:
            place.end()


def block(engine, start, customers):
    """Adds customers whose purchases have the numbers from `start`, and their renewals."""
    moment = f"(1700000000 + ({{}}) / {max(customers // 2_000_000, 1)})"

    def id(number):
        return f"CAST(2000000000000000 + 7 * ({number}) AS {engine.text})"

    for round in range(1 + RENEWALS):
        base = start + round * customers
        # The customer of each purchase, as the number of the first purchase.
        first = f"{start} + ((n - {base}) * {STEP} + {round}) % {customers}" if round else "n"
        for begin in range(base, base + customers, BATCH):
            numbers = engine.numbers(begin, min(begin + BATCH, base + customers) - 1)
            seconds = moment.format("n")
            notification = uuid(engine, "n", 1)
            engine.run(f"""
                INSERT INTO apple_transaction (environment, original_transaction_id,
                  transaction_id, product_id, quantity, web_order_line_item_id, purchase_date_ms,
                  original_purchase_date_ms, expires_date_ms, is_trial_period,
                  is_in_intro_offer_period, is_upgraded, subscription_group_id, product_type,
                  in_app_ownership_type, unreadable_fields, created_utc, as_of_ms)
                SELECT 'Production', {id(first)}, {id("n")}, 'com.example.reader.monthly', 1,
                  {id("n + 3")}, {seconds} * 1000, {moment.format(first)} * 1000,
                  ({seconds} + 2592000) * 1000, 0, 0, 0, '20500000',
                  'Auto-Renewable Subscription', 'PURCHASED', 0, {seconds}, {seconds} * 1000
                FROM {numbers}""")
            engine.run(f"""
                INSERT INTO apple_webhook (notification_key, environment,
                  original_transaction_id, notification_type, subtype, notification_uuid,
                  auto_renew_product_id, auto_renew_status, created_utc)
                SELECT {notification}, 'Production', {id(first)}, 'DID_RENEW', NULL, {notification},
                  'com.example.reader.monthly', 1, {seconds}
                FROM {numbers}""")
            if round == 0:
                subscriptions(engine, numbers, id, seconds, start + RENEWALS * customers)
            else:
                snapshots(engine, numbers, first, id(first), seconds)


def uuid(engine, number, kind):
    """A text as long as a UUID for a number, in an order of its own for each kind."""
    if isinstance(engine, SQLite):
        return f"printf('%08x-%027d', (({number}) * 2654435761 + {kind}) % 4294967296, {number})"
    return f"concat(md5(concat({number}, '-{kind}')), '-abc')"


def subscriptions(engine, numbers, id, seconds, last):
    """What there is once for each subscription, as it is after the last renewal."""
    user = uuid(engine, "n", 2)
    engine.run(f"""
        INSERT INTO apple_subscription (environment, original_transaction_id, last_transaction_id,
          product_id, purchase_date_utc, expires_date_utc, tier, cycle, auto_renewal, created_utc,
          updated_utc, ftc_user_id, as_of_ms, in_billing_retry, refresh_failures,
          transactions_as_of_ms, renewal_told)
        SELECT 'Production', {id("n")}, {id(f"n + {last}")}, 'com.example.reader.monthly', {seconds},
          {seconds} + 2592000, 'standard', 'month', 1, {seconds}, {seconds}, {user},
          {seconds} * 1000, 0, 0, {seconds} * 1000, 1
        FROM {numbers}""")
    engine.run(f"""
        INSERT INTO apple_pending_renewal (environment, original_transaction_id, product_id,
          auto_renew_product_id, auto_renew_status, is_in_billing_retry_period, created_utc,
          updated_utc, as_of_ms)
        SELECT 'Production', {id("n")}, 'com.example.reader.monthly', 'com.example.reader.monthly',
          1, 0, {seconds}, {seconds}, {seconds} * 1000
        FROM {numbers}""")
    engine.run(f"""
        INSERT INTO apple_renewal_set (original_transaction_id, environment, renewals_as_of_ms)
        SELECT {id("n")}, 'Production', {seconds} * 1000 FROM {numbers}""")
    engine.run(f"""
        INSERT INTO ftc_vip (vip_id, ftc_user_id, member_tier, billing_cycle, expire_date,
          payment_method, auto_renewal, apple_subscription_id, vip_type, expire_time)
        SELECT {user}, {user}, 'standard', 'month', '2026-12-31', 'apple', 1, {id("n")}, 10, {seconds}
        FROM {numbers}""")


def snapshots(engine, numbers, first, subscription, seconds):
    user = uuid(engine, first, 2)
    engine.run(f"""
        INSERT INTO member_snapshot (id, created_by, created_utc, compound_id, ftc_user_id, tier,
          cycle, expire_date, payment_method, auto_renewal, apple_subscription_id)
        SELECT {uuid(engine, "n", 3)}, 'apple_webhook', {seconds}, {user}, {user}, 'standard',
          'month', '2026-12-31', 'apple', 1, {subscription}
        FROM {numbers}""")


def report(engine, count, seconds):
    sizes = engine.sizes()
    print(f"\n{count:,} purchases ({seconds:.0f} s)   rows    table, bytes a row   indexes, bytes a row")
    for table, (rows, indexes) in sizes.items():
        number = count // (1 + RENEWALS)
        if table in ("apple_transaction", "apple_webhook"):
            number = count
        elif table == "member_snapshot":
            number = count * RENEWALS // (1 + RENEWALS)
        print(f"  {table:28} {number:12,} {rows / number:12.0f} {indexes / number:22.0f}")
    total = sum(map(sum, sizes.values()))
    print(f"  a purchase takes {total / count:.0f} bytes; the database has {engine.whole() / 1e9:.2f} GB")
    sys.stdout.flush()


def main():
    binaries, name, database, *counts = sys.argv[1:]
    engine = ENGINES[name](database)
    migrate(binaries, engine)
    engine.open()
    filled = 0
    for count in map(int, counts):
        start = time.monotonic()
        customers = (count - filled) // (1 + RENEWALS)
        block(engine, filled, customers)
        engine.settle()
        filled = count
        report(engine, count, time.monotonic() - start)


if __name__ == "__main__":
    main()
