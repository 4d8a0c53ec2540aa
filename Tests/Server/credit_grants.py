"""Grants of credits: the rows of Documentation/rules/credit-rules.md, section 9, about verify, by their numbers,
and the tables of sections 2 and 3."""
import time
import uuid

from moments import at_once
from story import insist
from wallet import GEMS, SECOND_APP, VERIFY, forged, ids

# The app account token that the host made for a user, and the absence of one in a request.
HOST_TOKEN = "6b1a3c52-0c1e-4f57-9a55-0d3b1c7e9a10"
ABSENT = object()


def check(wallet):
    for row in [
        rows_1_2, row_3, row_4, row_5, row_6, row_7, row_8, rows_9_10_11, signed_faults, row_12, row_13,
        row_14, other_product, other_bundle, purchase_entry,
    ]:
        row(wallet)


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


def signed_faults(wallet):
    """Section 2, step 4: the reasons."""
    user = wallet.user()
    stranger = wallet.scene.place.simulator()
    cases = [
        ("chain_invalid", {"store": stranger}),
        ("bundle_id_mismatch", {"bundleId": "com.example.other"}),
        ("environment_not_allowed", {"environment": "LocalTesting"}),
        ("environment_not_allowed", {"environment": "Xcode"}),
        ("payload_invalid", {"transactionId": None}),
        ("payload_invalid", {"productId": None}),
        ("payload_invalid", {"bundleId": None}),
        ("payload_invalid", {"environment": None}),
        ("payload_invalid", {"quantity": 0}),
        ("payload_invalid", {"quantity": -1}),
    ]
    for reason, members in cases:
        id, jws = wallet.transaction(**members)
        wallet.invalid(user, wallet.claim(id, jws), reason)
    # The first fault counts.
    for reason, members in [
        ("chain_invalid", {"store": stranger, "bundleId": "com.example.other"}),
        ("chain_invalid", {"store": stranger, "environment": "Xcode"}),
        ("chain_invalid", {"store": stranger, "transactionId": None}),
        ("bundle_id_mismatch", {"bundleId": "com.example.other", "environment": "Xcode"}),
        ("bundle_id_mismatch", {"bundleId": "com.example.other", "environment": None}),
        ("bundle_id_mismatch", {"bundleId": "com.example.other", "transactionId": None}),
        ("bundle_id_mismatch", {"bundleId": "com.example.other", "quantity": 0}),
        ("environment_not_allowed", {"environment": "Xcode", "productId": None}),
        ("environment_not_allowed", {"environment": "Xcode", "quantity": 0}),
    ]:
        id, jws = wallet.transaction(**members)
        wallet.invalid(user, wallet.claim(id, jws), reason)
    insist(stranger.stop() == 0, "the other simulator did not end well")
    # Without a quantity it is one.
    wallet.granted(user, *wallet.transaction(quantity=None), 500, 600)


def row_12(wallet):
    """The table of tokens, for users whose token the host doesn't know, or knows."""
    users = {None: "u12-unknown", HOST_TOKEN: "u12-known"}
    other = str(uuid.uuid4())
    # The token in the request, that in the JWS, the host's, and whether they fit; ABSENT is no member.
    cases = [
        (asked, None, host, True) for asked in [ABSENT, None] for host in users
    ] + [
        (asked, signed, host, fits) for asked in [ABSENT, None]
        for signed, host, fits in [
            (other, None, True), (HOST_TOKEN, HOST_TOKEN, True), (other, HOST_TOKEN, False)]
    ] + [
        (asked, signed, host, False) for host in users
        for asked, signed in [(HOST_TOKEN, None), (HOST_TOKEN, other), (other, HOST_TOKEN)]
    ] + [
        (other, other, None, True), (HOST_TOKEN, HOST_TOKEN, HOST_TOKEN, True),
        (other, other, HOST_TOKEN, False), (HOST_TOKEN.upper(), HOST_TOKEN, HOST_TOKEN, True),
    ]
    balances = {user: 0 for user in users.values()}
    for asked, signed, host, fits in cases:
        user = users[host]
        id, jws = wallet.transaction(appAccountToken=signed)
        body = wallet.claim(id, jws, appAccountToken=asked)
        if asked is ABSENT:
            del body["appAccountToken"]
        if not fits:
            wallet.invalid(user, body, "app_account_token_mismatch")
            continue
        balances[user] += 500
        answer = wallet.scene.expect(200, "POST", VERIFY, body, wallet.bearer(user))
        insist(answer.json["newBalance"] == balances[user], asked, signed, host, answer.body)
    for user, balance in balances.items():
        insist(wallet.balance(user) == balance, "a refused purchase counts")


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


def other_product(wallet):
    """Section 2, step 9: the stored row has another product."""
    user = wallet.user()
    id, jws = wallet.transaction()
    wallet.granted(user, id, jws, 500, 600)
    opened, _ = wallet.transaction()
    wallet.news("REFUND", opened, "pending", at=-2)
    wallet.news("REFUND_REVERSED", opened, "cleared", at=-1)
    for stored in [id, opened]:
        _, other = wallet.transaction("huge", transactionId=stored)
        for asker in [user, wallet.user()]:
            wallet.refused(
                asker, wallet.claim(stored, other, "huge"), 409, "PAYMENT_TRANSACTION_CONFLICT",
                transactionId=stored)
    insist(wallet.balance(user) == 600, "a conflict counts")


def other_bundle(wallet):
    """Section 2, steps 8 and 9: the stored row has another bundle of ours."""
    user = wallet.user()
    id, jws = wallet.transaction()
    wallet.granted(user, id, jws, 500, 600)
    _, other = wallet.transaction(transactionId=id, bundleId=SECOND_APP)
    wallet.refused(
        wallet.user(), wallet.claim(id, other), 409, "PAYMENT_TRANSACTION_CONFLICT",
        transactionId=id)
    # The user's own comes first.
    wallet.granted(user, id, other, 0, 600, status="already_granted")
    opened, _ = wallet.transaction()
    wallet.news("REFUND", opened, "pending", at=-2)
    wallet.news("REFUND_REVERSED", opened, "cleared", at=-1)
    _, other = wallet.transaction(transactionId=opened, bundleId=SECOND_APP)
    wallet.refused(
        user, wallet.claim(opened, other), 409, "PAYMENT_TRANSACTION_CONFLICT",
        transactionId=opened)


def purchase_entry(wallet):
    """Section 3: the entry of a purchase, with all of its details."""
    user, token, original = wallet.user(), str(uuid.uuid4()), str(next(ids))
    id, jws = wallet.transaction(
        originalTransactionId=original, purchaseDate=1_700_000_000_123, quantity=2,
        appAccountToken=token.upper())
    wallet.granted(user, id, jws, 1000, 1100)
    row, = wallet.stored(id, "id")
    entry = wallet.ledger(user)[0]
    ext = entry["metadata"]["ext"]
    ext["app_account_token"] = ext["app_account_token"].lower()
    expected = {
        "event_id": f"payment.apple_iap:{id}", "change_type": "purchase", "biz_type": "payment",
        "biz_id": row, "amount": 1000, "balance_after": 1100,
        "metadata": {"ext": {
            "provider": "apple_iap", "environment": "Production",
            "bundle_id": "com.example.reader", "product_code": "big_pack",
            "app_store_product_id": GEMS + "big", "transaction_id": id,
            "original_transaction_id": original, "quantity": 2, "credits_per_unit": 500,
            "purchase_date": 1_700_000_000_123, "app_account_token": token,
        }},
    }
    insist(entry == expected, entry, "instead of", expected)
