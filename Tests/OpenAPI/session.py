"""Prints the token of a session that lasts an hour (RFC 7519), with HS256.

usage: session.py SECRET-FILE USER
"""

import base64
import hashlib
import hmac
import json
import sys
import time

path, user = sys.argv[1:]


def encoded(value):
    """Returns bytes in base64url without padding."""
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


with open(path, "rb") as file:
    secret = file.read()
parts = [{"alg": "HS256", "typ": "JWT"}, {"sub": user, "exp": int(time.time()) + 3600}]
content = ".".join(encoded(json.dumps(part).encode()) for part in parts)
code = hmac.new(secret, content.encode(), hashlib.sha256).digest()
print(f"{content}.{encoded(code)}")
