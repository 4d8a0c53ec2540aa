# Tests the program decide-order. The script `run` sources it.
program=decide-order
expect 2 "" --colour
expect 2 "" --table --table

# order_case FILTER: prints the line of user u1, who orders a purchase of the level Pro (entitlement rules,
# sections 12 to 14), changed by a jq filter.
order_case() {
  jq -cn 'def row($level; $vendor; $key; $until): {level: $level, vendor: $vendor, purchase_key: $key,
      subscriptionReceiptData: "old", subscriptionExpiration: $until,
      validated_at: "2026-04-27T09:30:00Z"};
    def basic($until): row("Basic"; "apple"; "production:1"; $until);
    def claimed($user): {vendor: "apple", purchase_key: "production:1", user_id: $user};
    def explicit($reason): .answer = {explicitFailure: {reason: $reason, purchaseKey: "production:1"}};
    def login: .purpose = "revalidation" | del(.vendor);
    {now: "2026-04-28T09:30:00Z", userId: "u1", vendor: "apple", receiptData: "new",
      levels: [
        {name: "Basic", description: "Two portfolios", portfolioLimit: 2, fee: 4.99,
          appleProductId: "snips.basic", googleProductId: "basic_monthly"},
        {name: "Pro", description: "Ten portfolios", portfolioLimit: 10, fee: 9.99,
          appleProductId: "snips.pro", googleProductId: null}],
      answer: {valid: {productId: "snips.pro", expiration: "2026-05-28T09:30:00Z",
        purchaseKey: "production:1", newReceiptData: "newer"}}} | '"$1"
}

# ordered STATUS EXPECTED LINE...: checks the exit status, and the decision on each line as decision, status,
# code, level shown, end and evidence stored, and claim; for a line that is no case its number, path and error.
ordered() {
  local status=$1 expected=$2 found=0 seen
  shift 2
  printf '%s\n' "$@" | "$bin/decide-order" >"$folder/out" 2>"$folder/err" || found=$?
  seen=$(jq -r 'if .error then "\(.line) \(.path): \(.error)" else
    "\(.decision) \(.status) \(.code) \(.subscription.name) \(.stored.subscriptionExpiration // "-" | .[:10]) \(
      .stored.subscriptionReceiptData) \(.claim)"
    end' "$folder/out" | paste -sd ';')
  if [ "$found" != "$status" ] || [ "$seen" != "$expected" ]; then
    echo "decide-order: status $found with '$seen', expected $status with '$expected' of: $*" >&2
    exit 1
  fi
  checked=$((checked + 1))
}

# Orders: B1, B3, B6 and B7, and what replaces what.
accept="accept 200 null Pro 2026-05-28 newer production:1"
ordered 0 "$accept;$accept;$accept" "$(order_case .)" \
  "$(order_case '.stored = basic("2026-05-28T09:30:00Z") | .claims = [claimed("u1")]')" \
  "$(order_case '.answer.valid.newReceiptData = "newer" | .markedUser = "u1"')"
ordered 0 "accept 200 null Pro 2026-05-28 new production:1" "$(order_case 'del(.answer.valid.newReceiptData)')"
used="refuse 422 already_used null"
ordered 0 "$used - null null;$used 2026-05-01 old null;$used - null null" \
  "$(order_case '.claims = [claimed("u2")]')" \
  "$(order_case '.claims = [claimed("u2")] | .stored = row("Basic"; "google"; "g"; "2026-05-01T00:00:00Z")')" \
  "$(order_case '.markedUser = "u2"')"
ordered 0 "$accept;$used - null null" "$(order_case '.claims = [claimed("u2")] | .mayMove = true')" \
  "$(order_case '.claims = [claimed("u2")] | .mayMove = true | .markedUser = "u2"')"
