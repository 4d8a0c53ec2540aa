"""Credits over a socket: purchases and refunds by both webhooks, a database that fails, and what the server adds.

The rows of Documentation/rules/credit-rules.md are tested in StorekeeperTests and CreditPolicyTests, and the
answers in StorekeeperHTTPTests."""
import contextlib
import os
import subprocess
import time
import uuid

import credit_settings
from hostile import until
from moments import at_once
from programs import TOKEN
from story import insist
from wallet import GEMS, HOOK, KEY, PREFIX, VERIFY, Wallet, forged, session

# The app account token that the host made for a user, and the addresses of two users with one identity.
HOST_TOKEN = "6b1a3c52-0c1e-4f57-9a55-0d3b1c7e9a10"
EMAILS = {"u28a": " Ann@Example.COM ", "u28b": "ann@example.com"}


def check(scene):
    wallet = Wallet(scene)
    wallet.start(user=EMAILS, accountToken={"u12-known": HOST_TOKEN})
    wallet.users |= {*EMAILS, "u12-known"}
    for part in [
        granted, rivals, starters, refunded, copies, failing, own_bookings, routes, sold, one_webhook,
        credit_settings.reloaded, credit_settings.tokens_reloaded,
    ]:
        part(wallet)
    for user in sorted(wallet.users):
        wallet.audit(user)
    silent_log(wallet)
    audited(wallet)
    insist(scene.server.stop() == 0, "the server did not end well")
    credit_settings.check(wallet)


def bought(wallet, pack="welcome"):
    user = wallet.user()
    id, jws = wallet.transaction(pack)
    credits = {"welcome": 60, "big": 500}[pack]
    wallet.granted(user, id, jws, credits, 100 + credits, pack)
    return user, id, wallet.claim(id, jws, pack)


def granted(wallet):
    """Purchases, an account token of the settings, and a refusal of each kind."""
    user = wallet.user()
    id, jws = wallet.transaction("welcome", quantity=None)
    wallet.granted(user, id, jws, 60, 160, "welcome")
    wallet.granted(user, id, jws, 0, 160, "welcome", "already_granted")
    wallet.granted("u12-known", *wallet.transaction(appAccountToken=HOST_TOKEN), 500, 500)
    other, signed = wallet.transaction(appAccountToken=str(uuid.uuid4()))
    wallet.invalid("u12-known", wallet.claim(other, signed), "app_account_token_mismatch")
    wallet.invalid(user, wallet.claim(other, forged(signed)), "signature_invalid")
    wallet.refused(None, b"", 401, "UNAUTHENTICATED")
    wallet.refused(
        user, b" " * (64 << 10) + b"{}", 422, "REQUEST_VALIDATION_FAILED", field="body",
        reason="too_large")
    wallet.refused(
        user, wallet.claim(id, jws, "old"), 404, "PAYMENT_PRODUCT_NOT_FOUND", productCode="old_pack")


def rivals(wallet):
    """Two users claim one purchase at the same moment."""
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


def starters(wallet):
    """Users with one address in the settings; the host is told of the refusal."""
    first, jws = wallet.transaction("welcome")
    wallet.granted("u28a", first, jws, 60, 60, "welcome")
    id, jws = wallet.transaction("welcome")
    wallet.ineligible("u28b", id, jws)
    until(lambda: any("starter_refused" in line for line in wallet.scene.server.errors),
          "the host is not told")
    insist(wallet.claims("ann@example.com") == [[first, "u28a", "1"]], "not one claim")


def refunded(wallet):
    """A refund of credits that were spent in part, its reversal, and forged news."""
    user, id, body = bought(wallet)
    wallet.book(user, -135, kind="spending")
    wallet.news("REFUND", id, "clawed_back", at=-2, pack="welcome")
    insist(wallet.balance(user) == 0, "not taken back")
    wallet.refused(user, body, 409, "PAYMENT_TRANSACTION_REVOKED", transactionId=id)
    wallet.news("REFUND_REVERSED", id, "restored", at=-1, pack="welcome")
    wallet.granted(
        user, id, body["signedTransactionInfo"], 0, 25, "welcome", "already_granted")
    news = wallet.notification("TEST")
    wallet.problem(
        wallet.told({"signedPayload": forged(news["signedPayload"])}, 422), 422,
        "PAYMENT_TRANSACTION_INVALID", reason="signature_invalid")
    large = b'{"signedPayload":"' + b"a" * (256 << 10) + b'"}'
    for wrong in [b"", large]:
        wallet.problem(wallet.scene.ask("POST", HOOK, wrong, ()), 400, "REQUEST_MALFORMED")


def copies(wallet):
    """Twenty copies of one notification at the same moment."""
    user, id, _ = bought(wallet)
    _, refunded = wallet.transaction(
        "welcome", transactionId=id, revocationDate=int(time.time() * 1000))
    news = wallet.notification("REFUND", refunded)
    answers = at_once(*[lambda: wallet.scene.ask("POST", HOOK, news, ())] * 20)
    insist([answer.status for answer in answers] == [200] * 20, answers)
    refunds = [e for e in wallet.audit(user) if e["change_type"] == "refund"]
    insist(len(refunds) == 1 and wallet.balance(user) == 100, refunds)


