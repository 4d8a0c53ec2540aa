"""Runs the checks of a database, one line each: drive.py BINARIES sqlite|postgres|mariadb"""
import sys
import time

import credits
import endings
import endpoints
import entitlements
import hostile
import hosts
import money
import recovery
import room
import settings
import stalls
import undecoded
from story import insist, staged


def main():
    binaries, kind = sys.argv[1:]
    with staged(binaries, kind) as scene:
        step(kind, "every route", lambda: endpoints.check(scene), scene)
        step(kind, "stopped and killed under load", lambda: endings.check(scene), scene)
        step(kind, "what a host sets up", lambda: hosts.check(scene), scene)
        step(kind, "credits", lambda: credits.check(scene), scene)
        step(kind, "Apple's API", lambda: recovery.check(scene), scene)
        if kind != "sqlite":
            step(kind, "a database that goes away", lambda: readiness(scene), scene)
            step(kind, "a database that keeps silent", lambda: stalls.database(scene), scene)
        else:
            step(kind, "hostile clients", lambda: hostile.check(scene), scene)
            step(kind, "what stands still", lambda: stalls.check(scene), scene)
            step(kind, "a disk that is full", lambda: room.check(scene), scene)
            step(kind, "settings", lambda: settings.check(scene.place), scene)
            step(kind, "figures of the business", lambda: money.check(scene.place), scene)
            step(kind, "what is not decoded", lambda: undecoded.check(scene.place), scene)
        # The last one, as its clock leaves the other times in the past.
        step(kind, "entitlements", lambda: entitlements.check(scene), scene)


def step(kind, title, check, scene):
    before, start = scene.checked, time.monotonic()
    check()
    count = scene.checked - before
    counted = f", {count:,} answers" if count else ""
    print(f"{kind}: {title}: as expected{counted}, {time.monotonic() - start:.0f} s", flush=True)


def readiness(scene):
    """Without the database /ready fails and /health succeeds; both succeed when it is back."""
    scene.start()

    def state(path):
        return scene.ask("GET", path, headers=()).status

    insist(state("/ready") == 200, "not ready with a database")
    scene.place.order_database("stop")
    insist(state("/ready") == 503 and state("/health") == 200, "ready without a database")
    scene.place.order_database("start")
    hostile.until(lambda: state("/ready") == 200, "not ready again")
    insist(scene.server.stop() == 0, "the server did not end well")


main()
