# Tests the program ask-app-store against a server on this machine. The script `run` sources it.
program=ask-app-store
openssl ecparam -name prime256v1 -genkey -noout | openssl pkcs8 -topk8 -nocrypt -out "$folder/key.p8"
openssl ec -in "$folder/key.p8" -pubout -out "$folder/key.public" 2>/dev/null
: >"$folder/requests"
: >"$folder/port"
python3 "$(dirname "${BASH_SOURCE[0]}")/app_store_stub.py" "$folder" "$folder/key.public" >"$folder/port" &
stub=$!
trap 'kill "$stub" 2>/dev/null || true; rm -rf "$folder"' EXIT
until [ -s "$folder/port" ] || ! kill -0 "$stub"; do sleep 0.1; done
stub_address="http://127.0.0.1:$(cat "$folder/port")"
export no_proxy=127.0.0.1

issuer=57246542-96fe-1a63-e053-0824d011072a
identity=(--key "$folder/key.p8" --key-id ABC123DEFG --issuer-id "$issuer" --bundle-id com.example.reader)
local=("${identity[@]}" --allow-http --root "$folder/root.der")
scenario=store

# asks STATUS FILTER EXPECTED ARGUMENT...: asks the Sandbox of the scenario, and checks the exit status,
# the output by a jq filter for each line, and that no token is shown.
asks() {
  asks_at "--environment sandbox --sandbox-url $stub_address/$scenario" "$@"
}

# asks_at PLACE STATUS FILTER EXPECTED ARGUMENT...: the same with the options of a place.
asks_at() {
  local place=$1 status=$2 filter=$3 expected=$4 found=0 seen
  shift 4
  # The options of the place are words without spaces.
  # shellcheck disable=SC2086
  "$bin/ask-app-store" "${local[@]}" $place "$@" >"$folder/out" 2>"$folder/err" || found=$?
  seen=$(jq -rc "$filter" "$folder/out" 2>&1 | paste -sd ' ')
  if [ "$found" != "$status" ] || [ "$seen" != "$expected" ]; then
    echo "ask-app-store $* ($place): status $found with '$seen', expected $status with '$expected'" >&2
    cat "$folder/out" "$folder/err" >&2
    exit 1
  fi
  if grep -q -e eyJ -e PRIVATE -e "$(sed -n 2p "$folder/key.p8")" "$folder/out" "$folder/err"; then
    echo "ask-app-store $*: shows a token or a key" >&2
    exit 1
  fi
  checked=$((checked + 1))
}

# sent EXPECTED [COUNT]: checks method, path and body of the last requests, one or COUNT.
sent() {
  local seen
  seen=$(tail -n "${2:-1}" "$folder/requests" | jq -r '[.method, .path, .body] | join(" ")' | paste -sd ' ')
  [ "$seen" = "$1" ] || { echo "ask-app-store: sent '$seen', expected '$1'" >&2; exit 1; }
  checked=$((checked + 1))
}

# Usage.
told ask-app-store
told ask-app-store transaction 1
expect 2 ""
expect 2 "" "${local[@]}"
expect 2 "" "${local[@]}" --environment sandbox conquer 1
expect 2 "" "${local[@]}" --environment sandbox transaction
expect 2 "" "${local[@]}" --environment sandbox transaction 1 2
expect 2 "" "${local[@]}" --environment sandbox transaction 1 --revision r
expect 2 "" "${local[@]}" --environment mars transaction 1
expect 2 "" "${local[@]}" transaction 1
grep -q -- '--app-apple-id is needed' "$folder/err"
expect 2 "" "${local[@]}" --environment production transaction 1
expect 2 "" "${local[@]}" --environment sandbox transaction 1 --patience 0
expect 2 "" "${local[@]}" --environment sandbox history 1 --revoked perhaps
expect 2 "" "${local[@]}" --environment sandbox history 1 --start yesterday
expect 2 "" "${local[@]}" --environment sandbox notifications --start 1
expect 2 "" "${local[@]}" --environment sandbox extend 1 many 1 r
expect 2 "" "${local[@]}" --environment sandbox extend-all nothing
expect 2 "" "${local[@]}" --environment sandbox extend-all "@$folder/nothing"
expect 2 "" "${local[@]}" --environment sandbox default-message set monthly de-DE
expect 2 "" "${local[@]}" --environment sandbox transaction 1 --key "$folder/root.der"
expect 2 "" "${local[@]:2}" --environment sandbox transaction 1
expect 2 "" "${identity[@]}" --environment sandbox --sandbox-url "$stub_address/store" transaction 1
expect 2 "" "${identity[@]}" --environment sandbox --issuer-id x transaction 1
"$bin/ask-app-store" --help | grep -q '^usage: ask-app-store'
checked=$((checked + 1))

