# Tests the program seal-catalog. The script `run` sources it.
program=seal-catalog
mkdir "$folder/sealing"
(
  cd "$folder/sealing"
  printf '%s' 00112233445566778899aabbccddeeff >short.key
  printf '%s\n' 000102030405060708090a0b0c0d0e0f101112131415161718191A1B1C1D1E1F >long.key
  printf 'secret0123456789secret0123456789' >words.key
  printf '0011' >four.key
  printf '[{"identifier":"com.example.app_Main_Full.Monthly","productType":"renewableSubscription"}]' >list.json
  # The vectors V1 and V4 of the rules, section 3.
  echo 0f0e0d0c0b0a0908070605040302010042a1ef477ef967adcbceaf7beceb827b1e485e53bde0dd3eadc8121c041f47c0769027d19f900f6ecdd1547e6b356d6f9cc3dc89b860f8a9069852c8158ffc9ec3516a36ef621c07ab47679bc24e061ec04c9dd9a75fd9b393465d5d1c421248bda092e0104ec9792620c03b165488f1 |
    python3 -c 'import sys; sys.stdout.buffer.write(bytes.fromhex(sys.stdin.read()))' >v1
  echo 534b504c010000000f0e0d0c0b0a090807060504ff4b93353fb2c1da82b9d83a4ab8b3230a09724eaa2190092625cbd1537ac07549ebaa2e740f0ee24c9b6182fd7840696e22d97318cf318f813f32a20a0720a88815356c0f3cddd637775de6254a07d2a15b3df0fc3d29db31c0244622e347601e4af065b82161a617ae |
    python3 -c 'import sys; sys.stdout.buffer.write(bytes.fromhex(sys.stdin.read()))' >v4
  python3 - <<'PYTHON'
open("large.json", "wb").write(b" " * (8 << 20))
open("larger.json", "wb").write(b" " * ((8 << 20) + 1))
open("largest", "wb").write(bytes(9 << 20))
PYTHON
  : >empty.json
  printf '[{"identifier":"a","productType":"lifetime"}]' >unknown.json
  printf '[{"identifier":"a","productType":"consumable","colour":1,"unlocks":[]}]' >doubtful.json
  printf '[{"identifier":"a",' >cut.json
)

# sealing STATUS MESSAGE ARGUMENT...: checks the exit status, and what the one line on standard error has.
sealing() {
  local status=$1 message=$2 found=0
  shift 2
  (cd "$folder/sealing" && "$bin/seal-catalog" "$@") >"$folder/out" 2>"$folder/err" || found=$?
  if [ "$found" != "$status" ] || ! grep -qF -- "$message" "$folder/err" && [ -n "$message" ] ||
    [ "$(wc -l <"$folder/err")" -gt 1 ] || { [ -z "$message" ] && [ -s "$folder/err" ]; }; then
    echo "seal-catalog $*: status $found, expected $status with '$message'" >&2
    cat "$folder/err" >&2
    exit 1
  fi
  # Keys are in no message.
  ! grep -qiE '00112233|0001020304|secret' "$folder/err" "$folder/out" ||
    { echo "seal-catalog $*: a key is shown" >&2; exit 1; }
  checked=$((checked + 1))
}

# equal FILE FILE: checks that two files have the same bytes.
equal() {
  cmp -s "$folder/sealing/$1" "$folder/sealing/$2" || { echo "seal-catalog: $1 is not $2" >&2; exit 1; }
  checked=$((checked + 1))
}

# Usage.
sealing 2 "no command is named; --help says more"
sealing 2 "the command is seal, open or lint; --help says more" sealed
sealing 2 "seal takes IN and OUT" seal --key long.key list.json
sealing 2 "lint takes FILE" lint
sealing 2 "lint takes FILE" lint list.json list.json
sealing 2 "seal needs --key" seal list.json out
sealing 2 "--key needs a value" seal list.json out --key
sealing 2 "there is no option --colour" open --colour --key long.key list.json out
sealing 2 "--cbc belongs to seal" open --cbc --key short.key v1 out
sealing 2 "a key of 32 digits seals only with --cbc" seal --key short.key list.json out
sealing 2 "--cbc takes a key of 32 digits" seal --cbc --key long.key list.json out
sealing 2 "the key file: key: expected 32 or 64 hexadecimal digits" open --key four.key v1 out
sealing 2 "the key file: key: expected only hexadecimal digits" open --key words.key v1 out
sealing 2 "the key file: there is no such file" open --key none.key v1 out
sealing 2 "the key file: this is a directory, not a file" open --key . v1 out
# A key in a wrong place.
key=00112233445566778899aabbccddeeff
sealing 2 "the key file: there is no such file" open --key $key v1 out
sealing 2 "there is no option --key; --help says more" open --key=$key v1 out
sealing 2 "the command is seal, open or lint; --help says more" $key
sealing 2 "none.json: there is no such file" seal --key long.key none.json out
sealing 2 "nowhere/out: No such file or directory" seal --key long.key list.json nowhere/out
sealing 2 ".: this is a directory, not a file" lint .
[ ! -e "$folder/sealing/out" ]
"$bin/seal-catalog" --help | grep -q '^usage: seal-catalog'

