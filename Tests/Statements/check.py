"""Compares statements of the example server, and the checker of apps, with Python's `cryptography`.

usage: check.py FOLDER    the folder of the built programs
"""

import base64
import hashlib
import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature

BUILT = sys.argv[1]
DRAW = "com.example.draw"
checks = 0


def expect(found, wanted, what):
    """Ends the run with a sentence if something is not as it should be."""
    global checks
    checks += 1
    if found != wanted:
        sys.exit(f"Statements: {what}: {found!r} instead of {wanted!r}")


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


# MARK: Keys, as JSON Web Keys (RFC 7517, RFC 8037)


def public_members(key):
    """The required members of a public key."""
    if isinstance(key, ed25519.Ed25519PublicKey):
        raw = key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
        return {"crv": "Ed25519", "kty": "OKP", "x": encoded(raw)}
    numbers = key.public_numbers()
    return {
        "crv": "P-256", "kty": "EC", "x": encoded(numbers.x.to_bytes(32, "big")),
        "y": encoded(numbers.y.to_bytes(32, "big")),
    }


def thumbprint(members):
    """RFC 7638: the required members by name, without white space."""
    required = {name: members[name] for name in ("crv", "kty", "x", "y") if name in members}
    text = json.dumps(required, sort_keys=True, separators=(",", ":"))
    return encoded(hashlib.sha256(text.encode()).digest())


def public_key(members):
    if members["kty"] == "OKP":
        return ed25519.Ed25519PublicKey.from_public_bytes(decoded(members["x"]))
    x, y = (int.from_bytes(decoded(members[name]), "big") for name in ("x", "y"))
    return ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()


def is_valid(token, members):
    """Whether the signature of a token is valid by a key."""
    content, _, signature = token.rpartition(".")
    signature, key = decoded(signature), public_key(members)
    try:
        if members["kty"] == "OKP":
            key.verify(signature, content.encode())
        else:
            r, s = (int.from_bytes(part, "big") for part in (signature[:32], signature[32:]))
            key.verify(encode_dss_signature(r, s), content.encode(), ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        return False
    return True


def signed(claims, key, **header):
    """A token with claims, signed with a private key."""
    is_edwards = isinstance(key, ed25519.Ed25519PrivateKey)
    members = public_members(key.public_key())
    header = {
        "alg": "EdDSA" if is_edwards else "ES256", "kid": thumbprint(members), "typ": "entitlement+jwt",
    } | header
    content = encoded(json.dumps(header).encode()) + "." + encoded(json.dumps(claims).encode())
    if is_edwards:
        return content + "." + encoded(key.sign(content.encode()))
    r, s = decode_dss_signature(key.sign(content.encode(), ec.ECDSA(hashes.SHA256())))
    return content + "." + encoded(r.to_bytes(32, "big") + s.to_bytes(32, "big"))


def key_set(*keys):
    sets = []
    for key in keys:
        members = public_members(key.public_key())
        sets.append(members | {"kid": thumbprint(members), "use": "sig"})
    return {"keys": sets}


def pem(key):
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


# MARK: Programs

folder = tempfile.TemporaryDirectory()
programs = []


def path(name):
    return os.path.join(folder.name, name)


def write(name, content):
    with open(path(name), "wb") as file:
        file.write(content if isinstance(content, bytes) else json.dumps(content).encode())
    return path(name)


def start(name, *arguments):
    """Starts a program, and returns the address where it listens."""
    errors = open(path(f"{name}.errors"), "wb")
    program = subprocess.Popen(
        [os.path.join(BUILT, name), *arguments], stdout=subprocess.PIPE, stderr=errors, text=True)
    programs.append(program)
    for line in program.stdout:
        if line.startswith("listening on "):
            return line.removeprefix("listening on ").strip()
    sys.exit(f"Statements: {name} did not start: {open(errors.name).read()[-500:]}")


def ask(url, body=None, **headers):
    """The status, the header fields and the body of an answer."""
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, headers)) as response:
            return response.status, response.headers, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()


def check(token, keys, *options, user="u-1", app=DRAW):
    """The answer of the checker of apps, and its exit status."""
    run = subprocess.run(
        [os.path.join(BUILT, "verify-statement"), "--keys", write("keys.json", keys), "--user", user,
         "--app", app, *options], input=token, capture_output=True, text=True)
    if run.returncode not in (0, 1):
        sys.exit(f"Statements: verify-statement: {run.stderr}")
    return run.returncode, json.loads(run.stdout)