# Nothing is sent that Apple would refuse.
for id in ../1 1/2 '' 'one' -1 '1 2' '１' "$(printf '1%.0s' {1..65})" 1%2F2 '1?x=y'; do
  asks 1 '.outcome, .field, .reason' "refused transactionId notDigits" transaction "$id"
  asks 1 '.outcome' refused history "$id"
  asks 1 '.outcome' refused finish "$id"
done
asks 1 '.field, .reason, .retry, has("status")' "appAccountToken notUUID never false" set-token 1 ../x
asks 1 '.field, .reason' "extendByDays outOfRange" extend 1 91 1 r
asks 1 '.field, .reason' "status notAccepted" statuses 1 --status 6
asks 1 '.field, .reason' "customerConsented missing" consumption 1 '{}'
asks 1 '.field, .reason' "customerConsented notAccepted" consumption 1 \
  '{"customerConsented":false,"deliveryStatus":"DELIVERED","sampleContentProvided":true}'
asks 1 '.field, .reason' "sort notAccepted" history 1 --sort sideways
asks 1 '.field, .reason' "transactionId notAllowed" notifications --start 1 --end 2 --type TEST --transaction 1
asks 1 '.field, .reason' "testNotificationToken notPathPart" test-notification-status ..
asks 1 '.field, .reason' "realtimeURL notAccepted" realtime-url set http://example.org
asks 1 '.field, .reason' "environment environmentNotServed" order ORDER1
both="--app-apple-id 1 --production-url $stub_address/unknown --sandbox-url $stub_address/store"
asks_at "$both" 1 '.field, .reason' "environment environmentRequired" finish 1
[ ! -s "$folder/requests" ] || { echo "ask-app-store: something was sent" >&2; exit 1; }

# The token and the headers of a request.
asks 0 '.transactionId, .environment, .productId' "2000000000000002 Sandbox reader.monthly" \
  transaction 2000000000000002
sent "GET /inApps/v1/transactions/2000000000000002 "
seen=$(jq -Sc .bearer "$folder/requests")
expected=$(jq -Scn --arg i "$issuer" '{header: {alg: "ES256", kid: "ABC123DEFG", typ: "JWT"}, isFresh: true,
  claims: {iss: $i, lifetime: 300, aud: "appstoreconnect-v1", bid: "com.example.reader"}}')
[ "$seen" = "$expected" ] || { echo "ask-app-store: token '$seen', expected '$expected'" >&2; exit 1; }
seen=$(jq -r '.headers | .accept, (."user-agent" | startswith("storekeeper/")), has("content-type")' \
  "$folder/requests" | paste -sd ' ')
[ "$seen" = "application/json true false" ] || { echo "ask-app-store: headers '$seen'" >&2; exit 1; }
checked=$((checked + 2))

# Options may stand before the call.
asks 0 '.transactionId' 2000000000000002 --patience 20.5 -- transaction 2000000000000001

# Histories: each transaction once, what was refused, the revision of the last page.
asks 0 '.transactionId // .refused // [.revision, .pages, .host], .page, .index' \
  '2000000000000002 null null missingLeafMarker 1 1 chainInvalid 1 2 unsupportedAlgorithm 1 3 ["r/2=",2,"Sandbox"] null null' \
  history 2000000000000001
asks 0 'select(.pages) | [.revision, .pages]' '[null,2]' history 2000000000000001 --sort ascending \
  --product-id reader.monthly --product-id 'a+b/c' --product-type auto_renewable --revoked false \
  --start 1000 --end 2000 --group 'g=1' --ownership purchased
