"""Every route of both contracts (Documentation/reference/openapi.yaml, Documentation/reference/two-contracts.md) over a
socket: its success and each of its errors."""
import itertools
import json
import sqlite3

from hostile import until
from programs import OLD_TOKEN, SECRET, TOKEN
from story import BEARER, MESSAGES, insist

# path below the prefix, methods, whether a bearer token is needed, methods that read a body
CURRENT = [
    ("/apple/verify-receipt", ["POST"], True, ["POST"]),
    ("/apple/link", ["POST"], True, ["POST"]),
    ("/apple/unlink", ["POST"], True, ["POST"]),
    ("/apple/subs", ["GET", "POST"], True, ["POST"]),
    ("/apple/subs/1000", ["GET", "PATCH"], True, []),
    ("/apple/receipt/1000", ["GET"], True, []),
    ("/webhook/apple", ["POST"], False, ["POST"]),
]
YEAR_2019 = [
    ("/apple/verify-receipt", ["POST"], True, ["POST"]),
    ("/apple/link", ["POST", "DELETE"], True, ["POST", "DELETE"]),
    ("/webhook/apple", ["POST"], False, ["POST"]),
]
ACCOUNTS = [f"reader-{number}" for number in range(60)]
BROKEN = [b"", b"{", b"[]", b'"text"', b"null", b'{"a":1} x', b'{"a":1}{}', b"\xff\xfe", b"\x00"]

SUBSCRIPTION = {
    "environment", "originalTransactionId", "lastTransactionId", "productId", "purchaseDateUtc",
    "expiresDateUtc", "tier", "cycle", "autoRenewal", "createdUtc", "updatedUtc", "ftcUserId",
    "inUse",
}
MEMBERSHIP = {
    "ftcId", "unionId", "tier", "cycle", "expireDate", "payMethod", "ftcPlanId", "stripeSubsId",
    "autoRenew", "status", "appleSubsId", "b2bLicenceId",
}
MEMBERSHIP_2019 = {
    "id", "ftcId", "unionId", "tier", "cycle", "expireDate", "payMethod", "autoRenew", "status",
}


def check(scene):
    account = itertools.cycle(ACCOUNTS)
    scene.start(account=[*ACCOUNTS, "=wx-carol"], receipts=scene.place.path("receipts"))
    common(scene, "/api/v1", CURRENT)
    common(scene, "/api/sandbox", CURRENT)
    common(scene, "/2019/api/v1", YEAR_2019)
    own(scene)
    verify(scene, "/api/v1/apple/verify-receipt")
    verify(scene, "/api/v1/apple/subs")
    link(scene, account)
    unlink(scene, account)
    listing(scene, account)
    single(scene)
    webhook_v1(scene)
    webhook_v2(scene)
    verify_2019(scene)
    link_2019(scene, account)
    sandbox(scene, account)
    failing_store(scene)
    insist(scene.server.stop() == 0, "the server did not end well")
    silent_log(scene)
    strict(scene, account)
    other_app(scene)


# Common to all rows.


def common(scene, prefix, routes):
    for path, methods, needs_bearer, with_body in routes:
        for method in methods:
            if needs_bearer:
                bearers(scene, method, prefix + path)
            if method in with_body:
                bodies(scene, method, prefix + path)
        for method in {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} - set(methods):
            wrong_method(scene, method, prefix + path, methods)
        for wrong in [path + "/", path + "x/y", path.upper(), "/" + path]:
            scene.expect(404, methods[0], prefix + wrong)
    for path in ["/apple/subs/", "/apple/receipt/", "/apple/subs/1/2", "/apple", "", "/apple/link%20"]:
        scene.expect(404, "GET", prefix + path)
    for bad in ["x", "1" * 65, "%31", "12%2F", "-1"]:
        if prefix.startswith("/api"):
            scene.expect(404, "GET", f"{prefix}/apple/subs/{bad}")
            scene.expect(404, "GET", f"{prefix}/apple/receipt/{bad}")


