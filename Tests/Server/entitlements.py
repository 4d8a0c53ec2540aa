"""Entitlements over a socket: the rows of Documentation/rules/entitlement-rules.md, section 11, that have a route;
the failures of section 10; then what the server adds."""
import json
import random
import signal
import time

import wire
from apple import Unreleased
from hostile import until
from moments import at_once
from programs import TOKEN
from story import insist
from studio import DAY, DRAW, FOUR, LIST, NEW, PAINT, SECRET, Studio, moment, names, plan, product
from wallet import KEY, forged, session

# An app account token that the host made for a user.
OWN_TOKEN = "6b1a3c52-0c1e-4f57-9a55-0d3b1c7e9a11"


def check(scene):
    studio = Studio(scene)
    studio.start(accountToken={"u-token": OWN_TOKEN})
    for row in [
        row_7, row_8, row_9, rows_10_11, rows_12_13, row_14, row_15, row_16, row_17, row_21, row_22,
        row_23, row_24, rows_25_26, row_27, row_28, row_30, malformed, forbidden, evidence, tokens,
        tags, consumables, one_webhook, raced, sessions,
    ]:
        row(studio)
    outage(studio)
    silent_log(studio)
    insist(scene.server.stop() == 0, "the server did not end well")
    attributes(studio)
    reloaded(studio)
    beside(studio)
    absent(studio)
    wrong_secret(studio)
    locally(studio)
    killed(studio)
    insist(scene.server.stop() == 0, "the server did not end well")


# Section 11.


def row_7(studio):
    user = studio.user()
    answer = studio.products(user)
    insist(list(answer) == [
        "bundleId", "userId", "evaluatedAt", "validatedAt", "stale", "suspended",
        "purchasedProducts", "subscription", "allowedProducts", "acquiredProducts",
        "unknownProducts"], answer)
    at = answer.pop("evaluatedAt")
    insist(abs(time.time() - time.mktime(time.strptime(at, "%Y-%m-%dT%H:%M:%SZ")) + time.timezone)
           < 30, "evaluated at", at)
    insist(answer == {
        "bundleId": DRAW, "userId": user, "validatedAt": None, "stale": False, "suspended": False,
        "purchasedProducts": [], "subscription": None, "allowedProducts": [],
        "acquiredProducts": [], "unknownProducts": []}, answer)
    studio.allowed(studio.subscriber(), [])
    user = studio.user()
    switched(studio, user, lambda: studio.acquired(user, "brushes", "paper"))
    studio.allowed(user, names("paper"))


def switched(studio, user, between=lambda: None):
    """A full subscription, and then its change to lite."""
    first = studio.holds("full.monthly", user, start=-10 * DAY, end=10 * DAY)
    between()
    studio.holds(
        "lite.monthly", user, start=-5 * DAY, end=20 * DAY, originalTransactionId=first,
        originalPurchaseDate=int((time.time() - 10 * DAY) * 1000))


def row_8(studio):
    user = studio.subscriber("full25.monthly")
    answer = studio.good(studio.acquire(user, "brushes"))
    insist(answer == {
        "productId": f"{DRAW}.brushes", "created": True, "allowedProducts": names("brushes"),
    }, answer)
    answer = studio.allowed(user, names("brushes"))
    insist(answer["acquiredProducts"] == names("brushes"), answer)


def row_9(studio):
    """Twice at once, and then fifty times."""
    for count in [2, 50]:
        user = studio.subscriber()
        answers = at_once(*[lambda: studio.good(studio.acquire(user, "brushes"))] * count)
        created = [answer["created"] for answer in answers]
        insist(created.count(True) == 1, "created", created.count(True), "times")
        insist(all(a["allowedProducts"] == names("brushes") for a in answers), answers)
        rows = studio.sql(f"SELECT product_id FROM store_acquired WHERE user_id = '{user}'")
        insist(rows == [[f"{DRAW}.brushes"]], rows)


def rows_10_11(studio):
    message = "the user has no active subscription"
    studio.refused(studio.acquire(studio.user(), "brushes"), 422, "userId/not_subscriber", message)
    lite = studio.subscriber("lite.monthly")
    studio.refused(studio.acquire(lite, "brushes"), 422, "productId/not_unlocked")
    full = studio.subscriber()
    for name, code in [
        ("full.monthly", "not_acquirable"), ("coins", "not_acquirable"), ("nope", "unknown_product"),
    ]:
        studio.refused(studio.acquire(full, name), 422, f"productId/{code}")
    studio.allowed(full, [])


def rows_12_13(studio):
    user = studio.user()

    def both():
        answer = studio.good(studio.acquire_all(user))
        insist(answer == {"created": FOUR, "acquiredProducts": FOUR, "allowedProducts": FOUR}, answer)
        insist(studio.good(studio.acquire_all(user))["created"] == [], "new again")

    switched(studio, user, both)
    answer = studio.allowed(user, names("frames", "frames.gold", "paper"))
    insist(answer["acquiredProducts"] == FOUR, answer)
    studio.refused(
        studio.acquire_all(studio.user()), 422, "userId/not_subscriber",
        "the user has no active subscription")


