"""An authentic notification that the models cannot decode: stored, logged, and decoded later."""
import json
import os
import subprocess

import wire
from story import insist


def notification(place):
    """A notification, and the settings of a server to which it is authentic."""
    data = place.path("test-data")
    subprocess.run(
        [os.path.join(place.binaries, "make-test-data"), data], check=True, capture_output=True)
    settings = {
        "testRoot": os.path.join(data, "root.der"),
        "database": f"sqlite:{place.path('undecoded')}.sqlite",
    }
    with open(os.path.join(data, "undecoded-notifications.jws")) as file:
        return json.dumps({"signedPayload": file.read().strip()}), settings


def check(place):
    """Returns the number of checks."""
    body, settings = notification(place)
    server = place.server(1, None, name="undecoded", settings=settings)
    for _ in range(2):
        answer = wire.ask(server.port, "POST", "/api/v1/webhook/apple", (), body.encode())
        insist(answer.status == 200, f"an authentic notification got {answer.status}")
    insist(server.stop() == 0, "the server did not end well")
    told = [json.loads(line) for line in server.errors if "not decoded" in line]
    insist(
        [line["path"] for line in told] == ["data.signedTransactionInfo.storefrontId"] * 2,
        f"the log says {told}")
    again = place.server(1, None, name="undecoded", settings=settings)
    insist(again.stop() == 0, "the server did not end well")
    result = subprocess.run(
        [os.path.join(place.binaries, "storekeeper-server"), "decode", "--config",
         place.path("undecoded.json")], capture_output=True, text=True, timeout=60)
    insist(result.returncode == 0, f"decode ended with {result.returncode}: {result.stderr}")
    insist(
        json.loads(result.stdout) == {"applied": 0, "refused": 0, "undecoded": 1},
        f"decode printed {result.stdout}")
    return 6
