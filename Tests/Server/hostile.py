"""Clients that are slow, malicious or disconnected: each costs its own connection, and nothing else.

Malformed and oversized messages are tested in MicroHTTPServerTests, and bodies in StorekeeperHTTPTests."""
import json
import random
import signal
import socket
import time

import wire
from story import BEARER, insist

HEALTH = wire.request("GET", "/health")


def check(scene):
    withstands(scene, [slow, half_sent], "--idle-timeout", "6", "--request-timeout", "3")
    # With generous timeouts, so that a busy machine does not count as a slow client.
    withstands(scene, [absolute, garbage, gone, thousand_idle],
               "--idle-timeout", "600", "--request-timeout", "60")
    strangers(scene)
    crowded(scene)


def withstands(scene, attacks, *settings):
    """A server with such settings answers as before after each attack, and no connection is left."""
    scene.start(*settings)
    port = scene.server.port
    wire.ask(port, "GET", "/ready")
    before = scene.server.descriptors
    for attack in attacks:
        attack(port)
        answer = wire.ask(port, "GET", "/ready")
        insist(answer.status == 200, attack.__name__, "left the server in", answer.status)
    until(lambda: scene.server.descriptors <= before + 2, "descriptors are left open")
    failed = [line for line in scene.server.log if line["status"] >= 500]
    insist(not failed, "failures:", failed[:3])
    insist(scene.server.stop() == 0, "the server did not end well")


def until(holds, told, seconds=30):
    insist(settles(holds, seconds), told)


def hang_up(server, event):
    """Makes a server read its files again; returns the event that it logs then."""
    seen = len(server.errors)

    def found():
        return [json.loads(line) for line in server.errors[seen:] if f'"{event}"' in line]

    server.process.send_signal(signal.SIGHUP)
    until(found, f"the log does not tell: {event}")
    return found()[0]


def settles(holds, seconds=30):
    """Whether something holds within so many seconds."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() >= end:
            return False
        time.sleep(0.05)
    return True


def slow(port):
    """A client that sends a byte now and then, in each part of a request, is ended nevertheless."""
    beginnings = [
        b"", b"GET /hea", b"GET /health HTTP/1.1\r\nHost: x\r\nX: ",
        b"POST /api/v1/apple/link HTTP/1.1\r\nHost: x\r\nContent-Length: 99999\r\n\r\n{",
    ]
    clients = [wire.Connection(port) for _ in beginnings]
    for client, beginning in zip(clients, beginnings):
        client.send(beginning)
    open_ = list(clients)

    def all_ended():
        for client in list(open_):
            try:
                client.send(b"a")
                client.socket.settimeout(0.05)
                if client.ends():
                    open_.remove(client)
            except TimeoutError:
                pass
            except OSError:
                open_.remove(client)
        insist(wire.ask(port, "GET", "/health").status == 200, "slow clients hold up others")
        return not open_

    until(all_ended, "slow clients are not ended")


def half_sent(port):
    for data in [
        b"", b"GET", b"GET / HTTP/1.1\r\nHost: x\r\n", b"POST /api/v1/apple/link HTTP/1.1\r\n"
        b"Host: x\r\nContent-Length: 100\r\n\r\n{\"ftcId\":",
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nabc",
    ]:
        for _ in range(10):
            with wire.Connection(port) as connection:
                connection.send(data)
        with wire.Connection(port) as connection:
            connection.send(data)
            connection.socket.shutdown(socket.SHUT_WR)
            insist(connection.ends(), data, "was answered")


def absolute(port):
    """The absolute form of a target is equivalent to its path (RFC 9112, section 3.2.2)."""
    for target in ["http://x/health", "https://x:1/ready?a", "HTTP://x/health"]:
        insist(wire.ask(port, "GET", target).status == 200, target)


def strangers(scene):
    """Clients without a token use all the memory that they can; those with one are answered."""
    scene.start(
        "--idle-timeout", "600", "--request-timeout", "600", "--body-limit", "1000000",
        "--body-memory-limit", "4000000", "--address-body-memory-limit", "1500000")
    port = scene.server.port
    body = json.dumps({"ftcId": "a", "originalTxId": "1", "x": " " * 900_000})

    def held(path, count):
        head = wire.request("POST", path).replace(b"Content-Length: 0", b"Content-Length: 1000000")
        clients = [wire.Connection(port) for _ in range(count)]
        for client in clients:
            client.send(head + b" " * 100_000)
        return clients

    for path in ["/api/v1/apple/link", "/api/v1/webhook/apple", "/nowhere"]:
        clients = held(path, 200)
        for _ in range(3):
            answer = wire.ask(port, "POST", "/api/v1/apple/link", [BEARER], body)
            insist(answer.status == 404, "strangers at", path, "leave", answer.status)
        if "webhook" in path:
            answer = wire.ask(port, "POST", path, [], " " * 600_000)
            insist(answer.status == 503, "one address holds more than it may:", answer.status)
            until(lambda: any(
                (line["status"], line["route"], line.get("outcome"))
                == (503, "/api/v1/webhook/apple", "overloaded")
                for line in scene.server.log), "a refusal is not in the log")
        for client in clients:
            client.close()
    insist(scene.server.stop() == 0, "the server did not end well")


def crowded(scene):
    """Connections beyond the limit of an address are refused and logged."""
    scene.start("--address-connection-limit", "5", "--idle-timeout", "600")
    port = scene.server.port
    clients = [wire.Connection(port) for _ in range(5)]
    for client in clients:
        insist(client.ask("GET", "/health").status == 200, "within the limit")
    with wire.Connection(port) as connection:
        insist(connection.answer().status == 503, "one more connection is not refused")
    until(lambda: any("connections refused" in line for line in scene.server.errors),
          "the refusal is told nowhere")
    for client in clients:
        client.close()
    until(lambda: wire.ask(port, "GET", "/health").status == 200, "places are not given back")
    insist(scene.server.stop() == 0, "the server did not end well")


def garbage(port):
    chance = random.Random(5)
    for _ in range(300):
        data = bytearray(HEALTH * 3)
        for _ in range(chance.randrange(1, 20)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        with wire.Connection(port) as connection:
            try:
                connection.send(bytes(data))
                connection.socket.shutdown(socket.SHUT_WR)
                while True:
                    connection.answer()
            except (wire.Closed, OSError):
                pass


def gone(port):
    """Clients that disconnect during the answer."""
    for _ in range(200):
        connection = wire.Connection(port)
        connection.send(
            wire.request("POST", "/api/v1/apple/unlink", [BEARER], {"ftcId": "a", "originalTxId": "1"}))
        connection.socket.setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        connection.close()


def thousand_idle(port):
    clients = [wire.Connection(port) for _ in range(1000)]
    insist(wire.ask(port, "GET", "/ready").status == 200, "idle connections hold up others")
    for client in clients[::7]:
        insist(client.ask("GET", "/health").status == 200, "an idle connection is not answered")
    for client in clients:
        client.close()
