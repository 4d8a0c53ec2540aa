"""On a full disk /ready fails and /health succeeds; with free space both succeed."""
import os

import wire
from hostile import until
from programs import Program
from stalls import alone
from story import insist


def check(scene):
    folder = scene.place.path("disk")
    os.mkdir(folder)
    # A disk of its own, removed with the process.
    command = 'mount -t tmpfs -o size=8m tmpfs "$0" && exec "$@"'
    binary, *arguments = alone(scene.place, "disk/store")
    server = Program(
        "unshare", ["--map-root-user", "--mount", "bash", "-c", command, folder, binary, *arguments])
    scene.place.running.append(server)

    def state(path):
        return wire.ask(server.port, "GET", path).status

    insist(state("/ready") == 200, "not ready with an empty disk")
    full = f"/proc/{server.process.pid}/root{folder}/full"
    fill(full)
    until(lambda: state("/ready") == 503, "ready on a full disk")
    insist(state("/health") == 200, "not well on a full disk")
    os.remove(full)
    until(lambda: state("/ready") == 200, "not ready again")
    insist(any("not writable" in line for line in server.errors), "told nowhere")
    insist(server.stop() == 0, "the server did not end well")


def fill(path):
    """Fills the disk."""
    with open(path, "wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            pass
