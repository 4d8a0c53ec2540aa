"""Races of orders, and servers that are killed while they take some:

    order_races.py BINARIES sqlite|postgres|mariadb [RACES KILLS]

On PostgreSQL two servers share the database, and each user of a race asks another one."""
import random
import sys
import time

import wire
from hostile import until
from moments import at_once
from shop import VENDORS, Shop
from story import insist, staged, step


def repetitions(shop, rounds):
    """A user sends the same order twenty times at once; all are taken, and it is stored once."""
    for number in range(rounds):
        user, vendor = shop.user(), VENDORS[number % 2]
        purchase = shop.bought(vendor)
        answers = at_once(*[
            lambda number=number: shop.order(user, purchase, number) for number in range(20)])
        insist({answer.status for answer in answers} == {200}, [a.body for a in answers][:3])
        insist(len({answer.body for answer in answers}) == 1, "different answers")
        row = shop.rows()[user]
        owned = [key for key, owner in shop.claims().items() if owner == user]
        insist(row[0] == vendor and owned == [row], row, owned)
    return "all taken, each stored once"


def rivals(shop, races):
    """Two users send the same receipt or token at once, each to another server."""
    won, outcomes, before = [0, 0], [], set(shop.claims())
    for race in range(races):
        users, purchase = [shop.user(), shop.user()], shop.bought(VENDORS[race % 2])
        answers = at_once(*[
            lambda number=number, user=user: shop.order(user, purchase, number)
            for number, user in enumerate(users)])
        statuses = [answer.status for answer in answers]
        insist(sorted(statuses) == [200, 422], statuses, [answer.body for answer in answers])
        winner, loser = statuses.index(200), statuses.index(422)
        shop.refused(answers[loser], "already_used")
        outcomes.append((users[winner], users[loser]))
        won[winner] += 1
    rows, claims = shop.rows(), shop.claims()
    insist(len(claims) == len(before) + races, len(claims), "claims after", races, "races")
    for winner, loser in outcomes:
        insist(claims.get(rows.get(winner)) == winner, winner, "has lost its purchase")
        insist(loser not in rows and loser not in claims.values(), loser, "has one")
    return f"the first user won {won[0]}, the second {won[1]}"


def kills(shop, count):
    """A server is killed while it takes orders: the row and the claim of an order are both there or
    neither, and those of every order that was answered are there."""
    done, orders, broken = [], [], 0
    for round in range(count):
        start = len(done)
        batch = [(shop.user(), shop.bought(VENDORS[number % 2])) for number in range(24)]
        orders += batch
        victim = round % len(shop.servers)

        def send(part):
            for user, purchase in part:
                try:
                    answer = shop.order(user, purchase, victim)
                except (wire.Closed, OSError):
                    return
                insist(answer.status == 200, answer.status, answer.body)
                done.append(user)

        def kill():
            until(lambda: len(done) >= start + random.randint(1, 16), "nothing is taken")
            time.sleep(random.random() * 0.02)
            shop.servers[victim].kill()

        at_once(kill, *[lambda part=batch[number::4]: send(part) for number in range(4)])
        shop.start()
        # It takes the place of the killed one.
        shop.servers[victim] = shop.servers.pop()
    rows, claims = shop.rows(), shop.claims()
    answered = set(done)
    owned = {}
    for key, owner in claims.items():
        owned.setdefault(owner, []).append(key)
    for user, purchase in orders:
        row = rows.get(user)
        insist(owned.get(user, []) == ([row] if row else []), user, "has", row, owned.get(user))
        insist(row or user not in answered, user, "was answered, and is forgotten")
        broken += row is not None and user not in answered
    # Whatever became of an order, it may be repeated.
    for user, purchase in orders[-24:]:
        shop.ordered(user, purchase)
    return f"{len(done):,} answered and all there, {broken} stored without an answer, none in part"


def main():
    binaries, kind = sys.argv[1:3]
    races, killings = map(int, sys.argv[3:5] or (500, 50))
    with staged(binaries, kind) as scene:
        shop = Shop(scene)
        for _ in range(2 if scene.place.database else 1):
            shop.start()

        rounds = max(2, races // 25)
        step(kind, f"{rounds:,} times 20 equal orders", lambda: repetitions(shop, rounds))
        step(kind, f"{races:,} races for one purchase", lambda: rivals(shop, races))
        step(kind, f"killed {killings} times while taking orders", lambda: kills(shop, killings))
        shop.stop()


main()