# MARK: What the server signs


def server_checks():
    keys = {"ES256": ec.generate_private_key(ec.SECP256R1()), "EdDSA": ed25519.Ed25519PrivateKey.generate()}
    files = {name: write(f"{name}.pem", pem(key)) for name, key in keys.items()}
    apple = start("app-store-simulator", "--app", f"{DRAW}:1234567891", "--non-consumable", f"{DRAW}.paper:Paper")
    for root in ("root.der", "receipt-root.der"):
        with urllib.request.urlopen(f"{apple}/{root}") as response:
            write(root, response.read())
    token = secrets.token_hex(16)
    settings = {
        "database": f"sqlite:{path('purchases.sqlite')}", "app": {DRAW: 1234567891},
        "sharedSecret": "0123456789abcdef0123456789abcdef", "appStoreUrl": apple,
        "catalog": {DRAW: write("draw.json", [{"identifier": f"{DRAW}.paper", "productType": "nonConsumable"}])},
        "token": {"check": hashlib.sha256(token.encode()).hexdigest()}, "entitlementEnvironment": "auto",
        "testRoot": [path("root.der"), path("receipt-root.der")], "allowTestRoot": True,
        "listen": "127.0.0.1:0", "statementKey": [files["ES256"]],
    }
    write("server.json", settings)
    server = start("storekeeper-server", "--config", path("server.json"))
    process = programs[-1]
    store, bearer = f"{server}/api/v1/store", {"Authorization": f"Bearer {token}"}
    ask(f"{apple}/control/buy", {"customer": "one", "product": f"{DRAW}.paper"})
    _, _, answer = ask(f"{apple}/control/receipt?customer=one&app={DRAW}")
    status, _, answer = ask(
        f"{store}/receipts/validate",
        {"bundleId": DRAW, "userId": "u-1", "receiptData": json.loads(answer)["receipt"]}, **bearer)
    expect((status, json.loads(answer).get("purchasedProducts")), (200, [f"{DRAW}.paper"]), "the purchase")

    def published():
        status, fields, body = ask(f"{store}/entitlements/keys")
        expect((status, fields["Content-Type"]), (200, "application/jwk-set+json"), "the keys")
        found = json.loads(body)
        for members in found["keys"]:
            expect(members["kid"], thumbprint(members), "the thumbprint of a key")
        return found

    def statement():
        status, fields, body = ask(f"{store}/users/u-1/entitlements/statement?bundleId={DRAW}", **bearer)
        expect((status, fields["Content-Type"], fields["Cache-Control"]),
               (200, "application/jose", "no-store"), "the statement")
        return body

    def verify(token, keys, algorithm):
        """Verifies a statement here and with the checker, as a device that has these keys."""
        header = json.loads(decoded(token.split(".")[0]))
        expect((header["alg"], header["typ"]), (algorithm, "entitlement+jwt"), "the header of a statement")
        members = next(key for key in keys["keys"] if key["kid"] == header["kid"])
        expect(is_valid(token, members), True, f"a statement by {algorithm}, verified here")
        claims = json.loads(decoded(token.split(".")[1]))
        expect((claims["sub"], claims["aud"], claims["products"]), ("u-1", DRAW, [{"id": f"{DRAW}.paper"}]),
               "the claims")
        status, answer = check(token, keys, "--environment", "Production", "--environment", "Sandbox")
        expect((status, answer.get("products")), (0, claims["products"]), "the checker of apps")

    def rotate(*names):
        """Gives the server these keys, and waits until it has them."""
        write("server.json", settings | {"statementKey": [files[name] for name in names]})
        process.send_signal(signal.SIGHUP)
        wanted = [thumbprint(public_members(keys[name].public_key())) for name in names]
        for _ in range(100):
            found = published()
            if [key["kid"] for key in found["keys"]] == wanted:
                return found
            time.sleep(0.05)
        sys.exit(f"Statements: the server did not take the keys {names}")

    # Before, with the next key beside, with that one first, and without the old one.
    known, before = published(), statement()
    verify(before, known, "ES256")
    for names, algorithm in [(("ES256", "EdDSA"), "ES256"), (("EdDSA", "ES256"), "EdDSA"), (("EdDSA",), "EdDSA")]:
        fresh = rotate(*names)
        token_now = statement()
        # A device that has not fetched the keys since the last step, and one that has.
        verify(token_now, known, algorithm)
        verify(token_now, fresh, algorithm)
        known = fresh
    expect(check(before, known), (1, {"refused": "unknownKey"}), "the key that is gone")
    # A file that is refused changes nothing, and nothing of it is told.
    secret = secrets.token_hex(16)
    write("EdDSA.pem", f"-----BEGIN PRIVATE KEY-----\n{secret}\n-----END PRIVATE KEY-----\n".encode())
    process.send_signal(signal.SIGHUP)
    for _ in range(100):
        log = open(path("storekeeper-server.errors")).read()
        if "statement keys refused" in log:
            break
        time.sleep(0.05)
    expect("statement keys refused" in log, True, "the log about a file that is no key")
    expect(secret in log or "BEGIN" in log, False, "a secret in the log")
    expect(published(), known, "the keys after a file that is no key")


