"""The throughput of a server on loopback, measured by wrk, by default with 16 connections, each one a thread."""
import os
import shutil
import subprocess
import tempfile

from programs import Program
from story import insist

HERE = os.path.dirname(os.path.abspath(__file__))
CONNECTIONS = 16


def bare(name, folder, *arguments):
    """A bare server in C on libmicrohttpd: load/NAME.c."""
    binary = os.path.join(folder, name)
    if not os.path.exists(binary):
        subprocess.run(
            ["cc", "-O2", "-o", binary, os.path.join(HERE, "load", f"{name}.c"), "-lmicrohttpd",
             "-lsqlite3"], check=True)
    return Program(binary, arguments)


def measure(title, port, requests, seconds, statuses="200", connections=CONNECTIONS, delay=0):
    """Sends requests, which each thread has as a list of (method, path, header fields, body), with so many
    connections, which wait for `delay` milliseconds before each.

    Returns the answers a second, and the milliseconds of the middle and the hundredth slowest request."""
    folder = tempfile.mkdtemp()
    for number, lines in enumerate(requests):
        with open(os.path.join(folder, str(number)), "w") as file:
            for method, path, fields, body in lines:
                file.write("|".join([method, path, "\t".join(fields), body]) + "\n")
    output = subprocess.run(
        ["wrk", f"-t{len(requests)}", f"-c{connections}", f"-d{seconds}s",
         "-s", os.path.join(HERE, "load", "requests.lua"),
         f"http://127.0.0.1:{port}", "--", folder, statuses, str(delay)],
        capture_output=True, text=True, check=True).stdout
    shutil.rmtree(folder)
    figures = next(line for line in output.splitlines() if line.startswith("figures"))
    count, took, middle, slow, failed = (float(part) for part in figures.split()[1:])
    insist(count > 0, title, "no answer")
    insist(failed == 0, title, int(failed), "answers of another status")
    return count / took, middle, slow


def split(requests, size=1, threads=CONNECTIONS):
    """The share of each thread, in chunks of a size."""
    pieces = [requests[place:place + size] for place in range(0, len(requests), size)]
    return [
        [request for piece in pieces[number::threads] for request in piece]
        for number in range(threads)
    ]
