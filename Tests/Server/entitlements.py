"""Entitlements over a socket: what clients ask, purchases of the App Store, races, an outage, and what the server
adds.

The rows of Documentation/rules/entitlement-rules.md, section 11, are tested in EntitlementPolicyTests and
StorekeeperTests, and the answers of section 10 in StorekeeperHTTPTests."""
import json
import random
import time

import wire
from apple import Unreleased
from hostile import hang_up, settles, until
from moments import at_once
from programs import TOKEN
from story import insist
from studio import DAY, DRAW, FOUR, LIST, NEW, PAINT, SECRET, Studio, names, plan, product
from wallet import KEY, forged, session

# An app account token that the host made for a user.
OWN_TOKEN = "6b1a3c52-0c1e-4f57-9a55-0d3b1c7e9a11"


def check(scene):
    studio = Studio(scene)
    studio.start(accountToken={"u-token": OWN_TOKEN})
    for part in [
        acquisitions, bought, evidence, refusals, tags, one_webhook, raced, outage, silent_log,
    ]:
        part(studio)
    insist(scene.server.stop() == 0, "the server did not end well")
    attributes(studio)
    reloaded(studio)
    beside(studio)
    sold_at_google(studio)
    absent(studio)
    wrong_secret(studio)
    locally(studio)
    killed(studio)
    insist(scene.server.stop() == 0, "the server did not end well")


def acquisitions(studio):
    """What a subscriber acquires, once however often it is asked for, and what other apps learn."""
    user = studio.subscriber()
    answers = at_once(*[lambda: studio.good(studio.acquire(user, "brushes"))] * 50)
    created = [answer["created"] for answer in answers]
    insist(created.count(True) == 1, "created", created.count(True), "times")
    insist(studio.good(studio.acquire_all(user)) == {
        "created": names("frames", "frames.gold", "paper"), "acquiredProducts": FOUR,
        "allowedProducts": FOUR}, "not all")
    studio.allowed(user, FOUR)
    lite = studio.subscriber("lite.monthly")
    studio.refused(studio.acquire(lite, "brushes"), 422, "productId/not_unlocked")
    studio.refused(studio.acquire(studio.user(), "paper"), 422, "userId/not_subscriber")
    # A subscription of the bundled app, whose marker the settings name, unlocks here too.
    painter = studio.holds("multiApp.monthly", app=PAINT, end=20 * DAY)
    studio.acquired(painter, "brushes")
    shared = studio.good(studio.ask("GET", f"/shared/{DRAW}/subscriber?userId={painter}"))
    insist(not shared["isSubscriber"], shared)
    shared = studio.good(studio.ask("GET", f"/shared/{PAINT}/subscriber?userId={painter}"))
    insist(shared["isSubscriber"], shared)


def bought(studio):
    """A real purchase, and Apple's notification of its refund."""
    user = studio.user()
    _, id, receipt = studio.buy("frames")
    answer = studio.good(studio.validate(user, receipt=receipt))
    insist(answer["associated"] and answer["purchasedProducts"] == names("frames"), answer)
    studio.allowed(user, names("frames"))
    told = studio.order("refund", transactionId=id)["notifications"]
    insist([(news["type"], news["state"]) for news in told] == [("REFUND", "accepted")], told)
    studio.allowed(user, [])


def strange(studio):
    """A receipt that another authority signed."""
    other = studio.scene.place.simulator("--bundle-id", DRAW)
    return wire.ask(other.port, "GET", "/control/receipt?customer=x").json["receipt"]


def evidence(studio):
    """Evidence of another user, of nobody's authority, and with a token of the settings."""
    one, two = studio.user(), studio.user()
    _, id, receipt = studio.buy("full.monthly")
    studio.good(studio.validate(one, receipt=receipt))
    answer = studio.validate(two, receipt=receipt)
    studio.refused(answer, 422, "userId/linked_to_other_user")
    insist(one not in answer.body.decode() and id not in answer.body.decode(), answer.body)
    studio.refused(studio.validate(one, receipt=strange(studio)), 422, "receiptData/not_authentic")
    _, jws = studio.transaction("full.monthly", end=DAY)
    studio.refused(studio.validate(one, forged(jws)), 422, "signedTransactions/not_authentic")
    insist(studio.products(one)["subscription"]["active"], "the first user has lost it")
    _, jws = studio.transaction("frames", appAccountToken=OWN_TOKEN)
    studio.refused(studio.validate(two, jws), 422, "userId/account_token_mismatch")
    studio.good(studio.validate("u-token", jws))
    studio.allowed("u-token", names("frames"))
    answer = studio.products(two)
    insist((answer["purchasedProducts"], answer["subscription"]) == ([], None), answer)
    # Named by an address, in its escaped form.
    path = f"/users/ann%40example.com/products?bundleId={DRAW}"
    answer = studio.ask("GET", path, headers=studio.bearer("ann@example.com"))
    insist(studio.good(answer)["userId"] == "ann@example.com", answer.body)