# The vectors, both formats there and back, and standard input and output.
sealing 0 "" open --key short.key v1 opened
equal opened list.json
sealing 0 "" open --key long.key v4 opened
equal opened list.json
[ "$(stat -c %a "$folder/sealing/opened")" = 600 ]
sealing 0 "" seal --key long.key list.json sealed
[ "$(wc -c <"$folder/sealing/sealed")" = 126 ] && [ "$(head -c 4 "$folder/sealing/sealed")" = SKPL ]
sealing 0 "" open --key long.key sealed again
equal again list.json
sealing 0 "" seal --cbc --key short.key list.json sealed
[ "$(wc -c <"$folder/sealing/sealed")" = 128 ]
sealing 0 "" open --key short.key sealed again
equal again list.json
(cd "$folder/sealing" && "$bin/seal-catalog" seal --key long.key - - <list.json |
  "$bin/seal-catalog" open --key long.key - - | cmp - list.json)
# OpenSSL agrees about the older format.
openssl enc -d -aes-128-cbc -K 00112233445566778899aabbccddeeff \
  -iv "$(head -c 16 "$folder/sealing/sealed" | od -An -tx1 | tr -d ' \n')" \
  < <(tail -c +17 "$folder/sealing/sealed") >"$folder/sealing/stream"
[ "$(head -c 8 "$folder/sealing/stream" | od -An -tx1 | tr -d ' ')" = 6276782d5a000000 ]
[ "$(tail -c 4 "$folder/sealing/stream")" = 'bvx$' ]
# A file may be sealed in its own place.
cp "$folder/sealing/list.json" "$folder/sealing/same"
sealing 0 "" seal --key long.key same same
sealing 0 "" open --key long.key same same
equal same list.json
checked=$((checked + 8))
# Links stay, and their targets are replaced; devices and pipes are written to; nothing else is replaced.
mkdir "$folder/sealing/elsewhere"
printf 'old' >"$folder/sealing/elsewhere/target"
ln -s elsewhere/target "$folder/sealing/link"
sealing 0 "" open --key short.key v1 link
[ -L "$folder/sealing/link" ] && [ ! -L "$folder/sealing/elsewhere/target" ]
equal elsewhere/target list.json
ln -s elsewhere/none "$folder/sealing/loose"
sealing 2 "loose: this link leads to no file" open --key short.key v1 loose
sealing 2 "elsewhere: this is a directory, not a file" open --key short.key v1 elsewhere
mkfifo "$folder/sealing/pipe"
cat "$folder/sealing/pipe" >"$folder/sealing/piped" &
reader=$!
sealing 0 "" open --key short.key v1 pipe
wait "$reader"
equal piped list.json
[ -p "$folder/sealing/pipe" ]
sealing 0 "" open --key short.key v1 /dev/null
[ -c /dev/null ]
# A full disk.
sealing 2 "/dev/full: the file cannot be written" open --key short.key v1 /dev/full
full() {
  local status=0
  (cd "$folder/sealing" && "$bin/$1" "${@:3}" <doubtful.json >/dev/full 2>"$folder/err") || status=$?
  if [ "$status" != 2 ] || [ "$(cat "$folder/err")" != "$1: $2" ]; then
    echo "$1 ${*:3}: status $status on a full disk" >&2
    cat "$folder/err" >&2
    exit 1
  fi
  checked=$((checked + 1))
}
for arguments in "open --key short.key v1 -" "lint doubtful.json" --help; do
  # shellcheck disable=SC2086
  full seal-catalog "standard output: the file cannot be written" $arguments