query='productId=reader.monthly&productId=a%2Bb%2Fc&productType=AUTO_RENEWABLE&subscriptionGroupIdentifier=g%3D1'
query="startDate=1000&endDate=2000&$query&inAppOwnershipType=PURCHASED&revoked=false&sort=ASCENDING"
sent "GET /inApps/v2/history/2000000000000001?$query  GET /inApps/v2/history/2000000000000001?revision=r%2B1&$query " 2
asks 0 'select(.pages) | [.revision, .pages]' '[null,2]' history 2000000000000001 --sort DESCENDING
asks 0 'select(.pages) | [.revision, .pages]' '["r/2=",1]' history 2000000000000001 --revision r+1
sent "GET /inApps/v2/history/2000000000000001?revision=r%2B1 "
asks 3 '.outcome, .reason, .host' 'failed otherApp Sandbox' history 4
asks 3 '.transactionId // .reason' '2000000000000002 pagesRepeat' history 5
asks 3 '.reason' 'otherApp' history 6
asks 3 '.reason' 'otherEnvironment' history 7
asks 3 '.reason, .member, .status' 'malformedAnswer bundleId 200' history 8
asks 0 '.transactionId // [.revision, .pages, .host]' '2000000000000002 ["refunded",1,"Sandbox"]' refunds 1 --revision r/1
sent "GET /inApps/v2/refund/lookup/1?revision=r%2F1 "
asks 0 '.status, .derivedStatus, .originalTransactionId, .transaction.transactionId, .renewalInfo.autoRenewStatus, .refused' \
  '5 2 2000000000000001 2000000000000002 1 null 1 null null null null missingLeafMarker' statuses 1 --status 5 --status 1
sent "GET /inApps/v1/subscriptions/1?status=5&status=1 "
asks 3 '.reason' otherTransaction transaction 77
asks 3 '.reason, .member, .verification' 'notVerified signedTransactionInfo unsupportedAlgorithm' transaction 9

# Production, then the Sandbox.
asks_at "$both" 0 '.transactionId, .environment' '2000000000000002 Sandbox' transaction 2000000000000002
asks_at "$both" 0 'select(.pages) | .host' Sandbox history 2000000000000001
[ "$(tail -n 3 "$folder/requests" | jq -r .scenario | paste -sd ' ')" = "unknown store store" ]
both="--app-apple-id 1 --production-url $stub_address/unknown --sandbox-url $stub_address/unknown"
asks_at "$both" 1 '.status, .errorCode, .name, .retry, .host' '404 4040010 TransactionIdNotFound never Sandbox' history 1
production="--app-apple-id 1 --environment production --production-url $stub_address/store"
asks_at "$production" 0 '[.status, .host]' '[1,"Production"]' order 'MK5 TQ+=é'
sent "GET /inApps/v1/lookup/MK5%20TQ%2B%3D%C3%A9 "
asks_at "$production" 3 '.reason, .host' 'otherEnvironment Production' transaction 2000000000000002

# Changes: the bodies byte for byte, and what Apple answered.
uuid=11111111-2222-4333-8444-555555555555
asks 0 '.outcome, .host' 'done Sandbox' finish 2
sent "POST /inApps/v1/transactions/2/finish "
[ "$(tail -n 1 "$folder/requests" | jq -r '.headers."content-length"')" = 0 ]
asks 0 '.outcome' done set-token 2 "${uuid^^}"
sent "PUT /inApps/v1/transactions/2/appAccountToken {\"appAccountToken\":\"$uuid\"}"
asks 0 '.outcome' done consumption 2 - < <(echo '{"sampleContentProvided": true, "customerConsented": true,
  "deliveryStatus": "DELIVERED", "consumptionPercentage": 40000}')
sent 'PUT /inApps/v2/transactions/consumption/2 {"consumptionPercentage":40000,"customerConsented":true,"deliveryStatus":"DELIVERED","sampleContentProvided":true}'
[ "$(tail -n 1 "$folder/requests" | jq -r '.headers."content-type"')" = application/json ]
asks 0 '.outcome' done consumption 2 '{"sampleContentProvided":true,"customerConsented":true,"deliveryStatus":0}'
sent 'PUT /inApps/v1/transactions/consumption/2 {"accountTenure":0,"appAccountToken":"","consumptionStatus":0,"customerConsented":true,"deliveryStatus":0,"lifetimeDollarsPurchased":0,"lifetimeDollarsRefunded":0,"platform":0,"playTime":0,"sampleContentProvided":true,"userStatus":0}'
asks 0 '.outcome, .success, .effectiveDate' 'done false 1762000000000' extend 2 45 1 request/1
sent 'PUT /inApps/v1/subscriptions/extend/2 {"extendByDays":45,"extendReasonCode":1,"requestIdentifier":"request/1"}'
mass="{\"extendByDays\":3,\"extendReasonCode\":3,\"productId\":\"reader.monthly\",\"requestIdentifier\":\"$uuid\",\"storefrontCountryCodes\":[\"DEU\"]}"
echo "$mass" >"$folder/mass.json"
asks 0 '.outcome, .requestIdentifier' "done $uuid" extend-all "@$folder/mass.json"
sent "POST /inApps/v1/subscriptions/extend/mass $mass"
asks 0 '.complete, .requestIdentifier, .host' "false $uuid Sandbox" extend-all-status reader.monthly+ "$uuid"
sent "GET /inApps/v1/subscriptions/extend/mass/reader.monthly%2B/$uuid "