def row_14(studio):
    user = studio.user()
    id = studio.holds("full.monthly", user, start=-20 * DAY, end=10 * DAY)
    studio.good(studio.acquire_all(user))
    # Apple says that it ended before: it was extended, or a later answer knows better.
    studio.holds(
        "full.monthly", user, start=-20 * DAY, end=-8 * DAY, transactionId=id,
        signedDate=int((time.time() + 1) * 1000))
    studio.allowed(user, [])
    studio.holds("full.monthly", user, start=-60, end=30 * DAY)
    studio.allowed(user, FOUR)


def row_15(studio):
    """Seven days of grace, in Production only."""
    for environment, past, is_active in [
        ("Production", 7 * DAY - 60, True), ("Production", 7 * DAY + 1, False),
        ("Production", -60, True), ("Sandbox", -60, True), ("Sandbox", 1, False),
    ]:
        user = studio.holds(
            "full.monthly", start=-40 * DAY, end=-past, environment=environment)
        subscription = studio.products(user)["subscription"]
        insist(subscription["active"] == is_active, environment, past, subscription)
        grace = 7 * DAY if environment == "Production" else 0
        end = int(time.time()) - past
        insist(subscription["environment"] == environment, subscription)
        insist(subscription["accessUntil"] in [moment(end + grace - s) for s in range(10)],
               subscription, "not", moment(end + grace))
        insist(subscription["expiresAt"] in [moment(end - s) for s in range(10)], subscription)


def row_16(studio):
    user = studio.holds(
        "full.monthly", end=20 * DAY, revocationDate=int((time.time() - 60) * 1000),
        revocationReason=0)
    subscription = studio.products(user)["subscription"]
    insist(not subscription["active"] and subscription["cancelledAt"], subscription)
    insist(subscription["accessUntil"] == subscription["cancelledAt"], subscription)


def row_17(studio):
    """With real purchases, and Apple's notification."""
    user = studio.user()
    _, id, receipt = studio.buy("frames")
    answer = studio.good(studio.validate(user, receipt=receipt))
    insist(list(answer) == [
        "bundleId", "userId", "associated", "evaluatedAt", "validatedAt", "stale", "suspended",
        "purchasedProducts", "subscription"], answer)
    insist(answer["associated"] and answer["purchasedProducts"] == names("frames"), answer)
    insist(answer["validatedAt"] == answer["evaluatedAt"], answer)
    studio.allowed(user, names("frames"))
    told = studio.order("refund", transactionId=id)["notifications"]
    insist([(news["type"], news["state"]) for news in told] == [("REFUND", "accepted")], told)
    studio.allowed(user, [])
    # A receipt from before the refund changes nothing.
    studio.validate(user, receipt=receipt)
    studio.allowed(user, [])


def row_21(studio):
    user = studio.subscriber()
    before = studio.products(user)
    studio.refused(
        studio.validate(user, receipt=strange(studio)), 422, "receiptData/not_authentic")
    _, jws = studio.transaction("full.monthly", end=DAY)
    studio.refused(
        studio.validate(user, forged(jws)), 422, "signedTransactions/not_authentic")
    after = studio.products(user)
    del before["evaluatedAt"], after["evaluatedAt"]
    insist(before == after and not after["stale"], before, after)


def strange(studio):
    """A receipt that another authority signed."""
    other = studio.scene.place.simulator("--bundle-id", DRAW)
    return wire.ask(other.port, "GET", "/control/receipt?customer=x").json["receipt"]


def row_22(studio):
    one, two = studio.user(), studio.user()
    _, id, receipt = studio.buy("full.monthly")
    studio.good(studio.validate(one, receipt=receipt))
    answer = studio.validate(two, receipt=receipt)
    studio.refused(answer, 422, "userId/linked_to_other_user")
    insist(one not in answer.body.decode() and id not in answer.body.decode(), answer.body)
    insist(studio.products(one)["subscription"]["active"], "the first user has lost it")
    insist(studio.products(two)["subscription"] is None, "the second user has it")
    rows = studio.sql(
        f"SELECT owner, claimant FROM store_association_conflicts WHERE original_transaction_id = '{id}'")
    insist(rows == [[one, two]], rows)
    # What comes with it is not taken either.
    _, jws = studio.transaction("frames")
    studio.refused(studio.validate(two, jws, receipt=receipt), 422, "userId/linked_to_other_user")
    studio.allowed(two, [])


def row_23(studio):
    user = studio.user()
    _, _, receipt = studio.buy("full.monthly")
    first = studio.good(studio.validate(user, receipt=receipt))
    second = studio.good(studio.validate(user))
    insist(second["associated"] and second["subscription"] == first["subscription"], second)
    studio.refused(studio.validate(studio.user()), 422, "receiptData/missing_receipt")
    # A receipt alone associates nothing.
    _, _, receipt = studio.buy("full.monthly")
    alone = studio.good(studio.validate(receipt=receipt))
    insist(not alone["associated"] and alone["userId"] is None, alone)
    insist(alone["subscription"]["active"], alone)


