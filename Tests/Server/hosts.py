"""What a host sets up: where the contracts are served, tokens that are withdrawn while the server runs, and the
disputes that people read; the erasing of an account, and what is forwarded to another server."""
import http.server
import json
import os
import subprocess
import threading
import time

from hostile import hang_up, until
from programs import TOKEN, digest
from story import insist


def check(scene):
    places(scene)
    tokens(scene)
    desk_tokens(scene)
    accounts(scene)
    disputes(scene)
    erasing(scene)
    forwarding(scene)


def places(scene):
    """Old clients keep their base URL; the current contract is elsewhere."""
    scene.start(
        mount={"/v2/api": "Production", "/v2/sandbox": "Sandbox"},
        legacyMount={"/api/v1": "Production"})
    _, _, receipt = scene.buy()
    scene.expect(204, "POST", "/api/v1/apple/verify-receipt", {"receipt-data": receipt})
    scene.expect(200, "POST", "/v2/api/apple/verify-receipt", {"receiptData": receipt})
    _, _, free = scene.buy(environment="Sandbox")
    scene.expect(200, "POST", "/v2/sandbox/apple/subs", {"receiptData": free})
    for path in ["/2019/api/v1", "/api/sandbox", "/2019/api/sandbox"]:
        scene.expect(404, "POST", path + "/apple/verify-receipt", {"receiptData": receipt})
    insist(scene.server.stop() == 0, "the server did not end well")


def tokens(scene):
    """SIGHUP reads the tokens again, whatever the other settings are by then."""
    server = scene.start()
    path = scene.place.path("server.json")
    with open(path) as file:
        settings = json.load(file)

    def replaced(tokens, event):
        with open(path, "w") as file:
            others = {"product": {"x": "nonsense"}, "user": {}, "webhook": []}
            json.dump({**settings, "token": tokens, **others}, file)
        hang_up(server, event)

    def ask(token):
        return scene.ask("GET", "/api/v1/apple/subs/1", headers=(f"Authorization: Bearer {token}",)).status

    new = digest(scene.place, "the-next-token")
    insist((ask(TOKEN), ask("the-next-token")) == (404, 401), "before")
    replaced({**settings["token"], "next": new}, "tokens reloaded")
    insist((ask(TOKEN), ask("the-next-token")) == (404, 404), "a token was added")
    replaced({"next": "no digest"}, "tokens refused")
    replaced([], "tokens refused")
    insist((ask(TOKEN), ask("the-next-token")) == (404, 404), "a mistake changed the tokens")
    replaced({"next": new}, "tokens reloaded")
    insist((ask(TOKEN), ask("the-next-token")) == (401, 404), "a token was withdrawn")
    insist("no digest" not in "\n".join(server.errors), "the log shows a token")
    insist(server.stop() == 0, "the server did not end well")


def desk_tokens(scene):
    """SIGHUP reads the tokens of the desk again, and one that is withdrawn ends its sessions."""
    nora, rita = digest(scene.place, "token-of-nora"), digest(scene.place, "token-of-rita")
    server = scene.start(deskToken={"nora": nora, "rita": rita})
    path = scene.place.path("server.json")
    with open(path) as file:
        settings = json.load(file)

    def sign_in(token):
        answer = scene.ask(
            "POST", "/desk/sign-in", f"token={token}".encode(),
            headers=("Content-Type: application/x-www-form-urlencoded",))
        return answer.fields["set-cookie"].split(";")[0]

    def sees(cookie):
        return b"Sign in" not in scene.ask("GET", "/desk", headers=(f"Cookie: {cookie}",)).body

    sessions = [sign_in("token-of-nora"), sign_in("token-of-rita")]
    insist([sees(cookie) for cookie in sessions] == [True, True], "signed in")
    with open(path, "w") as file:
        json.dump({**settings, "deskToken": {"rita": rita}}, file)
    hang_up(server, "desk tokens reloaded")
    insist([sees(cookie) for cookie in sessions] == [False, True], "a session outlived its token")
    insist(server.stop() == 0, "the server did not end well")


def accounts(scene):
    """SIGHUP reads the accounts again; a mistake changes none."""
    server = scene.start(account=["first"], acceptAnyAccount=None)
    path = scene.place.path("server.json")
    with open(path) as file:
        settings = json.load(file)

    def replaced(accounts, event):
        with open(path, "w") as file:
            json.dump({**settings, "account": accounts}, file)
        hang_up(server, event)

    def link(account):
        id, _, receipt = scene.buy()
        scene.expect(200, "POST", "/api/v1/apple/subs", {"receiptData": receipt})
        return scene.ask("POST", "/api/v1/apple/link", {"ftcId": account, "originalTxId": id}).status

    insist((link("first"), link("second")) == (200, 404), "before")
    replaced(["first", "second"], "accounts reloaded")
    insist(link("second") == 200, "an account was added")
    replaced([""], "accounts refused")
    insist(link("second") == 422, "a mistake changed the accounts")
    insist(server.stop() == 0, "the server did not end well")


