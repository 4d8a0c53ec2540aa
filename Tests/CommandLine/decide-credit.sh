# Tests the program decide-credit. The script `run` sources it.
program=decide-credit
expect 2 "" --colour
expect 2 "" --table --table

# credits STATUS EXPECTED LINE...: checks the exit status, and the decision on each line as decision,
# status, code/reason, credits added, new balance and writes; for a line that is no case its number,
# path and error.
credits() {
  local status=$1 expected=$2 found=0 seen
  shift 2
  printf '%s\n' "$@" | "$bin/decide-credit" >"$folder/out" 2>"$folder/err" || found=$?
  seen=$(jq -r 'if .error then "\(.line) \(.path): \(.error)" else
    "\(.decision) \(.status) \(.code)/\(.reason) \(.creditsAdded) \(.newBalance) \(.writes | join(","))"
    end' "$folder/out" | paste -sd ';')
  if [ "$found" != "$status" ] || [ "$seen" != "$expected" ]; then
    echo "decide-credit: status $found with '$seen', expected $status with '$expected' of: $*" >&2
    exit 1
  fi
  checked=$((checked + 1))
}

# credit_case FILTER: prints the line of user u1, whose balance is 100 and who verifies a starter pack
# for the first time, changed by a jq filter.
credit_case() {
  jq -cn '{action: "grant",
    products: {
      welcome_pack: {app_store_product_id: "com.example.gems.welcome", credits: 60, type: "starter"},
      big_pack: {app_store_product_id: "com.example.gems.big", credits: 500},
      old_pack: {app_store_product_id: "com.example.gems.big", credits: 400, enabled: false}},
    claim: {userId: "u1", productCode: "welcome_pack",
      appStoreProductId: "com.example.gems.welcome", transactionId: "2000000900000001"},
    transaction: {environment: "Production", transactionId: "2000000900000001",
      originalTransactionId: "2000000900000001", bundleId: "com.example.gems",
      productId: "com.example.gems.welcome", quantity: 1, purchaseDate: 1700000000123},
    stored: null, balance: 100, nextId: 41}
    | def row($status): {id: 41, environment: "Production", transaction_id: "2000000900000001",
        bundle_id: "com.example.gems", product_id: "com.example.gems.welcome", status: $status,
        purchase_date: 1700000000123};
    def given($status; $user): row($status) + {user_id: $user, product_code: "welcome_pack",
        credits: 60, ledger_event_id: "payment.apple_iap:2000000900000001"};
    def big: .claim.productCode = "big_pack" | .claim.appStoreProductId = "com.example.gems.big"
      | .transaction.productId = "com.example.gems.big";
    def token: "6f1c3a52-0c1e-4f57-9a55-0d3b1c7e9a10";
    def news($type): .action = "notice" | .notification = {notificationType: $type,
      notificationUUID: "6f1c3a52-0c1e-4f57-9a55-0d3b1c7e9a10", signedDate: 1700000600000};
    '"$1"
}

# Verify: each step of section 2.
grant="granted 200 null/null 60 160 transaction,claim,account,entry"
invalid="refused 422 PAYMENT_TRANSACTION_INVALID"
credits 0 "$grant" "$(credit_case .)"
credits 0 "$grant" "$(credit_case 'del(.action, .stored) | .new = 1')"
credits 0 "granted 200 null/null 60 60 transaction,claim,account,entry" "$(credit_case 'del(.balance)')"
credits 0 "granted 200 null/null 1500 1600 transaction,account,entry" \
  "$(credit_case 'big | .transaction.quantity = 3 | .starterUsed = true')"
credits 0 "$grant" "$(credit_case '.stored = row("open")')"
credits 0 "refused 404 PAYMENT_PRODUCT_NOT_FOUND/null null null ;refused 404 PAYMENT_PRODUCT_NOT_FOUND/null null null " \
  "$(credit_case '.claim.productCode = "no_pack"')" "$(credit_case 'big | .claim.productCode = "old_pack"')"
