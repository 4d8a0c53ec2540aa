# Tests the program decide-entitlements. The script `run` sources it.
program=decide-entitlements
expect 2 "" --colour
expect 2 "" --table --table

# situation FILTER: prints a situation of the acceptance matrix (entitlement rules, section 11), changed by
# a jq filter.
situation() {
  jq -cn 'def id($name): "com.example.draw.\($name)";
    def full($until): {productId: id("full.monthly"), originalTransactionId: "1", expiresAt: $until};
    def lite($until): {productId: id("lite.monthly"), originalTransactionId: "1", expiresAt: $until};
    {bundleId: "com.example.draw", now: "2026-04-28T09:30:00Z", list: [
      {identifier: id("brushes"), productType: "nonConsumable", isSubscribersOnly: true},
      {identifier: id("frames"), productType: "nonConsumable"},
      {identifier: id("frames.gold"), productType: "nonConsumable", isSubscribersOnly: true},
      {identifier: id("paper"), productType: "nonConsumable"},
      {identifier: id("coins"), productType: "consumable"},
      {identifier: id("full.monthly"), productType: "renewableSubscription",
        discountedProducts: [id("full25.monthly")]},
      {identifier: id("lite.monthly"), productType: "renewableSubscription",
        unlocks: [id("f*"), id("paper")]}]} | '"$1"
}

# entitled FILTER EXPECTED SITUATION: checks the answer to a situation by a jq filter; the identifiers in
# it are shortened.
entitled() {
  local seen
  seen=$(printf '%s\n' "$3" | "$bin/decide-entitlements" | jq -c "$1" | sed 's/com\.example\.draw\.//g') || true
  if [ "$seen" != "$2" ]; then
    echo "decide-entitlements: '$1' gave '$seen', expected '$2' of: $3" >&2
    exit 1
  fi
  checked=$((checked + 1))
}

