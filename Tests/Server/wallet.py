"""Common parts of the tests of credits: packs, users with session tokens, Apple's signature, and
expectations of answers."""
import base64
import hashlib
import hmac
import itertools
import json
import time
import uuid

import wire
from story import BEARER, insist

KEY = "a-secret-of-thirty-two-bytes-ok!"
VERIFY = "/api/v1/payments/apple/transactions/verify"
HOOK = "/api/v1/payments/apple/notifications"
PREFIX = "/api/v1/credits"
GEMS = "com.example.gems."
MAPPING = """\
product_mappings:
  welcome_pack: {app_store_product_id: com.example.gems.welcome, credits: 60, type: starter}
  big_pack: {app_store_product_id: com.example.gems.big, credits: 500, sort_order: 1}
  huge_pack: {app_store_product_id: com.example.gems.huge, credits: 1000000000, sort_order: 2}
  old_pack: {app_store_product_id: com.example.gems.old, credits: 5, enabled: false}
  second_pack: {app_store_product_id: com.example.gems.second, credits: 90, type: starter, sort_order: 3}
"""
ids = itertools.count(int(time.time()) * 1_000_000)


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def session(user, key=KEY, header={"alg": "HS256"}, **claims):
    """A session token; a claim of None is left out."""
    claims = {"sub": user, "exp": int(time.time()) + 600, **claims}
    claims = {name: value for name, value in claims.items() if value is not None}
    content = ".".join(base64url(json.dumps(part).encode()) for part in [header, claims])
    code = hmac.digest(key.encode(), content.encode(), hashlib.sha256)
    return f"{content}.{base64url(code)}"


def forged(jws):
    """The token with another signature."""
    head, payload, signature = jws.split(".")
    return f"{head}.{payload}.{('B' if signature[0] == 'A' else 'A') + signature[1:]}"