def bearers(scene, method, path):
    for header in [
        (), ("Authorization: Bearer",), ("Authorization: Bearer wrong",),
        ("Authorization: Basic " + TOKEN,), (f"Authorization: Bearer {TOKEN} x",),
        (BEARER, BEARER), ("X-Authorization: Bearer " + TOKEN,),
    ]:
        answer = scene.expect(401, method, path, b"{}", header, message="Invalid access token")
        insist(answer.fields.get("www-authenticate") == "Bearer", method, path)
    scene.expect(
        401, method, path, b"{}", (f"Authorization: Bearer {OLD_TOKEN}",),
        message="The access token is expired or no longer active")
    scene.expect(
        401, method, f"{path}?access_token={TOKEN}", b"{}", (), message="Invalid access token")


def bodies(scene, method, path):
    headers = (BEARER, "X-User-Id: reader-0")
    for body in BROKEN:
        scene.expect(400, method, path, body, headers)
    scene.expect(413, method, path, b"{" + b" " * (1 << 20), headers)
    scene.expect(415, method, path, b"{}", (*headers, "Content-Encoding: gzip"))


def wrong_method(scene, method, path, methods):
    answer = scene.ask(method, path)
    insist(answer.status == 405, method, path, answer.status)
    insist(answer.fields["allow"] == ", ".join(methods), method, path, answer.fields["allow"])
    if method != "HEAD":
        insist(answer.json == {"message": MESSAGES[405]}, method, path)
    scene.checked += 1


def own(scene):
    """The routes of the server besides the API."""
    for path, more in [("/health", {}), ("/ready", {"failedSources": []})]:
        answer = scene.ask("GET", path, headers=())
        insist(answer.status == 200 and answer.json == {"status": "ok", **more}, path, answer.body)
        insist(scene.ask("HEAD", path, headers=()).status == 200, path)
        insist(scene.ask("POST", path, headers=()).status == 405, path)
    for path in ["/", "/api", "/api/v1", "/api/v2/apple/subs", "/healthx", "//health"]:
        scene.expect(404, "GET", path)


# The rows of the current contract.


def text_field(scene, method, path, field, rest={}, error=None):
    """A required text: missing, null or blank is 422, any other type 400."""
    for value in [None, "", " ", "\t\n"]:
        scene.expect(
            422, method, path, {**rest, field: value}, error=error, message="Missing required field")
    scene.expect(422, method, path, rest, error=error, message="Missing required field")
    for value in [1, True, [], {}, 1.5]:
        scene.expect(400, method, path, {**rest, field: value})


def verify(scene, path):
    id, customer, receipt = scene.buy()
    body = {"receiptData": receipt}
    answer = scene.expect(200, "POST", path, {**body, "more": 1})
    if path.endswith("subs"):
        insist(set(answer.json) == SUBSCRIPTION, path, answer.body)
        insist(answer.json["originalTransactionId"] == id, path, answer.body)
    else:
        sent = scene.between.ask(
            "/production/verifyReceipt",
            json.dumps({"receipt-data": receipt, "password": SECRET}).encode())[1]
        insist(answer.json["latest_receipt_info"] == json.loads(sent)["latest_receipt_info"], path)
        scene.between.answer = lambda *_: (200, b" " + sent + b"\n")
        answer = scene.expect(200, "POST", path, body)
        insist(answer.body == b" " + sent + b"\n", path, "not the bytes that Apple sent")
        scene.between.answer = None
    text_field(scene, "POST", path, "receiptData", error="receiptData/missing_field")
    refused(scene, "POST", path, body)
    for text in ["x", "AAAA", "-----"]:
        scene.expect(422, "POST", path, {"receiptData": text}, error="verification/invalid")
    _, _, other = scene.buy("reader.other")
    scene.expect(
        422, "POST", path, {"receiptData": other}, error="productId/unknown_product",
        message="Apple product is not known")
    scene.between.answer = sandboxed(scene)
    scene.expect(
        422, "POST", path.replace("v1", "sandbox"), body,
        error="originalTransactionId/environment_mismatch",
        message="The subscription is stored for another environment")
    scene.between.answer = None


