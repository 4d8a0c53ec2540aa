"""Every route of both contracts over a socket, once as a client uses it and once refused; the server's own routes,
its log, a database that is locked, and settings.

Each status, field and text is tested in StorekeeperHTTPTests, and the form of each answer in Tests/OpenAPI."""
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
ACCOUNTS = [f"reader-{number}" for number in range(20)]


def check(scene):
    account = itertools.cycle(ACCOUNTS)
    scene.start(account=[*ACCOUNTS, "=wx-carol"], receipts=scene.place.path("receipts"))
    for prefix, routes in [
        ("/api/v1", CURRENT), ("/api/sandbox", CURRENT), ("/2019/api/v1", YEAR_2019),
    ]:
        heads(scene, prefix, routes)
    own(scene)
    memberships(scene, account)
    refreshed(scene)
    webhooks(scene)
    year_2019(scene, account)
    failing_store(scene)
    insist(scene.server.stop() == 0, "the server did not end well")
    silent_log(scene)
    strict(scene, account)
    tested(scene)


def heads(scene, prefix, routes):
    """What the server tells by the head of a request, and bodies that it does not read to their end."""
    for path, methods, needs_bearer, with_body in routes:
        for method in methods:
            if needs_bearer:
                answer = scene.expect(
                    401, method, prefix + path, b"{}", (), message="Invalid access token")
                insist(answer.fields.get("www-authenticate") == "Bearer", method, path)
                scene.expect(
                    401, method, prefix + path, b"{}", (f"Authorization: Bearer {OLD_TOKEN}",),
                    message="The access token is expired or no longer active")
        for method in with_body:
            headers = (BEARER, "X-User-Id: reader-0")
            for body in [b"", b'{"a":1}{}', b"\xff\xfe"]:
                scene.expect(400, method, prefix + path, body, headers)
            scene.expect(413, method, prefix + path, b"{" + b" " * (1 << 20), headers)
            scene.expect(415, method, prefix + path, b"{}", (*headers, "Content-Encoding: gzip"))
        for method in {"GET", "HEAD", "PUT", "DELETE", "OPTIONS"} - set(methods):
            answer = scene.ask(method, prefix + path)
            insist(answer.status == 405, method, path, answer.status)
            insist(answer.fields["allow"] == ", ".join(methods), method, path, answer.fields)
            insist(method == "HEAD" or answer.json == {"message": MESSAGES[405]}, method, path)
            scene.checked += 1
        for wrong in [path + "/", "/" + path]:
            scene.expect(404, methods[0], prefix + wrong)


def own(scene):
    """The routes of the server besides the API."""
    for path, more in [("/health", {}), ("/ready", {"failedSources": []})]:
        answer = scene.ask("GET", path, headers=())
        insist(answer.status == 200 and answer.json == {"status": "ok", **more}, path, answer.body)
        insist(scene.ask("HEAD", path, headers=()).status == 200, path)
        insist(scene.ask("POST", path, headers=()).status == 405, path)
    for path in ["/", "/api", "/api/v1", "/api/v2/apple/subs", "/healthx", "//health"]:
        scene.expect(404, "GET", path)


def stored(scene, product="reader.monthly", prefix="/api/v1", environment="Production"):
    id, customer, receipt = scene.buy(product, environment)
    scene.expect(200, "POST", prefix + "/apple/subs", {"receiptData": receipt})
    return id, customer, receipt


def memberships(scene, account):
    """From a receipt to a membership and its end."""
    id, _, receipt = scene.buy()
    sent = scene.between.ask(
        "/production/verifyReceipt",
        json.dumps({"receipt-data": receipt, "password": SECRET}).encode())[1]
    scene.between.answer = lambda *_: (200, b" " + sent + b"\n")
    answer = scene.expect(200, "POST", "/api/v1/apple/verify-receipt", {"receiptData": receipt})
    insist(answer.body == b" " + sent + b"\n", "not the bytes that Apple sent")
    scene.between.answer = lambda *_: (503, b"")
    scene.expect(
        422, "POST", "/api/v1/apple/verify-receipt", {"receiptData": receipt},
        error="verification/invalid", message="verification request failed")
    scene.between.answer = None
    one, two = next(account), next(account)
    body = {"ftcId": one, "originalTxId": id}
    linked = scene.expect(200, "POST", "/api/v1/apple/link", body).json
    insist((linked["appleSubsId"], linked["payMethod"]) == (id, "apple"), linked)
    scene.expect(
        422, "POST", "/api/v1/apple/link", {**body, "ftcId": two},
        error="originalTxId/linked_to_other_ftc")
    scene.expect(404, "POST", "/api/v1/apple/link", {**body, "ftcId": "nobody"})
    other, _, _ = stored(scene, "reader.premium")
    scene.expect(
        200, "POST", "/api/v1/apple/link", {"ftcId": one, "originalTxId": other, "force": True})
    user = (BEARER, f"X-Ftc-Id: {one}")
    page = scene.expect(200, "GET", "/api/v1/apple/subs?per_page=1&page=2", headers=user).json
    insist(page["total"] == 2 and [row["originalTransactionId"] for row in page["data"]] == [id], page)
    scene.expect(422, "GET", "/api/v1/apple/subs?page=%FF", headers=user, error="page/invalid")
    for headers in [(), ("X-Ftc-Id: a", "X-Ftc-Id: b")]:
        scene.expect(
            401, "GET", "/api/v1/apple/subs", headers=(BEARER, *headers),
            message="Requires authorization.")
    body["originalTxId"] = other
    answer = scene.expect(204, "POST", "/api/v1/apple/unlink", body)
    insist(answer.body == b"" and "content-length" not in answer.fields, answer.fields)
    scene.expect(422, "POST", "/api/v1/apple/unlink", body, error="ftcId/invalid")
    # App Review buys in the Sandbox and uses the production server.
    id, _, receipt = stored(scene, prefix="/api/sandbox", environment="Sandbox")
    scene.expect(200, "POST", "/api/v1/apple/subs", {"receiptData": receipt})
    scene.expect(
        422, "POST", "/api/sandbox/apple/link", {"ftcId": two, "originalTxId": id},
        error="originalTxId/environment_not_allowed")


