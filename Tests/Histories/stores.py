"""The databases on which histories are recorded, and what may happen to them. A fault has the store, and the thread
that makes faults."""
import contextlib
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time

from programs import address

HERE = os.path.dirname(os.path.abspath(__file__))


class Store:
    # Settings of the servers beside those that all have.
    settings = {}
    faults = {}

    def of(self, server):
        """The address for a server of this number."""
        return self.address


class SQLite(Store):
    """One file for all servers."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "histories.sqlite")
        self.address = f"sqlite:{self.path}"

    def rows(self, statement):
        with contextlib.closing(sqlite3.connect(self.path, timeout=30)) as database:
            return database.execute(statement).fetchall()

    def lock(self, faults):
        """A program of somebody else writes for a while."""
        with contextlib.closing(sqlite3.connect(self.path, timeout=30, isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")
            time.sleep(faults.chance.uniform(0.2, 2))
            database.execute("ROLLBACK")

    faults = {"the file is locked by another program": lock}


class Server(Store):
    """A server of databases that a script controls, which knows it by its folder."""

    def restart(self, faults):
        # `immediate` is a crash, from which it recovers by its log.
        self.order("stop", faults.chance.choice(["fast", "immediate"]))
        time.sleep(faults.chance.uniform(0, 1))
        self.order("start")

    def order(self, action, *mode):
        subprocess.run([os.environ[self.control], action, self.folder, *mode], check=True)

    def ask(self, *command):
        """The rows that a client of the command line prints."""
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return [tuple(line.split("\t")) for line in printed.split("\n")[:-1]]


class PostgreSQL(Server):
    """A server that `with-cluster` made."""

    control = "STOREKEEPER_POSTGRES_CONTROL"

    def __init__(self, folder):
        connection = os.environ["STOREKEEPER_POSTGRES"]
        self.folder, self.address = re.search(r"host=(\S+)", connection)[1], address(connection)

    def rows(self, statement):
        return self.ask(
            "psql", "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-c", statement, self.address)

    def cut(self, faults):
        """All connections, or some of them."""
        some = faults.chance.choice(["TRUE", "random() < 0.5"])
        statement = (
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            f" WHERE pid <> pg_backend_pid() AND datname = current_database() AND {some}")
        # A cluster may have no leader for a while.
        for _ in range(29):
            try:
                return self.rows(statement)
            except subprocess.CalledProcessError:
                time.sleep(2)
        return self.rows(statement)

    faults = {"connections are cut": cut, "PostgreSQL stops and starts": Server.restart}


class MariaDB(Server):
    """A server that `with-server` made."""

    control = "STOREKEEPER_MARIADB_CONTROL"

    def __init__(self, folder):
        self.address = os.environ["STOREKEEPER_MARIADB"]
        self.socket = re.search(r"socket=([^&]+)", self.address)[1]
        self.folder = os.path.dirname(self.socket)

    def rows(self, statement):
        return self.ask(
            "mariadb", "--no-defaults", "-S", self.socket, "-u", "storekeeper", "-N", "-B", "-e", statement, "storekeeper")

    def cut(self, faults):
        """All connections, or some of them."""
        some = faults.chance.choice(["TRUE", "RAND() < 0.5"])
        ids = self.rows(
            "SELECT id FROM information_schema.processlist"
            f" WHERE user = 'storekeeper' AND id <> CONNECTION_ID() AND {some}")
        for (id,) in ids:
            # It may have ended meanwhile.
            with contextlib.suppress(subprocess.CalledProcessError):
                self.rows(f"KILL CONNECTION {id}")

    faults = {"connections are cut": cut, "MariaDB stops and starts": Server.restart}


class Three(PostgreSQL):
    """Three nodes of PostgreSQL that fail over, and replicate strictly, which `with-cluster-of-three` made."""

    def __init__(self, folder):
        sys.path.insert(0, os.path.join(HERE, "..", "PostgreSQL"))
        from three import order
        self.command, self.address = order, os.environ["STOREKEEPER_POSTGRES_THREE"]

    def until_led(self):
        while self.command("leader") is None:
            time.sleep(0.1)
        self.command("whole")

    def kill(self, faults):
        """The leader dies, and comes back as a standby."""
        leader = self.command("leader")
        self.command("kill", leader)
        self.until_another(leader)
        self.command("start", leader)
        self.until_led()

    def freeze(self, faults):
        """The leader stands still until another one was elected, and wakes up."""
        leader = self.command("leader")
        self.command("freeze", leader)
        self.until_another(leader)
        self.command("thaw", leader)
        self.until_led()

    def until_another(self, leader):
        end = time.monotonic() + 60
        while self.command("leader") in (None, leader) and time.monotonic() < end:
            time.sleep(0.1)

    def switch(self, faults):
        self.command("switch")
        self.until_led()

    def part(self, faults):
        """The leader is cut off from its standbys, so that no commit can be answered."""
        leader = self.command("leader")
        self.command("cut", leader)
        time.sleep(faults.chance.uniform(2, 8))
        self.command("mend", leader)
        self.until_led()

    faults = {
        "connections are cut": PostgreSQL.cut, "the leader dies": kill, "the leader stands still": freeze,
        "the leader hands over": switch, "the leader loses its standbys": part}


class Galera(Store):
    """Three nodes of MariaDB, of which one at a time takes what is written, which `with-cluster-of-three` made."""

    control = os.path.join(HERE, "..", "MariaDB", "nodes")
    everyone = ("1", "2", "3")

    def __init__(self, folder):
        self.folder, self.address = os.environ["STOREKEEPER_MARIADB_NODES"], os.environ["STOREKEEPER_MARIADB_THREE"]

    def command(self, action, *rest):
        done = subprocess.run([self.control, action, self.folder, *rest], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{action}: {done.stderr}")
        return done.stdout.strip()

    def rows(self, statement):
        writer = self.until_written()
        printed = self.command("sql", writer, f"USE storekeeper; SET wsrep_sync_wait = 15; {statement}")
        return [tuple(line.split("\t")) for line in printed.split("\n") if line]

    def until_written(self):
        while True:
            with contextlib.suppress(RuntimeError):
                return self.command("writer")
            time.sleep(0.1)

    def kill(self, faults):
        """The writer dies, and comes back."""
        writer = self.until_written()
        self.command("kill", writer)
        time.sleep(faults.chance.uniform(6, 12))
        self.command("start", writer)
        self.command("whole")

    def freeze(self, faults):
        """The writer stands still, and wakes up before or after the others have given it up."""
        writer = self.until_written()
        self.command("freeze", writer)
        time.sleep(faults.chance.choice([2, 4, 6, 15]))
        self.command("thaw", writer)
        self.command("whole")

    def move(self, faults):
        """Somebody makes another node the writer, as a store does that cannot reach the present one."""
        writer = self.until_written()
        other = faults.chance.choice([node for node in self.everyone if node != writer])
        while True:
            # A commit of the stores may come first.
            with contextlib.suppress(RuntimeError):
                return self.command(
                    "sql", other,
                    "USE storekeeper; SET autocommit = 0; SET wsrep_sync_wait = 15;"
                    " UPDATE storekeeper_writer SET name = @@wsrep_node_name, term = term + 1,"
                    " node = (SELECT variable_value FROM information_schema.global_status"
                    " WHERE variable_name = 'WSREP_GCOMM_UUID');"
                    " UPDATE storekeeper_commit SET is_ended = TRUE WHERE is_ended = FALSE; COMMIT")

    def cut(self, faults):
        """All connections to the writer, or some of them."""
        some = faults.chance.choice(["TRUE", "RAND() < 0.5"])
        writer = self.until_written()
        ids = self.rows(
            "SELECT id FROM information_schema.processlist"
            f" WHERE user = 'storekeeper' AND id <> CONNECTION_ID() AND {some}")
        for (id,) in ids:
            # It may have ended meanwhile.
            with contextlib.suppress(RuntimeError):
                self.command("sql", writer, f"KILL CONNECTION {id}")

    faults = {
        "connections are cut": cut, "the writer dies": kill, "the writer stands still": freeze,
        "another node becomes the writer": move}


class Apart(SQLite):
    """Wrong on purpose: every server has a file of its own."""

    def of(self, server):
        return self.address.replace(".sqlite", f"-{server}.sqlite") if server else self.address


class Forgetful(SQLite):
    """Wrong on purpose: a crash loses what was committed in the last moment."""

    def forget(self, faults):
        with contextlib.closing(sqlite3.connect(self.path, timeout=30)) as source, \
                contextlib.closing(sqlite3.connect(self.path + ".old")) as target:
            source.backup(target)
        time.sleep(0.5)
        servers = faults.scene.servers
        everyone = range(len(servers.programs))
        servers.kill(everyone)
        for end in ("-wal", "-shm"):
            with contextlib.suppress(FileNotFoundError):
                os.remove(self.path + end)
        shutil.move(self.path + ".old", self.path)
        servers.restart(everyone)

    faults = {"a crash forgets": forget}


# The one place for what differs between engines and topologies: the settings of the servers, and the faults.
STORES = {"sqlite": SQLite, "postgres": PostgreSQL, "three": Three, "mariadb": MariaDB, "galera": Galera}
# Those in which the checker has to find something.
WRONG = {"apart": Apart, "forgetful": Forgetful}