mismatch="refused 422 PAYMENT_PRODUCT_MISMATCH/null null null "
credits 0 "$mismatch;$mismatch" "$(credit_case '.transaction.productId = "com.example.gems.big"')" \
  "$(credit_case '.claim.appStoreProductId = "com.example.gems.big"')"
credits 0 "$invalid/transaction_id_mismatch null null " \
  "$(credit_case '.claim.transactionId = "2000000900000002"')"
credits 0 "$invalid/app_account_token_mismatch null null ;$invalid/app_account_token_mismatch null null ;$grant" \
  "$(credit_case '.claim.appAccountToken = token')" \
  "$(credit_case '.transaction.appAccountToken = token | .hostToken = "00000000-0c1e-4f57-9a55-0d3b1c7e9a10"')" \
  "$(credit_case '.transaction.appAccountToken = token | .hostToken = (token | ascii_upcase)')"
revoked="refused 409 PAYMENT_TRANSACTION_REVOKED/null null null "
credits 0 "$revoked;$revoked;$revoked" "$(credit_case '.transaction.revocationDate = 1700000500000')" \
  "$(credit_case '.stored = given("refunded"; "u1")')" "$(credit_case '.stored = row("revoked_pending")')"
already="already_granted 200 null/null 0 100 "
credits 0 "$already;$already" \
  "$(credit_case '.stored = given("granted"; "u1") | .starterUsed = true')" \
  "$(credit_case '.stored = (given("granted"; "u1") | .bundle_id = "com.example.other")')"
conflict="refused 409 PAYMENT_TRANSACTION_CONFLICT/null null null "
credits 0 "$conflict;$conflict;$conflict" "$(credit_case '.stored = given("granted"; "u2")')" \
  "$(credit_case '.stored = (row("open") | .bundle_id = "com.example.other")')" \
  "$(credit_case '.stored = (row("open") | .product_id = "com.example.gems.big")')"
credits 0 "refused 409 PAYMENT_STARTER_PACK_INELIGIBLE/null null null " "$(credit_case '.starterUsed = true')"
credits 0 "$invalid/amount_out_of_range null null " \
  "$(credit_case 'big | .products.big_pack.credits = 1000000000 | .transaction.quantity = 9223372037')"

# Notifications: each row of section 6.
moved="notification,transaction,account,entry"
for type in REFUND REVOKE DID_FAIL_TO_RENEW; do
  credits 0 "clawed_back 200 null/null null 40 $moved" \
    "$(credit_case "news(\"$type\") | .stored = given(\"granted\"; \"u1\")")"
  credits 0 "no_change 200 null/null null null notification,transaction" \
    "$(credit_case "news(\"$type\") | .stored = given(\"refunded\"; \"u1\")")"
  credits 0 "pending 200 null/null null null notification,transaction" "$(credit_case "news(\"$type\")")"
done
credits 0 "clawed_back 200 null/null null 0 $moved;clawed_back 200 null/null null 0 $moved" \
  "$(credit_case 'news("REFUND") | .stored = given("granted"; "u1") | .balance = 25')" \
  "$(credit_case 'news("REFUND") | .stored = given("granted"; "u1") | .balance = 0')"
credits 0 "pending 200 null/null null null notification,transaction;cleared 200 null/null null null notification,transaction;cleared 200 null/null null null notification,transaction" \
  "$(credit_case 'news("REFUND") | .stored = row("open")')" \
  "$(credit_case 'news("REFUND_REVERSED") | .stored = row("revoked_pending")')" \
  "$(credit_case 'news("REFUND_REVERSED")')"
credits 0 "superseded 200 null/null null null notification" \
  "$(credit_case 'news("REFUND") | .stored = (given("granted"; "u1") | .last_event_signed_at = 1700000600001)')"
credits 0 "ignored_type 200 null/null null null notification;ignored_type 200 null/null null null notification;ignored_type 200 null/null null null notification" \
  "$(credit_case 'news("TEST")')" "$(credit_case 'news("INVENTED")')" \
  "$(credit_case 'news("DID_FAIL_TO_RENEW") | .stored = given("granted"; "u1") | .clawbackTypes = ["REFUND"]')"