def row_24(studio):
    """The rows of section 6.2; the days are counted from now."""
    def winner(*given):
        for order in [given, given[::-1]]:
            user = studio.user()
            for app, name, members in order:
                studio.holds(name, user, app=app, **members)
            subscription = studio.products(user)["subscription"]
            yield subscription and (subscription["bundleId"], subscription["active"])

    def ends(day, **members):
        return {"start": -100 * DAY, "end": day * DAY, **members}

    def cancelled(day, end):
        return ends(
            end, revocationDate=int((time.time() + day * DAY) * 1000), revocationReason=0)

    marked, unmarked = "multiApp.monthly", "monthly"
    for given, expected in [
        ([(DRAW, "full.monthly", ends(90)), (PAINT, marked, ends(120))], (PAINT, True)),
        ([(DRAW, "full.monthly", ends(-1, environment="Sandbox")), (PAINT, marked, ends(-5))],
         (PAINT, True)),
        ([(DRAW, "full.monthly", cancelled(-20, 100)), (PAINT, marked, cancelled(-30, 200))],
         (DRAW, False)),
        ([(DRAW, "full.monthly", ends(90)), (PAINT, marked, ends(60))], (DRAW, True)),
        ([(DRAW, "full.monthly", ends(-10)), (PAINT, unmarked, ends(90))], (DRAW, False)),
        ([(PAINT, marked, ends(90))], (PAINT, True)),
        ([(PAINT, unmarked, ends(90))], None),
    ]:
        found = list(winner(*given))
        insist(found == [expected] * 2, found, "instead of", expected, given)


def rows_25_26(studio):
    user = studio.user()
    studio.holds("full.monthly", user, start=-20 * DAY, end=-8 * DAY)
    studio.holds("multiApp.monthly", user, app=PAINT, end=20 * DAY)
    studio.acquired(user, "brushes")
    answer = studio.allowed(user, names("brushes"))
    insist(answer["subscription"]["productId"] == f"{PAINT}.multiApp.monthly", answer)
    # Purchases and acquisitions are each of one app.
    studio.holds("canvas", user, app=PAINT)
    insist(studio.products(user)["purchasedProducts"] == [], "the purchase of another app")
    studio.allowed(user, [f"{PAINT}.canvas"], PAINT)


def row_27(studio):
    def ask(user, app, by=None, query=None):
        query = f"?userId={user}" if query is None else query
        return studio.ask("GET", f"/shared/{app}/subscriber{query}", user=by)

    user = studio.user()
    studio.holds("monthly", user, app=PAINT, end=20 * DAY)
    answer = studio.good(ask(user, PAINT))
    insist(list(answer) == [
        "bundleId", "userId", "isSubscriber", "productId", "expiresAt", "validatedAt"], answer)
    insist(answer["isSubscriber"] and answer["productId"] == f"{PAINT}.monthly", answer)
    insist((answer["bundleId"], answer["userId"]) == (PAINT, user), answer)
    insist(answer["expiresAt"] and answer["validatedAt"], answer)
    insist(studio.good(ask(user, PAINT, by=user)) == answer, "the user gets another answer")
    for other in [studio.user(), studio.holds("multiApp.monthly", app=PAINT, end=DAY)]:
        answer = studio.good(ask(other, DRAW))
        insist(not answer["isSubscriber"], answer)
    insist(answer == {
        "bundleId": DRAW, "userId": other, "isSubscriber": False, "productId": None,
        "expiresAt": None, "validatedAt": None}, answer)
    studio.refused(ask(user, PAINT, by=studio.user()), 403)
    studio.refused(ask(user, "com.example.other"), 404)
    studio.refused(ask(user, PAINT, query=""), 422, "userId/missing_field")
    studio.refused(ask("x" * 129, PAINT), 422, "userId/invalid")


def row_28(studio):
    user = studio.user()
    now = int(time.time() * 1000)
    id = studio.holds("full.monthly", user, end=20 * DAY, signedDate=now)
    before = studio.products(user)["subscription"]
    studio.holds(
        "full.monthly", user, end=-20 * DAY, start=-50 * DAY, transactionId=id,
        signedDate=now - 60_000)
    after = studio.products(user)["subscription"]
    insist(after == before, before, after)
    # A receipt with a consumable that was used up later, and one without the first purchase.
    customer, _, first = studio.buy("frames")
    studio.good(studio.validate(user, receipt=first))
    _, _, other = studio.buy("paper")
    studio.good(studio.validate(user, receipt=other))
    insist(studio.products(user)["purchasedProducts"] == names("frames", "paper"), "one is gone")


def row_30(studio):
    for name, created in [
        ("none", []), ("exact", names("frames")), ("below", names("frames.gold")),
        ("prefix", names("frames", "frames.gold")), ("all", FOUR), ("open", FOUR),
    ]:
        user = studio.subscriber(f"plan.{name}")
        answer = studio.good(studio.acquire_all(user))
        insist(answer["created"] == created, name, answer)


# Section 10.


