"""The server and the App Store simulator as processes."""
import contextlib
import json
import os
import re
import secrets
import signal
import sqlite3
import subprocess
import threading
import time
import urllib.parse

TOKEN = secrets.token_hex(16)
OLD_TOKEN = secrets.token_hex(16)
SECRET = "0123456789abcdef0123456789abcdef"
PRODUCTS = {
    "reader.monthly": "standard/month",
    "reader.yearly": "standard/year",
    "reader.premium": "premium/year",
}


class Program:
    """A process that prints its address; its output is recorded."""

    def __init__(self, binary, arguments, environment=None, log=None):
        """With a `log` the output goes into that file instead of being recorded."""
        self.lines, self.errors = [], []
        self.process = subprocess.Popen(
            [binary, *arguments], stdout=open(log, "w") if log else subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})})
        self.port = None
        self._ready = threading.Event()
        self._readers = [
            threading.Thread(target=self._read, args=(self.process.stderr, self.errors.append))
        ]
        if log:
            self._readers.append(threading.Thread(target=self._find_port, args=(log,)))
        else:
            self._readers.append(
                threading.Thread(target=self._read, args=(self.process.stdout, self._take)))
        for reader in self._readers:
            reader.daemon = True
            reader.start()
        self._ready.wait(60)
        if self.port is None:
            self.process.kill()
            raise Exception(f"{os.path.basename(binary)} did not start: {self.errors[-5:]}")

    def _read(self, stream, take):
        for line in stream:
            take(line.rstrip("\n"))
        self._ready.set()

    def _find_port(self, log):
        while self.port is None and self.process.poll() is None:
            time.sleep(0.05)
            with open(log) as file:
                for line in file:
                    self._take(line)
                    break

    def _take(self, line):
        if line.startswith("listening on "):
            self.port = int(line.rsplit(":", 1)[1])
            self._ready.set()
        else:
            self.lines.append(line)

    def stop(self, number=signal.SIGTERM, timeout=60):
        """Sends a signal, and returns the exit status once all output is read."""
        self.process.send_signal(number)
        return self.wait(timeout)

    def wait(self, timeout=60):
        status = self.process.wait(timeout)
        for reader in self._readers:
            reader.join(timeout)
        return status

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    @property
    def log(self):
        """The access log."""
        return [json.loads(line) for line in list(self.lines)]

    # The system's figures of the process.

    @property
    def resident(self):
        """Resident memory in KiB."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

    @property
    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


def address(connection):
    """Returns a connection string of keywords and values as a URL."""
    pairs = [pair.split("=", 1) for pair in connection.split()]
    return "postgres:///?" + urllib.parse.urlencode(dict(pairs))


class Place:
    """The folder of the binaries, and a folder for their data."""

    def __init__(self, binaries, folder, database=None):
        self.binaries, self.folder, self.database = binaries, folder, database
        self.running = []

    def path(self, name):
        return os.path.join(self.folder, name)

    @property
    def is_mariadb(self):
        return (self.database or "").startswith("mysql:")

    @property
    def socket(self):
        """The socket of MariaDB."""
        return re.search(r"socket=([^&]+)", self.database)[1]

    def order_database(self, action):
        """Stops or starts the server of the database."""
        if self.is_mariadb:
            control, folder = os.environ["STOREKEEPER_MARIADB_CONTROL"], os.path.dirname(self.socket)
        else:
            control = os.environ["STOREKEEPER_POSTGRES_CONTROL"]
            folder = os.environ["STOREKEEPER_POSTGRES"].split()[0].removeprefix("host=")
        subprocess.run([control, action, folder], check=True)

    def sql(self, statement, name="server"):
        """Executes a statement in the database of a server; returns the rows, of texts."""
        if self.is_mariadb:
            ended = subprocess.run(
                ["mariadb", "--no-defaults", "-S", self.socket, "-u", "storekeeper", "-N", "-B", "storekeeper", "-e",
                 f"SET SESSION sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT'; {statement}"],
                check=True, capture_output=True, text=True)
            return [["" if value == "NULL" else value for value in line.split("\t")]
                    for line in ended.stdout.split("\n")[:-1]]
        if self.database:
            ended = subprocess.run(
                ["psql", "-X", "-q", "-A", "-t", "-F", "\x1f", "-v", "ON_ERROR_STOP=1", "-c", statement,
                 self.database], check=True, capture_output=True, text=True)
            return [line.split("\x1f") for line in ended.stdout.split("\n")[:-1]]
        with contextlib.closing(sqlite3.connect(f"{self.path(name)}.sqlite", timeout=30)) as database:
            with database:
                return [
                    ["" if value is None else str(value) for value in row]
                    for row in database.execute(statement)]

    def simulator(self, *arguments):
        program = Program(os.path.join(self.binaries, "app-store-simulator"), arguments)
        self.running.append(program)
        return program

    def server(
        self, store, roots, *arguments, name="server", settings=None, log=None, environment=None
    ):
        config = {
            "listen": "127.0.0.1:0",
            "database": self.database or f"sqlite:{self.path(name)}.sqlite",
            "app": {"com.example.reader": 1234567890},
            "product": PRODUCTS,
            "token": {
                "test": digest(self, TOKEN),
                "old": digest(self, OLD_TOKEN) + "@2020-01-01T00:00:00Z",
            },
            "sharedSecret": SECRET,
            "appStoreUrl": f"http://127.0.0.1:{store}",
            "testRoot": roots,
            "allowTestRoot": True,
        }
        config.update(settings or {})
        if "account" not in config and "acceptAnyAccount" not in config:
            config["acceptAnyAccount"] = True
        path = self.path(f"{name}.json")
        with open(path, "w") as file:
            json.dump({key: value for key, value in config.items() if value is not None}, file)
        binary = os.path.join(self.binaries, "storekeeper-server")
        program = Program(binary, ["--config", path, *arguments], environment, log)
        self.running.append(program)
        return program

    def command(self, *arguments, name="server"):
        """The objects that a task of the program prints, with the settings of a server."""
        ended = subprocess.run(
            [os.path.join(self.binaries, "storekeeper-server"), *arguments,
             "--config", self.path(f"{name}.json")], capture_output=True, text=True, timeout=60)
        if ended.returncode != 0:
            raise Exception(f"{arguments}: {ended.stderr}")
        return [json.loads(line) for line in ended.stdout.splitlines()]

    def end(self):
        for program in self.running:
            program.kill()


def digest(place, token):
    return subprocess.run(
        [os.path.join(place.binaries, "storekeeper-server"), "digest"], input=token + "\n",
        capture_output=True, text=True, check=True).stdout.strip()