# A story, in which each case gets what the last one gave: granted, refunded, restored, refunded again.
"$bin/decide-credit" <<<"$(credit_case .)" >"$folder/granted"
next() {
  "$bin/decide-credit" <<<"$(credit_case "$1 | .stored = $(jq -c .stored "$2") | .refund = $(jq -c .entry "$2")")"
}
next 'news("REFUND") | .balance = 25' "$folder/granted" >"$folder/refunded"
next 'news("REFUND_REVERSED") | .balance = 0' "$folder/refunded" >"$folder/restored"
next 'news("REVOKE") | .balance = 100' "$folder/restored" >"$folder/again"
seen=$(jq -c '[.decision, .stored.status, .stored.refund_round, .entry.event_id, .entry.amount, .entry.balance_after]' \
  "$folder/granted" "$folder/refunded" "$folder/restored" "$folder/again")
expected='["granted","granted",0,"payment.apple_iap:2000000900000001",60,160]
["clawed_back","refunded",0,"payment.apple_iap.refund:2000000900000001",-25,0]
["restored","granted",1,"payment.apple_iap.refund_reversed:2000000900000001",25,25]
["clawed_back","refunded",1,"payment.apple_iap.refund:2000000900000001:2",-60,40]'
[ "$seen" = "$expected" ] || { echo "decide-credit: the story is '$seen'" >&2; exit 1; }

# Shares of a refund (section 10): 20 and 40 percent of 60, then the rest, and a reversal of all three.
share() {
  "$bin/decide-credit" <<<"$(credit_case "$1 | .stored = $(jq -c .stored "$2") | .partialRefunds = \"share\" |
    .refund = $(jq -c .entry "$folder/share1" 2>/dev/null || echo null) | .shares = $3")"
}
refund_of() { echo "news(\"REFUND\") | .transaction.revocationDate = $1 | .transaction.revocationPercentage = $2"; }
share "$(refund_of 1700000500000 20000)" "$folder/granted" '[]' >"$folder/share0"
mv "$folder/share0" "$folder/share1"
share "$(refund_of 1700000600000 40000)" "$folder/share1" '[]' >"$folder/share2"
share "$(refund_of 1700000700000 null)" "$folder/share2" "[$(jq -c .entry "$folder/share2")]" >"$folder/share3"
share "$(refund_of 1700000600000 40000)" "$folder/share3" "$(jq -sc 'map(.entry)' "$folder/share2" "$folder/share3")" >"$folder/share4"
share 'news("REFUND_REVERSED")' "$folder/share3" "$(jq -sc 'map(.entry)' "$folder/share2" "$folder/share3")" >"$folder/share5"
seen=$(jq -c '[.decision, .stored.status, .stored.refund_round, .entry.event_id, .entry.amount]' "$folder"/share?)
expected='["clawed_back","refunded",0,"payment.apple_iap.refund:2000000900000001",-12]
["clawed_back","refunded",0,"payment.apple_iap.refund:2000000900000001:1.2",-24]
["clawed_back","refunded",0,"payment.apple_iap.refund:2000000900000001:1.3",-24]
["no_change","refunded",0,null,null]
["restored","granted",1,"payment.apple_iap.refund_reversed:2000000900000001",60]'
[ "$seen" = "$expected" ] || { echo "decide-credit: the shares are '$seen'" >&2; exit 1; }
# A reversal between a refund of the whole and one of 40 percent, told last.
share "$(refund_of 1700000500000 null)" "$folder/granted" '[]' >"$folder/late0"
mv "$folder/late0" "$folder/share1"
share "$(refund_of 1700000700000 40000) | .notification.signedDate = 1700000800000" "$folder/share1" '[]' >"$folder/late2"
share 'news("REFUND_REVERSED")' "$folder/late2" "[$(jq -c .entry "$folder/late2")]" >"$folder/late3"
seen=$(jq -c '[.decision, .stored.refund_round, .newBalance, (.entry, .shares[]? | .event_id, .amount, .balance_after)]' "$folder"/late?)
expected='["no_change",0,100,"payment.apple_iap.refund:2000000900000001:1.2",0,100]
["restored",1,136,"payment.apple_iap.refund_reversed:2000000900000001",60,160,"payment.apple_iap.refund:2000000900000001:2",-24,136]'
[ "$seen" = "$expected" ] || { echo "decide-credit: the late reversal is '$seen'" >&2; exit 1; }

