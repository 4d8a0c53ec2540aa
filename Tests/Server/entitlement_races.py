"""Races of entitlements, and servers that are killed while they record:

    entitlement_races.py BINARIES sqlite|postgres|mariadb [RACES KILLS]

On PostgreSQL two servers share the database, and each user of a race asks another one."""
import sys

import entitlements
import wire
from moments import at_once
from story import insist, staged, step
from studio import DAY, STORE, Studio, names


class Pair:
    """The server of a studio, and on a database server a second one."""

    def __init__(self, studio):
        self.studio = studio
        self.ports = [studio.start().port]
        if studio.scene.place.database:
            first = studio.server
            self.ports.append(studio.start().port)
            studio.scene.server = first

    def ask(self, number, method, path, body, user):
        port = self.ports[number % len(self.ports)]
        return wire.ask(port, method, STORE + path, self.studio.bearer(user), body)


def receipts(pair, races):
    """Two users send the same receipt at once, each to another server."""
    studio = pair.studio
    won, outcomes = [0, 0], []
    for _ in range(races):
        users = [studio.user(), studio.user()]
        id, jws = studio.transaction("full.monthly", end=20 * DAY)
        body = {"bundleId": entitlements.DRAW, "signedTransactions": [jws]}
        answers = at_once(*[
            lambda number=number, user=user: pair.ask(
                number, "POST", "/receipts/validate", {**body, "userId": user}, user)
            for number, user in enumerate(users)])
        statuses = [answer.status for answer in answers]
        insist(sorted(statuses) == [200, 422], statuses, [answer.body for answer in answers])
        winner, loser = statuses.index(200), statuses.index(422)
        studio.refused(answers[loser], 422, "userId/linked_to_other_user")
        outcomes.append((id, users[winner], users[loser]))
        won[winner] += 1
    owners = dict(studio.sql("SELECT original_transaction_id, user_id FROM store_associations"))
    conflicts = sorted(map(tuple, studio.sql(
        "SELECT original_transaction_id, owner, claimant FROM store_association_conflicts")))
    insist(conflicts == sorted(outcomes), "not one row a conflict")
    insist(all(owners[id] == winner for id, winner, _ in outcomes), "another owner")
    return f"the first user won {won[0]}, the second {won[1]}"


def acquires(pair, races):
    """Fifty equal acquires, and ten acquire-alls, at once."""
    studio = pair.studio
    for _ in range(races):
        user = studio.subscriber()
        one = {"bundleId": entitlements.DRAW, "productId": names("brushes")[0]}
        answers = at_once(*[
            lambda number=number: pair.ask(number, "POST", f"/users/{user}/acquire", one, user)
            for number in range(50)])
        insist(all(answer.status == 200 for answer in answers), [a.body for a in answers][:3])
        created = [answer.json["created"] for answer in answers].count(True)
        insist(created == 1, "created", created, "times")
        answers = at_once(*[
            lambda number=number: pair.ask(
                number, "POST", f"/users/{user}/acquire-all", {"bundleId": entitlements.DRAW}, user)
            for number in range(10)])
        insist(all(answer.status == 200 for answer in answers), [a.body for a in answers][:3])
        created = sorted(sum([answer.json["created"] for answer in answers], []))
        insist(created == names("frames", "frames.gold", "paper"), created)
        rows = studio.sql(f"SELECT product_id FROM store_acquired WHERE user_id = '{user}'")
        insist(sorted(rows) == [[name] for name in entitlements.FOUR], rows)
    return "each product was created once"


def main():
    binaries, kind = sys.argv[1:3]
    races, kills = map(int, sys.argv[3:5] or (500, 50))
    with staged(binaries, kind) as scene:
        studio = Studio(scene)
        pair = Pair(studio)

        step(kind, f"{races:,} races for one receipt", lambda: receipts(pair, races))
        step(kind, f"{races // 10:,} times 50 equal acquires", lambda: acquires(pair, races // 10))

        def kill():
            entitlements.killed(studio, kills)
            return "facts whole or absent"

        step(kind, f"killed {kills} times while recording", kill)


main()