# Notifications.
now=$(date +%s)000
asks 0 '[.notificationType, .transaction.transactionId, .renewalInfo.productId, .data.bundleId, .refused, .sendAttempts[0].sendAttemptResult, .pages, .host]' \
  '["DID_RENEW","2000000000000002","reader.monthly","com.example.reader",null,"NO_RESPONSE",null,null] [null,null,null,null,"unsupportedAlgorithm","NO_RESPONSE",null,null] [null,null,null,null,null,null,2,"Sandbox"]' \
  notifications --start "$((now - 1000))" --end "$now" --only-failures --type SUBSCRIBED --subtype INITIAL_BUY
body="{\"endDate\":$now,\"notificationSubtype\":\"INITIAL_BUY\",\"notificationType\":\"SUBSCRIBED\",\"onlyFailures\":true,\"startDate\":$((now - 1000))}"
sent "POST /inApps/v1/notifications/history $body POST /inApps/v1/notifications/history?paginationToken=p%2F1 $body" 2
asks 0 '.outcome, .testNotificationToken' 'done t_1' test-notification
sent "POST /inApps/v1/notifications/test "
asks 0 '.testNotificationToken // .notificationType' 't_1 DID_RENEW' test-notification --wait 2.5
asks 3 '.testNotificationToken // .reason' 't_1 timeUp' test-notification --wait 0.5
asks 0 '.sendAttempts[0].attemptDate' 1762000100000 test-notification-status t_1

