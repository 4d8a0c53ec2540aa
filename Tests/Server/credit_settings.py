"""Servers of credits with other settings, and with other files of packs."""
import json
import os
import sqlite3
import subprocess
import time
import uuid

from hostile import hang_up, until
from story import insist
from wallet import MAPPING, PREFIX, VERIFY, base64url, session


def check(wallet):
    narrowed(wallet)
    public_key(wallet)
    if wallet.scene.place.database is None:
        alone(wallet)


def reloaded(wallet):
    """SIGHUP reads the mapping again; a file that is refused changes nothing."""
    server = wallet.scene.server
    user = wallet.user()

    def replaced(mapping, event):
        wallet.write(mapping)
        return hang_up(server, event)

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
    told = replaced(new, "credit products reloaded")
    insist(
        (told["products"], told["added"], told["removed"], told["changed"]) == (4, 1, 1, 1), told)
    until(
        lambda: any("new_pack.colour (line 5): unknown key" in line for line in server.errors),
        "the unknown key is not told")
    insist(credits("big") == 400 and credits("new") == 7, "the new mapping has no effect")
    credits("huge", 404)
    for bad, told in [
        (new.replace("credits: 7", 'credits: "7"'), "mapping: product_mappings.new_pack.credits"
         " (line 5): expected a whole number"),
        (new + "  big_pack: {}\n", "mapping: product_mappings.big_pack (line 7)"),
        ("product_mappings: [", "mapping: "),
    ]:
        reason = replaced(bad, "credit products refused")["reason"]
        insist(reason.startswith(told), reason, "instead of", told)
        insist(credits("big") == 400 and credits("new") == 7, "a refused mapping has an effect")
    for broken, told in [(missing, "the file cannot be read"), (pipe, "the file cannot be read"),
                         (huge, "mapping: file: ")]:
        missing(wallet.mapping)
        broken(wallet.mapping)
        reason = hang_up(server, "credit products refused")["reason"]
        insist(reason.startswith(told), reason, "instead of", told)
        insist(credits("big") == 400, "an unusable mapping has an effect")
    missing(wallet.mapping)
    insist(server.resident < 1 << 19, "a file without limit was read:", server.resident, "KiB")
    replaced(MAPPING, "credit products reloaded")
    insist(credits("big") == 500, "the mapping is not as before")


def tokens_reloaded(wallet):
    """SIGHUP reads the app account tokens of users again."""
    path = wallet.scene.place.path("server.json")
    with open(path) as file:
        settings = json.load(file)

    def replaced(tokens):
        with open(path, "w") as file:
            json.dump({**settings, "accountToken": tokens}, file)
        hang_up(wallet.scene.server, "accounts reloaded")

    user, token, other = wallet.user(), str(uuid.uuid4()), str(uuid.uuid4())
    id, jws = wallet.transaction(appAccountToken=other)
    replaced({**settings["accountToken"], user: token})
    wallet.granted(user, *wallet.transaction(appAccountToken=token), 500, 600)
    wallet.invalid(user, wallet.claim(id, jws), "app_account_token_mismatch")
    replaced(settings["accountToken"])
    wallet.granted(user, id, jws, 500, 1100)


def missing(path):
    if os.path.exists(path):
        os.remove(path)


def pipe(path):
    """A file that is read without end."""
    os.mkfifo(path)


def huge(path):
    """A file of a gigabyte, which takes no room on the disk."""
    with open(path, "w"):
        os.truncate(path, 1 << 30)


def narrowed(wallet):
    """The environments of the settings."""
    wallet.start("--credit-environment", "Production")
    user = wallet.user()
    wallet.invalid(
        user, wallet.claim(*wallet.transaction(environment="Sandbox")), "environment_not_allowed")
    wallet.granted(user, *wallet.transaction(), 500, 600)
    insist(wallet.scene.server.stop() == 0, "the server did not end well")
    for setting in ["", "auto"]:
        wallet.start(f"--credit-environment={setting}")
        user = wallet.user()
        for balance, environment in [(600, "Sandbox"), (1100, "Production")]:
            wallet.granted(
                user, *wallet.transaction(environment=environment), 500, balance)
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
    wallet.database = "alone"
    wallet.news("REFUND", id, "clawed_back")
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
