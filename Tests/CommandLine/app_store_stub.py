"""A server in the place of Apple's, for the test of ask-app-store.

    app_store_stub.py FOLDER PUBLIC_KEY.pem

The first part of a path names a scenario; "store" answers as the App Store does, with tokens of the
folder. Each request is written as a line of JSON to FOLDER/requests.
"""
import base64
import json
import pathlib
import re
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

folder = pathlib.Path(sys.argv[1])
public_key = sys.argv[2]
lock = threading.Lock()
counts = {}


def token(name, index=0):
    return (folder / f"{name}.jws").read_text().split()[index]


good, (stolen, unmarked, strangers, unsigned) = token("transactions"), (
    token("attacks", index) for index in range(4))
renewal, notification = token("renewal-infos"), token("notifications")
app = {"bundleId": "com.example.reader", "environment": "Sandbox"}
signed = {"signedTransactionInfo": good, "signedRenewalInfo": renewal}
attempts = [{"attemptDate": 1762000100000, "sendAttemptResult": "NO_RESPONSE"}]
image = "11111111-2222-4333-8444-555555555555"


def history(id, query):
    page = {
        "2000000000000001": {"signedTransactions": [good], "hasMore": True, "revision": "r+1"},
        "4": {"signedTransactions": [stolen], "hasMore": False},
        "5": {"signedTransactions": [good], "hasMore": True, "revision": "same"},
        "6": {"signedTransactions": [good], "bundleId": "com.example.other"},
        "7": {"signedTransactions": [good], "environment": "Production"},
        "8": {"signedTransactions": [good], "bundleId": 8},
    }[id]
    if "revision=r%2B1" in query:
        page = {"signedTransactions": [good, unmarked, strangers, unsigned], "hasMore": False,
                "revision": "r/2="}
    return {**app, **page}


def notifications(query):
    if query:
        return {"notificationHistory": [{"signedPayload": unsigned, "sendAttempts": attempts}],
                "hasMore": False}
    return {"notificationHistory": [{"signedPayload": notification, "sendAttempts": attempts}],
            "hasMore": True, "paginationToken": "p/1"}


routes = [
    ("GET", r"/inApps/v2/history/(\d+)", lambda id, query, body: history(id, query)),
    ("GET", r"/inApps/v2/refund/lookup/(\d+)", lambda id, query, body: {
        "signedTransactions": [good], "hasMore": False, "revision": "refunded"}),
    ("GET", r"/inApps/v1/transactions/(\d+)", lambda id, query, body: {
        "signedTransactionInfo": unsigned if id == "9" else good}),
    ("GET", r"/inApps/v1/subscriptions/(\d+)", lambda id, query, body: {
        **app, "data": [{"subscriptionGroupIdentifier": "g", "lastTransactions": [
            {"status": 5, **signed}, {"status": 1, "signedTransactionInfo": unmarked}]}]}),
    ("GET", r"/inApps/v1/lookup/(.+)", lambda id, query, body: {
        "status": 1, "signedTransactions": [good]}),
    ("PUT", r"/inApps/v1/subscriptions/extend/(\d+)", lambda id, query, body: {
        "originalTransactionId": id, "success": False, "effectiveDate": 1762000000000}),
    ("POST", r"/inApps/v1/subscriptions/extend/mass", lambda query, body: {
        "requestIdentifier": body["requestIdentifier"]}),
    ("GET", r"/inApps/v1/subscriptions/extend/mass/[^/]+/([^/]+)", lambda id, query, body: {
        "requestIdentifier": id, "complete": False}),
    ("POST", r"/inApps/v1/notifications/history", lambda query, body: notifications(query)),
    ("POST", r"/inApps/v1/notifications/test", lambda query, body: {
        "testNotificationToken": "t_1"}),
    ("GET", r"/inApps/v1/notifications/test/t_1", lambda query, body: {
        "signedPayload": notification, "sendAttempts": attempts}),
    ("GET", r"/inApps/v1/messaging/image/list", lambda query, body: {
        "imageIdentifiers": [{"imageIdentifier": image, "imageState": "APPROVED"}]}),
    ("GET", r"/inApps/v1/messaging/message/list", lambda query, body: {
        "messageIdentifiers": []}),
    ("GET", r"/inApps/v1/messaging/default/monthly/de-DE", lambda query, body: {
        "messageIdentifier": image}),
    ("GET", r"/inApps/v1/messaging/default/.*", lambda query, body: (404, {
        "errorCode": 4040020, "errorMessage": "none"})),
    ("GET", r"/inApps/v1/messaging/realtime/url", lambda query, body: {
        "realtimeURL": "https://example.org/"}),
    ("POST", r"/advancedCommerce/v1/.*", lambda query, body: signed),
    ("PUT", r"/externalPurchase/v1/reports", lambda query, body: (400, {"errors": [
        {"errorCode": 31, "errorMessage": "newer", "fieldName": "status"}]})
        if body["status"] == "DUPLICATE_TOKEN" else {
            "requestIdentifier": body["requestIdentifier"]}),
    ("GET", r"/externalPurchase/v1/reports/.*", lambda query, body: (400, {})),
    ("GET", r"/groups/v1/currentGroups/\d+", lambda query, body: {"groups": []}),
    ("GET", r"/groups/v1/group/[^/]+", lambda query, body: {
        "members": [{"appTransactionId": "7"}], "hasMore": False}),
    # Everything that only succeeds.
    ("(PUT|POST|DELETE)", r"/inApps/.*", lambda query, body: None),
]