def refreshed(scene):
    """A subscription that renews, with its receipt on the disk."""
    id, _, _ = stored(scene)
    path = f"/api/v1/apple/subs/{id}"
    before = scene.expect(200, "GET", path).json
    scene.order("renew", originalTransactionId=id)
    fresh = scene.expect(200, "PATCH", path, b"ignored").json
    insist(fresh["expiresDateUtc"] > before["expiresDateUtc"], fresh)
    insist(scene.expect(200, "GET", path).json == fresh, "PATCH answered other than stored")
    receipt = json.loads(scene.between.last)["latest_receipt"]
    for query in ["", "?fs=true"]:
        answer = scene.expect(200, "GET", f"/api/v1/apple/receipt/{id}{query}")
        insist(answer.json == {**fresh, "receipt": receipt}, "another receipt")
    for method, missing in [("GET", "subs"), ("PATCH", "subs"), ("GET", "receipt")]:
        scene.expect(404, method, f"/api/v1/apple/{missing}/1")


def webhooks(scene):
    """Notifications of both versions, at every place, and forged ones."""
    path = "/api/v1/webhook/apple"
    id, _, _ = scene.buy()
    first, second = scene.notification(1), scene.notification(2)
    insist(scene.expect(200, "POST", path, first, ()).body == b"", "a body")
    for prefix in ["/api/v1", "/api/sandbox", "/2019/api/v1", "/2019/api/sandbox"]:
        insist(scene.expect(200, "POST", prefix + "/webhook/apple", second, ()).body == b"", "a body")
    before = scene.expect(200, "GET", f"/api/v1/apple/subs/{id}").json
    scene.order("refund", originalTransactionId=id)
    scene.expect(200, "POST", path, scene.notification(2), ())
    after = scene.expect(200, "GET", f"/api/v1/apple/subs/{id}").json
    insist(after["expiresDateUtc"] < before["expiresDateUtc"], "the refund changed nothing")
    scene.buy()
    scene.expect(403, "POST", path, {**scene.notification(1), "password": "wrong"}, ())
    head, payload, signature = second["signedPayload"].split(".")
    scene.expect(403, "POST", path, {"signedPayload": f"{head}.{payload}.{signature[:-4]}AAAA"}, ())
    note = scene.notification(1)
    scene.between.answer = lambda *_: (503, b"")
    scene.expect(503, "POST", path, note, ())
    scene.between.answer = None
    scene.expect(200, "POST", path, note, ())


def year_2019(scene, account):
    """The contract of 2019, from a receipt to a membership and its end."""
    verify, path = "/2019/api/v1/apple/verify-receipt", "/2019/api/v1/apple/link"
    one, two = next(account), next(account)
    id, _, receipt = scene.buy()
    body, user = {"receipt-data": receipt}, (BEARER, f"X-User-Id: {one}")
    insist(scene.expect(204, "POST", verify, body).body == b"", "a body")
    scene.expect(
        422, "POST", verify, {"receipt-data": " "}, error="receipt-data/missing_field",
        message="receipt-data missing")
    linked = scene.expect(200, "POST", path, body, user).json
    # A row of another program has no id, and nothing about it changes.
    scene.place.sql(f"UPDATE ftc_vip SET id = NULL WHERE ftc_user_id = '{one}'")
    again = scene.expect(200, "POST", path, body, user).json
    insist(again == {**linked, "id": None}, again)
    scene.expect(401, "POST", path, body, message="Requires authorization.")
    scene.expect(
        422, "POST", path, body, (BEARER, f"X-User-Id: {two}"), error="iap_membership/already_linked")
    wechat = scene.expect(
        200, "POST", path, {"receipt-data": scene.buy()[2]}, (BEARER, "X-Union-Id: wx-carol")).json
    insist((wechat["ftcId"], wechat["unionId"]) == (None, "wx-carol"), wechat)
    scene.expect(204, "DELETE", path, body)
    insist(not scene.expect(200, "GET", f"/api/v1/apple/subs/{id}").json["inUse"], "still linked")
    scene.between.answer = lambda *_: (503, b"")
    scene.expect(400, "POST", path, body, user, message="verification request failed")
    scene.between.answer = None


# Failures, settings.


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


def tested(scene):
    """One command ends testing for all on a server that runs, and another one resumes it."""
    scene.start(tester=["tester-1", "tester-2"])
    path = "/api/sandbox/apple/link"
    first, _, _ = stored(scene, prefix="/api/sandbox", environment="Sandbox")
    other, _, _ = stored(scene, prefix="/api/sandbox", environment="Sandbox")
    scene.expect(200, "POST", path, {"ftcId": "tester-1", "originalTxId": first})
    ended = scene.place.command("end-testing")
    insist(len(ended) == 1 and ended[0]["testingEnded"], ended)
    insist(scene.place.command("end-testing") == ended, "a second call moves the end")
    for user, id in [("tester-1", first), ("tester-2", other)]:
        scene.expect(
            422, "POST", path, {"ftcId": user, "originalTxId": id},
            error="originalTxId/environment_not_allowed")
    insist(scene.place.command("resume-testing") == [{"testingEnded": None}], "not resumed")
    scene.expect(200, "POST", path, {"ftcId": "tester-2", "originalTxId": other})
    insist(scene.server.stop() == 0, "the server did not end well")
