"""The server with copies of receipts in Redis, over TLS and with the permissions that the guide names, while Redis is
not there yet, killed, full, stopped, restarted empty, and restored from an old copy:

    redis.py BINARIES sqlite|postgres

On PostgreSQL two servers share the database and Redis. Requests renew, verify and read receipts all the time. Every
answer has to be right, none may have an old receipt, and the slowest is bounded."""
import contextlib
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

import wire
from hostile import until
from story import BEARER, insist, staged

PASSWORD = "hidden:/?word"
# The deadline of Redis is a quarter of a second; the rest is for a busy machine.
SLOWEST = 5
CUSTOMERS = 8
RULE = [
    "on", ">" + PASSWORD, "resetkeys", "resetchannels", "-@all", "+ping", "+select", "+mget", "+eval",
    "+del", "+get", "+set", "+exists", "~iap:receipt:*", "~{iap:receipt:*}:as-of"]


class Redis:
    """A redis-server with TLS, whose port and certificate stay."""

    def __init__(self, folder):
        self.folder, self.process = folder, None
        self.port = free_port()
        self._certificates()

    def path(self, name):
        return os.path.join(self.folder, name)

    def _certificates(self):
        key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        run("openssl", "req", "-x509", *key, "-subj", "/CN=Authority", "-days", "2",
            "-keyout", self.path("ca.key"), "-out", self.path("ca.pem"))
        run("openssl", "req", *key, "-subj", "/CN=localhost", "-keyout", self.path("redis.key"),
            "-out", self.path("redis.csr"))
        with open(self.path("names"), "w") as file:
            file.write("subjectAltName=DNS:localhost\n")
        run("openssl", "x509", "-req", "-in", self.path("redis.csr"), "-CA", self.path("ca.pem"),
            "-CAkey", self.path("ca.key"), "-CAcreateserial", "-days", "2",
            "-extfile", self.path("names"), "-out", self.path("redis.pem"))

    def start(self):
        """Starts it with the copy on disk, if there is one."""
        insist(shutil.which("redis-server"), "redis-server is missing: apt-get install redis-server")
        self.process = subprocess.Popen(
            ["redis-server", "--port", "0", "--tls-port", str(self.port), "--bind", "127.0.0.1",
             "--tls-cert-file", self.path("redis.pem"), "--tls-key-file", self.path("redis.key"),
             "--tls-ca-cert-file", self.path("ca.pem"), "--tls-auth-clients", "no",
             "--unixsocket", self.path("redis.sock"), "--dir", self.folder, "--save", "",
             "--appendonly", "no"], stdout=subprocess.DEVNULL)
        until(lambda: self.tell("PING") == "PONG", "redis-server did not start", 60)
        self.tell("ACL", "SETUSER", "storekeeper", *RULE)

    def tell(self, *words):
        return subprocess.run(
            ["redis-cli", "-s", self.path("redis.sock"), *words], capture_output=True,
            text=True).stdout.rstrip("\n")

    def signal(self, number):
        self.process.send_signal(number)

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()

    @property
    def url(self):
        password = "".join(f"%{byte:02x}" for byte in PASSWORD.encode())
        return f"rediss://storekeeper:{password}@localhost:{self.port}"


class Clients:
    """Threads that verify and read receipts, each at one of the servers."""

    def __init__(self, scene, servers):
        self.scene, self.servers = scene, servers
        self.customers = [scene.buy()[:2] for _ in range(CUSTOMERS)]
        self.locks = [threading.Lock() for _ in self.customers]
        self.expected = {}
        self.is_over = False
        self.failures = []
        # The requests, and those of a step.
        self.count, self.slowest = 0, 0
        self.threads = [
            threading.Thread(target=self._run, args=(number,), daemon=True) for number in range(4)]

    def start(self):
        for thread in self.threads:
            thread.start()

    def end(self):
        self.is_over = True
        for thread in self.threads:
            thread.join(60)
        self.check()

    def check(self):
        if self.failures:
            raise self.failures[0]

    def _run(self, seed):
        chance = random.Random(seed)
        try:
            while not self.is_over:
                self.one(chance.randrange(CUSTOMERS), chance)
        except BaseException as failure:
            self.failures.append(failure)

    def one(self, number, chance):
        """One customer's request; nobody else asks about this customer meanwhile."""
        id, customer = self.customers[number]
        with self.locks[number]:
            if id not in self.expected or chance.random() < 0.3:
                if chance.random() < 0.2:
                    self.scene.order("renew", originalTransactionId=id, environment="Production")
                body = {"receiptData": self.scene.receipt(customer)}
                answer = self.ask(chance, "POST", "/api/v1/apple/verify-receipt", body)
                self.expected[id] = answer.json["latest_receipt"]
            answer = self.ask(chance, "GET", f"/api/v1/apple/receipt/{id}")
            insist(answer.json["receipt"] == self.expected[id], "an old receipt of", id)

    def ask(self, chance, method, path, body=b""):
        server = chance.choice(self.servers)
        start = time.monotonic()
        answer = wire.ask(server.port, method, path, [BEARER], body)
        took = time.monotonic() - start
        insist(answer.status == 200, method, path, answer.status, answer.body[:200])
        insist(took < SLOWEST, method, path, "took", took, "s")
        self.count, self.slowest = self.count + 1, max(self.slowest, took)
        return answer


