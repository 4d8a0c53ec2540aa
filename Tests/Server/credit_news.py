"""Apple's notifications about credits: the rows of Documentation/rules/credit-rules.md, section 9, by their
numbers, and the tables of section 6."""
import contextlib
import os
import subprocess
import time
import uuid

from hostile import until
from moments import at_once
from story import insist
from wallet import HOOK, PREFIX, VERIFY, forged


def check(wallet):
    for row in [
        row_15, row_16, row_17, row_18, row_19, row_20, row_21, row_22, row_23, row_24, row_25, row_26,
        steps, row_27, effects, refund_entries,
    ]:
        row(wallet)


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
    wallet.news("REFUND", id, "clawed_back", pack="welcome")
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
    body = wallet.news("REFUND", id, "clawed_back", pack="welcome")
    insist(wallet.balance(user) == 100, "not taken back")
    wallet.told(body)
    wallet.news("REVOKE", id, "no_change", pack="welcome")
    refunds = [e for e in wallet.audit(user) if e["change_type"] == "refund"]
    insist(wallet.balance(user) == 100 and len(refunds) == 1, refunds)


def row_17(wallet):
    user, id, _ = bought(wallet)
    wallet.book(user, -160, kind="spending")
    wallet.news("REFUND", id, "clawed_back", pack="welcome")
    entry = wallet.audit(user)[0]
    insist(
        (entry["amount"], entry["metadata"]["ext"]["shortfall"]) == (0, 60), entry)


def row_18(wallet):
    user = wallet.user()
    id, jws = wallet.transaction("welcome")
    wallet.news("REFUND", id, "pending", at=-2, pack="welcome")
    revoked(wallet, user, wallet.claim(id, jws, "welcome"))
    wallet.news("REFUND_REVERSED", id, "cleared", at=-1, pack="welcome")
    wallet.granted(user, id, jws, 60, 160, "welcome")


def row_19(wallet):
    user, id, body = bought(wallet)
    wallet.book(user, -135, kind="spending")
    wallet.news("REFUND", id, "clawed_back", at=-2, pack="welcome")
    wallet.news("REFUND_REVERSED", id, "restored", at=-1, pack="welcome")
    insist(wallet.stored(id, "status") == ("granted",), "not granted again")
    entry = wallet.audit(user)[0]
    insist(
        (entry["event_id"], entry["change_type"], entry["amount"], entry["balance_after"]) ==
        (f"payment.apple_iap.refund_reversed:{id}", "refund_reversal", 25, 25), entry)
    wallet.granted(
        user, id, body["signedTransactionInfo"], 0, 25, "welcome", "already_granted")


def row_20(wallet):
    user, id, _ = bought(wallet)
    wallet.news("REFUND_REVERSED", id, "no_change", at=-1, pack="welcome")
    wallet.news("REFUND", id, "superseded", at=-300, pack="welcome")
    insist(wallet.balance(user) == 160, "an old refund counts")


def row_21(wallet):
    user, id, body = bought(wallet)
    for seconds, kind, outcome in [
        (-3, "REFUND", "clawed_back"), (-2, "REFUND_REVERSED", "restored"),
        (-1, "REFUND", "clawed_back"),
    ]:
        wallet.news(kind, id, outcome, at=seconds, pack="welcome")
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
        wallet.news(kind, id, "ignored_type")
    name = str(uuid.uuid4())
    wallet.told(wallet.notification("TEST", notificationUUID=name))
    wallet.recorded(name, "ignored_type")
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
        wallet.recorded(name, None)
    wallet.news("REFUND", id, "clawed_back", pack="welcome", name=name)
    insist(wallet.balance(user) == 100, "a refused notification was recorded")


def steps(wallet):
    """Section 6, steps 2 to 6."""
    user, id, _ = bought(wallet)
    _, inner = wallet.transaction(
        "welcome", transactionId=id, revocationDate=int(time.time() * 1000))
    _, idless = wallet.transaction("welcome", transactionId=None)
    _, odd = wallet.transaction("welcome", transactionId=id, quantity="many")

    def refused(kind, transaction, members, reason):
        name = str(uuid.uuid4())
        body = wallet.notification(kind, transaction, **{"notificationUUID": name, **members})
        wallet.problem(
            wallet.told(body, 422), 422, "PAYMENT_TRANSACTION_INVALID", reason=reason)
        wallet.recorded(name, None)

    # The type, the inner transaction, other members, and the reason.
    for kind, transaction, members, reason in [
        (None, inner, {}, "payload_invalid"),
        ("REFUND", inner, {"notificationUUID": None}, "payload_invalid"),
        ("REFUND", None, {}, "payload_invalid"), ("REFUND", idless, {}, "payload_invalid"),
        ("REFUND", odd, {}, "payload_invalid"), ("REFUND", "e30.e30", {}, "malformed"), ("REFUND", forged(inner), {}, "signature_invalid"),
    ]:
        refused(kind, transaction, members, reason)
    # A type without effect needs no transaction.
    for environment, kind, transaction, outcome in [
        ("Xcode", "REFUND", None, "ignored_environment"),
        ("LocalTesting", "REFUND", inner, "ignored_environment"),
        ("Production", "DID_RENEW", None, "ignored_type"),
    ]:
        name = str(uuid.uuid4())
        wallet.told(wallet.notification(
            kind, transaction, environment=environment, notificationUUID=name))
        wallet.recorded(name, outcome)
    insist(wallet.balance(user) == 160, "a refused notification counts")


