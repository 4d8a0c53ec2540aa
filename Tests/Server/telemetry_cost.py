"""The processor time of a get-one with figures and without: telemetry_cost.py BINARIES sqlite|postgres [ROUNDS]

In each round two servers start on one database, one of them with `--metrics`, and answer wrk for a second in turn: A, B,
B, A. The next round swaps them. They share one core, and wrk has the others. Each round has new servers, as one process may
be faster than another by where its memory happens to lie. The time is that of the server's threads; the ratio is the middle
one of the rounds. wrk runs a little longer than its second, so the microseconds are a little too many, and the ratio is
right."""
import glob
import os
import statistics
import sys

from load import Load
from story import insist, staged
from throughput import measure, split

CONNECTIONS = 4


def spent(process):
    """The nanoseconds that the present threads of a process have run."""
    total = 0
    for path in glob.glob(f"/proc/{process.pid}/task/*/schedstat"):
        with open(path) as file:
            total += int(file.read().split()[0])
    return total


def cost(server, requests):
    """The microseconds of one answer."""
    start = spent(server.process)
    a_second, _, _ = measure("get one", server.port, requests, 1, connections=CONNECTIONS)
    return (spent(server.process) - start) / a_second / 1000


def main():
    binaries, kind = sys.argv[1:3]
    insist(kind in ("sqlite", "postgres"), "a database that is not measured:", kind)
    rounds = int((sys.argv[3:] or ["40"])[0])
    cores = sorted(os.sched_getaffinity(0))
    insist(len(cores) > 1, "two cores are needed")
    with staged(binaries, kind) as scene:
        scene.start(log=scene.place.path("access.log"))
        load = Load(scene, kind, 1)
        load.fill()
        insist(scene.server.stop() == 0, "the server did not end well")
        requests = split(load.gets(), threads=CONNECTIONS)
        plain, counted = [], []
        for number in range(rounds):
            order = [((), plain), (("--metrics", "127.0.0.1:0"), counted)]
            if number % 2:
                order.reverse()
            os.sched_setaffinity(0, cores[:1])
            servers = [
                scene.start("--threads", "1", *arguments, log=scene.place.path(f"access-{index}.log"))
                for index, (arguments, _) in enumerate(order)]
            os.sched_setaffinity(0, cores[1:])
            for server in servers:
                cost(server, requests)
            costs = [cost(servers[index], requests) for index in (0, 1, 1, 0)]
            order[0][1].append(costs[0] + costs[3])
            order[1][1].append(costs[1] + costs[2])
            for server in servers:
                insist(server.stop() == 0, "a server did not end well")
        ratios = sorted(second / first for first, second in zip(plain, counted))
        print(f"{kind}: get one: {statistics.median(plain) / 2:.2f} µs of processor time,"
              f" {statistics.median(counted) / 2:.2f} µs with figures: {statistics.median(ratios):.3f} of it"
              f" (half of the rounds: {ratios[len(ratios) // 4]:.3f} to {ratios[3 * len(ratios) // 4]:.3f})")


main()
