"""Measures the pages of the desk in a database of a million accounts, or of N:

    scale.py BINARIES [N]                                       on SQLite
    Tests/PostgreSQL/with-cluster scale.py BINARIES [N]         on PostgreSQL

The rows of one customer are copied for all others by the database itself. Prints for each page the median and the
longest time of 20 requests one after the other, and the time of a processor that the server took for one.
"""

import http.client
import os
import pathlib
import statistics
import sys
import tempfile
import time
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "Server")]

import wire
from programs import Place, TOKEN, digest
from story import address

AGENT = "agent-of-the-desk-0001"
TIMES = 20


class Host:
    def __init__(self, place):
        self.place = place
        self.store = place.simulator()
        self.roots = []
        for root in ("root.der", "receipt-root.der"):
            self.roots.append(place.path(root))
            pathlib.Path(self.roots[-1]).write_bytes(
                wire.ask(self.store.port, "GET", "/" + root).body)
        self.start()

    def start(self):
        self.server = self.place.server(self.store.port, self.roots, settings={
            "deskToken": {"nora": digest(self.place, AGENT)}, "deskAgent": ["nora"], "eventLog": True})

    def order(self, what, **body):
        return wire.ask(self.store.port, "POST", f"/control/{what}", [], body).json

    def ask(self, path, body):
        return wire.ask(
            self.server.port, "POST", f"/api/v1/apple/{path}", [f"Authorization: Bearer {TOKEN}"], body)

    def customer(self):
        """One customer with twelve charges, whose subscription another account wanted."""
        bought = self.order("buy", customer="c1", product="reader.monthly", environment="Production")
        self.id = bought["subscription"]["originalTransactionId"]
        for _ in range(11):
            self.order("renew", originalTransactionId=self.id)
        receipt = wire.ask(
            self.store.port, "GET", "/control/receipt?customer=c1&environment=Production").json["receipt"]
        self.ask("subs", {"receiptData": receipt})
        for user in ("user-0", "other-0"):
            self.ask("link", {"ftcId": user, "originalTxId": self.id})

    def multiply(self, count):
        """Gives so many accounts a copy of the rows."""
        new = f"(CAST({self.id} AS BIGINT) + 1000 * n.i)"
        changes = {
            "original_transaction_id": f"CAST({new} AS TEXT)",
            "last_transaction_id": f"CAST({new} AS TEXT)",
            "transaction_id": "row.transaction_id || CAST(n.i AS TEXT)",
            "ftc_user_id": "replace(row.ftc_user_id, '-0', '-' || n.i)",
            "vip_id": "replace(row.vip_id, '-0', '-' || n.i)",
            "apple_subscription_id": f"CAST({new} AS TEXT)",
            "account": "replace(row.account, '-0', '-' || n.i)",
            "event_id": "row.event_id || n.i",
            "place": f"row.place + {self.place.sql('SELECT COUNT(*) FROM host_event')[0][0]} * n.i",
        }
        numbers = (
            f"generate_series(1, {count}) AS n(i)" if self.place.database else
            "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
            f" WHERE i < {count}) SELECT i FROM n) AS n")
        for table in ("apple_subscription", "ftc_vip", "apple_transaction", "apple_pending_renewal",
                      "apple_cheat", "outbox", "host_event"):
            columns = self.columns(table)
            copied = [changes.get(name, f"row.{name}") for name in columns]
            if table == "ftc_vip":
                copied[columns.index("id")] = "substr(row.id, 1, 4) || n.i"
            self.place.sql(
                f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(copied)}"
                f" FROM {table} AS row, {numbers}")
        self.place.sql(
            "UPDATE event_reader SET place = (SELECT MAX(place) FROM host_event) WHERE name = '#log'")
        if self.place.database:
            self.place.sql("ANALYZE")

    def columns(self, table):
        if self.place.database:
            rows = self.place.sql(
                f"SELECT column_name FROM information_schema.columns WHERE table_name = '{table}'"
                " AND is_identity = 'NO'")
            names = [row[0] for row in rows]
        else:
            names = [row[1] for row in self.place.sql(f"PRAGMA table_info({table})")]
        return [name for name in names if name != "id" or table == "ftc_vip"]

    def cpu(self):
        fields = pathlib.Path(f"/proc/{self.server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def page(host, method, path, cookie, form=None):
    connection = http.client.HTTPConnection("127.0.0.1", host.server.port)
    headers = {"Cookie": cookie} if cookie else {}
    if form:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    start = time.monotonic()
    connection.request(method, path, urllib.parse.urlencode(form) if form else None, headers)
    answer = connection.getresponse()
    answer.read()
    return answer, time.monotonic() - start


def main(binaries, count=1_000_000):
    count = int(count)
    with tempfile.TemporaryDirectory() as folder:
        postgres = os.environ.get("STOREKEEPER_POSTGRES")
        place = Place(binaries, folder, address(postgres) if postgres else None)
        try:
            host = Host(place)
            host.customer()
            host.server.stop()
            start = time.monotonic()
            host.multiply(count)
            print(f"{count:,} accounts more, in {time.monotonic() - start:.0f} s")
            host.start()
            answer, _ = page(host, "POST", "/desk/sign-in", None, {"token": AGENT})
            cookie = answer.headers["Set-Cookie"].split(";")[0]
            user, id = f"user-{count // 2}", str(int(host.id) + 1000 * (count // 2))
            for method, path, form in [
                ("GET", "/desk", None), ("POST", "/desk/find", {"q": id}),
                ("GET", f"/desk/customers/{user}", None),
                ("GET", f"/desk/customers/{user}?at=2027-01-01", None),
                ("GET", f"/desk/customers/other-{count // 2}", None),
                ("GET", f"/desk/purchases/{id}", None), ("GET", "/desk/disputes", None),
                ("GET", "/desk/money", None), ("GET", "/desk/products", None),
                ("GET", f"/desk/act/unlink?account={user}&purchase={id}", None),
                ("GET", "/desk/parked", None), ("GET", "/desk/undecoded", None),
                ("GET", "/desk/workers", None), ("GET", "/desk/questions", None), ("GET", "/desk/acts", None),
            ]:
                page(host, method, path, cookie, form)
                before, times = host.cpu(), []
                for _ in range(TIMES):
                    answer, took = page(host, method, path, cookie, form)
                    if answer.status not in (200, 303):
                        raise Exception(f"{path}: {answer.status}")
                    times.append(took * 1000)
                cpu = (host.cpu() - before) / TIMES * 1000
                print(f"{method} {path}: median {statistics.median(times):.1f} ms,"
                      f" longest {max(times):.1f} ms, processor {cpu:.1f} ms")
        finally:
            place.end()


if __name__ == "__main__":
    main(*sys.argv[1:])