def refused(scene, method, path, body=b"", error="verification/invalid"):
    """Failures of Apple, or on the way to Apple."""
    def set_to(name, value):
        def change(message):
            message[name] = value
        return scene.between.changed(change)

    def other_bundle(message):
        message["receipt"]["bundle_id"] = "com.example.other"

    unreachable = "verification request failed"
    for answer, message in [
        (set_to("status", 21003), "verification response error: status 21003"),
        (scene.between.changed(other_bundle), "verification response bundle id mismatched"),
        (set_to("latest_receipt_info", []), "verification response has empty latest_receipt_info"),
        (lambda *_: (200, b"no JSON"), None),
        (lambda *_: (503, b""), unreachable),
    ]:
        scene.between.answer = answer
        scene.expect(422, method, path, body, error=error, message=message)
    scene.between.answer = None


def sandboxed(scene):
    """The answer of the production server, changed to one of the Sandbox."""
    def answer(_, body):
        status, bytes = scene.between.ask("/production/verifyReceipt", body)
        message = json.loads(bytes)
        message["environment"] = "Sandbox"
        message["receipt"]["receipt_type"] = "ProductionSandbox"
        return status, json.dumps(message).encode()

    return answer


def stored(scene, product="reader.monthly", prefix="/api/v1", environment="Production"):
    id, customer, receipt = scene.buy(product, environment)
    scene.expect(200, "POST", prefix + "/apple/subs", {"receiptData": receipt})
    return id, customer, receipt


def link(scene, account):
    path = "/api/v1/apple/link"
    id, _, _ = stored(scene)
    one, two, three = next(account), next(account), next(account)
    answer = scene.expect(200, "POST", path, {"ftcId": one, "originalTxId": id, "force": None})
    insist(set(answer.json) == MEMBERSHIP, answer.body)
    insist(answer.json["appleSubsId"] == id and answer.json["payMethod"] == "apple", answer.body)
    again = scene.expect(200, "POST", path, {"ftcId": f" {one} ", "originalTxId": id})
    insist(again.json == answer.json, again.body)
    text_field(
        scene, "POST", path, "ftcId", {"originalTxId": id}, error="ftcId/missing_field")
    text_field(
        scene, "POST", path, "originalTxId", {"ftcId": one}, error="originalTxId/missing_field")
    scene.expect(422, "POST", path, {}, error="ftcId/missing_field")
    for force in [0, "true", []]:
        scene.expect(
            400, "POST", path, {"ftcId": one, "originalTxId": id, "force": force})
    scene.expect(404, "POST", path, {"ftcId": "nobody", "originalTxId": id})
    for unknown in ["1", "x", "9" * 65]:
        scene.expect(404, "POST", path, {"ftcId": one, "originalTxId": unknown})
    scene.expect(
        422, "POST", path, {"ftcId": two, "originalTxId": id},
        error="originalTxId/linked_to_other_ftc",
        message="Apple subscription is already claimed by another ftc account.")
    other, _, _ = stored(scene, "reader.premium")
    scene.expect(
        422, "POST", path, {"ftcId": one, "originalTxId": other},
        error="ftcId/linked_to_other_iap",
        message="FTC account is already linked to another Apple subscription")
    forced = scene.expect(200, "POST", path, {"ftcId": one, "originalTxId": other, "force": True})
    insist(forced.json["tier"] == "premium", forced.body)
    paid(scene, three)
    free, _, _ = stored(scene)
    scene.expect(
        422, "POST", path, {"ftcId": three, "originalTxId": free},
        error="ftcId/has_valid_non_iap",
        message="FTC account already has a valid membership via non-Apple channel")


def paid(scene, account):
    """A membership with another pay method."""
    statement = (
        "INSERT INTO ftc_vip (vip_id, id, ftc_user_id, member_tier, billing_cycle, expire_date,"
        " payment_method, auto_renewal, vip_type, expire_time)"
        f" VALUES ('{account}', 'mmb_{account[-2:]:0>12}', '{account}', 'standard', 'year',"
        " '2099-12-31', 'alipay', 0, 10, 4102444799)")
    scene.place.sql(statement)