def error(code, text=""):
    return {"errorCode": code, "errorMessage": text}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    clock = 0

    def log_message(self, *arguments):
        pass

    def date_time_string(self, timestamp=None):
        return super().date_time_string(time.time() + self.clock)

    def handle_one(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        _, scenario, path = self.path.split("/", 2)
        path = "/" + path
        with lock:
            counts[scenario] = counts.get(scenario, 0) + 1
            with open(folder / "requests", "a") as file:
                file.write(json.dumps({
                    "scenario": scenario, "method": self.command, "path": path,
                    "body": body.decode("latin-1"), "bearer": self.bearer(),
                    "headers": {name.lower(): value for name, value in self.headers.items()
                                if name.lower() != "authorization"}}) + "\n")
        getattr(self, scenario)(path, body)

    do_GET = do_PUT = do_POST = do_DELETE = handle_one

    def bearer(self):
        """The header and the claims of the token, if its signature is that of the key."""
        scheme, value = self.headers.get("Authorization", " ").split(" ", 1)
        parts = [base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
                 for part in value.split(".")]
        if scheme != "Bearer" or len(parts) != 3 or len(parts[2]) != 64:
            return None

        def integer(bytes):
            bytes = bytes.lstrip(b"\0")
            bytes = b"\0" + bytes if bytes[0] > 127 else bytes
            return b"\x02" + len(bytes).to_bytes(1, "big") + bytes

        pair = integer(parts[2][:32]) + integer(parts[2][32:])
        signature = folder / "signature"
        signature.write_bytes(b"\x30" + len(pair).to_bytes(1, "big") + pair)
        verified = subprocess.run(
            ["openssl", "dgst", "-sha256", "-verify", public_key, "-signature", signature],
            input=value.rsplit(".", 1)[0].encode(), capture_output=True).returncode == 0
        claims = json.loads(parts[1])
        age = time.time() - claims["iat"]
        claims["lifetime"] = claims.pop("exp") - claims.pop("iat")
        return {"header": json.loads(parts[0]), "claims": claims,
                "isFresh": -2 < age < 60} if verified else None

    def reply(self, status, body=b"", content_type="application/json", **fields):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", fields.pop("length", len(body)))
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    # MARK: Scenarios

    def store(self, path, body):
        path, _, query = path.partition("?")
        for method, pattern, answer in routes:
            match = re.fullmatch(pattern, path)
            if not match or not re.fullmatch(method, self.command):
                continue
            json_body = json.loads(body) if body[:1] == b"{" else None
            found = answer(*match.groups(), query, json_body)
            if found is None:
                return self.reply(202)
            status, found = found if isinstance(found, tuple) else (200, found)
            return self.reply(status, found)
        self.reply(404)

    def unauthenticated(self, path, body):
        Handler.clock = -600
        self.reply(401, b"Unauthenticated\n\nRequest ID: AB12.0.0\n", "text/plain")
        Handler.clock = 0

    def unknown(self, path, body):
        self.reply(404, error(4040010, "Transaction id not found."))

    def echo(self, path, body):
        self.reply(400, error(4000006, "Not this: " + self.headers["Authorization"]))

    def new(self, path, body):
        self.reply(400, error(4009999))

    def revision(self, path, body):
        self.reply(400, error(4000005))

    def limited(self, path, body):
        self.reply(429, error(4290000), Retry_After=int(time.time() * 1000) + 3_600_000)

    def busy(self, path, body):
        if counts["busy"] == 1:
            return self.reply(429, error(4290000), Retry_After=int(time.time() * 1000) + 300)
        self.store(path, body)

    def internal(self, path, body):
        self.reply(500, error(5000000))

    def html(self, path, body):
        self.reply(502, b"<html><body>Bad Gateway</body></html>", "text/html")

    def admission(self, path, body):
        self.reply(404, b"<html></html>", "text/html")

    def null(self, path, body):
        self.reply(200, b"null")

    def text(self, path, body):
        self.reply(200, b"OK", "text/plain")

    def deep(self, path, body):
        self.reply(200, b"[" * 100_000)

    def moved(self, path, body):
        self.reply(302, b"", Location="/store" + path)

    def large(self, path, body):
        self.reply(200, b"{" + b" " * (1 << 20))

    def full(self, path, body):
        text = json.dumps({"signedTransactionInfo": good}).encode()
        self.reply(200, text + b" " * ((1 << 20) - len(text)))

    def cut(self, path, body):
        self.reply(200, b'{"signed', length=100)
        self.close_connection = True

    def slow(self, path, body):
        time.sleep(3)
        self.store(path, body)


class Listener(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *address):
        """A program that is done with an answer breaks off its connection."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(*address)


server = Listener(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