def refusals(studio):
    """Callers and bodies that are refused, with limits that are not the server's own."""
    user, other = studio.user(), studio.user()
    path = f"/users/{user}/products?bundleId={DRAW}"
    studio.refused(studio.ask("GET", path, user=other), 403)
    for headers in [(), (f"Authorization: Bearer {session(user, key=KEY[::-1])}",)]:
        answer = studio.ask("GET", path, headers=headers)
        studio.refused(answer, 401)
        insist(answer.fields["www-authenticate"].startswith("Bearer"), answer.fields)
    studio.refused(studio.ask("GET", "/nothing", user=user), 404)
    studio.refused(studio.ask("POST", path, b"{}", user), 405)
    studio.refused(studio.ask("POST", "/receipts/validate", b"{", user), 400)
    # The limit of a body is 2 MiB, although the server's is 1 MiB.
    large = {"bundleId": DRAW, "userId": user, "receiptData": "A" * 1_900_000}
    studio.refused(
        studio.ask("POST", "/receipts/validate", large, user), 422, "receiptData/invalid")
    larger = {**large, "receiptData": "A" * (2 << 20)}
    studio.refused(studio.ask("POST", "/receipts/validate", larger, user), 413)


def tags(studio):
    user = studio.subscriber()
    path = f"/users/{user}/products?bundleId={DRAW}"
    whole = studio.ask("GET", path, user=user)
    tag = whole.fields["etag"]

    def asked():
        return studio.ask("GET", path, headers=(*studio.bearer(user), f"If-None-Match: {tag}"))

    time.sleep(1.1)
    answer = asked()
    insist(answer.status == 304 and answer.body == b"", answer.status, answer.body)
    # RFC 9110 section 8.6: the length of the content that is left out, or none.
    length = str(len(whole.body))
    insist(answer.fields.get("content-length", length) == length, answer.fields, length)
    studio.acquired(user, "brushes")
    insist(asked().status == 200, "the tag stays")


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


def outage(studio, users=5):
    """Apple is out of reach: nobody loses access before the time to live of a status, everybody after it,
    and all have it back at the next try."""
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
    # After a long outage the server tries again within seven hours. A try that began before the outage ended may
    # fail, and be noted, after its clock was moved; then it is the next one that succeeds.
    for _ in range(5):
        studio.pass_days(0.3)
        if settles(lambda: not any(studio.products(user)["suspended"] for user in held), 10):
            break
    for user in held:
        insist(not studio.products(user)["suspended"], "still suspended")
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
    """The marker as a piece of an identifier, other days of grace, and a short time to live."""
    studio.start(
        "--marker-strategy", "attribute", "--multi-app-marker", "multiApp", "--grace-days", "0",
        "--status-ttl", "3", multiAppMarker=None)

    def told():
        lines = [json.loads(line) for line in list(studio.server.errors)]
        return any(line["event"] == "status TTL is short" and line["days"] == 3 for line in lines)

    until(told, "nobody was told that the time to live is short")
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

    studio.refused(studio.acquire(user, "sketch"), 422, "productId/unknown_product")
    new = [*LIST, product("sketch"), product("frames"), {**product("odd"), "colour": "red"}]
    studio.write(new)
    told = hang_up(server, "product list reloaded")
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
        told = hang_up(server, "product list refused")
        insist(
            (told["app"], told.get("element"), told.get("key"), told["reason"]) ==
            (DRAW, element, key, reason), told)
        studio.allowed(user, names("sketch"))
    insist("lifetime" not in "\n".join(server.errors), "the log shows the list")
    studio.write(LIST)
    hang_up(server, "product list reloaded")
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


def sold_at_google(studio):
    """One of the apps is sold at Google Play too: purchase tokens are evidence there, are acknowledged, and follow
    what Google pushes; there are no orders and no credits."""
    studio.write([*LIST, {"identifier": "reader_standard", "productType": "renewableSubscription"}])
    studio.start(**studio.google)
    user, other = studio.user(), studio.user()
    bought = studio.order("play/subscribe", customer=user, product="reader_standard", basePlan="monthly")
    token = bought["purchase"]["purchaseToken"]
    answer = studio.good(studio.validate(user, purchaseTokens=[token]))
    insist(answer["associated"] and answer["subscription"]["productId"] == "reader_standard", answer)
    insist(answer["subscription"]["active"] and token not in json.dumps(answer), answer)
    studio.acquired(user, "brushes")
    studio.refused(
        studio.validate(other, purchaseTokens=[token]), 422, "userId/linked_to_other_user")
    for tokens in [["nobody's"], [""], "x"]:
        studio.refused(studio.validate(other, purchaseTokens=tokens), 422, "purchaseTokens/invalid")
    studio.refused(
        studio.validate(other, purchaseTokens=["x"] * 21), 422, "purchaseTokens/too_many")
    studio.refused(
        studio.validate(other, purchaseTokens=[token], app=PAINT), 422, "purchaseTokens/invalid")

    def known():
        state = wire.ask(studio.store.port, "GET", "/control/play/state").json
        return next(one for one in state["purchases"] if one["purchaseToken"] == token)

    until(lambda: known()["acknowledged"], "the purchase is not acknowledged")
    studio.order("play/webhook", url=f"http://127.0.0.1:{studio.server.port}/api/v1/webhook/google")
    studio.order("play/revoke", purchaseToken=token)
    until(lambda: studio.products(user)["allowedProducts"] == [], "the revocation was not followed")
    studio.order("play/webhook")
    insist(token not in "\n".join(studio.server.lines + studio.server.errors), "a log shows the token")
    insist(studio.server.stop() == 0, "the server did not end well")
    studio.write(LIST)


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