def unlink(scene, account):
    path = "/api/v1/apple/unlink"
    id, _, _ = stored(scene)
    one, two = next(account), next(account)
    body = {"ftcId": one, "originalTxId": id}
    scene.expect(422, "POST", path, body, error="ftcId/invalid")
    scene.expect(200, "POST", "/api/v1/apple/link", body)
    scene.expect(422, "POST", path, {**body, "ftcId": two}, error="ftcId/invalid")
    text_field(
        scene, "POST", path, "ftcId", {"originalTxId": id}, error="ftcId/missing_field")
    text_field(
        scene, "POST", path, "originalTxId", {"ftcId": one}, error="originalTxId/missing_field")
    scene.expect(404, "POST", path, {"ftcId": one, "originalTxId": "1"})
    answer = scene.expect(204, "POST", path, body)
    insist(answer.body == b"" and "content-length" not in answer.fields, answer.fields)
    scene.expect(
        422, "POST", path, body, error="ftcId/invalid",
        message="IAP is not linked to the ftc account")


def listing(scene, account):
    path = "/api/v1/apple/subs"
    one = next(account)
    first, _, _ = stored(scene)
    second, _, _ = stored(scene, "reader.premium")
    for id in [first, second]:
        scene.expect(
            200, "POST", "/api/v1/apple/link",
            {"ftcId": one, "originalTxId": id, "force": True})
    user = (BEARER, f"X-Ftc-Id: {one}")
    answer = scene.expect(200, "GET", path, headers=user).json
    insist((answer["total"], answer["page"], answer["limit"]) == (2, 1, 20), answer)
    insist(set(answer) == {"total", "page", "limit", "data"}, answer)
    insist([row["originalTransactionId"] for row in answer["data"]] == [second, first], answer)
    insist([row["inUse"] for row in answer["data"]] == [True, False], answer)
    insist(all(set(row) == SUBSCRIPTION for row in answer["data"]), answer)
    page = scene.expect(200, "GET", path + "?page=2&per_page=1", headers=user).json
    insist([row["originalTransactionId"] for row in page["data"]] == [first], page)
    past = scene.expect(200, "GET", path + "?page=9&per_page=", headers=user).json
    insist(past["total"] == 2 and past["data"] == [] and past["limit"] == 20, past)
    by_other = scene.expect(200, "GET", path, headers=(BEARER, f"X-User-Id: {one}")).json
    insist(by_other == answer, by_other)
    stranger = scene.expect(200, "GET", path, headers=(BEARER, "X-Ftc-Id: stranger")).json
    insist(stranger["total"] == 0 and stranger["data"] == [], stranger)
    for headers in [(), ("X-Ftc-Id: ",), ("X-Union-Id: x",), ("X-Ftc-Id: a", "X-Ftc-Id: b")]:
        scene.expect(401, "GET", path, headers=(BEARER, *headers), message="Requires authorization.")
    for text in ["0", "-1", "x", "1.5", "%2B1", "99999999999999999999", "%FF"]:
        scene.expect(
            422, "GET", f"{path}?page={text}", headers=user, error="page/invalid",
            message="page must be an integer from 1 upwards")
    for text in ["0", "101", "-1", "x"]:
        scene.expect(
            422, "GET", f"{path}?per_page={text}", headers=user, error="per_page/invalid",
            message="per_page must be an integer from 1 to 100")