class Story:
    def __init__(self, scene, redis, servers):
        self.scene, self.redis, self.servers = scene, redis, servers
        self.clients = Clients(scene, servers)
        self.start = time.monotonic()

    def step(self, title, seconds=2):
        """Lets the clients ask for a while."""
        self.clients.count = self.clients.slowest = 0
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.clients.check()
            time.sleep(0.1)
        insist(self.clients.count > 0, "no request was served:", title)
        print(f"{title}: {self.clients.count} requests, the slowest took {self.clients.slowest:.2f} s",
              flush=True)

    def tell(self):
        redis = self.redis
        self.clients.start()
        self.step("Redis not there yet")
        redis.start()
        self.used("after the start")
        self.step("Redis there")
        redis.kill()
        self.step("killed")
        redis.start()
        self.used("restarted empty")
        redis.tell("CONFIG", "SET", "maxmemory", "1")
        self.step("full")
        redis.tell("CONFIG", "SET", "maxmemory", "0")
        self.used("with room again")
        redis.signal(signal.SIGSTOP)
        self.step("stopped", 3)
        redis.signal(signal.SIGCONT)
        self.step("going on")
        self.used("after it was stopped")
        insist(redis.tell("SAVE") == "OK", "no copy")
        self.step("changes after a copy")
        redis.kill()
        redis.start()
        insist(int(redis.tell("DBSIZE")) > 0, "the copy was not read")
        self.step("restored from the copy")
        redis.kill()
        os.remove(redis.path("dump.rdb"))
        redis.start()
        self.step("restarted empty again")
        self.clients.end()
        self.filled()
        self.log()

    def used(self, title):
        """The servers come back by themselves."""
        until(lambda: self.redis.tell("CLIENT", "LIST").count("user=storekeeper") == len(self.servers),
              f"not used {title}", 60)
        until(lambda: self.redis.tell("DBSIZE") != "0", f"not filled {title}", 60)

    def filled(self):
        """Redis has what was verified last, as plain text."""
        self.used("at the end")
        for id, _ in self.clients.customers:
            for server in self.servers:
                answer = wire.ask(server.port, "GET", f"/api/v1/apple/receipt/{id}", [BEARER])
                insist(answer.json["receipt"] == self.clients.expected[id], "an old receipt")
                # These servers have no receipts on disk.
                answer = wire.ask(
                    server.port, "GET", f"/api/v1/apple/receipt/{id}?fs=true", [BEARER])
                insist(answer.status == 404, "fs=true", answer.status)
            kept = self.redis.tell("GET", f"iap:receipt:{id}-Production")
            insist(kept == self.clients.expected[id], "Redis has another receipt of", id)

    def log(self):
        """Each failure has at most one line a second, which names it and nothing secret."""
        seconds = time.monotonic() - self.start
        for server in self.servers:
            lines = [json.loads(line) for line in list(server.errors) if line.startswith("{")]
            lines = [line for line in lines if line["event"].startswith("receipt cache")]
            kinds = {(line["event"], line["error"]) for line in lines}
            for kind in kinds:
                count = sum((line["event"], line["error"]) == kind for line in lines)
                insist(count <= seconds + 1, count, "lines of", kind, "in", seconds, "s")
            told = {error for _, error in kinds}
            for failure in ["notConnected", "refused(OOM)"]:
                insist(f"RedisReceiptStore.Failure: {failure}" in told, failure, "not among", told)
            everything = "".join(server.errors + server.lines)
            insist("hidden" not in everything and "rediss:" not in everything, "a secret was logged")
        told = {
            json.loads(line).get("error") for server in self.servers for line in server.errors
            if line.startswith("{")}
        insist("RedisReceiptStore.Failure: timeUp" in told, "no call was late:", told)


def run(*words):
    subprocess.run(words, check=True, capture_output=True)


def free_port():
    """A port that is still free after it was given up, as the system gives none of its range to those who ask for any."""
    while True:
        with socket.socket() as listening, contextlib.suppress(OSError):
            listening.bind(("127.0.0.1", random.randrange(20_000, 32_000)))
            return listening.getsockname()[1]


def main():
    binaries, kind = sys.argv[1:3]
    with staged(binaries, kind) as scene:
        redis = Redis(scene.place.folder)
        try:
            settings = {"redis": redis.url, "redisCa": redis.path("ca.pem"), "redisTTL": 86400}
            servers = [
                scene.place.server(scene.store.port, scene.roots, name=name, settings=settings)
                for name in (["server"] if kind == "sqlite" else ["server", "other"])]
            scene.server = servers[0]
            Story(scene, redis, servers).tell()
            for server in servers:
                insist(server.stop() == 0, "a server did not end well:", server.errors[-5:])
        finally:
            redis.kill()


main()