def malformed(studio):
    user = studio.subscriber()
    for path in ["/receipts/validate", f"/users/{user}/acquire", f"/users/{user}/acquire-all"]:
        for body in [b"", b"[]", b"{", b"7", b'{"a":1} x', b"\xff"]:
            studio.refused(studio.ask("POST", path, body, user), 400)
        studio.refused(studio.ask("POST", path, {"bundleId": "x"}, user), 404)
        studio.refused(studio.ask("POST", path, {"bundleId": 7}, user), 422, "bundleId/invalid")
        for missing in [{}, {"bundleId": None}, {"bundleId": ""}]:
            studio.refused(
                studio.ask("POST", path, missing, user), 422, "bundleId/missing_field")
    for body, error in [
        ({"userId": 7}, "userId/invalid"), ({"userId": "x" * 129}, "userId/invalid"),
        ({"receiptData": 7}, "receiptData/invalid"), ({"receiptData": ["x"]}, "receiptData/invalid"),
        ({"receiptData": "%"}, "receiptData/invalid"),
        ({"receiptData": "AAAA"}, "receiptData/invalid"),
        ({"signedTransactions": "x"}, "signedTransactions/invalid"),
        ({"signedTransactions": [7]}, "signedTransactions/invalid"),
        ({"signedTransactions": ["x"]}, "signedTransactions/invalid"),
        ({"signedTransactions": ["a.b.c"]}, "signedTransactions/invalid"),
        ({"signedTransactions": ["x"] * 201}, "signedTransactions/too_many"),
        ({}, "receiptData/missing_field"),
        ({"receiptData": "", "userId": None, "signedTransactions": []}, "receiptData/missing_field"),
    ]:
        studio.refused(
            studio.ask("POST", "/receipts/validate", {"bundleId": DRAW, **body}), 422, error)
    for body, error in [
        ({}, "missing_field"), ({"productId": None}, "missing_field"),
        ({"productId": ""}, "missing_field"), ({"productId": 7}, "invalid"),
        ({"productId": f" {DRAW}.brushes"}, "unknown_product"),
    ]:
        studio.refused(
            studio.ask("POST", f"/users/{user}/acquire", {"bundleId": DRAW, **body}, user), 422,
            f"productId/{error}")
    products = f"/users/{user}/products"
    studio.refused(studio.ask("GET", products, user=user), 422, "bundleId/missing_field")
    studio.refused(studio.ask("GET", f"{products}?bundleId=x", user=user), 404)
    long = "x" * 129
    studio.refused(
        studio.ask("GET", f"/users/{long}/products?bundleId={DRAW}"), 422, "userId/invalid")
    for method, path in [
        ("POST", products), ("GET", "/receipts/validate"), ("DELETE", f"/users/{user}/acquire"),
    ]:
        studio.refused(studio.ask(method, path, b"{}", user), 405)
    studio.refused(studio.ask("GET", "/nothing", user=user), 404)
    # The limit of a body is 2 MiB, although the server's is 1 MiB.
    large = {"bundleId": DRAW, "userId": user, "receiptData": "A" * 1_900_000}
    studio.refused(
        studio.ask("POST", "/receipts/validate", large, user), 422, "receiptData/invalid")
    larger = {**large, "receiptData": "A" * (2 << 20)}
    studio.refused(studio.ask("POST", "/receipts/validate", larger, user), 413)


def forbidden(studio):
    user, other = studio.user(), studio.user()
    _, jws = studio.transaction("frames")
    for method, path, body in [
        ("GET", f"/users/{user}/products?bundleId={DRAW}", b""),
        ("POST", f"/users/{user}/acquire", {"bundleId": DRAW, "productId": f"{DRAW}.paper"}),
        ("POST", f"/users/{user}/acquire-all", {"bundleId": DRAW}),
        ("POST", "/receipts/validate",
         {"bundleId": DRAW, "userId": user, "signedTransactions": [jws]}),
        ("GET", f"/shared/{DRAW}/subscriber?userId={user}", b""),
    ]:
        studio.refused(studio.ask(method, path, body, other), 403)
        for headers in [
            (), ("Authorization: Bearer x",), (f"Authorization: Basic {TOKEN}",),
            (f"Authorization: Bearer {session(user, key=KEY[::-1])}",),
            (f"Authorization: Bearer {session(user, exp=int(time.time()) - 900)}",),
        ]:
            answer = studio.ask(method, path, body, headers=headers)
            studio.refused(answer, 401)
            insist(answer.fields["www-authenticate"].startswith("Bearer"), answer.fields)
    studio.allowed(user, [])
    # A service acts for everybody.
    studio.good(studio.ask(
        "POST", "/receipts/validate",
        {"bundleId": DRAW, "userId": user, "signedTransactions": [jws]}))
    studio.allowed(user, names("frames"))


def evidence(studio):
    """Evidence of another app, of an environment that is not allowed, and without what it needs."""
    user = studio.user()
    _, _, receipt = studio.buy("monthly", app=PAINT)
    studio.refused(studio.validate(user, receipt=receipt), 422, "bundleId/mismatch")
    _, jws = studio.transaction("canvas", app=PAINT)
    studio.refused(studio.validate(user, jws), 422, "bundleId/mismatch")
    _, jws = studio.transaction("frames", app="com.example.other")
    studio.refused(studio.validate(user, jws), 422, "bundleId/mismatch")
    _, jws = studio.transaction("frames", environment="Xcode")
    studio.refused(studio.validate(user, jws), 422, "environment/not_allowed")
    _, good = studio.transaction("frames")
    _, endless = studio.transaction("full.monthly", type="Auto-Renewable Subscription")
    studio.refused(studio.validate(user, good, endless), 422, "signedTransactions/invalid")
    # Refused evidence leaves nothing behind.
    answer = studio.products(user)
    insist(answer["purchasedProducts"] == [] and answer["validatedAt"] is None, answer)
    both = [studio.transaction(name)[1] for name in ["frames", "paper"]]
    _, sandbox = studio.transaction("full.monthly", end=DAY, environment="Sandbox")
    answer = studio.good(studio.validate(user, *both, sandbox))
    insist(answer["purchasedProducts"] == names("frames", "paper"), answer)
    insist(answer["subscription"]["environment"] == "Sandbox", answer)