def single(scene):
    id, customer, receipt = stored(scene)
    path = f"/api/v1/apple/subs/{id}"
    answer = scene.expect(200, "GET", path)
    insist(set(answer.json) == SUBSCRIPTION, answer.body)
    scene.expect(404, "GET", "/api/v1/apple/subs/1")
    scene.order("renew", originalTransactionId=id)
    fresh = scene.expect(200, "PATCH", path, b"ignored")
    receipt = json.loads(scene.between.last)["latest_receipt"]
    insist(fresh.json["expiresDateUtc"] > answer.json["expiresDateUtc"], fresh.body)
    insist(scene.expect(200, "GET", path).json == fresh.json, "PATCH answered other than stored")
    scene.expect(404, "PATCH", "/api/v1/apple/subs/1")
    refused(scene, "PATCH", path)
    unknown = json.loads(scene.between.ask(
        "/production/verifyReceipt",
        json.dumps({"receipt-data": scene.buy("reader.other")[2], "password": SECRET}).encode())[1])
    scene.between.answer = lambda *_: (200, json.dumps(unknown).encode())
    scene.expect(422, "PATCH", path, error="productId/unknown_product")
    scene.between.answer = None
    _, _, sandbox = stored(scene, prefix="/api/sandbox", environment="Sandbox")
    mixed = json.loads(scene.between.ask(
        "/sandbox/verifyReceipt",
        json.dumps({"receipt-data": sandbox, "password": SECRET}).encode())[1])
    mixed["environment"], mixed["receipt"]["receipt_type"] = "Production", "Production"
    scene.between.answer = lambda *_: (200, json.dumps(mixed).encode())
    scene.expect(422, "PATCH", path, error="originalTransactionId/environment_mismatch")
    scene.between.answer = None

    path = f"/api/v1/apple/receipt/{id}"
    for query in ["", "?fs=true", "?fs=false"]:
        answer = scene.expect(200, "GET", path + query)
        insist(set(answer.json) == SUBSCRIPTION | {"receipt"}, answer.body)
        insist(answer.json["receipt"] == receipt, "another receipt")
    scene.expect(404, "GET", "/api/v1/apple/receipt/1")
    # A row without a receipt, known from a notification alone.
    id, _, _ = scene.buy()
    scene.expect(200, "POST", "/api/v1/webhook/apple", scene.notification(2), ())
    scene.expect(200, "GET", f"/api/v1/apple/subs/{id}")
    scene.expect(404, "GET", f"/api/v1/apple/receipt/{id}")
    scene.expect(404, "PATCH", f"/api/v1/apple/subs/{id}")


def webhook_v1(scene):
    path = "/api/v1/webhook/apple"
    id, _, _ = scene.buy()
    note = scene.notification(1)
    answer = scene.expect(200, "POST", path, note, ())
    insist(answer.body == b"", answer.body)
    scene.expect(200, "GET", f"/api/v1/apple/subs/{id}")
    scene.expect(200, "POST", path, note, ())

    def new():
        """A new notification."""
        scene.buy()
        return scene.notification(1)

    for password in ["wrong", "", None]:
        scene.expect(403, "POST", path, {**new(), "password": password}, ())
    scene.expect(422, "POST", path, {**new(), "bid": "com.example.other"}, (), error="bid/invalid",
                 message="bundle id mismatched")
    empty = {**note["unified_receipt"], "latest_receipt": ""}
    for unified in [{}, empty, None]:
        scene.expect(
            422, "POST", path, {**new(), "unified_receipt": unified}, (),
            error="unified_receipt/invalid", message="unified receipt field is not valid")
    note = new()
    scene.between.answer = scene.between.changed(lambda message: message.update(status=21003))
    scene.expect(422, "POST", path, note, (), error="verification/invalid")
    scene.between.answer = lambda *_: (503, b"")
    scene.expect(503, "POST", path, note, ())
    scene.between.answer = None
    scene.expect(200, "POST", path, note, ())
    scene.buy("reader.other")
    scene.expect(
        422, "POST", path, scene.notification(1), (), error="productId/unknown_product")
    _, _, receipt = stored(scene)
    note = scene.notification(1)
    note["environment"] = "Sandbox"
    scene.between.answer = sandboxed(scene)
    scene.expect(
        422, "POST", path, note, (), error="originalTransactionId/environment_mismatch")
    scene.between.answer = None
    for body in BROKEN:
        scene.expect(400, "POST", path, body, ())


def webhook_v2(scene):
    path = "/api/v1/webhook/apple"
    id, _, receipt = stored(scene)
    note = scene.notification(2)
    for prefix in ["/api/v1", "/api/sandbox", "/2019/api/v1", "/2019/api/sandbox"]:
        answer = scene.expect(200, "POST", prefix + "/webhook/apple", note, ())
        insist(answer.body == b"", answer.body)
    before = scene.expect(200, "GET", f"/api/v1/apple/subs/{id}").json
    scene.order("refund", originalTransactionId=id)
    scene.expect(200, "POST", path, scene.notification(2), ())
    after = scene.expect(200, "GET", f"/api/v1/apple/subs/{id}").json
    insist(after["expiresDateUtc"] < before["expiresDateUtc"], "the refund changed nothing")
    token = note["signedPayload"]
    head, payload, signature = token.split(".")
    for forged in [
        "", "x", "a.b.c", f"{head}.{payload}.", f"{head}.{payload}.{signature[:-4]}AAAA",
        f"{head}.{payload[:-4]}AAAA.{signature}",
    ]:
        scene.expect(403, "POST", path, {"signedPayload": forged}, ())
    scene.buy("reader.other")
    scene.expect(
        422, "POST", path, scene.notification(2), (), error="productId/unknown_product")


