"""HTTP/1.1 by hand over a socket, so that malformed requests can be sent too."""
import json
import socket


class Closed(Exception):
    """The server ended the connection without an answer."""


class Answer:
    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def error(self):
        """Field and code, if the body has them."""
        error = self.json.get("error", {}) if self.body else {}
        return error.get("field"), error.get("code")


class Connection:
    """One connection; `ask` sends a request and reads its answer."""

    def __init__(self, port, timeout=60):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self.rest = b""

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def send(self, data):
        self.socket.sendall(data)

    def ask(self, method, path, headers=(), body=b""):
        self.send(request(method, path, headers, body))
        return self.answer(method)

    def answer(self, method="GET"):
        while b"\r\n\r\n" not in self.rest:
            self._receive()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        lines = head.decode("latin-1").split("\r\n")
        fields = {}
        for line in lines[1:]:
            name, value = line.split(":", 1)
            fields[name.lower()] = value.strip()
        status = int(lines[0].split(" ")[1])
        # RFC 9112 section 6.3: the length of such an answer is that of a body that is not sent.
        empty = method == "HEAD" or status in (204, 304)
        length = 0 if empty else int(fields.get("content-length", 0))
        while len(self.rest) < length:
            self._receive()
        body, self.rest = self.rest[:length], self.rest[length:]
        return Answer(status, fields, body)

    def ends(self):
        """Whether the server ends the connection, with nothing more to read."""
        try:
            return self.rest == b"" and self.socket.recv(1) == b""
        except ConnectionResetError:
            return True

    def _receive(self):
        try:
            data = self.socket.recv(1 << 16)
        except ConnectionResetError:
            data = b""
        if not data:
            raise Closed()
        self.rest += data


def request(method, path, headers=(), body=b""):
    if isinstance(body, (dict, list)):
        body = json.dumps(body).encode()
    if isinstance(body, str):
        body = body.encode()
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", *headers]
    if body or method in ("POST", "PATCH", "PUT"):
        lines.append(f"Content-Length: {len(body)}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


def ask(port, method, path, headers=(), body=b"", timeout=60):
    """One request on a connection of its own."""
    with Connection(port, timeout) as connection:
        return connection.ask(method, path, headers, body)
