"""Compares seal-catalog with the reference coder of LZFSE: compare.py LIBRARY PROGRAM SEED"""

import concurrent.futures
import ctypes
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile

KEY = "00112233445566778899aabbccddeeff"
SIZES = [0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 63, 64, 100, 255, 256, 1000, 4095, 4096, 4097, 10_000]
SIZES += [20_000, 39_999, 40_000, 40_001, 65_535, 65_536, 100_000, 150_000, 262_144, 299_999, 300_000]


class Reference:
    """The reference coder."""

    def __init__(self, path):
        library = ctypes.CDLL(path)
        self.functions = {}
        for name in ("encode", "decode"):
            function = library[f"lzfse_{name}_buffer"]
            function.restype = ctypes.c_size_t
            function.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p]
            self.functions[name] = function

    def run(self, name, data, room):
        output = ctypes.create_string_buffer(room)
        count = self.functions[name](output, room, data, len(data), None)
        return output.raw[:count]

    def compressed(self, data):
        return self.run("encode", data, len(data) + 4096)

    def decompressed(self, data, size):
        return self.run("decode", data, size + 1)


def product_list(rng, size):
    """A product list of about this size, cut to it."""
    kinds = ["nonConsumable", "consumable", "renewableSubscription", "nonRenewingSubscription"]
    words = ["brushes", "frames", "gold", "paper", "ink", "studio", "monthly", "yearly", "layers", "zebra"]
    elements, length = [], 2
    while length < size:
        element = {
            "identifier": f"com.example.draw.{rng.choice(words)}.{rng.choice(words)}.{len(elements)}",
            "productType": rng.choice(kinds),
        }
        if rng.random() < 0.3:
            element["isSubscribersOnly"] = True
        if rng.random() < 0.2:
            element["unlocks"] = [f"com.example.draw.{rng.choice(words)}.*" for _ in range(rng.randint(0, 4))]
        if rng.random() < 0.3:
            element["contentFetcherParameters"] = {
                "type": "remote",
                "URL": f"https://cdn.example.com/{rng.getrandbits(64):x}.zip",
                "sha256": hashlib.sha256(rng.randbytes(8)).hexdigest(),
            }
        elements.append(json.dumps(element, separators=(",", ":"), ensure_ascii=False))
        length += len(elements[-1]) + 1
    return ("[" + ",".join(elements) + "]").encode()[:size]


def mixture(rng, size):
    """Pieces of all sorts, with copies of earlier pieces at any distance."""
    data = bytearray()
    while len(data) < size:
        kind = rng.randrange(4)
        count = rng.choice([1, 3, 10, 100, 1000, 5000])
        if kind == 0:
            data += rng.randbytes(count)
        elif kind == 1:
            data += bytes([rng.randrange(256)]) * count
        elif kind == 2:
            data += bytes(rng.choice(b"etaoin shrdlu,.") for _ in range(count))
        elif data:
            start = rng.randrange(len(data))
            data += data[start : start + count]
    return bytes(data[:size])


KINDS = {
    "list": product_list,
    "text": lambda rng, size: bytes(rng.choice(b"etaoin shrdlucmfwypvbgkjqxz,.") for _ in range(size)),
    "zeros": lambda rng, size: bytes(size),
    "random": lambda rng, size: rng.randbytes(size),
    "repeated": lambda rng, size: (rng.randbytes(rng.randint(1, 40)) * (size + 1))[:size],
    "repeated, far": lambda rng, size: (rng.randbytes(70_001) * (size // 70_001 + 1))[:size],
    "mixture": mixture,
}


def encrypted(stream):
    command = ["openssl", "enc", "-aes-128-cbc", "-K", KEY, "-iv", "00" * 16]
    return bytes(16) + subprocess.run(command, input=stream, stdout=subprocess.PIPE, check=True).stdout


def decrypted(file):
    command = ["openssl", "enc", "-d", "-aes-128-cbc", "-K", KEY, "-iv", file[:16].hex()]
    return subprocess.run(command, input=file[16:], stdout=subprocess.PIPE, check=True).stdout


def magics(stream, found):
    """Counts the types of blocks, of which the first is enough for small files."""
    for kind in (b"bvx-", b"bvxn", b"bvx2"):
        if stream.startswith(kind):
            found[kind.decode()] = found.get(kind.decode(), 0) + 1


def main():
    library, program, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
    reference, rng, found = Reference(library), random.Random(seed), {}
    cases = [(kind, size) for kind in KINDS for size in SIZES]
    cases += [(rng.choice(list(KINDS)), rng.randrange(300_001)) for _ in range(70)]
    cases = [(f"{kind}, {size} bytes", KINDS[kind](rng, size)) for kind, size in cases]
    with tempfile.TemporaryDirectory() as folder:
        key = os.path.join(folder, "key")
        with open(key, "w") as file:
            file.write(KEY)

        def ours(*words, data):
            command = [program, *words, "--key", key, "-", "-"]
            done = subprocess.run(command, input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            return done.returncode, done.stdout, done.stderr.decode()

        def check(case):
            """Returns what is wrong with one case, or None."""
            name, data = case
            stream = reference.compressed(data)
            status, output, error = ours("open", data=encrypted(stream))
            if not data:
                # No list has no bytes.
                return None if status == 1 and "wrongRawSize" in error else f"{name}: status {status}"
            if status != 0 or output != data:
                return f"{name}: {len(stream)} compressed bytes are not opened: {status} {error}"
            status, file, error = ours("seal", "--cbc", data=data)
            if status != 0 or reference.decompressed(decrypted(file), len(data)) != data:
                return f"{name}: the reference does not read what was sealed: {status} {error}"
            magics(stream, found)
            return None

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            wrong = [fault for fault in pool.map(check, cases) if fault]
    for fault in wrong[:20]:
        print(fault, file=sys.stderr)
    if wrong:
        sys.exit(f"{len(wrong)} of {len(cases)} files differ, seed {seed}")
    if not all(found.get(kind) for kind in ("bvx-", "bvxn", "bvx2")):
        sys.exit(f"not every type of block was tried: {found}")
    kinds = ", ".join(f"{count} begin with {kind}" for kind, count in sorted(found.items()))
    print(f"sealed catalogues: {len(cases)} files of 0 to 300 kB read and written as by the reference coder ({kinds})")


main()
