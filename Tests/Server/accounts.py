"""A server that asks a directory of accounts, which is slow, wrong or silent where a test asks for it:

    accounts.py BINARIES sqlite
"""
import collections
import json
import socket
import sys
import threading
import time
import urllib.parse
import uuid
from http.server import BaseHTTPRequestHandler

from apple import Listener, serve_in_background
from clock import Clock
from hostile import until
from moments import at_once
from standin import cut, failing, html, silent, trickle
from story import BEARER, insist, staged
from wallet import VERIFY, Wallet

LINK, UNLINK = "/api/v1/apple/link", "/api/v1/apple/unlink"
LINK_2019 = "/2019/api/v1/apple/link"
TOKEN = "directory.token~of+32/visible=characters"
HOST_TOKEN = "6b1a3c52-0c1e-4f57-9a55-0d3b1c7e9a10"
# The limit of questions under way.
PLACES = 16


def answering(**members):
    """Answers 200 with other members than the account's; None is null."""

    def answer(handler):
        handler.answer(200, json.dumps({**handler.account, **members}).encode(), "application/json")

    answer.__name__ = f"an answer with {members}"
    return answer


def body(name, bytes):
    """Answers 200 with a body."""

    def answer(handler):
        handler.answer(200, bytes, "application/json")

    answer.__name__ = name
    return answer


def huge(handler):
    """Answers the account after more than 64 KiB of white space."""
    account = json.dumps(handler.account).encode()
    handler.answer(200, b" " * (1 << 16) + account, "application/json")