def tokens(studio):
    """App account tokens: another user's is refused, and one's own beats an earlier association."""
    other = studio.user()
    _, jws = studio.transaction("frames", appAccountToken=OWN_TOKEN)
    studio.refused(studio.validate(other, jws), 422, "userId/account_token_mismatch")
    id, plain = studio.transaction("paper")
    studio.good(studio.validate(other, plain))
    _, own = studio.transaction(
        "paper", transactionId=id, appAccountToken=OWN_TOKEN,
        signedDate=int((time.time() + 1) * 1000))
    studio.good(studio.validate("u-token", own))
    studio.allowed("u-token", names("paper"))
    studio.allowed(other, [])
    rows = studio.sql(
        f"SELECT owner, claimant FROM store_association_conflicts WHERE original_transaction_id = '{id}'")
    insist(rows == [[other, "u-token"]], rows)


def tags(studio):
    user = studio.subscriber()
    path = f"/users/{user}/products?bundleId={DRAW}"
    first = studio.ask("GET", path, user=user)
    tag = first.fields["etag"]
    insist(first.fields["cache-control"] == "private, no-cache", first.fields)

    def asked(tag):
        return studio.ask("GET", path, headers=(*studio.bearer(user), f"If-None-Match: {tag}"))

    time.sleep(1.1)
    for known in [tag, f"W/{tag}", f'"x", {tag}', "*"]:
        answer = asked(known)
        insist(answer.status == 304 and answer.body == b"", answer.status, answer.body)
        insist(answer.fields["etag"] == tag, answer.fields)
    for other in ['"x"', tag[:-2] + '"', "x"]:
        answer = asked(other)
        insist(answer.status == 200 and answer.fields["etag"] == tag, answer.status, answer.fields)
    studio.acquired(user, "brushes")
    changed = asked(tag)
    insist(changed.status == 200 and changed.fields["etag"] != tag, "the tag stays")


def consumables(studio):
    """What is used up is never allowed, and a product that is not listed is."""
    user = studio.user()
    studio.holds("coins", user, type="Consumable")
    studio.holds("old.filter", user)
    answer = studio.allowed(user, names("old.filter"))
    insist(answer["unknownProducts"] == names("old.filter"), answer)
    insist(answer["purchasedProducts"] == names("old.filter"), answer)


def one_webhook(studio):
    """A purchase of a user who is known arrives by Apple's notification."""
    user = studio.user()
    customer, id, receipt = studio.buy("full.monthly")
    studio.good(studio.validate(user, receipt=receipt))
    before = studio.products(user)["subscription"]["expiresAt"]
    told = studio.order("renew", originalTransactionId=id)["notifications"]
    insist(told[0]["state"] == "accepted", told)
    after = studio.products(user)["subscription"]["expiresAt"]
    insist(after > before, before, after)
    studio.order("refund", originalTransactionId=id)
    insist(studio.products(user)["subscription"]["active"], "the charge before still runs")
    told = studio.order("refund", transactionId=id)["notifications"]
    insist(told[0]["state"] == "accepted", told)
    insist(not studio.products(user)["subscription"]["active"], "not refunded")
    # A path of Apple without a signature by Apple.
    answer = wire.ask(
        studio.server.port, "POST", "/api/v1/webhook/apple", [], {"signedPayload": "a.b.c"})
    insist(400 <= answer.status < 500, answer.status, answer.body)


def raced(studio, times=20):
    """Two users race for one receipt: one of them has it, and the other one nothing."""
    conflicts = []
    for _ in range(times):
        users = [studio.user(), studio.user()]
        id, jws = studio.transaction("full.monthly", end=20 * DAY)
        answers = at_once(*[lambda user=user: studio.validate(user, jws) for user in users])
        insist(sorted(answer.status for answer in answers) == [200, 422], "both or none", [
            (answer.status, answer.body) for answer in answers])
        lost = next(number for number in range(2) if answers[number].status == 422)
        studio.refused(answers[lost], 422, "userId/linked_to_other_user")
        insist(studio.products(users[lost])["subscription"] is None, "the loser has it")
        insist(studio.products(users[1 - lost])["subscription"]["active"], "the winner has not")
        conflicts.append([id, users[1 - lost], users[lost]])
    rows = studio.sql(
        "SELECT original_transaction_id, owner, claimant FROM store_association_conflicts")
    insist(all(rows.count(conflict) == 1 for conflict in conflicts), "not one row a conflict")