def failing(wallet):
    """The database fails in the last write of a notification and of a grant."""
    user, id, _ = bought(wallet)
    _, refunded = wallet.transaction(
        "welcome", transactionId=id, revocationDate=int(time.time() * 1000))
    name = str(uuid.uuid4())
    news = wallet.notification("REFUND", refunded, notificationUUID=name)
    other, jws = wallet.transaction()
    failures = [failing_writes]
    if wallet.scene.place.database:
        failures.append(stopped_database)
    for failure in failures:
        with failure(wallet):
            wallet.problem(wallet.scene.ask("POST", HOOK, news, ()), 500, "INTERNAL_ERROR")
            answer = wallet.scene.ask(
                "POST", VERIFY, wallet.claim(other, jws), wallet.bearer(user))
            wallet.problem(answer, 503, "SERVICE_UNAVAILABLE")
        insist(wallet.balance(user) == 160, "a failed unit of work counts")
        insist(wallet.stored(id, "status") == ("granted",), "a failed unit of work is stored")
        insist(wallet.stored(other, "status") is None, "a failed grant is stored")
        wallet.recorded(name, None)
    wallet.told(news)
    wallet.recorded(name, "clawed_back")
    insist(wallet.balance(user) == 100, "not taken back once")
    wallet.granted(user, other, jws, 500, 600)


@contextlib.contextmanager
def failing_writes(wallet):
    """Each insertion of a notification or an entry of a ledger fails."""
    tables = ["apple_notifications", "credit_ledger"]
    place = wallet.scene.place
    if place.is_mariadb:
        action = "SIGNAL SQLSTATE '45000'"
    elif place.database:
        wallet.sql(
            "CREATE FUNCTION failing() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN RAISE 'failing'; END $$")
        action = "EXECUTE FUNCTION failing()"
    else:
        action = "BEGIN SELECT RAISE(ABORT, 'failing'); END"
    for table in tables:
        wallet.sql(f"CREATE TRIGGER failing_{table} BEFORE INSERT ON {table} FOR EACH ROW {action}")
    yield
    has_function = place.database and not place.is_mariadb
    for table in tables:
        wallet.sql(f"DROP TRIGGER failing_{table}" + (f" ON {table}" if has_function else ""))
    if has_function:
        wallet.sql("DROP FUNCTION failing()")


@contextlib.contextmanager
def stopped_database(wallet):
    wallet.scene.place.order_database("stop")
    yield
    wallet.scene.place.order_database("start")
    until(
        lambda: wallet.scene.ask("GET", "/ready", headers=()).status == 200, "not ready again")


def own_bookings(wallet):
    user = wallet.user()
    event = uuid.uuid4().hex
    for _ in range(2):
        insist(wallet.book(user, -40, event, kind="spending").json == {"balance": 60}, "not once")
    wallet.problem(wallet.book(user, -61, status=409), 409, "CREDIT_BALANCE_INSUFFICIENT")
    wallet.problem(
        wallet.book(user, 1, status=401, headers=wallet.bearer(user)), 401, "UNAUTHENTICATED")
    insist(wallet.balance(user) == 60, "a refused booking counts")


def routes(wallet):
    """The routes beside the contract's, and sessions."""
    user = wallet.user()
    products = wallet.scene.expect(
        200, "GET", "/api/v1/payments/apple/products", b"", wallet.bearer(user)).json["data"]
    insist(
        [product["productCode"] for product in products] ==
        ["welcome_pack", "big_pack", "huge_pack", "second_pack"], products)
    for token in [TOKEN, session(user, key=KEY[::-1]), session(user, exp=int(time.time()) - 600)]:
        answer = wallet.scene.ask(
            "GET", f"{PREFIX}/balance", b"", (f"Authorization: Bearer {token}",))
        wallet.problem(answer, 401, "UNAUTHENTICATED")
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


def silent_log(wallet):
    """The output of the server has no tokens, signed data, e-mail addresses, users or keys."""
    server = wallet.scene.server
    told = "\n".join(server.lines + server.errors)
    for secret in [TOKEN, KEY, HOST_TOKEN, session("u28a").split(".")[0], "eyJ", "xample.com", "xample.COM",
                   *wallet.users]:
        insist(secret not in told, "a log shows what it should not:", secret)


def audited(wallet):
    """The program that reads the database finds nothing."""
    place = wallet.scene.place
    database = place.database or f"sqlite:{place.path('server.sqlite')}"
    ended = subprocess.run(
        [os.path.join(place.binaries, "audit-ledger"), database], capture_output=True, text=True,
        timeout=60)
    insist(ended.returncode == 0 and ended.stdout == "", "the audit:", ended.stdout, ended.stderr)
