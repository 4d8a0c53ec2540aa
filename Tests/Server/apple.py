"""A proxy between the server and the simulator: it forwards verifyReceipt or answers it as configured,
and records notifications, so that they can be sent again, changed. Another one stands before Apple's API."""
import base64
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import wire


class Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, *_):
        """A killed server breaks off its requests."""


def serve_in_background(listener):
    """Lets a listener serve until the program ends; returns its port."""
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    return listener.server_address[1]


class Between:
    def __init__(self, simulator):
        self.simulator = simulator
        # Called with path and body, returns status and body; None forwards the request.
        self.answer = None
        # The last answer of the simulator.
        self.last = b""
        self.notifications = []
        between = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                status, answer = between.take(self.path, body)
                self.send_response(status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        self.port = serve_in_background(Listener(("127.0.0.1", 0), Handler))

    def take(self, path, body):
        if path == "/hook":
            self.notifications.append(body)
            return 200, b""
        if self.answer:
            return self.answer(path, body)
        return self.ask(path, body)

    def ask(self, path, body):
        answer = wire.ask(self.simulator, "POST", path, ["Content-Type: application/json"], body)
        self.last = answer.body
        return answer.status, answer.body

    def changed(self, change):
        """An answer of the simulator with changed JSON."""

        def answer(path, body):
            status, bytes = self.ask(path, body)
            message = json.loads(bytes)
            change(message)
            return status, json.dumps(message).encode()

        return answer


class Unreleased:
    """The API of Production, which does not know one app until it is released."""

    def __init__(self, simulator, app):
        self.released = False
        store = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                kinds = ["Authorization", "Content-Type"]
                fields = [f"{kind}: {self.headers[kind]}" for kind in kinds if kind in self.headers]
                if not store.released and self.app() == app:
                    status, type_, answer = 401, "text/plain", b"Unauthenticated"
                else:
                    got = wire.ask(simulator, self.command, self.path, fields, body)
                    status, type_, answer = got.status, got.fields.get("content-type"), got.body
                self.send_response(status)
                self.send_header("Content-Type", type_ or "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            do_POST = do_PUT = do_GET

            def app(self):
                """The app that the token names."""
                payload = self.headers["Authorization"].split(".")[1]
                return json.loads(base64.urlsafe_b64decode(payload + "=="))["bid"]

            def log_message(self, *_):
                pass

        self.port = serve_in_background(Listener(("127.0.0.1", 0), Handler))