# MARK: What is signed here


def checker_checks():
    now = int(time.time())
    claims = {
        "sub": "u-1", "aud": DRAW, "env": ["Production"], "products": [{"id": f"{DRAW}.paper", "end": now + 600}],
        "subscription": {"id": f"{DRAW}.monthly", "end": now + 600}, "complete": False, "iat": now,
        "exp": now + 600, "ask": now + 60, "counter": now * 1000,
    }
    for key in (ed25519.Ed25519PrivateKey.generate(), ec.generate_private_key(ec.SECP256R1())):
        other, keys = another_like(key), key_set(key)
        expect(check(signed(claims, key), keys)[0], 0, "a statement that is signed here")
        # A key beside it changes nothing.
        expect(check(signed(claims, key), key_set(other, key))[0], 0, "a statement by the second key")
        refusals = [
            ("otherUser", claims | {"sub": "u-2"}, {}), ("otherApp", claims | {"aud": "com.example.paint"}, {}),
            ("otherEnvironment", claims | {"env": ["Production", "Sandbox"]}, {}),
            ("over", claims | {"exp": now}, {}), ("clockSetBack", claims | {"counter": (now + 400) * 1000}, {}),
            ("malformed", claims, {"typ": "JWT"}), ("malformed", claims, {"crit": ["b64"], "b64": True}),
            ("unknownKey", claims, {"kid": thumbprint(public_members(other.public_key()))}),
            ("malformed", {name: claims[name] for name in claims if name != "exp"}, {}),
        ]
        for reason, changed, header in refusals:
            expect(check(signed(changed, key, **header), keys), (1, {"refused": reason}), reason)
        forged = signed(claims, other, kid=thumbprint(public_members(key.public_key())))
        expect(check(forged, keys), (1, {"refused": "badSignature"}), "a signature by another key")
        # With a memory, an older statement is refused.
        memory = ["--memory", path(f"memory-{secrets.token_hex(4)}.json")]
        newer = signed(claims | {"counter": now * 1000 + 1}, key)
        expect(check(newer, keys, *memory)[0], 0, "a newer statement")
        expect(check(signed(claims, key), keys, *memory), (1, {"refused": "older"}), "an older statement")
        expect(check(newer, keys, *memory, "--at", str(now - 400)), (1, {"refused": "clockSetBack"}),
               "a clock that was set back")


def usage_checks():
    """A wrong use ends with the status 2, and help with 0."""
    keys = write("keys.json", {"keys": []})
    wanted = ["--keys", keys, "--user", "u-1", "--app", DRAW]
    for status, arguments in [
        (0, ["--help"]), (2, []), (2, wanted[:4]), (2, [*wanted, "--colour", "red"]), (2, [*wanted, "--at"]),
        (2, [*wanted, "--at", "noon"]), (2, ["--keys", "/nowhere", *wanted[2:]]), (1, wanted),
    ]:
        run = subprocess.run(
            [os.path.join(BUILT, "verify-statement"), *arguments], input="a.b.c", capture_output=True, text=True)
        expect(run.returncode, status, f"the status of verify-statement {arguments}")


def another_like(key):
    """Another key of the same kind."""
    if isinstance(key, ed25519.Ed25519PrivateKey):
        return ed25519.Ed25519PrivateKey.generate()
    return ec.generate_private_key(ec.SECP256R1())


try:
    usage_checks()
    checker_checks()
    server_checks()
finally:
    for program in programs:
        program.terminate()
        program.wait()
    folder.cleanup()
print(f"Statements: {checks} checks against cryptography, Ed25519 and ES256, passed")