def sessions(studio):
    """An identifier is taken as it is; sessions have those of visible ASCII."""
    for user, by in [
        ("ann@example.com", "ann@example.com"), ("a/b", "a/b"), ("Ümlaut", None),
        (" spaced ", None), ("x" * 128, "x" * 128),
    ]:
        escaped = "".join(f"%{byte:02X}" for byte in user.encode())
        path = f"/users/{escaped}/products?bundleId={DRAW}"
        answer = studio.ask("GET", path, headers=studio.bearer(by))
        insist(studio.good(answer)["userId"] == user, answer.body)


# Row 20, and failures for twenty days.


def outage(studio, users=5):
    """Apple is out of reach: nobody loses access before the time to live of a status, everybody after it,
    and all have it back at once."""
    held = [studio.user() for _ in range(users)]
    for user in held:
        _, _, receipt = studio.buy("full.yearly")
        studio.good(studio.validate(user, receipt=receipt))
        studio.acquired(user, "brushes")
    bought = studio.user()
    _, _, receipt = studio.buy("frames")
    studio.good(studio.validate(bought, receipt=receipt))
    studio.order("away", away=True)
    try:
        failed_upload(studio, receipt)
        # The next validation is due after seven days.
        studio.pass_days(7.5)
        for user in held:
            until(lambda: studio.products(user)["stale"], "no failure was noted")
        for day in range(1, 14):
            studio.pass_days(1)
            for user in held:
                answer = studio.allowed(user, names("brushes"))
                insist(answer["subscription"]["active"] and answer["stale"], day, answer)
                insist(not answer["suspended"], day, answer)
        stale = studio.good(studio.validate(held[0]))
        insist(stale["stale"] and stale["subscription"]["active"], stale)
        studio.pass_days(1)
        for user in held:
            answer = studio.allowed(user, [])
            insist(answer["suspended"] and not answer["subscription"]["active"], answer)
            insist(answer["acquiredProducts"] == names("brushes"), answer)
            shared = studio.good(studio.ask("GET", f"/shared/{DRAW}/subscriber?userId={user}"))
            insist(not shared["isSubscriber"], shared)
        studio.allowed(bought, names("frames"))
    finally:
        studio.order("away", away=False)
    for user in held:
        until(lambda: not studio.products(user)["suspended"], "still suspended")
        answer = studio.allowed(user, names("brushes"))
        insist(answer["subscription"]["active"] and not answer["stale"], answer)


def failed_upload(studio, receipt):
    """An upload about which Apple could not be asked is not taken."""
    user = studio.user()
    answer = studio.validate(user, receipt=receipt)
    studio.refused(answer, 503)
    insist(answer.fields["retry-after"] == "30", answer.fields)
    insist(studio.products(user)["validatedAt"] is None, "something was taken")


def silent_log(studio):
    """The output of the server has no tokens, signed data, users or keys."""
    told = "\n".join(studio.server.lines + studio.server.errors)
    for secret in [TOKEN, KEY, SECRET, OWN_TOKEN, "eyJ", "u-token", "ann@example.com", "MIA"]:
        insist(secret not in told, "a log shows what it should not:", secret)


# Other settings.


def attributes(studio):
    """Row 25 with the marker as a piece of an identifier, other days of grace, and a short time to live."""
    studio.start(
        "--marker-strategy", "attribute", "--multi-app-marker", "multiApp", "--grace-days", "0",
        "--status-ttl", "3", multiAppMarker=None)
    told = [json.loads(line) for line in studio.server.errors]
    insist(any(line["event"] == "status TTL is short" and line["days"] == 3 for line in told), told)
    insist(studio.products(
        studio.holds("multiApp.monthly", app=PAINT, end=DAY))["subscription"]["active"], "no match")
    for name in ["multiApps.monthly", "xmultiApp.monthly"]:
        user = studio.holds(name, app=PAINT, end=DAY)
        insist(studio.products(user)["subscription"] is None, name, "matches")
    user = studio.holds("full.monthly", start=-9 * DAY, end=-1)
    insist(not studio.products(user)["subscription"]["active"], "there is grace")
    insist(studio.server.stop() == 0, "the server did not end well")


def reloaded(studio):
    """SIGHUP reads the lists again; a list that is refused changes nothing."""
    studio.start()
    server = studio.server
    user = studio.subscriber()

    def hang_up(event):
        seen = len(server.errors)

        def found():
            return [json.loads(line) for line in server.errors[seen:] if f'"{event}"' in line]

        server.process.send_signal(signal.SIGHUP)
        until(found, f"the log does not tell: {event}")
        return found()[0]

    studio.refused(studio.acquire(user, "sketch"), 422, "productId/unknown_product")
    new = [*LIST, product("sketch"), product("frames"), {**product("odd"), "colour": "red"}]
    studio.write(new)
    told = hang_up("product list reloaded")
    insist((told["app"], told["products"], told["changed"]) == (DRAW, len(LIST) + 3, True), told)
    until(lambda: any('"warning":"duplicate_identifier"' in line for line in server.errors),
          "a warning is missing")
    until(lambda: any('"warning":"unknown_key"' in line for line in server.errors),
          "a warning is missing")
    studio.acquired(user, "sketch")
    for bad, element, key, reason in [
        ([*new, product("x", "lifetime")], len(new), "productType", "unknown value"),
        ([*new, {"productType": "nonConsumable"}], len(new), "identifier", "missing"),
        ([plan("full.monthly", unlocks=["com.*.draw"])], 0, "unlocks[0]", "text not allowed"),
        ({}, None, None, "not an array"),
    ]:
        studio.write(bad)
        told = hang_up("product list refused")
        insist(
            (told["app"], told.get("element"), told.get("key"), told["reason"]) ==
            (DRAW, element, key, reason), told)
        studio.allowed(user, names("sketch"))
    insist("lifetime" not in "\n".join(server.errors), "the log shows the list")
    studio.write(LIST)
    hang_up("product list reloaded")
    studio.refused(studio.acquire(user, "sketch"), 422, "productId/unknown_product")
    insist(server.stop() == 0, "the server did not end well")


