"""E-mails of links and unlinks, through a real SMTP server (aiosmtpd):

    mail.py BINARIES sqlite|postgres [COUNT KILLS]

Last, so many e-mails wait, and the server that sends them is killed so often on the way: each arrives, and
at most the one that was being sent at a kill arrives twice.
"""
import collections
import email
import email.policy
import json
import os
import socket
import subprocess
import sys
import time
import uuid

from clock import Clock
from hostile import hang_up, until
from story import insist, staged

LINK, UNLINK = "/api/v1/apple/link", "/api/v1/apple/unlink"
PASSWORD = "pass:wörd/" + uuid.uuid4().hex
FROM = "Example Größe <news@example.com>"
SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Mail/smtp_server.py")


class Mailbox:
    """An SMTP server, which notes what it takes."""

    def __init__(self, folder, *options):
        self.log = os.path.join(folder, f"mails-{uuid.uuid4().hex}")
        self.process = subprocess.Popen(
            ["/usr/bin/python3", SCRIPT, "--log", self.log, *options], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        insist(line.startswith("listening on "), "no SMTP server: apt-get install python3-aiosmtpd")
        self.port = int(line.split()[-1])

    @property
    def taken(self):
        if not os.path.exists(self.log):
            return []
        with open(self.log) as file:
            return [json.loads(line) for line in file]

    def mail(self, address, count=1):
        """The last of so many e-mails to an address, as a program shows it."""
        until(lambda: self.count(address) >= count, f"no e-mail to {address}")
        mails = [mail for mail in self.taken if mail["to"] == [address]]
        return mails[-1], email.message_from_string(
            mails[-1]["content"], policy=email.policy.default)

    def count(self, address):
        return sum(mail["to"] == [address] for mail in self.taken)

    def end(self):
        self.process.kill()
        self.process.wait()


class Mails:
    def __init__(self, scene):
        self.scene, self.boxes = scene, []
        self.folder = scene.place.folder
        self.clock = Clock(scene.place.path("clock"))

    def box(self, *options):
        self.boxes.append(Mailbox(self.folder, *options))
        return self.boxes[-1]

    def start(self, box=None, environment=None, **settings):
        if box:
            settings = {"mail": f"smtp://127.0.0.1:{box.port}", "mailFrom": FROM, **settings}
        self.scene.server = self.scene.place.server(
            self.scene.between.port, self.scene.roots,
            settings={"outboxInterval": 1, "testClock": self.clock.path, **settings},
            environment=environment)
        return self.scene.server

    def stop(self):
        insist(self.scene.server.stop() == 0, "the server did not end well")
        secrets = [PASSWORD, "@example.com"]
        for line in [*self.scene.server.lines, *self.scene.server.errors]:
            insist(not any(secret in line for secret in secrets), "a log tells:", line)

    def stored(self):
        id, _, receipt = self.scene.buy()
        self.scene.expect(200, "POST", "/api/v1/apple/subs", {"receiptData": receipt})
        return id

    def link(self, account, id):
        self.scene.expect(200, "POST", LINK, {"ftcId": account, "originalTxId": id})

    def unlink(self, account, id):
        self.scene.expect(204, "POST", UNLINK, {"ftcId": account, "originalTxId": id})

    def events(self, name):
        lines = [json.loads(line) for line in list(self.scene.server.errors) if line[:1] == "{"]
        return [line for line in lines if line.get("event") == name]

    def rows(self, columns="kind, sent_utc", where="kind IN ('link', 'unlink', 'transfer')"):
        return self.scene.place.sql(f"SELECT {columns} FROM outbox WHERE {where} ORDER BY id")

    def command(self, *arguments):
        return self.scene.place.command(*arguments)

    # The parts.

    def waiting(self):
        """Without a mail server nothing is marked as sent, and the log tells what waits."""
        self.start()
        until(lambda: self.events("e-mails wait, as no mail server is set"), "not told at the start")
        self.alice, id = f"alice-{uuid.uuid4()}", self.stored()
        self.link(self.alice, id)
        self.unlink(self.alice, id)
        self.scene.place.sql(
            f"""INSERT INTO outbox (kind, ftc_user_id, original_transaction_id, already_expired, created_utc, failures)
            VALUES ('transfer', '{self.alice}', '{id}', 0, {int(time.time())}, 0)""")
        time.sleep(2.5)
        insist(self.rows() == [["link", ""], ["unlink", ""], ["transfer", ""]], self.rows())
        ready = self.scene.ask("GET", "/ready", headers=())
        insist(ready.status == 200, ready.status, ready.body)
        self.stop()
        self.clock.move(100)
        self.start()
        until(lambda: self.events("outbox"), "the log does not tell what waits")
        told = self.events("outbox")[0]
        insist(told["waiting"] == 3 and told["parked"] == 0, told)
        insist(100 <= told["oldestSeconds"] < 200, told)
        insist(self.rows("lease_token, failures") == [["", "0"]] * 3, "touched:", self.rows())
        self.stop()

    def moved(self):
        """A server without memberships tells that e-mails wait if purchases may move, about which there are some."""
        products = self.scene.place.path("products.json")
        with open(products, "w") as file:
            json.dump([{"identifier": "reader.monthly", "productType": "renewableSubscription"}], file)
        for rule in ["always", "never"]:
            self.start(
                product=None, acceptAnyAccount=None, sharedSecret=None,
                catalog={"com.example.reader": products}, transfer=rule)
            self.stop()
            told = self.events("e-mails wait, as no mail server is set")
            insist(bool(told) == (rule == "always"), rule, told)

    def delivered(self):
        """With one, what waited is sent, and what comes."""
        box = self.box()
        templates = os.path.join(self.folder, "templates")
        os.makedirs(os.path.join(templates, "zh-Hans"))
        for name, text in [
            ("link.subject", "关于您的订阅 {{tier}}"), ("link.txt", "等级：{{tier}}\n到期：{{expireDate}}\n"),
            ("link.html", "<p>{{tier}}</p>"),
        ]:
            with open(os.path.join(templates, "zh-Hans", name), "w") as file:
                file.write(text)
        bob = f"bob-{uuid.uuid4()}"
        users = {self.alice: "alice@example.com", bob: "bob@example.com"}
        self.start(
            # A proxy would see what leaves the machine without TLS; nobody listens at this one.
            box, environment={"smtp_proxy": "http://127.0.0.1:9"}, user=users,
            userLanguage={bob: "zh-Hans-CN"}, mailTemplates=templates)
        _, moved = box.mail("alice@example.com", 3)
        first, second, third = [mail for mail in box.taken if mail["to"] == ["alice@example.com"]]
        insist(
            first["session"] == second["session"] == third["session"],
            "several connections for one batch")
        insist("another account" in moved["Subject"], moved["Subject"])
        link = email.message_from_string(second["content"], policy=email.policy.default)
        insist(first["from"] == "news@example.com", first)
        insist(link["From"] == "Example Größe <news@example.com>", link["From"])
        insist(link["Auto-Submitted"] == "auto-generated", link)
        insist("no longer linked" in link["Subject"], link["Subject"])
        insist("Membership: standard" in link.get_body(("plain",)).get_content(), link)
        until(lambda: all(sent for _, sent in self.rows()), "not marked as sent")
        id = self.stored()
        self.link(bob, id)
        _, chinese = box.mail("bob@example.com")
        insist(chinese["Subject"] == "关于您的订阅 standard", chinese["Subject"])
        lines = chinese.get_body(("plain",)).get_content().splitlines()
        insist(lines[0] == "等级：standard" and len(lines) == 2, lines)
        insist(chinese.get_body(("html",)).get_content().strip() == "<p>standard</p>", chinese)
        # SIGHUP reads addresses and languages again.
        path = self.scene.place.path("server.json")
        with open(path) as file:
            settings = json.load(file)
        del settings["userLanguage"]
        with open(path, "w") as file:
            json.dump({**settings, "user": {**users, bob: "robert@example.com"}}, file)
        hang_up(self.scene.server, "accounts reloaded")
        self.unlink(bob, id)
        _, moved = box.mail("robert@example.com")
        insist("no longer linked" in moved["Subject"], moved["Subject"])
        self.stop()

    def parked(self):
        """What is refused for ever is shown by a command, and sent again by another."""
        box = self.box()
        accounts = {name: f"{name}-{uuid.uuid4()}" for name in ["unknown", "greylisted", "nobody"]}
        users = {accounts[name]: f"{name}@example.com" for name in ["unknown", "greylisted"]}
        self.start(box, user=users)
        for account in accounts.values():
            self.link(account, self.stored())
        until(lambda: len(self.events("message parked")) == 2, "not parked")
        until(lambda: self.events("delivery failed"), "not greylisted")
        self.clock.move(61)
        box.mail("greylisted@example.com")
        self.stop()
        parked = self.command("parked")
        insist(
            [(line["account"], line["cause"], line["detail"]) for line in parked] == [
                (accounts["unknown"], "recipient_refused", "550 5.1.1"),
                (accounts["nobody"], "address_missing", None)], parked)
        insist(self.command("resend", str(parked[0]["number"])) == [{"freed": 1}], "not freed")
        insist(self.command("resend", str(parked[0]["number"])) == [{"freed": 0}], "freed twice")
        insist(self.command("resend", "all") == [{"freed": 1}], "not freed")
        insist(self.command("parked") == [], "still parked")
        insist(self.command("discard", str(parked[0]["number"])) == [{"discarded": 0}], "discarded")
        users = {accounts["unknown"]: "known@example.com", accounts["nobody"]: "now@example.com"}
        self.start(box, user=users)
        box.mail("known@example.com")
        box.mail("now@example.com")
        self.stop()

    def protected(self):
        """TLS, and a password from the environment or a file; without TLS nothing leaves the machine."""
        certificate, key = self.scene.place.path("mail.pem"), self.scene.place.path("mail.key")
        host = socket.gethostname()
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-nodes", "-days", "2", "-subj", "/CN=mail", "-addext",
             f"subjectAltName=DNS:localhost,DNS:{host}", "-keyout", key, "-out", certificate],
            check=True, capture_output=True)
        login = ["--user", "us@er", "--password", PASSWORD]
        tls = ["--certificate", certificate, "--key", key]
        file = self.scene.place.path("password")
        with open(file, "w") as output:
            output.write(PASSWORD + "\n")
        carol = f"carol-{uuid.uuid4()}"
        common = {"user": {carol: "carol@example.com"}, "mailFrom": FROM, "mailAuthority": certificate}
        id = None
        for count, (url, options, settings, environment) in enumerate([
            ("smtps://us%40er@localhost:{}", [*tls, *login, "--implicit-tls"], {},
             {"STOREKEEPER_MAIL_PASSWORD": PASSWORD}),
            ("smtp://us%40er@HOST:{}", [*tls, *login, "--host", "0.0.0.0"], {"mailPasswordFile": file}, {}),
        ]):
            box = self.box(*options)
            self.start(
                mail=url.format(box.port).replace("HOST", host), environment=environment,
                **common, **settings)
            id = id or self.stored()
            if count == 0:
                self.link(carol, id)
            else:
                self.unlink(carol, id)
            taken, _ = box.mail("carol@example.com")
            insist(taken["tls"] and taken["user"] == "us@er", taken)
            self.stop()
        # The same host without STARTTLS gets nothing.
        box = self.box(*login, "--host", "0.0.0.0")
        self.start(mail=f"smtp://us%40er@{host}:{box.port}", mailPasswordFile=file, **common)
        self.link(carol, self.stored())
        until(lambda: self.events("delivery failed"), "nothing failed")
        insist(
            all("no STARTTLS" in event["error"] for event in self.events("delivery failed")),
            self.events("delivery failed"))
        insist(box.taken == [], box.taken)
        insist(self.command("parked") == [], "parked")
        self.stop()

    def flood(self, count, kills):
        """So many wait, and the server is killed so often; returns the time between kills."""
        box = self.box()
        for row in self.rows("id", "sent_utc IS NULL"):
            self.scene.place.sql(f"DELETE FROM outbox WHERE id = {row[0]}")
        self.scene.place.sql(
            f"""WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {count})
            INSERT INTO outbox (kind, ftc_user_id, original_transaction_id, tier, expire_date,
              already_expired, created_utc, failures)
            SELECT 'link', 'reader-' || n, CAST(1000000 + n AS TEXT), 'premium', '2030-01-31', 0,
              {int(time.time())}, 0 FROM numbers""")
        users = {f"reader-{n}": f"reader-{n}@example.com" for n in range(1, count + 1)}
        sent = spent = 0

        def taken():
            return self.lines(box)

        for kill in range(kills + 1):
            server, begun = self.start(box, user=users), time.monotonic()
            at_start = taken()
            # A first e-mail shows that the server is at work.
            until(lambda: taken() > at_start, "nothing is sent", 60)
            begun, at_start = time.monotonic(), taken()
            goal = count * (kill + 1) // (kills + 1) if kill < kills else None
            if goal:
                until_now(lambda: taken() >= goal)
            else:
                until(lambda: self.waiting_rows() == 0, "some are never sent", 600)
            sent, spent = sent + taken() - at_start, spent + time.monotonic() - begun
            if goal:
                server.kill()
                # The leases of the killed server end.
                self.clock.move(301)
            else:
                self.stop()
        mails = box.taken
        addresses = collections.Counter(mail["to"][0] for mail in mails)
        insist(set(addresses) == set(users.values()), "some did not arrive")
        twice = {address for address, times in addresses.items() if times > 1}
        insist(max(addresses.values()) <= 2 and len(twice) <= kills, addresses.most_common(20))
        identifiers = collections.defaultdict(set)
        for mail in mails:
            fields = email.message_from_string(mail["content"])
            identifiers[mail["to"][0]].add(fields["Message-ID"])
        insist(all(len(ids) == 1 for ids in identifiers.values()), "two Message-IDs for one e-mail")
        insist(len(set().union(*identifiers.values())) == count, "a Message-ID of two e-mails")
        return (
            f"{count} e-mails, {kills} kills: each arrived, {len(twice)} twice with the same"
            f" Message-ID; {sent / spent:.0f} a second between the kills")

    def lines(self, box):
        if not os.path.exists(box.log):
            return 0
        with open(box.log, "rb") as file:
            return file.read().count(b"\n")

    def waiting_rows(self):
        return len(self.rows("id", "sent_utc IS NULL"))


def until_now(holds, seconds=600):
    """Waits with hardly a pause, so that a kill hits the middle of the work."""
    end = time.monotonic() + seconds
    while not holds():
        insist(time.monotonic() < end, "it takes too long")
        time.sleep(0.005)


def main(binaries, kind, count="1000", kills="4"):
    with staged(binaries, kind) as scene:
        mails = Mails(scene)
        try:
            for part in [mails.waiting, mails.moved, mails.delivered, mails.parked, mails.protected]:
                part()
            print("E-mails:", mails.flood(int(count), int(kills)))
        finally:
            for box in mails.boxes:
                box.end()


if __name__ == "__main__":
    main(*sys.argv[1:])
