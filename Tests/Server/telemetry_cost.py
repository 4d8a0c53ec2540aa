"""The processor time of a get-one with figures and without: telemetry_cost.py BINARIES [ROUNDS SECONDS]

A server on SQLite answers wrk in rounds, in turn with `--metrics` and without, each first as often as the other. The
time is that of the server's process, so that what wrk takes does not count; the ratio is the middle one of the rounds."""
import glob
import statistics
import sys

from load import Load
from story import insist, staged
from throughput import split

FIGURES = ("--metrics", "127.0.0.1:0")


def spent(process):
    """The nanoseconds that all threads of a process have run."""
    total = 0
    for path in glob.glob(f"/proc/{process.pid}/task/*/schedstat"):
        with open(path) as file:
            total += int(file.read().split()[0])
    return total


def cost(load, requests, arguments):
    """The microseconds of one answer."""
    load.restart(*arguments)
    load.measure("warm", requests, seconds=1)
    process = load.scene.server.process
    start = spent(process)
    a_second = load.measure("figures" if arguments else "none", requests)
    return (spent(process) - start) / (a_second * load.seconds) / 1000


def main():
    binaries = sys.argv[1]
    rounds, seconds = (int(text) for text in (sys.argv[2:] + ["8", "3"][len(sys.argv) - 2:])[:2])
    with staged(binaries, "sqlite") as scene:
        scene.start(log=scene.place.path("access.log"))
        load = Load(scene, "sqlite", seconds)
        load.fill()
        requests = split(load.gets())
        ratios, costs = [], {(): [], FIGURES: []}
        for number in range(rounds):
            pair = [(), FIGURES] if number % 2 == 0 else [FIGURES, ()]
            found = {arguments: cost(load, requests, arguments) for arguments in pair}
            for arguments, one in found.items():
                costs[arguments].append(one)
            ratios.append(found[FIGURES] / found[()])
        print(f"get one: {statistics.median(costs[()]):.1f} µs of processor time,"
              f" {statistics.median(costs[FIGURES]):.1f} µs with figures:"
              f" {statistics.median(ratios):.3f} of it ({min(ratios):.3f} to {max(ratios):.3f})")
        insist(scene.server.stop() == 0, "the server did not end well")


main()