def beside(studio):
    """Memberships, credits and entitlements in one server, with one path for Apple, and Apple's API as a
    source for each app."""
    place = studio.scene.place
    gems = place.path("studio.gems.json")
    with open(gems, "w") as file:
        json.dump({"product_mappings": {"coins": {
            "app_store_product_id": f"{DRAW}.coins", "credits": 10}}}, file)
    studio.start(
        product={f"{DRAW}.lite.monthly": "standard/month"}, acceptAnyAccount=True,
        creditProducts=gems, **studio.access)
    user = studio.user()
    # Unknown to the memberships: accepted all the same.
    told = studio.order("buy", customer=user, product=f"{DRAW}.full.monthly")["notifications"]
    insist(told[0]["state"] == "accepted", told)
    studio.good(studio.validate(user, receipt=studio.receipt(user)))
    insist(studio.products(user)["subscription"]["active"], "not active")
    # A membership follows a purchase that came for entitlements.
    member, id, receipt = studio.buy("lite.monthly")
    studio.good(studio.validate(member, receipt=receipt))
    studio.scene.expect(
        200, "POST", "/api/v1/apple/link", {"ftcId": member, "originalTxId": id})
    before = studio.scene.expect(200, "GET", f"/api/v1/apple/subs/{id}").json["expiresDateUtc"]
    told = studio.order("renew", originalTransactionId=id)["notifications"]
    insist(told[0]["state"] == "accepted", told)
    after = studio.scene.expect(200, "GET", f"/api/v1/apple/subs/{id}").json["expiresDateUtc"]
    insist(after > before, before, after)
    # Credits, by the same path.
    answer = studio.order("buy", customer=user, product=f"{DRAW}.coins")
    insist(answer["notifications"][0]["state"] == "accepted", answer)
    # Each app answers for its own purchases, of which the phone sent signed data only.
    painter, id, _ = studio.buy("monthly", app=PAINT)
    path = f"/control/receipt?customer={painter}&app={PAINT}"
    jws = wire.ask(studio.store.port, "GET", path).json["signedTransactionInfo"]
    studio.good(studio.validate(painter, jws, app=PAINT))
    studio.order("lose", app=PAINT)
    studio.order("renew", originalTransactionId=id)
    before = studio.products(painter, PAINT)["subscription"]["expiresAt"]
    answer = studio.good(studio.validate(painter, app=PAINT))
    insist(not answer["stale"] and answer["subscription"]["expiresAt"] > before, answer)
    insist(studio.server.stop() == 0, "the server did not end well")


def absent(studio):
    """An app that Production does not know, named first: the others are asked, recovered and validated, and so is
    its own Sandbox, again and again."""
    catalog = studio.scene.place.path("new.json")
    with open(catalog, "w") as file:
        json.dump([plan("monthly", NEW)], file)
    production = Unreleased(studio.store.port, NEW)
    apps = {
        "app": {NEW: 13, DRAW: 11, PAINT: 12}, "catalog": {NEW: catalog, **studio.catalogs},
        **studio.access, "appStoreProductionUrl": f"http://127.0.0.1:{production.port}/production"}
    # With a notification there is something to recover.
    studio.start(**apps, recoveryInterval=0)
    studio.buy("full.monthly")
    insist(studio.server.stop() == 0, "the server did not end well")
    studio.start(**apps, recoveryInterval=1)

    def told(event):
        lines = [json.loads(line) for line in list(studio.server.errors) if f'"{event}"' in line]
        return [(line["app"], line["environment"]) for line in lines if line["event"] == event]

    failing = (NEW, "Production")
    until(lambda: told("worker failed") == [failing], "nobody said which app fails")
    others = [(one, where) for one in [DRAW, PAINT] for where in ["Production", "Sandbox"]]
    until(lambda: min(told("recovered").count(one) for one in others) >= 3, "the other apps wait")
    until(lambda: told("recovered").count((NEW, "Sandbox")) >= 3, "the app's Sandbox waits")
    insist(failing not in told("recovered") and told("worker failed") == [failing],
           told("worker failed"))
    insist(named(studio) == [("apple", NEW, "Production")], "ready:", named(studio))
    for name, own in [("full.monthly", DRAW), ("monthly", PAINT)]:
        user, id, _ = studio.buy(name, app=own)
        path = f"/control/receipt?customer={user}&app={own}"
        jws = wire.ask(studio.store.port, "GET", path).json["signedTransactionInfo"]
        studio.good(studio.validate(user, jws, app=own))
        before = studio.products(user, own)["subscription"]["expiresAt"]
        studio.order("lose", app=own)
        studio.order("renew", originalTransactionId=id)
        answer = studio.good(studio.validate(user, app=own))
        insist(not answer["stale"] and answer["subscription"]["expiresAt"] > before, answer)
    # Who bought in the bundled app only has a status here.
    user, id, _ = studio.buy("multiApp.monthly", app=PAINT)
    path = f"/control/receipt?customer={user}&app={PAINT}"
    jws = wire.ask(studio.store.port, "GET", path).json["signedTransactionInfo"]
    studio.good(studio.validate(user, jws, app=PAINT))
    answer = studio.good(studio.validate(user))
    insist(answer["associated"] and answer["subscription"]["active"], answer)
    insist(answer["subscription"]["bundleId"] == PAINT, answer)
    # verifyReceipt is asked about every app.
    studio.order("away", away=True)
    user, _, receipt = studio.buy("full.monthly")
    studio.refused(studio.validate(user, receipt=receipt), 503)
    insist(("apple", None, "Production") in named(studio), "ready:", named(studio))
    studio.order("away", away=False)
    studio.good(studio.validate(user, receipt=receipt))
    insist(("apple", None, "Production") not in named(studio), "ready:", named(studio))
    # The app is released: its source is named until it answers.
    production.released = True
    user, id, _ = studio.buy("monthly", app=NEW)
    path = f"/control/receipt?customer={user}&app={NEW}"
    jws = wire.ask(studio.store.port, "GET", path).json["signedTransactionInfo"]
    studio.good(studio.validate(user, jws, app=NEW))
    insist(failing[0] in [app for _, app, _ in named(studio)], "ready:", named(studio))
    insist(not studio.good(studio.validate(user, app=NEW))["stale"], "stale")
    until(lambda: not named(studio), f"a source that answers is named: {named(studio)}")
    insist(studio.server.stop() == 0, "the server did not end well")


