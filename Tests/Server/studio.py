"""Common parts of the tests of entitlements: an App Store with two apps, their product lists, users with
session tokens, and expectations of answers."""
import json
import time
import uuid

import wire
from clock import Clock
from story import BEARER, MESSAGES, insist
from wallet import KEY, ids, session

DRAW, PAINT, NEW = "com.example.draw", "com.example.paint", "com.example.new"
STORE = "/api/v1/store"
PACKAGE = "com.example.draw.android"
AUDIENCE, EMAIL = "studio", "push@example-project.iam.gserviceaccount.com"
DAY = 86_400
SECRET = "0123456789abcdef0123456789abcdef"


def product(name, kind="nonConsumable", app=DRAW, **members):
    return {"identifier": f"{app}.{name}", "productType": kind, **members}


def plan(name, app=DRAW, **members):
    return product(name, "renewableSubscription", app, **members)


# The list of the rules' section 11.
LIST = [
    product("brushes", isSubscribersOnly=True), product("frames"),
    product("frames.gold", isSubscribersOnly=True), product("paper"), product("coins", "consumable"),
    plan("full.monthly", discountedProducts=[f"{DRAW}.full25.monthly"]),
    plan("full.yearly"), plan("lite.monthly", unlocks=[f"{DRAW}.f*", f"{DRAW}.paper"]),
]
FOUR = [f"{DRAW}.{name}" for name in ["brushes", "frames", "frames.gold", "paper"]]


def names(*short):
    return [f"{DRAW}.{name}" for name in short]


