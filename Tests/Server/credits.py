"""Credits over a socket: the rows of Documentation/credit-rules.md, section 9, by their numbers, then
what the server adds."""
import json
import os
import signal
import sqlite3
import subprocess
import threading
import time
import uuid

import wire
from hostile import until
from programs import TOKEN
from story import BEARER, insist
from wallet import GEMS, HOOK, KEY, MAPPING, PREFIX, VERIFY, Wallet, base64url, forged, session

EMAILS = {
    "u28a": " Ann@Example.COM ", "u28b": "ann@example.com", "u29a": "bob@example.com",
    "u29b": "BOB@example.com", "u30a": "carol@example.com", "u30b": "Carol@Example.com",
}


def check(scene):
    wallet = Wallet(scene)
    wallet.start(user=EMAILS)
    wallet.users |= set(EMAILS)
    for row in [
        rows_1_2, row_3, row_4, row_5, row_6, row_7, row_8, rows_9_10_11, row_12, row_13, row_14,
        row_15, row_16, row_17, row_18, row_19, row_20, row_21, row_22, row_23, row_24, row_25,
        row_26, row_27, row_28, row_29, row_30, own_bookings, additions, sold, one_webhook, sessions,
        reloaded,
    ]:
        row(wallet)
    for user in sorted(wallet.users):
        wallet.audit(user)
    silent_log(wallet)
    audited(wallet)
    insist(scene.server.stop() == 0, "the server did not end well")
    narrowed(wallet)
    public_key(wallet)
    if scene.place.database is None:
        alone(wallet)