done
for arguments in "" --table --help; do
  # shellcheck disable=SC2086
  full decide-entitlements "standard output cannot be written" $arguments
done
checked=$((checked + 3))

# Files that do not open leave what is there.
sealing 1 "sealed catalogue: the file is no authenticated container" open --key long.key v1 again
sealing 1 "sealed catalogue: the length of the file is no multiple of 16 bytes" open --key short.key v4 again
head -c 16 "$folder/sealing/v1" >"$folder/sealing/cut"
sealing 1 "sealed catalogue: the file is too short" open --key short.key cut again
(head -c 127 "$folder/sealing/v1" && printf '\000') >"$folder/sealing/changed"
sealing 1 "sealed catalogue: the" open --key short.key changed again
(head -c 125 "$folder/sealing/v4" && printf '\000') >"$folder/sealing/changed"
sealing 1 "sealed catalogue: another key, or the file was changed" open --key long.key changed again
equal again list.json
sealing 1 "more than 8388608 bytes" open --key short.key largest again
sealing 1 "there is nothing to seal" seal --key long.key empty.json again
sealing 1 "more than 8388608 bytes" seal --key long.key larger.json again
equal again list.json
sealing 0 "" seal --cbc --key short.key large.json large
sealing 0 "" open --key short.key large again
equal again large.json
[ -z "$(find "$folder/sealing" -name '*.new')" ]
checked=$((checked + 1))

# Bombs, and streams that are much work: 64 MiB and a few seconds without optimisation, whatever is in the file.
SEAL_CATALOG="$bin/seal-catalog" python3 - "$folder/sealing" <<'PYTHON'
import os
import struct
import subprocess
import sys

folder = sys.argv[1]
end = b"bvx$"


def tables(lengths, matches, distances, literals):
    """Frequencies in the prefix code; each table is a dictionary from symbols."""
    bits = ""
    for size, table in ((20, lengths), (20, matches), (64, distances), (256, literals)):
        for symbol in range(size):
            frequency = table.get(symbol, 0)
            bits += "00" if frequency == 0 else "1111" + format(frequency - 24, "010b")[::-1]
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i : i + 8][::-1], 2) for i in range(0, len(bits), 8))


def block(raw, literals, matches, payload, table):
    first = literals | matches << 40 | 7 << 60
    second = len(payload) << 40 | 7 << 60
    header = struct.pack("<4sIQQQ", b"bvx2", raw, first, second, 32 + len(table))
    return header + table + payload


