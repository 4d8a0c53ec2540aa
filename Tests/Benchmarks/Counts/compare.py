"""Compares counts of allocations and instructions with those of a file: compare.py FOLDER FILE [--update]

FOLDER has what Tests/Benchmarks/counts measured: allocations of each operation, numbers of calls, and callgrind's files.
"""
import glob
import platform
import re
import subprocess
import sys

LIMIT = 0.02
COLUMNS = ["allocations", "instructions"]


def surroundings():
    """What the number of instructions depends on, beside the code."""
    compiler = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    crypto = subprocess.run(["openssl", "version"], capture_output=True, text=True).stdout.split()[:2]
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), "?")
    return ", ".join([
        "Swift " + re.search(r"Swift version (\S+)", compiler)[1], " ".join(crypto),
        " ".join(platform.libc_ver()), model])


def measured(folder):
    """The counts of a call, by operation: a pair, of which instructions may be None."""
    with open(f"{folder}/allocations") as file:
        counts = {name: [float(count), None] for name, count in map(str.split, file)}
    totals = {}
    for path in glob.glob(f"{folder}/callgrind.*"):
        with open(path) as file:
            text = file.read()
        name = re.search(r"^desc: Trigger: Client Request: (\S+)", text, re.M)
        if name:
            totals[name[1]] = int(re.search(r"^(?:totals|summary): (\d+)", text, re.M)[1])
    with open(f"{folder}/calls") as file:
        for name, calls in map(str.split, file):
            counts[name][1] = totals[name] / int(calls)
    return counts


def read(path):
    """The surroundings and the counts of a file."""
    with open(path) as file:
        lines = file.read().splitlines()
    there = next(line for line in lines if line.startswith("# counted with ")).removeprefix("# counted with ")
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    return there, {
        name: [None if count == "-" else float(count) for count in counts] for name, *counts in rows}


def write(path, counts):
    with open(path, "w") as file:
        file.write(f"""\
# Allocations and instructions of a call, written by Tests/Benchmarks/counts --update.
# counted with {surroundings()}
# A dash stands for instructions that were not counted.
""")
        for name, (allocations, instructions) in counts.items():
            instructions = "-" if instructions is None else f"{instructions:.0f}"
            file.write(f"{name:28}{allocations:>14.2f}{instructions:>16}\n")


def main():
    folder, path, *options = sys.argv[1:]
    counts = measured(folder)
    if options == ["--update"]:
        write(path, counts)
        return print(f"{path}: {len(counts)} operations")
    if options:
        sys.exit("usage: counts [--update]")
    there, before = read(path)
    here = surroundings()
    columns = [0, 1] if there == here else [0]
    if there != here:
        print(f"instructions are not compared: the file was counted with {there}; here is {here}")
    grown = [f"{name} is in one of the file and the program only" for name in counts.keys() ^ before.keys()]
    shrunk = 0
    for name in counts.keys() & before.keys():
        for column in columns:
            old, new = before[name][column], counts[name][column]
            if (old is None) != (new is None):
                grown.append(f"{name}: {COLUMNS[column]} are counted in one of the file and the program only")
            elif old is not None and abs(new - old) > LIMIT * old:
                change = f"{name}: {COLUMNS[column]} {old:,.2f} -> {new:,.2f} ({(new - old) / (old or 1):+.1%})"
                if new > old:
                    grown.append(change)
                else:
                    shrunk += 1
                    print(change)
    if shrunk:
        print(f"{shrunk} counts shrank by more than {LIMIT:.0%}: write the file anew with Tests/Benchmarks/counts --update")
    if grown:
        sys.exit("\n".join(sorted(grown) + [
            f"counts grew by more than {LIMIT:.0%}; if they must, write the file anew with --update"]))
    print(f"{len(counts)} operations: none grew by more than {LIMIT:.0%}")


main()
