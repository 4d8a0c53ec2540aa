"""A blocked reader of the log, database or App Store affects only the requests that need it; and more
clients than the limit are served in turn."""
import glob
import json
import os
import signal
import socket
import subprocess
import threading

import wire
from hostile import until
from programs import TOKEN, Program, digest
from story import BEARER, insist


def check(scene):
    crowd(scene)
    few_files(scene)
    log(scene)
    app_store(scene)


def crowd(scene):
    """Far more simultaneous clients than connections: all are answered in turn."""
    count = 400
    serve(scene.start("--connection-limit", "2"), count, "/health")
    scene.checked += count


def serve(server, count, path):
    """Many simultaneous clients, and then the end."""
    clients = [wire.Connection(server.port) for _ in range(count)]
    for client in clients:
        client.send(wire.request("GET", path, ["Connection: close"]))
    for client in clients:
        insist(client.answer().status == 200, "a client of a crowd")
        client.close()
    insist(server.stop() == 0, "the server did not end well")


def few_files(scene):
    """With a low limit of open files there are fewer connections, and files for everything else."""
    server = Program(
        "bash", ["-c", 'ulimit -n 270; exec "$@"', "bash", *alone(scene.place, "files"),
                 "--threads", "3"])
    scene.place.running.append(server)
    serve(server, 300, "/ready")
    told = [json.loads(line) for line in server.errors]
    # 256 are reserved for everything else, and two for each thread.
    insist([line["number"] for line in told if line["event"].startswith("fewer")] == [8], told)


def alone(place, name):
    """The command line of a server without an App Store."""
    return [
        os.path.join(place.binaries, "storekeeper-server"), "--listen", "127.0.0.1:0",
        "--database", f"sqlite:{place.path(name)}.sqlite", "--app", "com.example.reader=1",
        "--product", "reader.monthly=standard/month", "--accept-any-account",
        "--token", "test=" + digest(place, TOKEN)]


def log(scene):
    """Nobody reads the log: requests are answered, lines are dropped and counted, the server stops."""
    count = 30_000
    process = subprocess.Popen(
        alone(scene.place, "log"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        port = int(process.stdout.readline().rsplit(b":", 1)[1])
        ask(port, count)
        reader = threading.Thread(target=read, args=(process.stdout, lines := []))
        reader.start()
        until(lambda: any(line.get("event") == "lines dropped" for line in lines), "nothing told")
        dropped = sum(line["number"] for line in lines if "number" in line)
        told = sum("route" in line for line in lines)
        insist(dropped > 0 and told + dropped == count, told, "lines and", dropped, "dropped")
        process.send_signal(signal.SIGTERM)
        insist(process.wait(60) == 0, "the server did not end well")
        reader.join(60)
    finally:
        process.kill()


def ask(port, count):
    with wire.Connection(port) as connection:
        for _ in range(count // 100):
            connection.send(wire.request("GET", "/health") * 100)
            for _ in range(100):
                insist(connection.answer().status == 200, "a log that is not read")


def read(stream, lines):
    for line in stream:
        lines.append(json.loads(line))


def app_store(scene):
    """A request that waits for Apple when the stop timeout is over gets 503."""
    silent = socket.create_server(("127.0.0.1", 0))
    server = scene.start(
        "--stop-timeout", "1", appStoreUrl=f"http://127.0.0.1:{silent.getsockname()[1]}")
    with wire.Connection(server.port) as connection:
        connection.send(wire.request(
            "POST", "/api/v1/apple/verify-receipt", [BEARER], {"receiptData": "bm9uZQ=="}))
        asked = silent.accept()[0]
        server.process.send_signal(signal.SIGTERM)
        insist(connection.answer().status == 503, "who waits for Apple")
        insist(server.wait() == 0, "the server did not end well")
        asked.close()
    silent.close()


def database(scene):
    """With a silent database /ready fails, and the server ends with its own exit status."""
    server = scene.start("--stop-timeout", "1")
    insist(wire.ask(server.port, "GET", "/ready").status == 200, "not ready")
    processes = processes_of(scene.place)
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        clients = [wire.Connection(server.port, timeout=30) for _ in range(20)]
        for client in clients:
            client.send(wire.request("GET", "/ready"))
        for client in clients:
            insist(client.answer().status == 503, "ready without answers of the database")
            client.close()
        insist(wire.ask(server.port, "GET", "/health").status == 200, "not well")
        status = server.stop()
        insist(status in (0, 70), "the server ended with", status)
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)


def processes_of(place):
    """The processes of the test's server of databases."""
    if place.is_mariadb:
        found = subprocess.run(
            ["pgrep", "-f", f"mariadbd.*{os.path.dirname(place.socket)}"], check=True, capture_output=True, text=True)
        return [int(number) for number in found.stdout.split()]
    folder = os.environ["STOREKEEPER_POSTGRES_CLUSTERS"]
    processes = []
    for path in glob.glob(f"{folder}/cluster.*/**/postmaster.pid", recursive=True):
        with open(path) as file:
            main = int(file.readline())
        processes += [main, *children(main)]
    insist(processes, "no PostgreSQL is found")
    return processes


def children(parent):
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path) as file:
                # The name, in parentheses, may contain anything; the parent is the second field after it.
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue  # It has ended.
        if int(fields[1]) == parent:
            yield int(path.split("/")[2])