size = 8 << 20
start = struct.pack("<4sI", b"bvx-", 1) + b"a"
full = tables({0: 64}, {19: 64}, {1: 256}, {97: 1024})
bombs = {
    "matches": start + block(10_000 * 2359, 0, 10_000, b"\xff" * 13_750, full) + end,
    "one byte too many": start + block(size, 0, 3557, b"\xff" * 4_896, full) + end,
    "many": start + block(10_000 * 312, 0, 10_000, bytes(13_760), full) * 3 + end,
    "empty raw blocks": b"bvx-\0\0\0\0" * (size // 8 - 1) + end,
    "empty coded blocks": block(0, 0, 0, b"", full) * (size // (32 + len(full)) - 1) + end,
    "one match a block": start
    + block(312, 0, 1, bytes(8), full) * (26_000) + end,
    "no effect": struct.pack("<4sII", b"bvxn", 0, size - 32 + 8) + b"\x0e" * (size - 32)
    + b"\x06" + bytes(7) + end,
    "large sizes": struct.pack("<4sI", b"bvx-", 0xFFFFFFFF) + bytes(size),
    "nothing": bytes(size),
}
program = """
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:], stderr=subprocess.DEVNULL).returncode
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(status, usage.ru_maxrss, usage.ru_utime)
"""
for name, stream in bombs.items():
    encrypted = subprocess.run(
        ["openssl", "enc", "-aes-128-cbc", "-K", "00112233445566778899aabbccddeeff", "-iv", "00" * 16],
        input=stream, capture_output=True, check=True).stdout
    with open(os.path.join(folder, "bomb"), "wb") as file:
        file.write(bytes(16) + encrypted)
    command = [os.path.join(os.environ["SEAL_CATALOG"]), "open", "--key", "short.key", "bomb", "blown"]
    answer = subprocess.run(
        [sys.executable, "-c", program] + command, cwd=folder, capture_output=True, text=True, check=True)
    status, memory, seconds = answer.stdout.split()
    if os.environ.get("SEAL_CATALOG_SHOW"):
        print(f"{name}: {status}, {memory} KiB, {seconds} s")
    if int(memory) > 65_536 or float(seconds) > 15 or status not in "01":
        sys.exit(f"seal-catalog: '{name}' took {memory} KiB and {seconds} s, status {status}")
PYTHON
checked=$((checked + 9))

# Lists with as many entries as there is room for: 64 MiB, too.
SEAL_CATALOG="$bin/seal-catalog" python3 - "$folder/sealing" <<'PYTHON'
import json
import os
import subprocess
import sys

folder = sys.argv[1]
signs = [chr(code) for code in range(0x21, 0x7F) if chr(code) not in '"\\*']
pairs = [one + other for one in signs for other in signs]


def products(identifiers):
    return json.dumps([{"identifier": identifiers[0], "productType": "nonConsumable",
                        "discountedProducts": identifiers[1:]}], separators=(",", ":"))[1:-1]


def full(identifiers, entries):
    """A list of 8 MiB, in which `entries` gives the entries of each subscription by its number."""
    parts = [products(identifiers)]
    size = len(parts[0]) + 2
    while True:
        part = json.dumps(
            {"identifier": f"subscription{len(parts)}", "productType": "renewableSubscription",
             "unlocks": entries(len(parts))}, separators=(",", ":"))
        size += len(part) + 1
        if size > 8 << 20:
            return "[" + ",".join(parts) + "]"
        parts.append(part)


few = pairs[:6145]
long = [f"{number:0>16}x" for number in range(2000)]
bombs = {
    "different rules": full(few, lambda number: few[:number] + few[number + 1:]),
    "beginnings": full(long, lambda number: [text[:16] + "*" for text in long if text != long[number]]),
}
program = """
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(status, usage.ru_maxrss, usage.ru_utime)
"""
for name, text in bombs.items():
    with open(os.path.join(folder, "bomb"), "w") as file:
        file.write(text)
    answer = subprocess.run(
        [sys.executable, "-c", program, os.environ["SEAL_CATALOG"], "lint", "bomb"], cwd=folder,
        capture_output=True, text=True, check=True)
    status, memory, seconds = answer.stdout.split()
    if os.environ.get("SEAL_CATALOG_SHOW"):
        print(f"{name}: {len(text)} bytes, {status}, {memory} KiB, {seconds} s")
    if int(memory) > 65_536 or status != "0":
        sys.exit(f"seal-catalog: '{name}' took {memory} KiB and {seconds} s, status {status}")
PYTHON
checked=$((checked + 2))

# lint: one line of JSON for each doubt, or for the reason of a refusal.
linted() {
  local status=$1 lines=$2 found=0 seen
  shift 2
  (cd "$folder/sealing" && "$bin/seal-catalog" lint "$@") >"$folder/out" 2>"$folder/err" || found=$?
  seen=$(jq -c '[.level, .code, .index, .key, .value] + if .level == "error" then [.reason] else [] end' \
    "$folder/out" | paste -sd ' ')
  if [ "$found" != "$status" ] || [ "$seen" != "$lines" ]; then
    echo "seal-catalog lint $*: status $found with '$seen', expected $status with '$lines'" >&2
    exit 1
  fi
  checked=$((checked + 1))
}
linted 0 "" list.json
linted 0 "" --key short.key v1
linted 0 "" --key long.key v4
linted 0 '["warning","unlocks_on_non_subscription",0,"unlocks","consumable"] ["warning","unknown_key",0,"colour",null]' doubtful.json
linted 1 '["error","unknownValue",0,"productType","lifetime","unknown value \"lifetime\""]' unknown.json
linted 1 '["error","notJSON",null,null,null,"not JSON at byte 0"]' empty.json
linted 1 '["error","tooLarge",null,null,null,"more than 8388608 bytes"]' larger.json
linted 1 '["error","authenticationFailed",null,null,null,"sealed catalogue: another key, or the file was changed"]' \
  --key long.key changed
linted 1 '["error","containerMagic",null,null,null,"sealed catalogue: the file is no authenticated container"]' \
  --key long.key list.json
seen=$( (cd "$folder/sealing" && "$bin/seal-catalog" lint v1) | jq -r .code) || true
[ "$seen" = notJSON ] || { echo "seal-catalog lint: a sealed file without key is '$seen'" >&2; exit 1; }
checked=$((checked + 1))