def row_27(wallet):
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
    if wallet.scene.place.database:
        wallet.sql(
            "CREATE FUNCTION failing() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN RAISE 'failing'; END $$")
        action = "EXECUTE FUNCTION failing()"
    else:
        action = "BEGIN SELECT RAISE(ABORT, 'failing'); END"
    for table in tables:
        wallet.sql(f"CREATE TRIGGER failing_{table} BEFORE INSERT ON {table} FOR EACH ROW {action}")
    yield
    for table in tables:
        place = f" ON {table}" if wallet.scene.place.database else ""
        wallet.sql(f"DROP TRIGGER failing_{table}{place}")
    if wallet.scene.place.database:
        wallet.sql("DROP FUNCTION failing()")


@contextlib.contextmanager
def stopped_database(wallet):
    control = os.environ["STOREKEEPER_POSTGRES_CONTROL"]
    place = os.environ["STOREKEEPER_POSTGRES"].split()[0].removeprefix("host=")
    subprocess.run([control, "stop", place], check=True)
    yield
    subprocess.run([control, "start", place], check=True)
    until(
        lambda: wallet.scene.ask("GET", "/ready", headers=()).status == 200, "not ready again")


# The effects.


def state(wallet, status):
    """The user, transaction and signed transaction of a row with this status; None is no row."""
    user = wallet.user()
    id, jws = wallet.transaction()
    if status in ("granted", "refunded"):
        wallet.granted(user, id, jws, 500, 600)
    for wanted, kind, outcome in [
        (["refunded"], "REFUND", "clawed_back"),
        (["revoked_pending", "open"], "REFUND", "pending"),
        (["open"], "REFUND_REVERSED", "cleared"),
    ]:
        if status in wanted:
            wallet.news(kind, id, outcome, at=-30 if kind == "REFUND" else -20)
    insist(
        wallet.stored(id, "status") == ((status,) if status else None), "not prepared:", status)
    return user, id, jws


def effects(wallet):
    """Section 6: each type on each status, with the outcome, the new status and the balance."""
    clawbacks = [
        ("granted", "clawed_back", "refunded", 100), ("refunded", "no_change", "refunded", 100),
        ("revoked_pending", "no_change", "revoked_pending", 100),
        (None, "pending", "revoked_pending", 100), ("open", "pending", "revoked_pending", 100),
    ]
    reversals = [
        ("granted", "no_change", "granted", 600), ("refunded", "restored", "granted", 600),
        ("revoked_pending", "cleared", "open", 100), (None, "cleared", "open", 100),
        ("open", "no_change", "open", 100),
    ]
    for kinds, cases in [
        (["REFUND", "REVOKE", "DID_FAIL_TO_RENEW"], clawbacks), (["REFUND_REVERSED"], reversals),
    ]:
        for kind in kinds:
            for before, outcome, after, balance in cases:
                effect(wallet, kind, before, outcome, after, balance)


def effect(wallet, kind, before, outcome, after, balance):
    user, id, jws = state(wallet, before)
    wallet.news(kind, id, outcome, at=-10)
    told = (kind, "on", before)
    status, owner, round = wallet.stored(id, "status", "user_id", "refund_round")
    insist(status == after, *told, "gives", status)
    insist(owner == (user if after in ("granted", "refunded") else ""), *told, "belongs to", owner)
    insist(round == ("1" if outcome == "restored" else "0"), *told, "is in round", round)
    insist(wallet.balance(user) == balance, *told, "leaves", wallet.balance(user))
    body = wallet.claim(id, jws)
    if after in ("refunded", "revoked_pending"):
        for asker in [user, wallet.user()]:
            revoked(wallet, asker, body)
    elif after == "open":
        wallet.granted(user, id, jws, 500, 600)
    else:
        wallet.granted(user, id, jws, 0, balance, status="already_granted")


def refund_entries(wallet):
    """Section 3: the entries of a refund and its reversal, with all of their details."""
    user, id, _ = bought(wallet)
    row, = wallet.stored(id, "id")
    wallet.book(user, -135, kind="spending")
    purchase, refund = f"payment.apple_iap:{id}", f"payment.apple_iap.refund:{id}"
    names = [str(uuid.uuid4()) for _ in range(2)]
    revocation = {
        "revocationDate": 1_700_000_000_456, "revocationReason": 1, "revocationPercentage": 50_000}
    wallet.news(
        "REFUND", id, "clawed_back", at=-2, pack="welcome", name=names[0], **revocation)
    wallet.news("REFUND_REVERSED", id, "restored", at=-1, pack="welcome", name=names[1])
    common = {
        "provider": "apple_iap", "environment": "Production", "transaction_id": id,
        "original_event_id": purchase, "original_amount": 60, "clawed_back": 25, "shortfall": 35,
    }
    expected = [
        {
            "event_id": f"payment.apple_iap.refund_reversed:{id}",
            "change_type": "refund_reversal", "biz_type": "payment", "biz_id": row, "amount": 25,
            "balance_after": 25,
            "metadata": {"ext": {
                **common, "notification_uuid": names[1], "notification_type": "REFUND_REVERSED",
                "reversed_event_id": refund,
            }},
        },
        {
            "event_id": refund, "change_type": "refund", "biz_type": "payment", "biz_id": row,
            "amount": -25, "balance_after": 0,
            "metadata": {"ext": {
                **common, "notification_uuid": names[0], "notification_type": "REFUND",
                "revocation_date": 1_700_000_000_456, "revocation_reason": 1,
                "revocation_percentage": 50_000,
            }},
        },
    ]
    insist(wallet.ledger(user)[:2] == expected, wallet.ledger(user)[:2], "instead of", expected)