# The example of section 3, and the order of the members.
entry='{"amount":-25,"balance_after":0,"biz_id":"41","biz_type":"payment","change_type":"refund","event_id":"payment.apple_iap.refund:2000000900000001","metadata":{"ext":{"clawed_back":25,"environment":"Production","notification_type":"REFUND","notification_uuid":"6f1c3a52-0c1e-4f57-9a55-0d3b1c7e9a10","original_amount":60,"original_event_id":"payment.apple_iap:2000000900000001","provider":"apple_iap","shortfall":35,"transaction_id":"2000000900000001"}}}'
[ "$(jq -cS .entry "$folder/refunded")" = "$entry" ] || { echo "decide-credit: $(jq -cS .entry "$folder/refunded")" >&2; exit 1; }
[ "$(jq -c '.entry.metadata.ext.reversed_event_id' "$folder/restored")" = '"payment.apple_iap.refund:2000000900000001"' ]
output='{"decision":"granted","code":null,"reason":null,"status":200,"creditsAdded":60,"newBalance":160,"ledgerEventId":"payment.apple_iap:2000000900000001","writes":["transaction","claim","account","entry"],"stored":{"app_account_token":null,"bundle_id":"com.example.gems","credits":60,"credits_per_unit":60,"environment":"Production","id":41,"last_event_signed_at":null,"ledger_event_id":"payment.apple_iap:2000000900000001","original_transaction_id":"2000000900000001","product_code":"welcome_pack","product_id":"com.example.gems.welcome","purchase_date":1700000000123,"quantity":1,"refund_round":0,"status":"granted","transaction_id":"2000000900000001","user_id":"u1"},"entry":{"amount":60,"balance_after":160,"biz_id":"41","biz_type":"payment","change_type":"purchase","event_id":"payment.apple_iap:2000000900000001","metadata":{"ext":{"app_store_product_id":"com.example.gems.welcome","bundle_id":"com.example.gems","credits_per_unit":60,"environment":"Production","original_transaction_id":"2000000900000001","product_code":"welcome_pack","provider":"apple_iap","purchase_date":1700000000123,"quantity":1,"transaction_id":"2000000900000001"}}}}'
[ "$(cat "$folder/granted")" = "$output" ] || { echo "decide-credit: '$(cat "$folder/granted")'" >&2; exit 1; }
checked=$((checked + 4))

# A line that is no case is reported, and the next line is decided.
credits 1 "1 : expected object, found array;$grant" '[1]' "$(credit_case .)"
credits 1 "1 : no JSON: unexpectedByte(offset: 5);$grant" '{"a":' '' "$(credit_case .)"
credits 1 "1 action: expected one of grant, notice" "$(credit_case '.action = "Grant"')"
credits 1 "1 products: expected object, found absent;2 products.big_pack: expected object, found integer" \
  "$(credit_case 'del(.products)')" "$(credit_case '.products.big_pack = 1')"
credits 1 "1 products.big_pack.credits: expected integer, found string;2 products.big_pack.credits: expected integer, found absent" \
  "$(credit_case '.products.big_pack.credits = "500"')" "$(credit_case 'del(.products.big_pack.credits)')"
credits 1 "1 products.big_pack.type: expected one of starter, standard" \
  "$(credit_case '.products.big_pack.type = "startr"')"
credits 1 "1 products.big_pack.enabled: expected boolean, found string" \
  "$(credit_case '.products.big_pack.enabled = "yes"')"
credits 1 "1 products: the credits of big_pack are not 1 to 1000000000;2 products: big_pack and old_pack are enabled with one app_store_product_id" \
  "$(credit_case '.products.big_pack.credits = 0')" "$(credit_case '.products.old_pack.enabled = true')"