end=2026-05-28T00:00:00Z
entitled .allowedProducts '[]' "$(situation .)"
entitled .allowedProducts '[]' "$(situation ".subscriptions = [full(\"$end\")]")"
entitled .allowedProducts '["paper"]' \
  "$(situation ".subscriptions = [lite(\"$end\")] | .acquired = [id(\"brushes\"), id(\"paper\")]")"
entitled '[.acquireAll, .acquire]' \
  '[["brushes","frames","frames.gold","paper"],{"brushes":"created","coins":"not_acquirable","nope":"unknown_product"}]' \
  "$(situation ".subscriptions = [full(\"$end\")] | .acquireAll = true
    | .acquire = [id(\"brushes\"), id(\"coins\"), id(\"nope\")]")"
entitled '[.acquireAll, .acquire]' '["not_subscriber",{"brushes":"not_subscriber","frames":"held"}]' \
  "$(situation ".purchased = [id(\"frames\")] | .acquireAll = true | .acquire = [id(\"brushes\"), id(\"frames\")]")"
entitled '.routes | [.["com.example.draw.frames"], .["com.example.draw.brushes"]]' \
  '["storePurchase","not_subscriber"]' "$(situation .)"
entitled '.routes | [.["com.example.draw.brushes"], .["com.example.draw.lite.monthly"]]' \
  '["acquire","storePurchase"]' "$(situation ".subscriptions = [full(\"$end\")]")"

# Whose purchases count: those of the Sandbox for testers alone, where the options say so.
frames='.transactions = [{transactionId: "1", originalTransactionId: "1", productId: id("frames"), type: "Non-Consumable", environment: "Sandbox", purchaseDate: 1777000000000}]'
for tested in '.:["frames"]' '.options.environments = ["Production"]:[]' \
  '.options = {environments: ["Production"], testers: ["u1"]}:[]' \
  '.userId = "u1" | .options = {environments: ["Production"], testers: ["u1"]}:["frames"]' \
  '.userId = "u2" | .options = {environments: ["Production"], testers: ["u1"]}:[]'; do
  entitled .purchasedProducts "${tested##*:}" "$(situation "$frames | ${tested%:*}")"
done

# Grace, cancellation, an outage.
entitled '[.subscription.active, .subscription.accessUntil]' '[true,"2026-04-28T09:30:01Z"]' \
  "$(situation '.subscriptions = [full("2026-04-21T09:30:01Z")]')"
entitled '[.subscription.active, .subscription.accessUntil]' '[false,"2026-04-28T09:30:00Z"]' \
  "$(situation '.subscriptions = [full("2026-04-21T09:30:00Z")]')"
entitled .subscription.active true \
  "$(situation '.subscriptions = [full("2026-04-21T09:30:00Z")] | .options.graceDays = 8')"
entitled '[.subscription.active, .subscription.cancelledAt]' '[false,"2026-04-01T00:00:00Z"]' \
  "$(situation ".subscriptions = [full(\"$end\") + {cancellationAt: \"2026-04-01T00:00:00Z\"}]")"
entitled '[.subscription.active, .stale, .suspended]' '[false,true,true]' \
  "$(situation ".subscriptions = [full(\"$end\")] | .validations = [{firstFailureAt: \"2026-04-14T09:30:00Z\"}]")"
entitled '[.subscription.active, .stale, .suspended]' '[true,true,false]' \
  "$(situation ".subscriptions = [full(\"$end\")] | .validations = [{firstFailureAt: \"2026-04-14T09:30:01Z\"}]")"

# Identifiers that only look the same are others.
twins='.list = ([["e\u0301", "nonConsumable"], ["é", "consumable"]] | map({identifier: .[0], productType: .[1]}))
  | .acquire = ["é", "e\u0301", "é"]'
entitled '[.routes, .acquire] | map(to_entries | map([(.key | explode), .value]))' \
  '[[[[101,769],"storePurchase"],[[233],"storePurchase"]],[[[101,769],"not_subscriber"],[[233],"not_acquirable"]]]' \
  "$(situation "$twins")"
entitled .subscription null \
  "$(situation ".bundleId = \"é\" | .subscriptions = [full(\"$end\") + {bundleId: \"e\\u0301\"}]")"

# Several apps.
shared='.subscriptions = [{bundleId: "com.example.paint", productId: "com.example.paint.multiApp.monthly",
  originalTransactionId: "1", expiresAt: "2026-05-28T00:00:00Z"}] | .acquired = [id("brushes")]'
entitled '[.allowedProducts, .warnings]' '[["brushes"],["subscription_not_listed"]]' \
  "$(situation "$shared | .options = {bundledApplicationIDs: [\"com.example.paint\"], multiAppSubscriptionMarker: \".multiApp.\"}")"
entitled '[.allowedProducts, .subscription]' '[[],null]' "$(situation "$shared")"

# Purchases as Apple signed them; the second charge of the subscription was refunded.
signed='.transactions = [
  {transactionId: "7", originalTransactionId: "7", productId: id("frames"), type: "Non-Consumable",
   bundleId: "com.example.draw", environment: "Production", purchaseDate: 1775000000000},
  {transactionId: "8", originalTransactionId: "8", productId: id("full.monthly"),
   type: "Auto-Renewable Subscription", bundleId: "com.example.draw", environment: "Production",
   purchaseDate: 1776000000000, expiresDate: 1778000000000},
  {transactionId: "9", originalTransactionId: "8", productId: id("full.monthly"),
   type: "Auto-Renewable Subscription", bundleId: "com.example.draw", environment: "Production",
   purchaseDate: 1777000000000, expiresDate: 1780000000000, revocationDate: 1777100000000}]'
entitled '[.allowedProducts, .subscription.active, .subscription.expiresAt]' \
  '[["frames"],true,"2026-05-05T16:53:20Z"]' "$(situation "$signed")"

# Faults.
fault='"\(.line) \(.path): \(.error)"'
entitled "$fault" '"1 now: expected timestamp, found absent"' "$(situation 'del(.now)')"
entitled "$fault" '"1 list: product list: element 1, key \"productType\": unknown value \"lifetime\""' \
  "$(situation '.list[1].productType = "lifetime"')"
entitled "$fault" '"1 subscriptions[0].expiresAt: expected timestamp, found absent"' \
  "$(situation '.subscriptions = [{productId: "x"}]')"
entitled "$fault" '"1 options: these options are not possible: graceDaysOutOfRange"' \
  "$(situation '.options.graceDays = 61')"
"$bin/decide-entitlements" --table | grep -q '^| `brushes` | `lite` | refused `not_unlocked` |'
checked=$((checked + 1))