class Wallet:
    """A server of credits, and what its clients and Apple send."""

    def __init__(self, scene):
        self.scene = scene
        self.users = set()
        # The name of the server's database, if it is a file.
        self.database = "server"

    def start(self, *arguments, **settings):
        self.mapping = self.scene.place.path("gems.yaml")
        self.write(MAPPING)
        key = self.scene.place.path("session.key")
        with open(key, "w") as file:
            file.write(KEY + "\n")
        return self.scene.start(*arguments, **{
            "creditProducts": self.mapping, "sessionKey": key, "outboxInterval": 1, **settings})

    def write(self, mapping):
        with open(self.mapping, "w") as file:
            file.write(mapping)

    # Apple.

    def sign(self, payload, store=None):
        """Signs as Apple, or as another simulator, with a root of its own."""
        port = (store or self.scene.store).port
        answer = wire.ask(port, "POST", "/control/sign", [], {"payload": payload})
        insist(answer.status == 200, "the simulator signs nothing:", answer.body)
        return answer.json["signed"]

    def transaction(self, pack="big", store=None, **members):
        """A signed transaction, with its identifier; a member of None is left out."""
        id = members.get("transactionId") or str(next(ids))
        now = int(time.time() * 1000)
        payload = {
            "transactionId": id, "originalTransactionId": id, "bundleId": "com.example.reader",
            "productId": GEMS + pack, "purchaseDate": now, "originalPurchaseDate": now,
            "quantity": 1, "type": "Consumable", "inAppOwnershipType": "PURCHASED",
            "signedDate": now, "environment": "Production", **members,
        }
        payload = {name: value for name, value in payload.items() if value is not None}
        return id, self.sign(payload, store)

    def notification(self, kind, transaction=None, at=None, **members):
        """The body of a notification, signed so many seconds from now; a member of None is left out."""
        environment = members.pop("environment", "Production")
        payload = {
            "notificationType": kind, "notificationUUID": str(uuid.uuid4()), "version": "2.0",
            "signedDate": int((time.time() + (at or 0)) * 1000),
            "data": {
                "appAppleId": 1234567890, "bundleId": "com.example.reader", "bundleVersion": "1",
                "environment": environment,
                **({"signedTransactionInfo": transaction} if transaction else {}),
            }, **members,
        }
        payload = {name: value for name, value in payload.items() if value is not None}
        return {"signedPayload": self.sign(payload)}

    def news(self, kind, id, outcome, at=None, pack="big", name=None, **members):
        """Tells the server of a transaction, which accepts it and records the outcome. The notification has
        this name or a new one; the members are those of the transaction."""
        name = name or str(uuid.uuid4())
        if kind in ("REFUND", "REVOKE"):
            members = {
                "revocationDate": int(time.time() * 1000), "revocationReason": 0, **members}
        _, transaction = self.transaction(pack, transactionId=id, **members)
        body = self.notification(kind, transaction, at, notificationUUID=name)
        self.told(body)
        self.recorded(name, outcome)
        return body

    def sql(self, statement):
        return self.scene.place.sql(statement, self.database)

    def recorded(self, name, outcome):
        """The notification with this name is recorded with the outcome; None for one that is not."""
        rows = self.sql(
            f"SELECT outcome FROM apple_notifications WHERE notification_uuid = '{name}'")
        insist(rows == ([[outcome]] if outcome else []), "recorded:", rows, "instead of", outcome)
        self.scene.checked += 1

    def stored(self, id, *columns, environment="Production"):
        """The columns of a stored transaction; None if it is not stored."""
        rows = self.sql(
            f"SELECT {', '.join(columns)} FROM apple_iap_transactions"
            f" WHERE transaction_id = '{id}' AND environment = '{environment}'")
        return tuple(rows[0]) if rows else None

    def claims(self, identity):
        """The marks of starter packs of an identity, with the transaction and the user."""
        return self.sql(
            "SELECT starter_transaction_id, user_id, has_purchased_starter_pack"
            f" FROM register_bonus_claims WHERE email_identity = '{identity}'")

    def told(self, body, status=200):
        answer = self.scene.ask("POST", HOOK, body, ())
        insist(answer.status == status, "a notification:", answer.status, answer.body)
        if status == 200:
            insist(answer.body == b"", "a notification is answered with", answer.body)
        self.scene.checked += 1
        return answer

    # Clients.

    def user(self, balance=100):
        """A new user with a balance."""
        user = f"u-{uuid.uuid4().hex[:12]}"
        self.users.add(user)
        if balance:
            insist(self.book(user, balance).json == {"balance": balance}, "not booked")
        return user

    def book(self, user, amount, event=None, status=200, headers=(BEARER,), kind="bonus"):
        body = {
            "userId": user, "eventId": event or uuid.uuid4().hex, "changeType": kind,
            "bizType": "test", "bizId": "1", "amount": amount,
        }
        answer = self.scene.ask("POST", f"{PREFIX}/entries", body, headers)
        insist(answer.status == status, "a booking:", answer.status, answer.body)
        self.scene.checked += 1
        return answer

    def claim(self, id, jws, pack="big", **members):
        return {
            "productCode": f"{pack}_pack", "appStoreProductId": GEMS + pack, "transactionId": id,
            "signedTransactionInfo": jws, "appAccountToken": None, **members,
        }

    def bearer(self, user):
        return (f"Authorization: Bearer {session(user)}",) if user else ()

    def granted(self, user, id, jws, added, balance, pack="big", status="granted", **members):
        answer = self.scene.expect(
            200, "POST", VERIFY, self.claim(id, jws, pack, **members), self.bearer(user))
        expected = {
            "status": status, "productCode": f"{pack}_pack", "transactionId": id,
            "creditsAdded": added, "newBalance": balance,
            "ledgerEventId": f"payment.apple_iap:{id}",
        }
        insist(list(answer.json.items()) == list(expected.items()), answer.body, "not", expected)
        self.audit(user)

    def refused(self, user, body, status, code, **params):
        """Verify answers with a problem, whose members are in the contract's order."""
        answer = self.scene.ask("POST", VERIFY, body, self.bearer(user))
        self.problem(answer, status, code, **params)
        if user:
            for other in self.users - {user}:
                insist(other not in answer.body.decode(), "another user is named")
            self.audit(user)
        return answer

    def invalid(self, user, body, reason):
        return self.refused(user, body, 422, "PAYMENT_TRANSACTION_INVALID", reason=reason)

    def ineligible(self, user, id, jws, pack="welcome"):
        self.refused(
            user, self.claim(id, jws, pack), 409, "PAYMENT_STARTER_PACK_INELIGIBLE",
            productCode=f"{pack}_pack")

    def problem(self, answer, status, code, **params):
        told = (answer.status, answer.body)
        insist(answer.status == status, *told, "instead of", status, code)
        insist(answer.fields["content-type"] == "application/problem+json", *told)
        insist(answer.fields["cache-control"] == "no-cache, no-store, must-revalidate", *told)
        members = answer.json
        order = ["type", "title", "status", "detail", "code"] + (["params"] if params else [])
        insist(list(members) == order, *told, "not the members", order)
        insist(members["status"] == status and members["code"] == code, *told)
        insist(members["type"] == "urn:problem:" + code.lower().replace("_", "-"), *told)
        insist(members.get("params", {}) == params, *told, "not", params)
        insist(
            answer.fields.get("www-authenticate") == ("Bearer" if status == 401 else None), *told)
        insist(("retry-after" in answer.fields) == (status == 503), *told)
        self.scene.checked += 1

    def balance(self, user):
        answer = self.scene.expect(200, "GET", f"{PREFIX}/balance", b"", self.bearer(user))
        return answer.json["balance"]

    def ledger(self, user):
        """All entries, the newest first."""
        page = self.scene.expect(
            200, "GET", f"{PREFIX}/ledger?per_page=100", b"", self.bearer(user)).json
        insist((page["page"], page["limit"]) == (1, 100), page)
        insist(page["total"] == len(page["data"]), "a ledger of", page["total"])
        return page["data"]

    def audit(self, user):
        """The ledger explains the balance."""
        entries = self.ledger(user)
        balance = 0
        for entry in reversed(entries):
            balance += entry["amount"]
            insist(balance >= 0 and entry["balance_after"] == balance, "the ledger of", user, entries)
        insist(self.balance(user) == balance, "the ledger does not explain", balance)
        for kind in ["purchase", "refund"]:
            events = [
                (entry["metadata"]["ext"]["environment"], entry["event_id"])
                for entry in entries if entry["change_type"] == kind]
            insist(len(events) == len(set(events)), "an event is there twice:", events)
        return entries