def named(studio):
    """The sources that failed, as /ready names them; it succeeds all the same."""
    answer = wire.ask(studio.server.port, "GET", "/ready")
    insist(answer.status == 200 and answer.json["status"] == "ok", answer.status, answer.body)
    failed = answer.json["failedSources"]
    keys = {"vendor", "app", "environment", "since"}
    insist(all(set(one) <= keys and {"vendor", "since"} <= set(one) for one in failed), failed)
    return [(one["vendor"], one.get("app"), one.get("environment")) for one in failed]


def wrong_secret(studio):
    """Apple refuses the shared secret with status 200, which is no answer."""
    studio.start(sharedSecret="f" * 32)
    user, _, receipt = studio.buy("full.monthly")
    studio.refused(studio.validate(user, receipt=receipt), 503)
    insist(named(studio) == [("apple", None, "Production")], "ready:", named(studio))
    insist(studio.server.stop() == 0, "the server did not end well")


def locally(studio):
    """Without the shared secret, receipts are verified without asking Apple."""
    studio.start(sharedSecret=None, appStoreUrl=None)
    user = studio.user()
    _, _, receipt = studio.buy("full.monthly")
    studio.order("away", away=True)
    try:
        answer = studio.good(studio.validate(user, receipt=receipt))
        insist(answer["subscription"]["active"], answer)
        studio.refused(
            studio.validate(user, receipt=strange(studio)), 422, "receiptData/not_authentic")
        # No source can answer, which is no failure.
        insist(not studio.good(studio.validate(user))["stale"], "stale")
    finally:
        studio.order("away", away=False)
    insist(studio.server.stop() == 0, "the server did not end well")


def killed(studio, kills=5):
    """The server is killed while it records: of the purchases of a call all are there, or none."""
    studio.start()
    calls, done = [], []
    for _ in range(kills):
        start = len(done)
        batch = []
        for _ in range(40):
            user = studio.user()
            signed = [
                studio.transaction("full.monthly", end=20 * DAY), studio.transaction("frames"),
                studio.transaction("paper")]
            batch.append((user, [id for id, _ in signed], [jws for _, jws in signed]))

        def send(part):
            for user, tx, jws in part:
                try:
                    answer = studio.validate(user, *jws)
                except (wire.Closed, OSError):
                    return
                insist(answer.status == 200, answer.status, answer.body)
                done.append(user)

        def kill():
            until(lambda: len(done) >= start + random.randint(1, 30), "nothing is recorded")
            time.sleep(random.random() * 0.02)
            studio.server.process.kill()
            studio.server.wait()

        at_once(kill, *[lambda part=batch[number::4]: send(part) for number in range(4)])
        calls += batch
        studio.start()
    owners = {}
    for user, id in studio.sql("SELECT user_id, original_transaction_id FROM store_associations"):
        owners.setdefault(user, set()).add(id)
    recorded = {row[0] for row in studio.sql("SELECT transaction_id FROM apple_transaction")}
    for user, tx, _ in calls:
        held, known = owners.get(user, set()), recorded & set(tx)
        insist(held in (set(), set(tx)), user, "holds a part:", held)
        insist(held or user not in done, user, "was answered, and is forgotten")
        insist(bool(known) == bool(held), user, known, held)
        answer = studio.products(user)
        insist((answer["subscription"] is not None) == bool(held), answer)
        insist(answer["purchasedProducts"] == (names("frames", "paper") if held else []), answer)