def disputes(scene):
    """Refused links are shown by a command, from a date on."""
    scene.start()
    path = "/api/v1/apple/link"
    begin = int(time.time()) * 1000
    ids = []
    for number in range(3):
        id, _, receipt = scene.buy()
        scene.expect(200, "POST", "/api/v1/apple/subs", {"receiptData": receipt})
        scene.expect(200, "POST", path, {"ftcId": f"owner-{id}", "originalTxId": id})
        scene.expect(
            422, "POST", path, {"ftcId": f"stranger-{id}", "originalTxId": id},
            error="originalTxId/linked_to_other_ftc")
        ids.append(id)

    def listed(*arguments): return command(scene, "disputes", *arguments)

    found = listed(str(begin))
    insist(
        [(line["originalTxId"], line["account"]) for line in found]
        == [(id, f"stranger-{id}") for id in ids], found)
    insist([line["number"] for line in found] == sorted({line["number"] for line in found}), found)
    insist(found == listed()[-3:], "not the last of all")
    insist(listed(str(begin + 3_600_000)) == [], "disputes of the future")
    insist(scene.server.stop() == 0, "the server did not end well")


def command(scene, *arguments):
    """The lines that a command of the program prints."""
    ended = subprocess.run(
        [os.path.join(scene.place.binaries, "storekeeper-server"), *arguments,
         "--config", scene.place.path("server.json")],
        capture_output=True, text=True, timeout=60)
    insist(ended.returncode == 0, ended)
    return [json.loads(line) for line in ended.stdout.splitlines()]


def erasing(scene):
    """An account is erased by a command, while the server runs, and what it had is nobody's."""
    scene.start(eventLog=True)
    id, _, receipt = scene.buy()
    account, other = f"erased-{id}-reader", f"heir-{id}"
    scene.expect(200, "POST", "/api/v1/apple/subs", {"receiptData": receipt})
    scene.expect(200, "POST", "/api/v1/apple/link", {"ftcId": account, "originalTxId": id})
    scene.expect(
        422, "POST", "/api/v1/apple/link", {"ftcId": other, "originalTxId": id},
        error="originalTxId/linked_to_other_ftc")
    [trial] = command(scene, "erase", account, "--dry-run")
    insist(trial["dryRun"] and trial["pseudonym"] is None and trial["rows"]["memberships"] == 1, trial)
    [report] = command(scene, "erase", account, "--reference", "request 4711")
    insist(report["rows"] == trial["rows"], report)
    [again] = command(scene, "erase", account)
    insist(again == {"dryRun": False, "pseudonym": None, "rows": {}}, again)
    told = [event for event in command(scene, "events") if event["type"] == "account.erased"]
    insist(told[-1]["data"]["account"] == report["pseudonym"], told)
    insist(told[-1]["data"]["reference"] == "request 4711", told)
    insist(account not in json.dumps(command(scene, "export") + command(scene, "events")), "still there")
    other = "--dry-run"
    scene.expect(200, "POST", "/api/v1/apple/link", {"ftcId": other, "originalTxId": id})
    [report] = command(scene, "erase", "--", other)
    insist(not report["dryRun"] and report["rows"]["memberships"] == 1, report)
    insist(scene.server.stop() == 0, "the server did not end well")


def forwarding(scene):
    """A notification arrives at a second server as it came; what waits for one that is gone is dropped."""
    taken, statuses = [], [200]

    class Receiver(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            taken.append((self.path, self.headers, self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(statuses[-1])
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{receiver.server_address[1]}/webhook/apple"
    scene.start(forward={"staging": address, "gone": "http://127.0.0.1:9/"}, webhookPrivate=True)
    scene.buy()
    body = json.dumps(scene.notification(2)).encode()
    scene.expect(200, "POST", "/api/v1/webhook/apple", body, ())
    until(lambda: taken, "nothing was forwarded")
    path, headers, forwarded = taken[0]
    insist((path, forwarded) == ("/webhook/apple", body), path, forwarded)
    insist(headers["content-type"] == "application/json", headers)
    insist(headers["storekeeper-forwarded"] == "1", headers)
    scene.expect(200, "POST", "/api/v1/webhook/apple", body, ())
    insist(scene.server.stop() == 0, "the server did not end well")
    insist(len(taken) == 1, "a repetition was forwarded")
    insist(command(scene, "drop", "gone") == [{"dropped": 1}], "nothing was dropped")
    insist(command(scene, "drop", "gone") == [{"dropped": 0}], "dropped twice")
    disabled = '"event":"endpoint is disabled","target":"staging"'

    def told(act=lambda: None):
        """Whether a start tells of an endpoint that is disabled."""
        server = scene.start(forward={"staging": address}, webhookPrivate=True)
        act()
        insist(server.stop() == 0, "the server did not end well")
        return any(disabled in line for line in server.errors)

    def refuse():
        scene.buy()
        body = json.dumps(scene.notification(2)).encode()
        scene.expect(200, "POST", "/api/v1/webhook/apple", body, ())
        named = '"event":"endpoint disabled","endpoint":"staging"'
        until(lambda: any(named in line for line in scene.server.errors), "not disabled")

    # It answers 410, which each start tells of, until it is dropped.
    statuses.append(410)
    insist(not told(refuse), "told too early")
    insist(told(), "the start does not tell of it")
    insist(command(scene, "drop", "staging") == [{"dropped": 1}], "nothing was dropped")
    insist(not told(), "disabled although it is a new one")
    receiver.shutdown()
