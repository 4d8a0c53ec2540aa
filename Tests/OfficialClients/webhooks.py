"""Our webhooks are verified by the official library of Standard Webhooks, and its webhooks by ours.

    python webhooks.py PROGRAM

The library knows secrets (v1). Signatures by Ed25519 (v1a) are made and verified by `cryptography`, by the text of the
specification.
"""
import base64
import datetime
import json
import subprocess
import sys

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives import serialization
from standardwebhooks import Webhook, WebhookVerificationError

RAW = (serialization.Encoding.Raw, serialization.PrivateFormat.Raw, serialization.NoEncryption())


def secret(byte):
    return "whsec_" + base64.b64encode(bytes([byte]) * 32).decode()


def check(holds, what):
    if not holds:
        sys.exit(f"FAILED: {what}")


def main(program):
    private = Ed25519PrivateKey.generate()
    seed = private.private_bytes(*RAW)
    keys = [secret(1), secret(2), "whsk_" + base64.b64encode(seed).decode()]
    peer = subprocess.Popen([program, *keys], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    # Ours, by theirs: either secret, in a rotation.
    sent = json.loads(peer.stdout.readline())
    headers = {name.lower(): value for name, value in sent["headers"].items()}
    for key in keys[:2]:
        event = Webhook(key).verify(sent["body"], headers)
        check(event["type"] == "notification.not_decoded", "the type")
        check(event["data"]["key"] == "v2:é", "the fields")
        check(event["data"]["id"] == headers["webhook-id"], "the identifier")
        datetime.datetime.fromisoformat(event["timestamp"])
    try:
        Webhook(secret(3)).verify(sent["body"], headers)
        check(False, "another secret was right")
    except WebhookVerificationError:
        pass
    signature = next(s for s in headers["webhook-signature"].split(" ") if s.startswith("v1a,"))
    told = json.loads(peer.stdout.readline())["publicKeys"]
    public = Ed25519PublicKey.from_public_bytes(base64.b64decode(told[0].removeprefix("whpk_")))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{sent['body']}".encode()
    public.verify(base64.b64decode(signature.removeprefix("v1a,")), signed)

    # Theirs, by ours.
    now = datetime.datetime.now(tz=datetime.timezone.utc)

    def ask(body, signature, moment=now, identifier="msg_1"):
        fields = {"webhook-id": identifier, "webhook-timestamp": str(int(moment.timestamp())),
                  "webhook-signature": signature}
        peer.stdin.write(json.dumps({"headers": fields, "body": body}) + "\n")
        peer.stdin.flush()
        return peer.stdout.readline().strip()

    body = '{"type":"a.b","text":"é"}'
    for key in keys[:2]:
        right = Webhook(key).sign("msg_1", now, body)
        check(ask(body, right) == "right", "the library's signature")
        check(ask(body, f"v1,AAAA {right}") == "right", "one of two signatures")
        check(ask(body + " ", right) == "signatureWrong", "another body")
        check(ask(body, right, identifier="msg_2") == "signatureWrong", "another identifier")
    check(ask(body, Webhook(secret(3)).sign("msg_1", now, body)) == "signatureWrong", "another secret")
    old = now - datetime.timedelta(minutes=6)
    check(ask(body, Webhook(keys[0]).sign("msg_1", old, body), old) == "timestampTooOld", "an old one")
    message = f"msg_1.{int(now.timestamp())}.{body}".encode()
    check(ask(body, "v1a," + base64.b64encode(private.sign(message)).decode()) == "right", "Ed25519")
    check(ask(body, "v1," + base64.b64encode(private.sign(message)).decode()) == "signatureWrong",
          "Ed25519 under the name of a secret")
    peer.stdin.close()
    check(peer.wait(timeout=30) == 0, "the status of the program")
    print("Webhooks are verified in both directions, by secrets and by Ed25519.")


main(sys.argv[1])