def endless(handler):
    """Answers without an end."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        handler.wfile.write(b" " * 4096)


# All but the account, or its absence, is a failure.
FAULTS = [
    silent, trickle, cut, html, huge, endless, failing(500), failing(503, "1"), failing(301),
    failing(401), failing(410), failing(201, body=b"{}"), body("nothing", b""), body("null", b"null"),
    body("no account", b"{}"), body("a list", b"[]"), body("bytes", b"\xff\xfe"),
    body("a deep body", b"[" * 60_000), answering(id=None), answering(id="somebody-else"),
    answering(id=7), answering(unionId=7), answering(unionId=" wx "), answering(email=7),
    answering(email="a@example.com\r\nBcc: b@example.com"), answering(email="a" * 321),
    answering(language=["en"]),
]


class Directory:
    """A directory of accounts that counts its questions."""

    def __init__(self):
        self.accounts = {}
        # By the identifier that is asked for.
        self.faults = {}
        self.asked = collections.Counter()
        self.paths, self.tokens = set(), set()
        self.held = self.most = 0
        self.lock = threading.Lock()
        self.free = threading.Event()
        directory = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                path, _, query = self.path.partition("?")
                asked = dict(urllib.parse.parse_qsl(query, strict_parsing=True))
                directory.note(path, query, self.headers.get("Authorization"))
                id = asked.get("id") or asked["unionId"]
                self.account = directory.find(asked)
                fault = directory.faults.get(id)
                if fault is None:
                    return self.answer_account()
                # After a whole answer the connection stays.
                self.close_connection = True
                try:
                    fault(self)
                except OSError:
                    self.close_connection = True

            def answer_account(self):
                if self.account is None:
                    return self.answer(404, b"", "text/plain")
                self.answer(200, json.dumps(self.account).encode(), "application/json")

            def answer(self, status, body, type, retry_after=None):
                self.send_response(status)
                self.send_header("Content-Type", type)
                self.send_header("Content-Length", str(len(body)))
                if retry_after:
                    self.send_header("Retry-After", retry_after)
                self.end_headers()
                self.wfile.write(body)
                self.close_connection = False

            def log_message(self, *_):
                pass

        self.port = serve_in_background(Listener(("127.0.0.1", 0), Handler))

    def add(self, id=None, union=None, **members):
        """Adds an account, and returns its identifiers."""
        account = {"id": id, "unionId": union, "email": None, "language": None, **members}
        self.accounts[id or union] = account
        return id or union

    def new(self, **members):
        return self.add(f"reader-{uuid.uuid4()}", **members)

    def find(self, asked):
        """The account that has all the identifiers."""
        return next((
            account for account in list(self.accounts.values())
            if all(account[name] == value for name, value in asked.items())), None)

    def note(self, path, query, token):
        with self.lock:
            self.asked[query] += 1
            self.paths.add(path)
            self.tokens.add(token)

    def hold(self, handler):
        """Answers the account as soon as it may."""
        with self.lock:
            self.held += 1
            self.most = max(self.most, self.held)
        self.free.wait(60)
        with self.lock:
            self.held -= 1
        handler.answer_account()


class Accounts:
    """A server that asks a directory, with memberships and credits."""

    def __init__(self, scene):
        self.scene, self.wallet, self.directory = scene, Wallet(scene), Directory()
        self.clock = Clock(scene.place.path("clock"))

    def start(self, url=None, **settings):
        return self.wallet.start(**{
            "accountsUrl": url or f"http://127.0.0.1:{self.directory.port}/accounts",
            "accountsToken": TOKEN, "acceptAnyAccount": None, "testClock": self.clock.path, **settings})

    def stop(self):
        insist(self.scene.server.stop() == 0, "the server did not end well")

    def stored(self):
        id, _, receipt = self.scene.buy()
        self.scene.expect(200, "POST", "/api/v1/apple/subs", {"receiptData": receipt})
        return id

    def link(self, status, account, id):
        return self.scene.expect(status, "POST", LINK, {"ftcId": account, "originalTxId": id})

    def is_linked(self, id):
        return self.scene.expect(200, "GET", f"/api/v1/apple/subs/{id}").json["inUse"]

    def asked(self, count, told, **identifiers):
        query = urllib.parse.urlencode(identifiers, quote_via=urllib.parse.quote)
        insist(self.directory.asked[query] == count, told, dict(self.directory.asked))
        self.scene.checked += 1

    def rows(self):
        """What a link writes."""
        return [
            self.scene.place.sql(f"SELECT {columns} FROM {table}") for columns, table in [
                ("*", "ftc_vip"), ("*", "member_snapshot"), ("*", "apple_subscription"),
                ("*", "apple_cheat"), ("id, kind", "outbox")]]

    # Questions.

    def kept(self):
        """Answers, of either kind, are kept for a minute."""
        directory, id = self.directory, self.stored()
        one = directory.new()
        nobody = f"nobody-{uuid.uuid4()}"
        for _ in range(2):
            self.link(200, one, id)
            self.link(404, nobody, id)
        self.clock.move(30)
        self.link(200, one, id)
        self.link(404, nobody, id)
        self.asked(1, "asked again within a minute", id=one)
        self.asked(1, "asked again within a minute", id=nobody)
        self.scene.expect(204, "POST", UNLINK, {"ftcId": one, "originalTxId": id})
        directory.accounts.pop(one)
        directory.add(nobody)
        self.clock.move(30)
        self.link(404, one, id)
        self.link(200, nobody, id)
        self.asked(2, "not asked again after a minute", id=one)
        self.asked(2, "not asked again after a minute", id=nobody)

    def identifiers(self):
        """Identifiers arrive as they are; of two, both belong to the account."""
        directory, scene = self.directory, self.scene
        odd = directory.add("a&unionId=b+c%20d/?#=\"'~" + uuid.uuid4().hex)
        self.link(200, odd, self.stored())
        self.asked(1, "another identifier", id=odd)
        one, union = directory.new(), f"wx={uuid.uuid4()}"
        directory.accounts[one]["unionId"] = union
        other = directory.new()

        def link(status, **headers):
            fields = (BEARER, *[f"X-{name}-Id: {value}" for name, value in headers.items()])
            return scene.expect(status, "POST", LINK_2019, {"receipt-data": receipt}, fields)

        receipt = scene.buy()[2]
        link(404, User=other, Union=union)
        self.asked(1, "not with both", id=other, unionId=union)
        row = link(200, User=one, Union=union).json
        insist((row["ftcId"], row["unionId"]) == (one, union), row)
        self.asked(1, "not with both", id=one, unionId=union)
        row = link(200, Union=union).json
        insist((row["ftcId"], row["unionId"]) == (one, union), row)
        self.asked(1, "not with the second alone", unionId=union)
        row = link(200, User=one).json
        insist((row["ftcId"], row["unionId"]) == (one, union), row)
        self.asked(0, "asked although the account is known", id=one)
        # An account without an identifier of the host's own.
        union = directory.add(None, f"wx-{uuid.uuid4()}")
        receipt = scene.buy()[2]
        row = link(200, Union=union).json
        insist((row["ftcId"], row["unionId"]) == (None, union), row)

    def faults(self):
        """A failure is answered with 500, writes nothing, and is not kept; and nothing else fails."""
        cases = [(fault, self.directory.new(), self.stored()) for fault in FAULTS]
        for fault, account, _ in cases:
            self.directory.faults[account] = fault
        linked, id = self.directory.new(), self.stored()
        self.link(200, linked, id)
        before, asked = self.rows(), self.directory.asked.copy()
        at_once(*[lambda case=case: self.failed(*case) for case in cases])
        insist(self.rows() == before, "a failure has written:", before, self.rows())
        # An unlink asks for no account.
        self.directory.faults[linked] = failing(500)
        self.clock.move(60)
        self.scene.expect(204, "POST", UNLINK, {"ftcId": linked, "originalTxId": id})
        insist(self.directory.asked[f"id={linked}"] == asked[f"id={linked}"], "an unlink asked")
        self.directory.faults = {}
        for fault, account, id in cases:
            self.link(200, account, id)
            self.asked(2, f"a failure is kept: {fault.__name__}", id=account)
        # What is no address and no language is none.
        for members in [
            {"email": " ", "language": "zh_CN"}, {"email": "a" * 320, "language": ""},
            {"extra": [1, {}]},
        ]:
            self.link(200, self.directory.new(**members), self.stored())
        # The smallest answer.
        account = f"reader-{uuid.uuid4()}"
        self.directory.accounts[account] = {"id": account}
        self.link(200, account, self.stored())

    def failed(self, fault, account, id):
        answer = self.scene.ask("POST", LINK, {"ftcId": account, "originalTxId": id})
        told = (fault.__name__, answer.status, answer.body)
        insist(answer.status == 500, *told)
        insist(answer.json == {"message": "Internal Server Error"}, *told)
        insist(not self.is_linked(id), fault.__name__, "linked")

    def together(self):
        """Equal questions are asked once, and few at once."""
        directory = self.directory
        one, id = directory.new(), self.stored()
        directory.faults[one] = directory.hold
        released = threading.Timer(0.5, directory.free.set)
        released.start()
        at_once(*[lambda: self.link(200, one, id)] * 8)
        self.asked(1, "equal questions were asked", id=one)
        directory.free.clear()
        directory.most = 0
        strangers = [f"nobody-{uuid.uuid4()}" for _ in range(PLACES + 8)]
        for stranger in strangers:
            directory.faults[stranger] = directory.hold
        watch = threading.Thread(target=self.release, daemon=True)
        watch.start()
        at_once(*[lambda stranger=stranger: self.link(404, stranger, id) for stranger in strangers])
        watch.join()
        insist(directory.most == PLACES, directory.most, "questions at once instead of", PLACES)
        directory.faults = {}

    def release(self):
        until(lambda: self.directory.held >= PLACES, "fewer questions at once than may be")
        time.sleep(0.3)
        self.directory.free.set()

    def crowd(self):
        """A directory that keeps silent holds nobody up for long."""
        id = self.stored()
        readers = [self.directory.new() for _ in range(PLACES + 4)]
        self.directory.faults = {reader: silent for reader in readers}
        at_once(*[lambda reader=reader: self.failed(silent, reader, id) for reader in readers])
        self.directory.faults = {}
        for reader in readers:
            self.link(200, reader, id)
            self.scene.expect(204, "POST", UNLINK, {"ftcId": reader, "originalTxId": id})

    # Addresses and tokens.

    def addresses(self):
        """The address of a known account costs no question; one of the settings comes first."""
        directory, wallet = self.directory, self.wallet
        one = directory.new(email="Ann@example.com")
        self.link(200, one, self.stored())
        wallet.users |= {one}
        first, jws = wallet.transaction("welcome")
        wallet.granted(one, first, jws, 60, 60, "welcome")
        self.asked(1, "asked for the address of a known account", id=one)
        insist(wallet.claims("ann@example.com") == [[first, one, "1"]], "another identity")
        two = directory.new(email=" ann@EXAMPLE.com")
        wallet.ineligible(two, *wallet.transaction("welcome"))
        directory.add("u-set", email="ann@example.com")
        id, jws = wallet.transaction("welcome")
        wallet.granted("u-set", id, jws, 60, 60, "welcome")
        insist(wallet.claims("set@example.com") == [[id, "u-set", "1"]], "not the setting's")
        self.asked(0, "asked although the settings tell", id="u-set")
        # Unknown to the directory, a user is an identity of their own.
        stranger = f"u-{uuid.uuid4()}"
        id, jws = wallet.transaction("welcome")
        wallet.granted(stranger, id, jws, 60, 60, "welcome")
        insist(wallet.claims(f"user:{stranger}") == [[id, stranger, "1"]], "not their own")
        # A failure grants nothing.
        three = directory.new(email="carol@example.com")
        directory.faults[three] = failing(500)
        id, jws = wallet.transaction("welcome")
        answer = self.scene.ask(
            "POST", VERIFY, wallet.claim(id, jws, "welcome"), wallet.bearer(three))
        wallet.problem(answer, 503, "SERVICE_UNAVAILABLE")
        insist(wallet.ledger(three) == [] and wallet.stored(id, "id") is None, "granted")
        directory.faults = {}
        wallet.granted(three, id, jws, 60, 60, "welcome")

    def account_tokens(self):
        """App account tokens are those of the settings."""
        wallet = self.wallet
        self.directory.add("u-token")
        id, jws = wallet.transaction(appAccountToken=HOST_TOKEN)
        wallet.granted("u-token", id, jws, 500, 500)
        other = wallet.user(balance=0)
        wallet.invalid(
            other, wallet.claim(*wallet.transaction(appAccountToken=HOST_TOKEN)),
            "app_account_token_mismatch")
        bought = self.scene.order(
            "buy", customer=uuid.uuid4().hex, product="reader.monthly", environment="Production",
            appAccountToken=HOST_TOKEN)["subscription"]
        receipt = self.scene.receipt(bought["customer"])
        id = bought["originalTransactionId"]
        self.scene.expect(200, "POST", "/api/v1/apple/subs", {"receiptData": receipt})
        self.scene.expect(
            422, "POST", LINK, {"ftcId": self.directory.new(), "originalTxId": id},
            error="originalTxId/account_token_mismatch")
        self.link(200, "u-token", id)

    # Servers.

    def secrets(self):
        """Every question has the token; no log has it, nor an identifier or an address."""
        insist(self.directory.tokens == {f"Bearer {TOKEN}"}, self.directory.tokens)
        insist(self.directory.paths == {"/accounts"}, self.directory.paths)
        server = self.scene.server
        until(
            lambda: any("AccountsFailure: status" in line for line in server.lines),
            "the log tells of no failure")
        log = "\n".join(server.lines + server.errors)
        for text in [TOKEN, "reader-", "nobody-", "example.com", "unionId"]:
            insist(text not in log, "the log has", text)

    def plain(self):
        """Without a token none is sent; a slash at the end of the address stays. No proxy sees what stays on this machine."""
        directory = self.directory
        directory.tokens.clear()
        directory.paths.clear()
        self.start(f"http://localhost:{directory.port}/people/", accountsToken=None)
        self.link(200, directory.new(), self.stored())
        insist(directory.tokens == {None}, directory.tokens)
        insist(directory.paths == {"/people/"}, directory.paths)
        self.stop()
        directory.paths.clear()
        # Nobody listens at this proxy.
        proxies = {name: "http://127.0.0.1:9" for name in ["http_proxy", "all_proxy"]}
        self.start(
            f"http://127.0.0.1:{directory.port}",
            environment={**proxies, "no_proxy": "", "NO_PROXY": ""})
        self.link(200, directory.new(), self.stored())
        insist(directory.paths == {"/"}, directory.paths)
        self.stop()

    def absent(self):
        """A connection that is refused is a failure, but for what needs no directory."""
        with socket.socket() as deaf:
            # Nobody listens at the port, and nobody else can.
            deaf.bind(("127.0.0.1", 0))
            self.start(f"http://127.0.0.1:{deaf.getsockname()[1]}/accounts")
            id = self.stored()
            for _ in range(2):
                self.failed(self.absent, "reader", id)
            insist(self.scene.ask("GET", "/ready", headers=()).status == 200, "not ready")
            self.stop()

    def check(self):
        self.start(user={"u-set": "set@example.com"}, accountToken={"u-token": HOST_TOKEN},
                   userLanguage={"u-set": "zh-Hans"})
        for part in [
            self.kept, self.identifiers, self.faults, self.together, self.crowd, self.addresses,
            self.account_tokens, self.secrets,
        ]:
            part()
        self.stop()
        self.plain()
        self.absent()


def main():
    binaries, kind = sys.argv[1:]
    start = time.monotonic()
    with staged(binaries) as scene:
        Accounts(scene).check()
        print(
            f"{kind}: a directory of accounts: as expected, {scene.checked:,} answers,"
            f" {time.monotonic() - start:.0f} s", flush=True)


main()
