"""Credits over a socket: every row of Documentation/rules/credit-rules.md, section 9, and of its other tables;
then what the server adds."""
import os
import subprocess
import time
import uuid

import credit_grants
import credit_news
import credit_settings
import credit_starters
from credit_grants import HOST_TOKEN
from credit_news import bought
from credit_starters import EMAILS
from programs import TOKEN
from story import insist
from wallet import GEMS, HOOK, KEY, PREFIX, SECOND_APP, Wallet, session

APPS = {"com.example.reader": 1234567890, SECOND_APP: 1234567891}


def check(scene):
    wallet = Wallet(scene)
    wallet.start(user=EMAILS, accountToken={"u12-known": HOST_TOKEN}, app=APPS)
    wallet.users |= {*EMAILS, "u12-known", "u12-unknown"}
    for part in [credit_grants.check, credit_news.check, credit_starters.check]:
        part(wallet)
    for addition in [
        own_bookings, additions, sold, one_webhook, sessions, credit_settings.reloaded,
        credit_settings.defaults,
    ]:
        addition(wallet)
    # Row 32.
    for user in sorted(wallet.users):
        wallet.audit(user)
    silent_log(wallet)
    audited(wallet)
    insist(scene.server.stop() == 0, "the server did not end well")
    credit_settings.check(wallet)


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
        ["welcome_pack", "big_pack", "huge_pack", "second_pack"], products)
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


def silent_log(wallet):
    """The output of the server has no tokens, signed data, e-mail addresses, users or keys."""
    server = wallet.scene.server
    told = "\n".join(server.lines + server.errors)
    for secret in [TOKEN, KEY, HOST_TOKEN, session("u28a").split(".")[0], "eyJ", "xample.com", "xample.COM",
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
