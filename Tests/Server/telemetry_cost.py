"""The processor time of a get-one with figures and without: telemetry_cost.py BINARIES [ROUNDS]

Two servers on one SQLite file, one with `--metrics`, answer wrk for a second in turn, and each begins every other round.
They share one core, and wrk has the others. The time is that of the server's threads; the ratio is the middle one of the
rounds. wrk runs a little longer than its second, so the microseconds are a little too many, and the ratio is right."""
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
    rounds = int((sys.argv[2:] or ["40"])[0])
    cores = sorted(os.sched_getaffinity(0))
    insist(len(cores) > 1, "two cores are needed")
    with staged(sys.argv[1], "sqlite") as scene:
        scene.start(log=scene.place.path("access.log"))
        load = Load(scene, "sqlite", 1)
        load.fill()
        insist(scene.server.stop() == 0, "the server did not end well")
        os.sched_setaffinity(0, cores[:1])
        servers = [
            scene.start("--threads", "1", *arguments, log=scene.place.path(f"access-{number}.log"))
            for number, arguments in enumerate([(), ("--metrics", "127.0.0.1:0")])]
        os.sched_setaffinity(0, cores[1:])
        requests = split(load.gets(), threads=CONNECTIONS)
        for server in servers:
            cost(server, requests)
        plain, counted = [], []
        for number in range(rounds):
            both = list(zip(servers, (plain, counted)))
            for server, costs in both if number % 2 == 0 else reversed(both):
                costs.append(cost(server, requests))
        ratio = statistics.median(second / first for first, second in zip(plain, counted))
        print(f"get one: {statistics.median(plain):.2f} µs of processor time,"
              f" {statistics.median(counted):.2f} µs with figures: {ratio:.3f} of it")
        for server in servers:
            insist(server.stop() == 0, "a server did not end well")


main()