def other_app(scene):
    """Notifications of another app, signed below the trusted root; and those of another root."""
    other = scene.place.simulator("--bundle-id", "com.example.other")
    hook = f"http://127.0.0.1:{scene.between.port}/hook"
    scene.order("webhook", other, url=hook, versions="v2")
    scene.order("buy", other, customer="stranger", product="reader.monthly")
    note = scene.notification(2)
    scene.start()
    scene.expect(403, "POST", "/api/v1/webhook/apple", note, ())
    insist(scene.server.stop() == 0, "the server did not end well")
    scene.start(testRoot=scene.fetch_roots(other, "other"))
    scene.expect(
        422, "POST", "/api/v1/webhook/apple", note, (), error="bundleId/invalid",
        message="bundle id mismatched")
    insist(scene.server.stop() == 0, "the server did not end well")


# The rows of the contract of 2019.


def verify_2019(scene, path="/2019/api/v1/apple/verify-receipt", method="POST", headers=(BEARER,)):
    _, _, receipt = scene.buy()
    body = {"receipt-data": receipt}
    if method == "POST" and path.endswith("receipt"):
        answer = scene.expect(204, method, path, body)
        insist(answer.body == b"", answer.body)
        scene.expect(204, method, path, {"receipt-data": scene.buy("reader.other")[2]})
    for value in [None, "", " "]:
        scene.expect(
            422, method, path, {"receipt-data": value}, headers,
            error="receipt-data/missing_field", message="receipt-data missing")
    scene.expect(422, method, path, {"receiptData": receipt}, headers,
                 error="receipt-data/missing_field")
    scene.expect(400, method, path, {"receipt-data": 1}, headers)
    scene.between.answer = lambda *_: (503, b"")
    scene.expect(400, method, path, body, headers, message="verification request failed")
    scene.between.answer = scene.between.changed(lambda message: message.update(status=21003))
    scene.expect(422, method, path, body, headers, error="receipt-data/invalid",
                 message="verification response is not valid")
    scene.between.answer = None


def link_2019(scene, account):
    path = "/2019/api/v1/apple/link"
    one, two, three = next(account), next(account), next(account)

    def user(name):
        return (BEARER, f"X-User-Id: {name}")

    id, _, receipt = scene.buy()
    body = {"receipt-data": receipt}
    answer = scene.expect(200, "POST", path, body, user(one))
    insist(set(answer.json) == MEMBERSHIP_2019, answer.body)
    scene.expect(200, "POST", path, body, user(one))
    # A row of another program has no id, and nothing about it changes.
    scene.place.sql(f"UPDATE ftc_vip SET id = NULL WHERE ftc_user_id = '{one}'")
    again = scene.expect(200, "POST", path, body, user(one))
    insist(again.json == {**answer.json, "id": None}, again.body)
    scene.expect(401, "POST", path, body, message="Requires authorization.")
    scene.expect(404, "POST", path, body, user("nobody"))
    verify_2019(scene, path, "POST", user(one))
    scene.expect(
        422, "POST", path, {"receipt-data": scene.buy("reader.other")[2]}, user(one),
        error="receipt-data/invalid")
    sandbox = scene.buy(environment="Sandbox")[2]
    scene.expect(
        422, "POST", "/2019/api/sandbox/apple/link", {"receipt-data": sandbox}, user(two),
        error="receipt-data/invalid")
    scene.expect(
        422, "POST", path, body, user(two), error="iap_membership/already_linked",
        message="one apple subscription cannot be linked to multiple FTC account")
    scene.expect(
        422, "POST", path, {"receipt-data": scene.buy()[2]}, user(one),
        error="ftc_membership/already_linked",
        message="target ftc account is already linked to another apple subscription")
    paid(scene, three)
    scene.expect(
        422, "POST", path, {"receipt-data": scene.buy()[2]}, user(three),
        error="ftc_membership/valid_non_iap",
        message="target ftc account already has a valid membership")
    wechat = scene.expect(
        200, "POST", path, {"receipt-data": scene.buy()[2]}, (BEARER, "X-Union-Id: wx-carol"))
    insist(wechat.json["ftcId"] is None and wechat.json["unionId"] == "wx-carol", wechat.body)
    # Unlinking another account's subscription changes nothing; without a subscription it is 204 too.
    scene.expect(204, "DELETE", path, body, user(two))
    insist(scene.expect(200, "GET", f"/api/v1/apple/subs/{id}").json["inUse"], "unlinked")
    scene.expect(204, "DELETE", path, body)
    insist(not scene.expect(200, "GET", f"/api/v1/apple/subs/{id}").json["inUse"], "still linked")
    scene.expect(204, "DELETE", path, body)
    verify_2019(scene, path, "DELETE")