other='row("Basic"; "google"; "g"; $until)'
ordered 0 "$accept;keep 200 null Basic 2026-06-01 old production:1;$accept" \
  "$(order_case "\"2026-05-01T00:00:00Z\" as \$until | .stored = $other")" \
  "$(order_case "\"2026-06-01T00:00:00Z\" as \$until | .stored = $other")" \
  "$(order_case "\"2026-04-01T00:00:00Z\" as \$until | .stored = $other")"
linked='.stored = row("Basic"; "apple"; "production:2"; "2026-06-01T00:00:00Z") | .answer.valid.linkedPurchaseKey = "production:2"'
ordered 0 "$accept;$used 2026-06-01 old null" "$(order_case "$linked")" \
  "$(order_case "$linked | .claims = [claimed(\"u2\") | .purchase_key = \"production:2\"]")"
ordered 0 "refuse 422 unknown_product null - null null" "$(order_case '.answer.valid.productId = "snips.old"')"

# A refused order removes the row of the same purchase alone; an incidental failure stores nothing.
for reason in invalid expired no_subscription payment_pending; do
  ordered 0 "refuse 422 $reason null - null null;refuse 422 $reason null 2026-05-01 old null" \
    "$(order_case "explicit(\"$reason\") | .stored = basic(\"2026-05-01T00:00:00Z\")")" \
    "$(order_case "explicit(\"$reason\") | .stored = (basic(\"2026-05-01T00:00:00Z\") | .purchase_key = \"production:2\")")"
done
ordered 0 "refuse 422 invalid null 2026-05-01 old null" \
  "$(order_case 'explicit("invalid") | del(.answer.explicitFailure.purchaseKey) | .stored = basic("2026-05-01T00:00:00Z")')"
ordered 0 "unavailable 503 busy null - null null" \
  "$(order_case '.answer = {incidentalFailure: {reason: "busy"}}')"
seen=$(order_case '.answer = {incidentalFailure: {reason: "busy"}}' | "$bin/decide-order" | jq -c '[.retryAfter, .needsAttention]')
seen+=$(order_case '.answer = {incidentalFailure: {reason: "refused", retryAfter: 120, needsAttention: true}}' |
  "$bin/decide-order" | jq -c '[.retryAfter, .needsAttention]')
[ "$seen" = "[30,false][120,true]" ] || { echo "decide-order: retries '$seen'" >&2; exit 1; }

# Logins: B3, B4, B5 and B9.
ordered 0 "update 200 null Pro 2026-05-28 newer production:1" \
  "$(order_case 'login | .stored = basic("2026-05-01T00:00:00Z") | .claims = [claimed("u1")]')"
ordered 0 "keep 200 unreachable Basic 2026-04-01 old null;remove 200 expired null - null null" \
  "$(order_case 'login | .stored = basic("2026-04-01T00:00:00Z") | .answer = {incidentalFailure: {reason: "unreachable"}}')" \
  "$(order_case 'login | .stored = basic("2026-05-01T00:00:00Z") | explicit("expired")')"
ordered 0 "keep 200 unknownProduct Basic 2026-05-01 old null;keep 200 otherOwner Basic 2026-05-01 old null;remove 200 already_used null - null null" \
  "$(order_case 'login | .stored = basic("2026-05-01T00:00:00Z") | .answer.valid.productId = "snips.old"')" \
  "$(order_case 'login | .stored = basic("2026-05-01T00:00:00Z") | .claims = [claimed("u2")]')" \
  "$(order_case 'login | .stored = basic("2026-04-01T00:00:00Z") | .claims = [claimed("u2")]')"

# Whose purchases count (section 12): those of the Sandbox for testers alone, where the setting says so.
sandbox='.answer.valid.environment = "Sandbox"'
production='.environments = ["Production"]'
ordered 0 "$accept;refuse 422 invalid null - null null;$accept;refuse 422 invalid null - null null" \
  "$(order_case "$sandbox")" "$(order_case "$sandbox | $production")" \
  "$(order_case "$sandbox | $production | .testers = [\"u1\"]")" \
  "$(order_case "$sandbox | $production | .testers = [\"u2\"]")"
ordered 0 "remove 200 invalid null - null null;keep 200 busy null 2026-05-01 old null;$accept" \
  "$(order_case "login | $sandbox | $production | .stored = basic(\"2026-05-01T00:00:00Z\")")" \
  "$(order_case "login | $production | .stored = (basic(\"2026-05-01T00:00:00Z\") | .environment = \"Sandbox\") | .answer = {incidentalFailure: {reason: \"busy\"}}")" \
  "$(order_case "$production | .stored = (row(\"Basic\"; \"apple\"; \"sandbox:2\"; \"2026-06-01T00:00:00Z\") | .environment = \"Sandbox\")")"
ordered 1 "1 testers[0]: expected string, found integer" "$(order_case '.testers = [1]')"

# The example of section 12, and the order of the members; the fee has its own digits.
output='{"decision":"accept","code":null,"status":200,"retryAfter":null,"needsAttention":false,"subscription":{"name":"Pro","description":"Ten portfolios","portfolioLimit":10,"fee":9.99,"appleProductId":"snips.pro","googleProductId":null,"vendor":"apple","environment":"Production","expiration":"2026-05-28T09:30:00Z"},"stored":{"environment":"Production","level":"Pro","purchase_key":"production:1","subscriptionExpiration":"2026-05-28T09:30:00Z","subscriptionReceiptData":"newer","validated_at":"2026-04-28T09:30:00Z","vendor":"apple"},"claim":"production:1"}'
[ "$(order_case . | "$bin/decide-order")" = "$output" ] || { order_case . | "$bin/decide-order" >&2; exit 1; }

# A line that is no case is reported, and the next line is decided.
ordered 1 "1 : expected object, found array;$accept" '[1]' "$(order_case .)"
ordered 1 "1 purpose: expected one of order, revalidation;2 now: expected timestamp, found absent;3 userId: expected string, found absent;4 vendor: expected string, found absent" \
  "$(order_case '.purpose = "Order"')" "$(order_case 'del(.now)')" "$(order_case '.userId = " "')" \
  "$(order_case 'del(.vendor)')"
ordered 1 "1 levels: expected array, found absent;2 levels: levels: element 1, key \"fee\": number not allowed;3 levels: levels: element 1, key \"name\": repeated" \
  "$(order_case 'del(.levels)')" "$(order_case '.levels[1].fee = -1')" "$(order_case '.levels[1].name = "Basic"')"
ordered 1 "1 stored: expected object, found absent;2 stored.validated_at: expected timestamp, found absent;3 claims[0].user_id: expected string, found absent;4 claims[1].purchase_key: the purchase is claimed twice" \
  "$(order_case login)" "$(order_case '.stored = (basic("2026-05-01T00:00:00Z") | del(.validated_at))')" \
  "$(order_case '.claims = [claimed(null)]')" "$(order_case '.claims = [claimed("u1"), claimed("u2")]')"
ordered 1 "1 answer: expected object, found absent;2 answer.incidentalFailure: expected object, found absent;3 answer.valid.expiration: expected timestamp, found string;4 answer.explicitFailure.reason: expected one of invalid, expired, no_subscription, payment_pending" \
  "$(order_case 'del(.answer)')" "$(order_case '.answer = {}')" \
  "$(order_case '.answer.valid.expiration = "2026-05-28"')" "$(order_case 'explicit("already_used")')"

# The tables: stored rows with owners, and failures.
"$bin/decide-order" --table >"$folder/orders.md"
[ "$(grep -c 'already_used' "$folder/orders.md")" = 36 ]
[ "$(grep -c '| accept |  |$' "$folder/orders.md")" = 28 ]
[ "$(grep -c '^| a third purchase, ends later .* keep |  |$' "$folder/orders.md")" = 6 ]
grep -q '^| explicit, `expired` | refuse `expired`, row removed | refuse `expired`, row kept | remove `expired`, row removed |$' \
  "$folder/orders.md"
"$bin/decide-order" --help | grep -q '^usage: decide-order'
checked=$((checked + 7))