# Retention messages.
asks 0 '.imageIdentifiers[0].imageState, .host' 'APPROVED Sandbox' image-list
asks 0 '.messageIdentifiers' '[]' message-list
asks 0 '.outcome' done upload-message "$uuid" '{"header":"Stay","body":"There is more"}'
sent "PUT /inApps/v1/messaging/message/$uuid {\"body\":\"There is more\",\"header\":\"Stay\"}"
asks 1 '.field, .reason' 'header tooLong' upload-message "$uuid" "{\"header\":\"$(printf 'h%.0s' {1..67})\",\"body\":\"\"}"
asks 0 '.outcome' done delete-message "$uuid"
asks 1 '.field, .reason' 'image notAcceptedImage' upload-image "$uuid" "$folder/root.der"
python3 - "$folder/image.png" <<'EOF'
import struct, sys, zlib
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
pixels = zlib.compress((b"\0" + b"\x7f" * 3 * 1024) * 1024)
header = struct.pack(">IIBBBBB", 1024, 1024, 8, 2, 0, 0, 0)
open(sys.argv[1], "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b""))
EOF
asks 0 '.outcome' done upload-image "$uuid" "$folder/image.png" --size bullet_point
[ "$(tail -n 1 "$folder/requests" | jq -r '.method, .path, .headers."content-type"' | paste -sd ' ')" = \
  "PUT /inApps/v1/messaging/image/$uuid?imageSize=BULLET_POINT image/png" ]
asks 0 '.outcome' done delete-image "$uuid"
sent "DELETE /inApps/v1/messaging/image/$uuid "
asks 0 '.messageIdentifier' "$uuid" default-message get monthly de-DE
asks 0 '.messageIdentifier' null default-message get yearly de-DE
asks 0 '.outcome' done default-message set monthly de-DE "$uuid"
sent "PUT /inApps/v1/messaging/default/monthly/de-DE {\"messageIdentifier\":\"$uuid\"}"
asks 0 '.outcome' done default-message delete monthly de-DE
asks 0 '.realtimeURL' https://example.org/ realtime-url get
asks 0 '.outcome' done realtime-url set https://example.org/r
sent 'PUT /inApps/v1/messaging/realtime/url {"realtimeURL":"https://example.org/r"}'
asks 0 '.outcome' done realtime-url delete

# Advanced Commerce, external purchases, groups.
info="{\"requestInfo\":{\"requestReferenceId\":\"$uuid\"}}"
asks 0 '.outcome, .transaction.transactionId, .renewalInfo.productId' 'done 2000000000000002 reader.monthly' \
  advanced-commerce cancel 2 "$info"
sent "POST /advancedCommerce/v1/subscription/cancel/2 $info"
asks 1 '.field, .reason' 'descriptors missing' advanced-commerce change-metadata 2 "$info"
expect 2 "" "${local[@]}" --environment sandbox advanced-commerce conquer 2 "$info"
report="{\"externalPurchaseId\":\"SANDBOX_1\",\"requestIdentifier\":\"$uuid\",\"status\":\"NO_LINE_ITEM\"}"
asks 0 '.outcome, .requestIdentifier' "done $uuid" external-report send "$report"
sent "PUT /externalPurchase/v1/reports $report"
asks 1 '.status, .errors[0].errorCode, .errors[0].fieldName' '400 31 status' \
  external-report send "${report/NO_LINE_ITEM/DUPLICATE_TOKEN}"
asks 1 '.outcome, .status, has("errorCode")' 'refused 400 false' external-report get "$uuid"
asks 0 '.groups' '[]' groups 2
asks 0 '.members[0].appTransactionId' 7 group-members 9+ --limit 5 --page-token t/1
sent "GET /groups/v1/group/9%2B?paginationToken=t%2F1&limit=5 "

# faces SCENARIO STATUS FILTER EXPECTED [ARGUMENT...]: asks a server with a fault.
faces() {
  scenario=$1
  shift
  asks "$@"
  scenario=store
}
transaction=(transaction 2000000000000002 --patience 1)
faces unauthenticated 1 '.outcome, .status, .requestID, .retry, (.clockSkew | . > 590 and . < 610), .causes' \
  'refused 401 AB12.0.0 never true ["clockSkew","key","issuerOrBundleID"]' "${transaction[@]}"
faces unknown 1 '.status, .errorCode, .name, .retry, .errorMessage' \
  '404 4040010 TransactionIdNotFound otherEnvironment Transaction id not found.' "${transaction[@]}"
faces echo 1 '.name, .errorMessage' 'InvalidTransactionId Not this: Bearer (token)' "${transaction[@]}"
faces new 1 '.errorCode, has("name"), .retry' '4009999 false never' "${transaction[@]}"
faces revision 1 '.retry' startOver history 1
faces limited 1 '.status, .errorCode, .retry, (.notBefore / 1000 - now | . > 3500 and . < 3700)' \
  '429 4290000 notBefore true' "${transaction[@]}"
faces busy 0 '.transactionId' 2000000000000002 transaction 2000000000000002 --patience 30
faces internal 1 '.status, .name, .retry' '500 GeneralInternal afterBackOff' finish 1
faces html 3 '.outcome, .reason, .status, .retry' 'failed serverFailure 502 afterBackOff' "${transaction[@]}"
faces html 3 '.reason, .retry' 'serverFailure never' extend 2 45 1 r
faces admission 1 '.outcome, .status, has("errorCode")' 'refused 404 false' image-list
faces null 3 '.outcome, .reason, .status' 'failed malformedAnswer 200' "${transaction[@]}"
faces text 3 '.reason, .status' 'notJSON 200' "${transaction[@]}"
faces deep 3 '.reason' notJSON "${transaction[@]}"
before=$(wc -l <"$folder/requests")
faces moved 3 '.reason, .status' 'redirected 302' "${transaction[@]}"
[ "$(wc -l <"$folder/requests")" = $((before + 1)) ]
faces large 3 '.reason' responseTooLarge "${transaction[@]}"
faces full 0 '.transactionId' 2000000000000002 "${transaction[@]}"
faces cut 3 '.outcome, .reason' 'failed interrupted' "${transaction[@]}"
faces slow 3 '.outcome, .reason' 'failed timedOut' "${transaction[@]}"
asks_at "--environment sandbox --sandbox-url http://127.0.0.1:1" 3 '.reason, .retry' 'notConnected afterBackOff' "${transaction[@]}"
kill "$stub"