credits 1 "1 claim: expected object, found absent;2 claim.userId: expected string, found absent;3 claim.productCode: expected string, found integer;4 claim.appAccountToken: expected uuid, found string" \
  "$(credit_case 'del(.claim)')" "$(credit_case '.claim.userId = " "')" \
  "$(credit_case '.claim.productCode = 1')" "$(credit_case '.claim.appAccountToken = "abc"')"
credits 1 "1 transaction: expected object, found absent;2 transaction.bundleId: expected string, found absent;3 transaction.quantity: expected at least 1" \
  "$(credit_case '.transaction = null')" "$(credit_case 'del(.transaction.bundleId)')" \
  "$(credit_case '.transaction.quantity = 0')"
credits 1 "1 stored.status: expected one of granted, refunded, revoked_pending, open;2 stored.user_id: expected string, found absent;3 stored.transaction_id: expected the signed one;4 stored.environment: expected the signed one" \
  "$(credit_case '.stored = row("lost")')" "$(credit_case '.stored = row("granted")')" \
  "$(credit_case '.stored = (row("open") | .transaction_id = "1")')" \
  "$(credit_case '.stored = (row("open") | .environment = "Sandbox")')"
credits 1 "1 stored.refund_round: expected 0 to 1000000000;2 stored.refund_round: expected 0 to 1000000000;3 stored.refund_round: expected 0 to 1000000000" \
  "$(credit_case 'news("REFUND") | .stored = given("granted"; "u1")' | sed 's/"stored":{/&"refund_round":9223372036854775807,/')" \
  "$(credit_case '.stored = (row("open") | .refund_round = 1000000001)')" \
  "$(credit_case '.stored = (row("open") | .refund_round = -1)')"
credits 0 "clawed_back 200 null/null null 40 $moved" \
  "$(credit_case 'news("REFUND") | .stored = (given("granted"; "u1") | .refund_round = 1000000000)')"
credits 1 "1 balance: expected at least 0;2 balance: expected integer, found string;3 starterUsed: expected boolean, found integer" \
  "$(credit_case '.balance = -1')" "$(credit_case '.balance = "1"')" "$(credit_case '.starterUsed = 1')"
credits 1 "1 notification: expected object, found absent;2 notification.signedDate: expected number, found absent" \
  "$(credit_case '.action = "notice"')" "$(credit_case 'news("REFUND") | del(.notification.signedDate)')"
credits 1 "1 refund: expected object, found absent;2 refund.event_id: expected that of the open refund;3 refund.amount: expected at most 0" \
  "$(credit_case 'news("REFUND_REVERSED") | .stored = given("refunded"; "u1")')" \
  "$(credit_case 'news("REFUND_REVERSED") | .stored = given("refunded"; "u1") | .refund = {event_id: "1", amount: -1}')" \
  "$(credit_case 'news("REFUND_REVERSED") | .stored = given("refunded"; "u1") | .refund = {event_id: "payment.apple_iap.refund:2000000900000001", amount: 1}')"
{ head -c 3000000 /dev/zero | tr '\0' 'a'; printf '\n'; credit_case .; } >"$folder/long"
seen=$("$bin/decide-credit" <"$folder/long" | jq -r '.error // .decision' | paste -sd ';') || true
[ "$seen" = "longer than 1048576 bytes;granted" ] || { echo "decide-credit: a long line gave '$seen'" >&2; exit 1; }

# The tables: tokens, stored rows, and every type with an effect for every state.
"$bin/decide-credit" --table >"$folder/credits.md"
[ "$(grep -c '_token_mismatch' "$folder/credits.md")" = 7 ]
[ "$(grep -c '^| `\(REFUND\|REVOKE\|DID_FAIL_TO_RENEW\|REFUND_REVERSED\)` ' "$folder/credits.md")" = 20 ]
[ "$(grep -c '| granted |  |$' "$folder/credits.md")" = 2 ]
[ "$(grep -c '^| `granted`, of \(u1\|another app\) | good | .* | already_granted |  |$' "$folder/credits.md")" = 4 ]
[ "$(grep -c '| already_granted |' "$folder/credits.md")" = 4 ]
"$bin/decide-credit" --help | grep -q '^usage: decide-credit'
checked=$((checked + 7))
