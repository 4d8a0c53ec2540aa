"""Common parts of the tests of orders: a server with two levels that both stores sell, and what its users
send."""
import itertools
import json
import os
import time

import wire
from story import insist
from wallet import KEY, session

PACKAGE = "com.example.reader"
AUDIENCE = "orders"
EMAIL = "push@example-project.iam.gserviceaccount.com"
PREFIX = "/api/v1/subscription"
LEVELS = [
    {"name": "Basic", "description": "Two portfolios", "portfolioLimit": 2, "fee": 4.99,
     "appleProductId": "reader.monthly", "googleProductId": "reader_standard"},
    {"name": "Pro", "description": "Ten portfolios", "portfolioLimit": 10, "fee": 9.99,
     "appleProductId": "reader.yearly", "googleProductId": "reader_premium"},
]
VENDORS = ["apple", "google"]


class Shop:
    """Servers of orders alone, both stores, and users."""

    def __init__(self, scene):
        self.scene = scene
        place = scene.place
        # The key file of the service account.
        self.account = place.path("play.json")
        self.store = place.simulator(
            "--play-package", PACKAGE, "--play-key-file", self.account,
            "--play-audience", AUDIENCE, "--play-push-email", EMAIL)
        self.roots = scene.fetch_roots(self.store, "shop")
        self.levels, self.key = place.path("levels.json"), place.path("shop.key")
        with open(self.levels, "w") as file:
            json.dump(LEVELS, file)
        with open(self.key, "w") as file:
            file.write(KEY)
        self.servers = []
        self._names = itertools.count(1)

    # The servers.

    def start(self, *arguments, apple=None, google=None, environment=None, **settings):
        """Starts one more server, of the same database; `apple` and `google` are the ports of what answers
        instead of the simulator."""
        google = google or self.store.port
        server = self.scene.place.server(
            apple or self.store.port, self.roots, *arguments, name="shop", environment=environment,
            settings={
                "product": None, "acceptAnyAccount": None, "levels": self.levels,
                "orderEnvironment": "auto",
                "sessionKey": self.key, "googleServiceAccount": self.account,
                "googlePackage": PACKAGE, "googlePushAudience": AUDIENCE,
                "googlePushEmail": EMAIL, "googlePlayUrl": f"http://127.0.0.1:{google}",
                "outboxInterval": 1, **settings})
        self.scene.server = server
        self.servers.append(server)
        return server

    def stop(self):
        """Stops all servers, which end well."""
        for server in self.servers:
            insist(server.stop() == 0, "a server did not end well:", server.errors[-5:])
        self.servers = []

    def sql(self, statement):
        return self.scene.place.sql(statement, "shop")

    # The stores.

    def control(self, what, **body):
        return self.scene.order(what, self.store, **body)

    def bought(self, vendor, level=0):
        """A new customer's purchase, as the body of an order."""
        customer = f"customer-{next(self._names)}"
        if vendor == "google":
            purchase = self.control(
                "play/subscribe", customer=customer, product=LEVELS[level]["googleProductId"],
                basePlan="monthly")
            evidence = purchase["purchase"]["purchaseToken"]
        else:
            self.control("buy", customer=customer, product=LEVELS[level]["appleProductId"])
            evidence = wire.ask(
                self.store.port, "GET", f"/control/receipt?customer={customer}").json["receipt"]
        return {"vendor": vendor, "receiptData": evidence}

    # Users.

    def user(self):
        return f"u-{os.urandom(6).hex()}"

    def bearer(self, user):
        # Far enough for a server whose clock is ahead.
        return (f"Authorization: Bearer {session(user, exp=int(time.time()) + 7200)}",)

    def ask(self, method, path, user, body=b"", number=-1):
        """A request to one of the servers, by default the newest; numbers go round."""
        self.scene.checked += 1
        server = self.servers[number % len(self.servers)]
        # An order may wait a minute for Google.
        return wire.ask(
            server.port, method, PREFIX + path, self.bearer(user), body, timeout=120)

    def order(self, user, purchase, number=-1):
        return self.ask("POST", "/order", user, purchase, number)

    def ordered(self, user, purchase):
        """An order that is taken; returns the subscription."""
        answer = self.order(user, purchase)
        insist(answer.status == 200, "an order:", answer.status, answer.body)
        insist(answer.json["vendor"] == purchase["vendor"], answer.json)
        return answer.json

    def current(self, user):
        """What a login shows."""
        answer = self.ask("GET", "/current", user)
        insist(answer.status == 200, "a login:", answer.status, answer.body)
        return answer.json["subscription"]

    def refused(self, answer, code):
        insist(
            (answer.status, answer.error) == (422, ("receiptData", code)), answer.status,
            answer.body, "instead of", code)

    # The tables.

    def rows(self):
        """The stored subscriptions, by their users: vendor and purchase."""
        return {
            user: (vendor, key) for user, vendor, key in self.sql(
                "SELECT user_id, vendor, purchase_key FROM user_subscriptions")}

    def claims(self):
        """The purchases with their owners, by vendor and purchase."""
        return {
            (vendor, key): user for vendor, key, user in self.sql(
                "SELECT vendor, purchase_key, user_id FROM subscription_claims")}