# Environments, failures, settings.


def sandbox(scene, account):
    id, _, receipt = stored(scene, prefix="/api/sandbox", environment="Sandbox")
    answer = scene.expect(200, "GET", f"/api/sandbox/apple/subs/{id}")
    insist(answer.json["environment"] == "Sandbox", answer.body)
    # App Review buys in the Sandbox and uses the production server.
    scene.expect(200, "POST", "/api/v1/apple/subs", {"receiptData": receipt})
    scene.expect(
        422, "POST", "/api/sandbox/apple/link", {"ftcId": next(account), "originalTxId": id},
        error="originalTxId/environment_not_allowed",
        message="Subscriptions of this environment cannot be linked here")


def failing_store(scene):
    """A database locked by another process: 500 with a fixed text, the reason in the log."""
    if scene.place.database:
        return
    _, _, receipt = scene.buy()
    database = sqlite3.connect(scene.place.path("server.sqlite"), isolation_level=None)
    database.execute("BEGIN IMMEDIATE")
    answer = scene.expect(500, "POST", "/api/v1/apple/subs", {"receiptData": receipt})
    database.execute("ROLLBACK")
    database.close()
    id = answer.fields["x-request-id"]
    until(lambda: id in "".join(scene.server.lines), "the request is not in the access log")
    line = next(line for line in scene.server.log if line.get("id") == id)
    insist(line["status"] == 500 and line["error"].startswith("StorageFailure: "), line)
    insist(line["route"] == "/api/v1/apple/subs" and line["caller"] == "test", line)
    scene.expect(200, "POST", "/api/v1/apple/subs", {"receiptData": receipt})


def silent_log(scene):
    """The output of the server has no tokens, no receipts and not the secret."""
    until(
        lambda: len(scene.server.log) >= scene.checked, "requests are missing in the access log")
    told = "\n".join(scene.server.lines + scene.server.errors)
    receipt = scene.receipt(scene.buy()[1])[:200]
    for secret in [TOKEN, OLD_TOKEN, SECRET, receipt, "reader-1", "wx-carol"]:
        insist(secret not in told, "a log shows what it should not")


def strict(scene, account):
    """The effects of other settings."""
    scene.start("--strict-switch", "--environment", "Production", "--environment", "Sandbox")
    premium, _, _ = stored(scene, "reader.premium")
    monthly, _, _ = stored(scene, "reader.monthly")
    one = next(account)
    path = "/api/v1/apple/link"
    scene.expect(200, "POST", path, {"ftcId": one, "originalTxId": premium})
    scene.expect(
        422, "POST", path, {"ftcId": one, "originalTxId": monthly, "force": True},
        error="originalTxId/expires_earlier",
        message="The Apple subscription expires earlier than the current membership")
    id, _, _ = stored(scene, prefix="/api/sandbox", environment="Sandbox")
    scene.expect(
        200, "POST", "/api/sandbox/apple/link", {"ftcId": next(account), "originalTxId": id})
    insist(scene.server.stop() == 0, "the server did not end well")
