"""A server in place of Apple and Google, which is slow, wrong or silent where a test asks for it."""
import collections
import json
import subprocess
import tempfile
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler

import wire
from apple import Listener, serve_in_background
from wallet import base64url

GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
# The name of requests for an access token, beside receipts and purchase tokens.
ACCESS = "access"


def silent(handler):
    """Accepts the request and never answers."""
    wait_for_end(handler.connection)


def trickle(handler):
    """Sends an answer, a byte a second."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    while True:
        handler.wfile.write(b" ")
        if wait_for_end(handler.connection, 1):
            return


def cut(handler):
    """Closes the connection in the middle of a body."""
    handler.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"status":0,"lat')


def html(handler):
    """Answers 200 with a page, as captive portals and proxies do."""
    handler.answer(200, b"<!DOCTYPE html><title>Welcome</title>", "text/html")


def failing(status, retry_after=None, body=b'{"error":{"code":0,"message":"no"}}'):
    """Answers a status, and when to ask again."""

    def fail(handler):
        handler.answer(status, body, "application/json", retry_after)

    fail.__name__ = f"{status}" + (f", again after {retry_after}" if retry_after else "")
    return fail


# As Google answers when a clock is wrong or the key was deleted.
invalid_grant = failing(400, body=b'{"error":"invalid_grant","error_description":"no"}')


def wait_for_end(connection, seconds=600):
    """Waits until the peer closes the connection, and returns whether it has."""
    connection.settimeout(seconds)
    try:
        return connection.recv(1) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


class StandIn:
    """Forwards requests to the simulator, but for those about evidence with a fault."""

    def __init__(self, shop):
        self.shop, self.faults = shop, {}
        # How often it was asked about each evidence.
        self.asked = collections.Counter()
        # Connections on which a request has no answer yet.
        self.held = 0
        stand_in = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                self.take(self.rfile.read(int(self.headers.get("Content-Length", 0))))

            def do_GET(self):
                self.take(b"")

            def take(self, body):
                evidence = named(self.path, body)
                stand_in.asked[evidence] += 1
                fault = stand_in.faults.get(evidence)
                if fault is None:
                    return stand_in.forward(self, body)
                stand_in.held += 1
                try:
                    fault(self)
                except OSError:
                    pass
                finally:
                    stand_in.held -= 1
                    self.close_connection = True

            def answer(self, status, body, type, retry_after=None):
                self.send_response(status)
                self.send_header("Content-Type", type)
                self.send_header("Content-Length", str(len(body)))
                if retry_after:
                    self.send_header("Retry-After", retry_after)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.port = serve_in_background(Listener(("127.0.0.1", 0), Handler))
        self.account = self.rewritten_account()

    def rewritten_account(self):
        """The key file of the simulator's account, whose access tokens are asked for here."""
        with open(self.shop.account) as file:
            self.key = json.load(file)
        path = self.shop.account + ".standin"
        with open(path, "w") as file:
            json.dump({**self.key, "token_uri": f"http://127.0.0.1:{self.port}/token"}, file)
        return path

    def forward(self, handler, body):
        if handler.path == "/token":
            body = self.assertion()
        headers = [
            f"{name}: {handler.headers[name]}" for name in ["Authorization", "Content-Type"]
            if handler.headers[name]]
        answer = wire.ask(
            self.shop.store.port, handler.command, handler.path, headers, body)
        handler.answer(answer.status, answer.body, answer.fields.get("content-type", ""))

    def assertion(self):
        """The request for an access token, signed anew, because it names the address it is for."""
        now = int(time.time())
        content = ".".join(base64url(json.dumps(part).encode()) for part in [
            {"alg": "RS256", "typ": "JWT", "kid": self.key["private_key_id"]},
            {"iss": self.key["client_email"], "aud": self.key["token_uri"], "iat": now,
             "exp": now + 3600, "scope": "https://www.googleapis.com/auth/androidpublisher"}])
        with tempfile.NamedTemporaryFile("w", suffix=".pem") as file:
            file.write(self.key["private_key"])
            file.flush()
            signature = subprocess.run(
                ["openssl", "dgst", "-sha256", "-sign", file.name], input=content.encode(),
                capture_output=True, check=True).stdout
        return urllib.parse.urlencode(
            {"grant_type": GRANT, "assertion": f"{content}.{base64url(signature)}"}).encode()


def named(path, body):
    """The evidence that a request is about."""
    if path == "/token":
        return ACCESS
    if "/tokens/" in path:
        return urllib.parse.unquote(path.rsplit("/tokens/", 1)[1].split(":")[0])
    try:
        return json.loads(body)["receipt-data"]
    except (ValueError, KeyError):
        return path
