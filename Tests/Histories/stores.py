"""The databases on which histories are recorded, and what may happen to them."""
import contextlib
import os
import re
import sqlite3
import subprocess
import time

from programs import address


class SQLite:
    """One file for all servers."""

    settings = {}

    def __init__(self, folder):
        self.path = os.path.join(folder, "histories.sqlite")
        self.address = f"sqlite:{self.path}"

    def rows(self, statement):
        with contextlib.closing(sqlite3.connect(self.path, timeout=30)) as database:
            return database.execute(statement).fetchall()

    def lock(self, chance):
        """A program of somebody else writes for a while."""
        with contextlib.closing(sqlite3.connect(self.path, timeout=30, isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")
            time.sleep(chance.uniform(0.2, 2))
            database.execute("ROLLBACK")

    faults = {"the file is locked by another program": lock}


class PostgreSQL:
    """A server of PostgreSQL, which `with-cluster` made: STOREKEEPER_POSTGRES names it."""

    settings = {}

    def __init__(self, folder):
        self.connection = os.environ["STOREKEEPER_POSTGRES"]
        self.address = address(self.connection)

    def rows(self, statement):
        ended = subprocess.run(
            ["psql", "-X", "-q", "-A", "-t", "-F", "\x1f", "-v", "ON_ERROR_STOP=1", "-c", statement, self.address],
            check=True, capture_output=True, text=True)
        return [tuple(line.split("\x1f")) for line in ended.stdout.split("\n")[:-1]]

    def control(self, *action):
        folder = re.search(r"host=(\S+)", self.connection)[1]
        action, *mode = action
        subprocess.run([os.environ["STOREKEEPER_POSTGRES_CONTROL"], action, folder, *mode], check=True)

    def cut(self, chance):
        """All connections, or some of them."""
        some = chance.choice(["TRUE", "random() < 0.5"])
        self.rows(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            f" WHERE pid <> pg_backend_pid() AND datname = current_database() AND {some}")

    def restart(self, chance):
        # `immediate` is a crash, from which it recovers by its log.
        self.control("stop", chance.choice(["fast", "immediate"]))
        time.sleep(chance.uniform(0, 1))
        self.control("start")

    faults = {"connections are cut": cut, "PostgreSQL stops and starts": restart}


# The one place for what differs between engines and topologies: settings of the servers, and faults.
STORES = {"sqlite": SQLite, "postgres": PostgreSQL}
