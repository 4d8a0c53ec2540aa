# storekeeper-server import and export: usage errors, and customers of a simulated App Store who move in and out.
program=storekeeper-server
expect 64 "" import
expect 64 "" import photos "$folder/nothing"
expect 64 "" import receipts
expect 64 "" import receipts --dry-run
expect 64 "" import csv "$folder/nothing"
expect 64 "" import csv "$folder/nothing" --mapping
expect 64 "" import csv "$folder/nothing" --mapping "$folder/nothing"
expect 64 "" import tokens "$folder/nothing" --mapping "$folder/nothing"
expect 64 "" import tokens "$folder/nothing" --colour red
expect 64 "" export --colour red
told storekeeper-server import
told storekeeper-server import csv "$folder/nothing"

: >"$folder/store"
"$bin/app-store-simulator" --api-key-file "$folder/import.p8" >"$folder/store" &
simulator=$!
trap 'kill "$simulator" 2>/dev/null || true; rm -rf "$folder"' EXIT
until grep -q listening "$folder/store" || ! kill -0 "$simulator"; do sleep 0.1; done
store=$(sed -n 's/^listening on //p' "$folder/store")
for root in root.der receipt-root.der; do curl -fsS "$store/$root" -o "$folder/import-$root"; done
key=$(curl -fsS "$store/control/state" | jq .serverApi)
cat >"$folder/import.json" <<END
{"database": "sqlite:$folder/import.sqlite", "app": {"com.example.reader": 1234567890},
 "product": {"reader.monthly": "standard/month"}, "account": ["a-0", "a-1", "a-2", "a-3"],
 "token": {"try": "$(echo import-test-token | "$bin/storekeeper-server" digest)"},
 "appStoreKey": "$folder/import.p8", "appStoreKeyId": $(jq .keyId <<<"$key"),
 "appStoreIssuerId": $(jq .issuerId <<<"$key"), "appStoreUrl": "$store",
 "appStoreProductionUrl": "$store/production", "appStoreSandboxUrl": "$store/sandbox",
 "sharedSecret": "0123456789abcdef0123456789abcdef",
 "testRoot": ["$folder/import-root.der", "$folder/import-receipt-root.der"], "allowTestRoot": true}
END
settings=(--config "$folder/import.json")
bought=()
for number in 0 1 2 3; do
  bought+=("$(curl -fsS --data-binary "{\"customer\":\"c-$number\",\"product\":\"reader.monthly\"}" \
    "$store/control/buy" | jq -r .subscription.originalTransactionId)")
done
{
  printf 'a-0\t%s\n' "${bought[0]}"
  printf 'a-1\t%s\tProduction\n' "${bought[1]}"
  printf 'ghost\t%s\na-2\tnone\na-2\t%s\n' "${bought[2]}" "${bought[0]}"
} >"$folder/moved.tsv"
fields 'select(has("accepted")) | [.accepted, .unchanged, .refused, .dryRun, .complete]' '[3,0,2,true,true]' \
  import transactions "$folder/moved.tsv" --dry-run "${settings[@]}"
fields 'select(has("accepted")) | [.accepted, .unchanged, .refused, .dryRun, .complete]' '[2,0,3,false,true]' \
  import transactions "$folder/moved.tsv" "${settings[@]}" --report "$folder/refused.csv"
fields 'select(has("accepted")) | [.accepted, .unchanged, .refused, .rows]' '[0,2,3,5]' \
  import transactions "$folder/moved.tsv" --report="$folder/again.csv" "${settings[@]}"
cat >"$folder/wanted.csv" <<'END'
row,line,account,evidence,reason,detail
3,3,ghost,transaction,account-not-found,
4,4,,,malformed,column 5: expected a transaction ID of 1 to 64 digits
5,5,a-2,transaction,link-other-account,
END
diff "$folder/wanted.csv" "$folder/refused.csv"
diff "$folder/wanted.csv" "$folder/again.csv"
[ "$(stat -c %a "$folder/refused.csv")" = 600 ]
# A start beside another one leaves its report alone, and so does a full disk leave the place.
sql() { sqlite3 "$folder/import.sqlite" "$1"; }
sql "UPDATE job_place SET lease_until_utc = 9999999999999, lease_token = 'other' WHERE job = 'purchase-import'"
expect 69 null import transactions "$folder/moved.tsv" --report "$folder/refused.csv" "${settings[@]}"
grep -q 'another process is at it' "$folder/err"
diff "$folder/wanted.csv" "$folder/refused.csv"
sql "UPDATE job_place SET lease_until_utc = NULL, lease_token = NULL WHERE job = 'purchase-import'"
if [ -e /dev/full ]; then
  expect 69 null import transactions "$folder/moved.tsv" --report /dev/full "${settings[@]}"
  grep -q 'the report cannot be written' "$folder/err"
  fields 'select(has("accepted")) | [.earlier, .unchanged]' '[0,2]' \
    import transactions "$folder/moved.tsv" "${settings[@]}"
fi
# What a table program would take for a formula is none, and the mode of a report that was there is changed.
printf '=1+1\t%s\n+49\t%s\n@x, y\t%s\n' "${bought[@]:0:3}" >"$folder/formulas.tsv"
: >"$folder/formulas.csv"
chmod 644 "$folder/formulas.csv"
fields 'select(has("accepted")) | .refusals' '{"account-not-found":3}' \
  import transactions "$folder/formulas.tsv" --report "$folder/formulas.csv" "${settings[@]}"
[ "$(tail -n +2 "$folder/formulas.csv" | cut -d, -f3)" = "$(printf "'=1+1\n'+49\n\"'@x")" ]
[ "$(stat -c %a "$folder/formulas.csv")" = 600 ]
# A table by a mapping, with a receipt.
receipt=$(curl -fsS "$store/control/receipt?customer=c-2" | jq -r .receipt)
printf 'who,proof,shop\na-2,"%s",ios\na-3,x,web\n' "$receipt" >"$folder/table.csv"
printf 'account: who\nreceipt: proof\nstore: shop\nstores: {ios: apple}\n' >"$folder/mapping.yaml"
fields 'select(has("accepted")) | [.accepted, .refusals]' '[1,{"malformed":1}]' \
  import csv "$folder/table.csv" --mapping "$folder/mapping.yaml" "${settings[@]}"
fields 'select(.kind == "purchase") | [.subscription.owner, .evidence == null]' '["a-0",true] ["a-1",true] ["a-2",true]' \
  export "${settings[@]}"
fields 'select(.kind == "purchase" and .evidence) | .subscription.owner' a-2 export --with-evidence "${settings[@]}"
# A table without the column, a file that is not there, a report that cannot be written.
printf 'name\nx\n' >"$folder/other.csv"
expect 69 "" import csv "$folder/other.csv" --mapping "$folder/mapping.yaml" "${settings[@]}"
grep -q 'cannot import: line 1, column 1: expected a column for the account' "$folder/err"
expect 69 "" import tokens "$folder/nothing" "${settings[@]}"
expect 69 "" import transactions "$folder/moved.tsv" --report "$folder/nowhere/r.csv" "${settings[@]}"
kill "$simulator" && wait "$simulator" || true
checked=$((checked + 4))
