# Tests the program audit-ledger on a database in a file. The script `run` sources it.
program=audit-ledger
# The server makes the tables.
printf 'product_mappings: {}\n' >"$folder/packs.yaml"
openssl rand -hex 32 >"$folder/session.key"
"$bin/storekeeper-server" decode --app com.example.gems=1 --credit-products "$folder/packs.yaml" \
  --session-key "$folder/session.key" --database "sqlite:$folder/credits.sqlite" >/dev/null
# change SQL: changes the database behind the library's back.
change() {
  python3 -c 'import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.execute("PRAGMA ignore_check_constraints = ON")
database.executescript(sys.argv[2])' "$folder/credits.sqlite" "$1"
}

# audited STATUS VIOLATIONS ARGUMENT...: checks the exit status, and the names and users of the violations.
audited() {
  local status=$1 violations=$2 found=0 seen
  shift 2
  "$bin/audit-ledger" "$@" >"$folder/out" 2>"$folder/err" || found=$?
  seen=$(jq -rc '"\(.violation):\(.user_id)"' "$folder/out" 2>&1 | sort | paste -sd ' ')
  if [ "$found" != "$status" ] || [ "$seen" != "$violations" ] || [ "$(wc -l <"$folder/err")" != 1 ]; then
    echo "audit-ledger $*: status $found with '$seen', expected $status with '$violations'" >&2
    cat "$folder/err" >&2
    exit 1
  fi
  checked=$((checked + 1))
}

# says TEXT: checks the line on standard error.
says() {
  grep -qF -- "$1" "$folder/err" || { echo "audit-ledger: no '$1' in '$(cat "$folder/err")'" >&2; exit 1; }
  checked=$((checked + 1))
}

# Usage.
audited 64 ""
says "no database is named; --help says more"
audited 64 "" "$folder/credits.sqlite"
audited 64 "" sqlite:
audited 64 "" "sqlite:$folder/credits.sqlite" sqlite:more
audited 64 "" --colour "sqlite:$folder/credits.sqlite"
audited 64 "" "sqlite:$folder/credits.sqlite" --user
audited 64 "" "sqlite:$folder/credits.sqlite" --user "two words"
for places in "" credit_ledger =other credit_ledger= a=b=c; do
  audited 64 "" "mysql://a@127.0.0.1:1/b" --table-database "$places"
  says "takes TABLE=DATABASE"
done
audited 64 "" "sqlite:$folder/credits.sqlite" --table-database credit_ledger=other
says "is for mysql://"
"$bin/audit-ledger" --help | grep -q '^usage: audit-ledger'

# A missing database stays missing.
audited 69 "" "sqlite:$folder/nothing.sqlite"
says "there is no such file"
[ ! -e "$folder/nothing.sqlite" ]
audited 69 "" "sqlite:$folder"
: >"$folder/empty.sqlite"
audited 69 "" "sqlite:$folder/empty.sqlite"
says "database of another program"
[ ! -s "$folder/empty.sqlite" ]
audited 69 "" "sqlite:$folder/zeros"
audited 69 "" "postgres://storekeeper:secret@127.0.0.1:1/none"
! grep -q secret "$folder/err"
cp "$folder/credits.sqlite" "$folder/older.sqlite"
python3 -c 'import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.executescript("DELETE FROM storekeeper_migration WHERE capability = \"credits\"")' "$folder/older.sqlite"
audited 69 "" "sqlite:$folder/older.sqlite"
says "lacks tables of this version"
checked=$((checked + 4))

# A ledger without faults.
audited 0 "" "sqlite:$folder/credits.sqlite"
says "checked 0 entries, 0 accounts and 0 transactions; violations: 0"
change "
INSERT INTO apple_iap_transactions (environment, transaction_id, user_id, original_transaction_id, bundle_id,
  product_id, product_code, quantity, credits_per_unit, credits, status, purchase_date, ledger_event_id,
  refund_round, created_at, updated_at)
VALUES ('Sandbox', '7', 'ann', '7', 'com.example.gems', 'com.example.gems.pack', 'pack', 1, 60, 60, 'granted', 0,
  'payment.apple_iap:7', 0, 0, 0);
INSERT INTO credit_ledger (user_id, environment, event_id, change_type, biz_type, biz_id, amount, balance_after,
  metadata, created_at)
VALUES ('ann', 'Sandbox', 'payment.apple_iap:7', 'purchase', 'payment', '1', 60, 60, '{}', 0),
  ('bob', '', 'bonus:1', 'bonus', 'bonus', '1', 5, 5, '{}', 0);
INSERT INTO credit_account (user_id, balance, updated_at) VALUES ('ann', 60, 0), ('bob', 5, 0);"
audited 0 "" "sqlite:$folder/credits.sqlite"
says "checked 2 entries, 2 accounts and 1 transaction; violations: 0"
audited 0 "" --user ann "sqlite:$folder/credits.sqlite"
says "checked 1 entry, 1 account and 1 transaction; violations: 0"
audited 0 "" --user carol "sqlite:$folder/credits.sqlite"

# Faults, for all users and for one.
change "UPDATE credit_account SET balance = 6 WHERE user_id = 'bob';
  UPDATE apple_iap_transactions SET status = 'refunded'"
audited 1 "balance_differs:bob entry_missing:ann newest_balance_differs:bob" "sqlite:$folder/credits.sqlite"
says "violations: 3"
audited 1 "entry_missing:ann" "sqlite:$folder/credits.sqlite" --user ann
seen=$(jq -c . "$folder/out")
expected='{"change_type":"refund","event_id":"payment.apple_iap.refund:7","transaction":{"environment":"Sandbox","id":1,"status":"refunded","transaction_id":"7","user_id":"ann"},"user_id":"ann","violation":"entry_missing"}'
[ "$seen" = "$expected" ] || { echo "audit-ledger: '$seen', expected '$expected'" >&2; exit 1; }
audited 1 "balance_differs:bob newest_balance_differs:bob" "sqlite:$folder/credits.sqlite" --user bob
audited 0 "" --user carol "sqlite:$folder/credits.sqlite"

# A bar is shown to people only.
if command -v script >/dev/null; then
  script -qec "'$bin/audit-ledger' 'sqlite:$folder/credits.sqlite'" /dev/null >"$folder/out" </dev/null || true
  grep -q '\[#*\.*\] [0-9]* %' "$folder/out" || { echo "audit-ledger: no bar on a terminal" >&2; exit 1; }
  checked=$((checked + 1))
fi
checked=$((checked + 1))