def at_once(*works):
    """Runs all at the same moment, and returns their results."""
    results = [None] * len(works)
    gate = threading.Barrier(len(works))

    def run(number, work):
        gate.wait()
        results[number] = work()

    threads = [
        threading.Thread(target=run, args=(number, work)) for number, work in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    return results


# Verify.


def rows_1_2(wallet):
    user = wallet.user()
    id, jws = wallet.transaction("welcome")
    wallet.granted(user, id, jws, 60, 160, "welcome")
    wallet.granted(user, id, jws, 0, 160, "welcome", "already_granted")
    wallet.book(user, -30, kind="spending")
    wallet.granted(user, id, jws, 0, 130, "welcome", "already_granted")
    entry = wallet.ledger(user)[1]
    ext = entry["metadata"]["ext"]
    insist(
        (entry["event_id"], entry["change_type"], entry["biz_type"], entry["amount"],
         entry["balance_after"]) == (f"payment.apple_iap:{id}", "purchase", "payment", 60, 160),
        entry)
    insist(
        (ext["provider"], ext["environment"], ext["product_code"], ext["app_store_product_id"],
         ext["transaction_id"], ext["quantity"], ext["credits_per_unit"]) ==
        ("apple_iap", "Production", "welcome_pack", GEMS + "welcome", id, 1, 60), ext)


def row_3(wallet):
    user = wallet.user()
    id, jws = wallet.transaction("welcome")
    body, bearer = wallet.claim(id, jws, "welcome"), wallet.bearer(user)
    answers = at_once(*[lambda: wallet.scene.ask("POST", VERIFY, body, bearer)] * 50)
    statuses = sorted(answer.json["status"] for answer in answers)
    insist(statuses == ["already_granted"] * 49 + ["granted"], statuses)
    purchases = [e for e in wallet.audit(user) if e["change_type"] == "purchase"]
    insist(wallet.balance(user) == 160 and len(purchases) == 1, purchases)


def row_4(wallet):
    one, two = wallet.user(), wallet.user()
    id, jws = wallet.transaction()
    wallet.granted(one, id, jws, 500, 600)
    wallet.refused(
        two, wallet.claim(id, jws), 409, "PAYMENT_TRANSACTION_CONFLICT", transactionId=id)


def row_5(wallet):
    for _ in range(5):
        users = [wallet.user(), wallet.user()]
        id, jws = wallet.transaction()
        answers = at_once(*[
            lambda user=user: wallet.scene.ask(
                "POST", VERIFY, wallet.claim(id, jws), wallet.bearer(user)) for user in users])
        insist(sorted(answer.status for answer in answers) == [200, 409], "both got", answers)
        lost = next(answer for answer in answers if answer.status == 409)
        wallet.problem(lost, 409, "PAYMENT_TRANSACTION_CONFLICT", transactionId=id)
        insist(sorted(map(wallet.balance, users)) == [100, 600], "not one grant")


def row_6(wallet):
    user = wallet.user()
    id, jws = wallet.transaction(quantity=3)
    wallet.granted(user, id, jws, 1500, 1600)
    id, jws = wallet.transaction("huge", quantity=10_000_000_000)
    wallet.invalid(user, wallet.claim(id, jws, "huge"), "amount_out_of_range")
    rich = wallet.user(balance=(1 << 63) - 500)
    id, jws = wallet.transaction()
    wallet.invalid(rich, wallet.claim(id, jws), "amount_out_of_range")
    # Nothing is written: another user gets the credits.
    wallet.granted(wallet.user(), id, jws, 500, 600)
    for quantity in [0, -1]:
        id, jws = wallet.transaction(quantity=quantity)
        wallet.invalid(user, wallet.claim(id, jws), "payload_invalid")


def row_7(wallet):
    user = wallet.user()
    id, jws = wallet.transaction()
    good = wallet.claim(id, jws)

    def fault(body, field, reason, **more):
        wallet.refused(
            user, body, 422, "REQUEST_VALIDATION_FAILED", field=field, reason=reason, **more)

    for body in [b"", b"{", b"\xff", b'{"a":1}{}']:
        fault(body, "body", "not_json")
    for body in [b"[]", b"1"]:
        fault(body, "body", "wrong_type")
    fault(b" " * (64 << 10) + b"{}", "body", "too_large")
    limits = [
        ("productCode", 32), ("appStoreProductId", 128), ("transactionId", 64),
        ("signedTransactionInfo", 32_768)]
    for field, limit in limits:
        fault({**good, field: "1" * (limit + 1)}, field, "too_long", max=limit)
        for absent in [{**good, field: None}, {k: v for k, v in good.items() if k != field}]:
            fault(absent, field, "missing")
        fault({**good, field: ""}, field, "empty")
        for value in [1, True, [], {}]:
            fault({**good, field: value}, field, "wrong_type")
    fault({**good, "appAccountToken": "abc"}, "appAccountToken", "not_a_uuid")
    fault({**good, "appAccountToken": 1}, "appAccountToken", "wrong_type")
    fault({**good, "appAccountToken": ""}, "appAccountToken", "empty")
    # The first fault counts; white space is not trimmed.
    fault({**good, "productCode": 1, "transactionId": "1" * 65}, "productCode", "wrong_type")
    wallet.refused(
        user, {**good, "productCode": "big_pack "}, 404, "PAYMENT_PRODUCT_NOT_FOUND",
        productCode="big_pack ")


def row_8(wallet):
    id, jws = wallet.transaction()
    for body in [b"", wallet.claim(id, jws)]:
        wallet.refused(None, body, 401, "UNAUTHENTICATED")


def rows_9_10_11(wallet):
    user = wallet.user()
    id, jws = wallet.transaction()
    for pack in ["none", "old"]:
        wallet.refused(
            user, wallet.claim(id, forged(jws), pack), 404, "PAYMENT_PRODUCT_NOT_FOUND",
            productCode=f"{pack}_pack")
    wallet.invalid(user, wallet.claim(id, forged(jws), "welcome"), "signature_invalid")
    wallet.invalid(user, wallet.claim(id, "e30.e30"), "malformed")
    wallet.refused(
        user, wallet.claim(id, jws, "welcome"), 422, "PAYMENT_PRODUCT_MISMATCH",
        productCode="welcome_pack", appStoreProductId=GEMS + "welcome")
    wallet.refused(
        user, wallet.claim(id, jws, appStoreProductId="x"), 422, "PAYMENT_PRODUCT_MISMATCH",
        productCode="big_pack", appStoreProductId="x")
    wallet.invalid(user, wallet.claim("1", jws), "transaction_id_mismatch")
    other, elsewhere = wallet.transaction(bundleId="com.example.other")
    wallet.invalid(user, wallet.claim(other, elsewhere), "bundle_id_mismatch")
    xcode, local = wallet.transaction(environment="LocalTesting")
    wallet.invalid(user, wallet.claim(xcode, local), "environment_not_allowed")


def row_12(wallet):
    """The rows with a host that knows no tokens."""
    token, other = str(uuid.uuid4()), str(uuid.uuid4())
    user = wallet.user(balance=0)
    for balance, (asked, signed) in enumerate([
        (None, None), (None, token), (token, token), (token.upper(), token),
    ], 1):
        id, jws = wallet.transaction(appAccountToken=signed)
        wallet.granted(user, id, jws, 500, 500 * balance, appAccountToken=asked)
    for asked, signed in [(token, None), (token, other)]:
        id, jws = wallet.transaction(appAccountToken=signed)
        wallet.invalid(
            user, wallet.claim(id, jws, appAccountToken=asked), "app_account_token_mismatch")


def row_13(wallet):
    user = wallet.user()
    id, jws = wallet.transaction(environment="Sandbox")
    wallet.granted(user, id, jws, 500, 600)
    wallet.granted(user, *wallet.transaction(transactionId=id), 500, 1100)
    insist(
        [entry["metadata"]["ext"]["environment"] for entry in wallet.ledger(user)[:2]] ==
        ["Production", "Sandbox"], "the environment is not in the ledger")


def row_14(wallet):
    user = wallet.user()
    revoked = {"revocationDate": int(time.time() * 1000)}
    id, jws = wallet.transaction(**revoked)
    told = {"status": 409, "code": "PAYMENT_TRANSACTION_REVOKED"}
    wallet.refused(user, wallet.claim(id, jws), **told, transactionId=id)
    id, jws = wallet.transaction()
    wallet.granted(user, id, jws, 500, 600)
    _, jws = wallet.transaction(transactionId=id, **revoked)
    for asker in [user, wallet.user()]:
        wallet.refused(asker, wallet.claim(id, jws), **told, transactionId=id)
    insist(wallet.balance(user) == 600, "verify took credits back")


# Notifications.


def bought(wallet, pack="welcome"):
    user = wallet.user()
    id, jws = wallet.transaction(pack)
    credits = {"welcome": 60, "big": 500}[pack]
    wallet.granted(user, id, jws, credits, 100 + credits, pack)
    return user, id, wallet.claim(id, jws, pack)


def revoked(wallet, user, body):
    wallet.refused(
        user, body, 409, "PAYMENT_TRANSACTION_REVOKED", transactionId=body["transactionId"])


def row_15(wallet):
    user, id, body = bought(wallet)
    wallet.book(user, -135, kind="spending")
    wallet.news("REFUND", id, pack="welcome")
    insist(wallet.balance(user) == 0, "not taken back")
    entry = wallet.audit(user)[0]
    ext = entry["metadata"]["ext"]
    insist(
        (entry["event_id"], entry["change_type"], entry["amount"], entry["balance_after"]) ==
        (f"payment.apple_iap.refund:{id}", "refund", -25, 0), entry)
    insist(
        (ext["original_event_id"], ext["notification_type"], ext["original_amount"],
         ext["clawed_back"], ext["shortfall"]) ==
        (f"payment.apple_iap:{id}", "REFUND", 60, 25, 35), ext)
    revoked(wallet, user, body)


def row_16(wallet):
    user, id, _ = bought(wallet)
    body = wallet.news("REFUND", id, pack="welcome")
    insist(wallet.balance(user) == 100, "not taken back")
    wallet.told(body)
    wallet.news("REVOKE", id, pack="welcome")
    refunds = [e for e in wallet.audit(user) if e["change_type"] == "refund"]
    insist(wallet.balance(user) == 100 and len(refunds) == 1, refunds)


def row_17(wallet):
    user, id, _ = bought(wallet)
    wallet.book(user, -160, kind="spending")
    wallet.news("REFUND", id, pack="welcome")
    entry = wallet.audit(user)[0]
    insist(
        (entry["amount"], entry["metadata"]["ext"]["shortfall"]) == (0, 60), entry)


def row_18(wallet):
    user = wallet.user()
    id, jws = wallet.transaction("welcome")
    wallet.news("REFUND", id, at=-2, pack="welcome")
    revoked(wallet, user, wallet.claim(id, jws, "welcome"))
    wallet.news("REFUND_REVERSED", id, at=-1, pack="welcome")
    wallet.granted(user, id, jws, 60, 160, "welcome")


def row_19(wallet):
    user, id, body = bought(wallet)
    wallet.book(user, -135, kind="spending")
    wallet.news("REFUND", id, at=-2, pack="welcome")
    wallet.news("REFUND_REVERSED", id, at=-1, pack="welcome")
    entry = wallet.audit(user)[0]
    insist(
        (entry["event_id"], entry["change_type"], entry["amount"], entry["balance_after"]) ==
        (f"payment.apple_iap.refund_reversed:{id}", "refund_reversal", 25, 25), entry)
    wallet.granted(
        user, id, body["signedTransactionInfo"], 0, 25, "welcome", "already_granted")


def row_20(wallet):
    user, id, _ = bought(wallet)
    wallet.news("REFUND_REVERSED", id, at=-1, pack="welcome")
    wallet.news("REFUND", id, at=-300, pack="welcome")
    insist(wallet.balance(user) == 160, "an old refund counts")


def row_21(wallet):
    user, id, body = bought(wallet)
    for seconds, kind in [(-3, "REFUND"), (-2, "REFUND_REVERSED"), (-1, "REFUND")]:
        wallet.news(kind, id, at=seconds, pack="welcome")
    entry = wallet.audit(user)[0]
    insist(entry["event_id"] == f"payment.apple_iap.refund:{id}:2", entry)
    insist(wallet.balance(user) == 100, "not taken back")
    revoked(wallet, user, body)


def row_22(wallet):
    for _ in range(20):
        user = wallet.user()
        id, jws = wallet.transaction()
        _, refunded = wallet.transaction(transactionId=id, revocationDate=int(time.time() * 1000))
        news = wallet.notification("REFUND", refunded)
        verified, told = at_once(
            lambda: wallet.scene.ask(
                "POST", VERIFY, wallet.claim(id, jws), wallet.bearer(user)),
            lambda: wallet.scene.ask("POST", HOOK, news, ()))
        insist(told.status == 200 and verified.status in (200, 409), told.body, verified.body)
        insist(wallet.balance(user) == 100, "credits of a refunded purchase are kept")
        wallet.audit(user)


def row_23(wallet):
    user, id, _ = bought(wallet)
    _, refunded = wallet.transaction(
        "welcome", transactionId=id, revocationDate=int(time.time() * 1000))
    news = wallet.notification("REFUND", refunded)
    answers = at_once(*[lambda: wallet.scene.ask("POST", HOOK, news, ())] * 20)
    insist([answer.status for answer in answers] == [200] * 20, answers)
    refunds = [e for e in wallet.audit(user) if e["change_type"] == "refund"]
    insist(len(refunds) == 1 and wallet.balance(user) == 100, refunds)


def row_24(wallet):
    for _ in range(20):
        user, id, _ = bought(wallet)
        _, refunded = wallet.transaction(
            "welcome", transactionId=id, revocationDate=int(time.time() * 1000))
        news = wallet.notification("REFUND", refunded)
        spending = {
            "userId": user, "eventId": uuid.uuid4().hex, "changeType": "spending",
            "bizType": "test", "bizId": "1", "amount": -120,
        }
        told, spent = at_once(
            lambda: wallet.scene.ask("POST", HOOK, news, ()),
            lambda: wallet.scene.ask("POST", f"{PREFIX}/entries", spending))
        insist(told.status == 200 and spent.status in (200, 409), told.body, spent.body)
        left = 0 if spent.status == 200 else 100
        insist(wallet.balance(user) == left, "the balance is", wallet.balance(user), "not", left)
        wallet.audit(user)


def row_25(wallet):
    user, id, body = bought(wallet, "big")
    for kind in ["DID_RENEW", "INVENTED"]:
        wallet.news(kind, id)
    wallet.told(wallet.notification("TEST"))
    wallet.granted(user, id, body["signedTransactionInfo"], 0, 600, status="already_granted")


def row_26(wallet):
    user, id, _ = bought(wallet)
    for body in [b"", b"{", b"[]", b"{}", {"signedPayload": ""}, {"signedPayload": 1}]:
        wallet.problem(wallet.scene.ask("POST", HOOK, body, ()), 400, "REQUEST_MALFORMED")
    large = b'{"signedPayload":"' + b"a" * (256 << 10) + b'"}'
    wallet.problem(wallet.scene.ask("POST", HOOK, large, ()), 400, "REQUEST_MALFORMED")
    _, inner = wallet.transaction("welcome", transactionId=id)
    body = wallet.notification("REFUND", inner)

    def refused(body, reason):
        wallet.problem(
            wallet.told(body, 422), 422, "PAYMENT_TRANSACTION_INVALID", reason=reason)

    refused({"signedPayload": forged(body["signedPayload"])}, "signature_invalid")
    for changes in [{"bundleId": "com.example.other"}, {"environment": "Sandbox"}]:
        _, elsewhere = wallet.transaction("welcome", transactionId=id, **changes)
        name = str(uuid.uuid4())
        refused(wallet.notification("REFUND", elsewhere, notificationUUID=name), "payload_invalid")
        insist(wallet.balance(user) == 160, "a refused notification counts")
    # The UUID was not recorded.
    wallet.news("REFUND", id, pack="welcome", uuid=name)
    insist(wallet.balance(user) == 100, "a refused notification was recorded")


def row_27(wallet):
    user, id, _ = bought(wallet)
    _, refunded = wallet.transaction(
        "welcome", transactionId=id, revocationDate=int(time.time() * 1000))
    news = wallet.notification("REFUND", refunded)
    other, jws = wallet.transaction()
    with broken_database(wallet.scene):
        wallet.problem(wallet.scene.ask("POST", HOOK, news, ()), 500, "INTERNAL_ERROR")
        answer = wallet.scene.ask(
            "POST", VERIFY, wallet.claim(other, jws), wallet.bearer(user))
        wallet.problem(answer, 503, "SERVICE_UNAVAILABLE")
    if wallet.scene.place.database:
        until(
            lambda: wallet.scene.ask("GET", "/ready", headers=()).status == 200, "not ready again")
    wallet.told(news)
    insist(wallet.balance(user) == 100, "not taken back once")
    wallet.granted(user, other, jws, 500, 600)


class broken_database:
    """A database that is locked by another process, or stopped."""

    def __init__(self, scene):
        self.scene = scene

    def cluster(self, order):
        control = os.environ["STOREKEEPER_POSTGRES_CONTROL"]
        place = os.environ["STOREKEEPER_POSTGRES"].split()[0].removeprefix("host=")
        subprocess.run([control, order, place], check=True)

    def __enter__(self):
        if self.scene.place.database:
            return self.cluster("stop")
        self.other = sqlite3.connect(
            self.scene.place.path("server.sqlite"), isolation_level=None)
        self.other.execute("BEGIN IMMEDIATE")

    def __exit__(self, *_):
        if self.scene.place.database:
            return self.cluster("start")
        self.other.execute("ROLLBACK")
        self.other.close()


# Starter packs.


def ineligible(wallet, user, id, jws):
    wallet.refused(
        user, wallet.claim(id, jws, "welcome"), 409, "PAYMENT_STARTER_PACK_INELIGIBLE",
        productCode="welcome_pack")


def row_28(wallet):
    def messages():
        return sum("starter" in line for line in wallet.scene.server.errors)

    before = messages()
    wallet.granted("u28a", *wallet.transaction("welcome"), 60, 60, "welcome")
    id, jws = wallet.transaction("welcome")
    ineligible(wallet, "u28b", id, jws)
    until(lambda: messages() == before + 1, "the host is not told")
    # Y is not stored: a user of another identity gets it.
    wallet.granted(wallet.user(), id, jws, 60, 160, "welcome")


def row_29(wallet):
    id, jws = wallet.transaction("welcome")
    wallet.granted("u29a", id, jws, 60, 60, "welcome")
    wallet.news("REFUND", id, pack="welcome")
    ineligible(wallet, "u29b", *wallet.transaction("welcome"))


def row_30(wallet):
    bodies = [wallet.claim(*wallet.transaction("welcome"), "welcome") for _ in range(2)]
    answers = at_once(*[
        lambda user=user, body=body: wallet.scene.ask("POST", VERIFY, body, wallet.bearer(user))
        for user, body in zip(["u30a", "u30b"], bodies)])
    insist(sorted(answer.status for answer in answers) == [200, 409], answers)
    insist(wallet.balance("u30a") + wallet.balance("u30b") == 60, "not one grant")


# By addition to the contract.


def own_bookings(wallet):
    user = wallet.user()
    event = uuid.uuid4().hex
    for _ in range(2):
        insist(wallet.book(user, -40, event, kind="spending").json == {"balance": 60}, "not once")
    wallet.problem(wallet.book(user, -61, status=409), 409, "CREDIT_BALANCE_INSUFFICIENT")
    for headers in [(), wallet.bearer(user)]:
        wallet.problem(wallet.book(user, 1, status=401, headers=headers), 401, "UNAUTHENTICATED")
    # A service's token is no session.
    wallet.problem(
        wallet.scene.ask("GET", f"{PREFIX}/balance"), 401, "UNAUTHENTICATED")
    for name, value in [("eventId", "payment.apple_iap:1"), ("changeType", "purchase")]:
        body = {
            "userId": user, "eventId": "x", "changeType": "bonus", "bizType": "t", "bizId": "1",
            "amount": 1, name: value,
        }
        wallet.problem(
            wallet.scene.ask("POST", f"{PREFIX}/entries", body), 422, "REQUEST_VALIDATION_FAILED",
            field=name, reason="reserved")
    insist(wallet.balance(user) == 60, "a refused booking counts")


def additions(wallet):
    user = wallet.user()
    for amount in range(1, 6):
        wallet.book(user, amount)
    page = wallet.scene.expect(
        200, "GET", f"{PREFIX}/ledger?page=2&per_page=2", b"", wallet.bearer(user)).json
    insist((page["total"], page["page"], page["limit"]) == (6, 2, 2), page)
    insist([entry["amount"] for entry in page["data"]] == [3, 2], page)
    products = wallet.scene.expect(
        200, "GET", "/api/v1/payments/apple/products", b"", wallet.bearer(user)).json["data"]
    insist(
        [product["productCode"] for product in products] ==
        ["welcome_pack", "big_pack", "huge_pack"], products)
    for method, path in [
        ("GET", f"{PREFIX}/balance"), ("GET", f"{PREFIX}/ledger"),
        ("GET", "/api/v1/payments/apple/products"), ("POST", f"{PREFIX}/entries"),
    ]:
        wallet.problem(wallet.scene.ask(method, path, b"{}", ()), 401, "UNAUTHENTICATED")
    # A path of nobody is answered by the subscriptions, as before.
    wallet.scene.expect(404, "GET", f"{PREFIX}/nothing")


def sold(wallet):
    """A pack that the simulator sells, refunds and restores, with its notifications."""
    scene = wallet.scene
    scene.order("webhook", url=f"http://127.0.0.1:{scene.server.port}{HOOK}", versions="v2")
    try:
        user = wallet.user()
        account = str(uuid.uuid4())
        answer = scene.order(
            "buy", customer=user, product=GEMS + "big", quantity=2, appAccountToken=account)
        accepted(answer, "ONE_TIME_CHARGE")
        id, jws = (answer["purchase"][name] for name in ["transactionId", "signedTransactionInfo"])
        wallet.granted(user, id, jws, 1000, 1100, appAccountToken=account)
        accepted(scene.order("refund", transactionId=id), "REFUND")
        insist(wallet.balance(user) == 100, "not taken back")
        accepted(scene.order("reverseRefund", transactionId=id), "REFUND_REVERSED")
        insist(wallet.balance(user) == 1100, "not restored")
    finally:
        scene.order("webhook", url=f"http://127.0.0.1:{scene.between.port}/hook", versions="both")


def accepted(answer, kind):
    told = [(news["type"], news["state"]) for news in answer["notifications"]]
    insist(told == [(kind, "accepted")], told)


def one_webhook(wallet):
    """The path of subscriptions takes the notifications of credits, and the other way round."""
    user, id, _ = bought(wallet)
    _, refunded = wallet.transaction(
        "welcome", transactionId=id, revocationDate=int(time.time() * 1000))
    body = wallet.notification("REFUND", refunded)
    wallet.scene.expect(200, "POST", "/api/v1/webhook/apple", body, ())
    insist(wallet.balance(user) == 100, "not taken back")
    wallet.told(body)
    subscription, _, receipt = wallet.scene.buy()
    wallet.scene.expect(200, "POST", "/api/v1/apple/subs", {"receiptData": receipt})
    wallet.scene.order("refund", originalTransactionId=subscription)
    wallet.told(wallet.scene.notification(2))
    path = f"/api/v1/apple/subs/{subscription}"
    insist(not wallet.scene.expect(200, "GET", path).json["autoRenewal"], "not refunded")


def sessions(wallet):
    user = wallet.user()
    now = int(time.time())

    def ask(token):
        return wallet.scene.ask(
            "GET", f"{PREFIX}/balance", b"", (f"Authorization: Bearer {token}",))

    for token in [session(user), session(user, nbf=now - 5), session(user, exp=now - 5)]:
        insist(ask(token).status == 200, "a good token is refused")
    good = session(user)
    for token in [
        session(user, exp=None), session(user, exp=now - 600), session(user, nbf=now + 600),
        session(user, key=KEY[::-1]), session(user, header={"alg": "none"}),
        session(user, header={"alg": "HS512"}), session(None), session(" " + user), good[:-4],
        good.rsplit(".", 1)[0] + ".", TOKEN, "x",
    ]:
        wallet.problem(ask(token), 401, "UNAUTHENTICATED")


def reloaded(wallet):
    """SIGHUP reads the mapping again; a file that is refused changes nothing."""
    server = wallet.scene.server
    user = wallet.user()

    def hang_up(mapping, event):
        seen = len(server.errors)
        wallet.write(mapping)
        server.process.send_signal(signal.SIGHUP)
        def found():
            return [json.loads(line) for line in server.errors[seen:] if f'"{event}"' in line]
        until(found, f"the log does not tell: {event}")
        return found()[0]

    def credits(pack, status=200):
        id, jws = wallet.transaction(pack)
        answer = wallet.scene.ask(
            "POST", VERIFY, wallet.claim(id, jws, pack), wallet.bearer(user))
        insist(answer.status == status, pack, answer.status, answer.body)
        return answer.json.get("creditsAdded")

    insist(credits("big") == 500, "not the pack of the beginning")
    new = (
        MAPPING.replace("credits: 500", "credits: 400").replace("old_pack", "new_pack")
        .replace("gems.old, credits: 5, enabled: false", "gems.new, credits: 7, colour: red")
        .replace("  huge_pack", "  #"))
    told = hang_up(new, "credit products reloaded")
    insist(
        (told["products"], told["added"], told["removed"], told["changed"]) == (3, 1, 1, 1), told)
    until(
        lambda: any("new_pack.colour (line 5): unknown key" in line for line in server.errors),
        "the unknown key is not told")
    insist(credits("big") == 400 and credits("new") == 7, "the new mapping has no effect")
    credits("huge", 404)
    for bad, told in [
        (new.replace("credits: 7", 'credits: "7"'), "mapping: product_mappings.new_pack.credits"
         " (line 5): expected a whole number"),
        (new + "  big_pack: {}\n", "mapping: product_mappings.big_pack (line 6)"),
        ("product_mappings: [", "mapping: "),
    ]:
        reason = hang_up(bad, "credit products refused")["reason"]
        insist(reason.startswith(told), reason, "instead of", told)
        insist(credits("big") == 400 and credits("new") == 7, "a refused mapping has an effect")
    os.rename(wallet.mapping, wallet.mapping + ".away")
    server.process.send_signal(signal.SIGHUP)
    until(
        lambda: any("the file cannot be read" in line for line in server.errors), "not told")
    insist(credits("big") == 400, "a missing mapping has an effect")
    hang_up(MAPPING, "credit products reloaded")
    insist(credits("big") == 500, "the mapping is not as before")


def silent_log(wallet):
    """The output of the server has no tokens, signed data, e-mail addresses, users or keys."""
    server = wallet.scene.server
    told = "\n".join(server.lines + server.errors)
    for secret in [TOKEN, KEY, session("u28a").split(".")[0], "eyJ", "xample.com", "xample.COM",
                   *wallet.users]:
        insist(secret not in told, "a log shows what it should not:", secret)


def audited(wallet):
    """Row 32, with the program that reads the database."""
    place = wallet.scene.place
    database = place.database or f"sqlite:{place.path('server.sqlite')}"
    ended = subprocess.run(
        [os.path.join(place.binaries, "audit-ledger"), database], capture_output=True, text=True,
        timeout=60)
    insist(ended.returncode == 0 and ended.stdout == "", "the audit:", ended.stdout, ended.stderr)


# Other settings.


def narrowed(wallet):
    """Row 13: only Production allowed. Notifications of the Sandbox are ignored."""
    wallet.start("--credit-environment", "Production")
    user = wallet.user()
    id, jws = wallet.transaction(environment="Sandbox")
    wallet.invalid(user, wallet.claim(id, jws), "environment_not_allowed")
    wallet.told(wallet.notification("REFUND", jws, environment="Sandbox"))
    wallet.granted(user, *wallet.transaction(), 500, 600)
    insist(wallet.scene.server.stop() == 0, "the server did not end well")
    wallet.start("--credit-environment=")
    wallet.granted(user, id, jws, 500, 1100)
    insist(wallet.scene.server.stop() == 0, "the server did not end well")


def public_key(wallet):
    """Sessions that are signed with ES256."""
    private, public = (wallet.scene.place.path(name) for name in ["es256.pem", "es256.pub"])
    subprocess.run(
        ["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", private],
        check=True, capture_output=True)
    subprocess.run(
        ["openssl", "ec", "-in", private, "-pubout", "-out", public], check=True,
        capture_output=True)
    wallet.start(sessionKey=public)
    parts = [{"alg": "ES256"}, {"sub": "u-es256", "exp": int(time.time()) + 60}]
    content = ".".join(base64url(json.dumps(part).encode()) for part in parts)
    der = subprocess.run(
        ["openssl", "dgst", "-sha256", "-sign", private], input=content.encode(), check=True,
        capture_output=True).stdout
    # A sequence of two integers (RFC 3279 section 2.2.3).
    first = 4 + der[3]
    numbers = [der[4:first], der[first + 2:]]
    signature = b"".join(number[-32:].rjust(32, b"\0") for number in numbers)
    path = f"{PREFIX}/balance"
    for token, status in [
        (f"{content}.{base64url(signature)}", 200), (session("u-es256"), 401),
        (session("u-es256", key=open(public).read()), 401),
    ]:
        answer = wallet.scene.ask("GET", path, b"", (f"Authorization: Bearer {token}",))
        insist(answer.status == status, "with ES256:", answer.status, answer.body)
    insist(wallet.scene.server.stop() == 0, "the server did not end well")


def alone(wallet):
    """A server of credits without subscriptions, and the other way round."""
    path = wallet.scene.place.path("alone.sqlite")
    wallet.start(
        database=f"sqlite:{path}", product=None, token=None, sharedSecret=None, appStoreUrl=None,
        acceptAnyAccount=None)
    user = wallet.user(balance=0)
    id, jws = wallet.transaction()
    wallet.granted(user, id, jws, 500, 500)
    wallet.news("REFUND", id)
    insist(wallet.balance(user) == 0, "not taken back")
    for method, path_ in [
        ("POST", "/api/v1/webhook/apple"), ("GET", "/api/v1/apple/subs"),
        ("POST", f"{PREFIX}/entries"),
    ]:
        wallet.problem(wallet.scene.ask(method, path_, b"{}"), 404, "NOT_FOUND")
    insist(wallet.scene.ask("GET", "/ready", headers=()).status == 200, "not ready")
    insist(wallet.scene.server.stop() == 0, "the server did not end well")
    insist("credit_ledger" in tables(path) and "ftc_vip" not in tables(path), tables(path))
    other = wallet.scene.place.path("newspaper.sqlite")
    wallet.scene.start(database=f"sqlite:{other}")
    wallet.scene.expect(404, "POST", VERIFY, b"{}")
    insist(wallet.scene.server.stop() == 0, "the server did not end well")
    insist("credit_ledger" not in tables(other) and "ftc_vip" in tables(other), tables(other))


def tables(path):
    with sqlite3.connect(path) as database:
        return {name for name, in database.execute("SELECT name FROM sqlite_master")}