class Studio:
    """A server of two apps, and what its clients and Apple send."""

    def __init__(self, scene):
        self.scene = scene
        place = scene.place
        self.key = place.path("studio.p8")
        # The key file of the account that asks Google.
        self.account = place.path("studio-play.json")
        self.store = place.simulator(
            "--bundle-id", DRAW, "--app-apple-id", "11", "--api-key-file", self.key,
            "--product", f"{DRAW}.full.monthly:Full:30", "--product", f"{DRAW}.lite.monthly:Lite:30",
            "--product", f"{DRAW}.full.yearly:Full, yearly:365",
            "--non-consumable", f"{DRAW}.frames:Frames", "--non-consumable", f"{DRAW}.paper:Paper",
            "--pack", f"{DRAW}.coins:Coins",
            "--play-package", PACKAGE, "--play-key-file", self.account,
            "--play-audience", AUDIENCE, "--play-push-email", EMAIL,
            "--app", f"{PAINT}:12", "--product", f"{PAINT}.multiApp.monthly:Both:30",
            "--product", f"{PAINT}.monthly:Paint:30",
            "--app", f"{NEW}:13", "--product", f"{NEW}.monthly:New:30")
        self.roots = scene.fetch_roots(self.store, "studio")
        api = wire.ask(self.store.port, "GET", "/control/state").json["serverApi"]
        url = f"http://127.0.0.1:{self.store.port}"
        self.access = {
            "appStoreKey": self.key, "appStoreKeyId": api["keyId"],
            "appStoreIssuerId": api["issuerId"], "appStoreProductionUrl": f"{url}/production",
            "appStoreSandboxUrl": f"{url}/sandbox",
        }
        self.google = {
            "googleServiceAccount": self.account, "googlePackage": PACKAGE, "googleApp": DRAW,
            "googlePushAudience": AUDIENCE, "googlePushEmail": EMAIL, "googlePlayUrl": url,
        }
        self.catalogs = {DRAW: place.path("draw.json"), PAINT: place.path("paint.json")}
        self.clock = Clock(place.path("studio.clock"))
        self.write(LIST)
        with open(self.catalogs[PAINT], "w") as file:
            json.dump(
                [plan("multiApp.monthly", PAINT), plan("monthly", PAINT),
                 product("canvas", app=PAINT)], file)
        with open(place.path("studio.key"), "w") as file:
            file.write(KEY)

    @property
    def server(self):
        return self.scene.server

    def write(self, products):
        with open(self.catalogs[DRAW], "w") as file:
            json.dump(products, file)

    def start(self, *arguments, log=None, **settings):
        """Starts a server of entitlements alone; the keys of Apple's API only where a test asks for them.
        With a `log` its access log goes into that file."""
        settings = {
            "app": {DRAW: 11, PAINT: 12}, "product": None, "acceptAnyAccount": None,
            "catalog": self.catalogs, "entitlementEnvironment": "auto",
            "sessionKey": self.scene.place.path("studio.key"),
            "bundledApp": [DRAW, PAINT], "multiAppMarker": ".multiApp.",
            "testClock": self.clock.path, "validationInterval": 1, "outboxInterval": 1, **settings}
        self.scene.server = self.scene.place.server(
            self.store.port, self.roots, *arguments, name="studio", settings=settings, log=log)
        self.order("webhook", url=f"http://127.0.0.1:{self.server.port}/api/v1/webhook/apple")
        return self.server

    def pass_days(self, days):
        """Lets days pass, by the clocks of the server and of the App Store."""
        self.clock.move(int(days * DAY))
        self.order("advance", seconds=int(days * DAY))

    def sql(self, statement):
        return self.scene.place.sql(statement, "studio")

    # The App Store.

    def order(self, what, **body):
        return self.scene.order(what, self.store, **body)

    def buy(self, product, customer=None, app=DRAW, environment="Production", **members):
        """Buys at the App Store; returns the customer, the purchase's identifier and the receipt."""
        customer = customer or uuid.uuid4().hex
        answer = self.order(
            "buy", customer=customer, product=f"{app}.{product}", environment=environment, **members)
        held = answer.get("subscription") or answer["purchase"]
        id = held.get("originalTransactionId") or held["transactionId"]
        return customer, id, self.receipt(customer, app, environment)

    def receipt(self, customer, app=DRAW, environment="Production"):
        path = f"/control/receipt?customer={customer}&app={app}&environment={environment}"
        return wire.ask(self.store.port, "GET", path).json["receipt"]

    def sign(self, payload):
        answer = wire.ask(self.store.port, "POST", "/control/sign", [], {"payload": payload})
        insist(answer.status == 200, "the simulator signs nothing:", answer.body)
        return answer.json["signed"]

    def transaction(self, name, *, app=DRAW, start=-DAY, end=None, **members):
        """A signed transaction, whose dates are seconds from the clocks' now; with an end it is a
        subscription."""
        id = members.get("transactionId") or str(next(ids))
        now = time.time() + self.clock.lead

        def date(seconds):
            return int((now + seconds) * 1000)

        payload = {
            "transactionId": id, "originalTransactionId": id, "bundleId": app,
            "productId": f"{app}.{name}", "purchaseDate": date(start),
            "originalPurchaseDate": date(start), "quantity": 1, "inAppOwnershipType": "PURCHASED",
            "type": "Non-Consumable" if end is None else "Auto-Renewable Subscription",
            "signedDate": int(now * 1000), "environment": "Production", **members,
        }
        if end is not None:
            payload["expiresDate"] = date(end)
        payload = {name: value for name, value in payload.items() if value is not None}
        return id, self.sign(payload)

    # Clients.

    def user(self):
        return f"u-{uuid.uuid4().hex[:12]}"

    def bearer(self, user):
        return (f"Authorization: Bearer {session(user)}",) if user else (BEARER,)

    def ask(self, method, path, body=b"", user=None, headers=None):
        headers = self.bearer(user) if headers is None else headers
        self.scene.checked += 1
        return wire.ask(self.server.port, method, STORE + path, headers, body)

    def good(self, answer):
        told = (answer.status, answer.body[:400])
        insist(answer.status == 200, *told)
        insist(answer.fields["content-type"] == "application/json; charset=utf-8", *told)
        insist(len(answer.fields.get("x-request-id", "")) == 16, *told)
        return answer.json

    def refused(self, answer, status, error=None, message=None):
        """The answer has exactly a message, and with status 422 the field and the code."""
        told = (answer.status, answer.body[:400], "instead of", status, error)
        insist(answer.status == status, *told)
        insist(answer.fields["content-type"] == "application/json; charset=utf-8", *told)
        insist(("retry-after" in answer.fields) == (status == 503), *told)
        if error:
            field, code = error.split("/")
            insist(set(answer.json) == {"message", "error"}, *told)
            insist(answer.json["error"] == {"field": field, "code": code}, *told)
            insist(answer.json["message"] != "", *told)
        else:
            # Missing authorization and a wrong token are told apart.
            message = message or MESSAGES.get(status)
            insist(set(answer.json) == {"message"} and answer.json["message"] != "", *told)
        insist(message is None or answer.json["message"] == message, *told, message)

    def validate(self, user=None, *transactions, receipt=None, app=DRAW, by=None, **members):
        body = {"bundleId": app, "userId": user, **members}
        if transactions:
            body["signedTransactions"] = list(transactions)
        if receipt:
            body["receiptData"] = receipt
        body = {name: value for name, value in body.items() if value is not None}
        return self.ask("POST", "/receipts/validate", body, by or user)

    def holds(self, name, user=None, **members):
        """Gives a user a signed purchase; returns its identifier."""
        user_ = user or self.user()
        app = members.get("app", DRAW)
        id, jws = self.transaction(name, **members)
        self.good(self.validate(user_, jws, app=app))
        return id if user else user_

    def subscriber(self, name="full.monthly", **members):
        """A new user with an active subscription; returns the user."""
        return self.holds(name, **{"end": 20 * DAY, **members})

    def products(self, user, app=DRAW, by=None):
        return self.good(self.ask("GET", f"/users/{user}/products?bundleId={app}", user=by or user))

    def allowed(self, user, expected, app=DRAW):
        answer = self.products(user, app)
        insist(answer["allowedProducts"] == expected, answer["allowedProducts"], "not", expected)
        return answer

    def acquire(self, user, name, app=DRAW):
        body = {"bundleId": app, "productId": f"{app}.{name}"}
        return self.ask("POST", f"/users/{user}/acquire", body, user)

    def acquired(self, user, *short):
        for name in short:
            insist(self.good(self.acquire(user, name))["created"], name, "is not new")

    def acquire_all(self, user, app=DRAW):
        return self.ask("POST", f"/users/{user}/acquire-all", {"bundleId": app}, user)
