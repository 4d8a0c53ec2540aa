#include "works.h"

#include <string.h>

#include "CEngines.h"

#define ID {'#', 0, 0}
#define ACCOUNT {'@', 0, 0}
#define MEMBERSHIP {'m', 0, 0}
#define RECEIPT {'r', 0, 0}
#define TEXT(text) {'t', text, 0}
#define NUMBER(number) {'i', #number, number}
#define NONE {'n', 0, 0}
#define EVENT {'e', 0, 0}
#define PURCHASE {'k', 0, 0}
#define MOMENT {'d', 0, 0}
#define PACK TEXT("com.example.reader.gems.big")
#define PRODUCT TEXT("com.example.reader.subscription.monthly")

// A period of a subscription that was paid.
#define PERIOD_ROW \
  {"INSERT INTO apple_transaction (environment, original_transaction_id, transaction_id," \
    " product_id, quantity, web_order_line_item_id, purchase_date_ms," \
    " original_purchase_date_ms, expires_date_ms, is_trial_period," \
    " is_in_intro_offer_period, is_upgraded, cancellation_date_ms, cancellation_reason," \
    " promotional_offer_id, subscription_group_id, product_type, app_account_token," \
    " in_app_ownership_type, revocation_type, offer_type, unreadable_fields, created_utc," \
    " as_of_ms) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15," \
    " $16, $17, $18, $19, $20, $21, $22, $23, $24)", \
    24, \
    {TEXT("production"), ID, ID, PRODUCT, NUMBER(1), TEXT("700000128143412"), \
    NUMBER(1699999000000), NUMBER(1699999000000), NUMBER(1702591000000), NUMBER(0), \
    NUMBER(0), NUMBER(0), NONE, NONE, NONE, TEXT("21360502"), NONE, NONE, \
    TEXT("PURCHASED"), NONE, NONE, NUMBER(0), NUMBER(1700000000), NUMBER(1700000000000)}}

// Its renewal.
#define RENEWAL_ROW \
  {"INSERT INTO apple_pending_renewal (environment, original_transaction_id, product_id," \
    " auto_renew_product_id, auto_renew_status, expiration_intent," \
    " grace_period_expires_date_ms, is_in_billing_retry_period, price_consent_status," \
    " promotional_offer_id, offer_type, created_utc, updated_utc, as_of_ms)" \
    " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)", \
    14, \
    {TEXT("production"), ID, PRODUCT, PRODUCT, NUMBER(1), NONE, NONE, NUMBER(0), NONE, NONE, \
    NONE, NUMBER(1700000000), NUMBER(1700000000), NUMBER(1700000000000)}}

// The subscription.
#define SUBSCRIPTION_ROW \
  {"INSERT INTO apple_subscription (environment, original_transaction_id," \
    " last_transaction_id, product_id, purchase_date_utc, expires_date_utc, tier, cycle," \
    " auto_renewal, created_utc, updated_utc, as_of_ms, in_billing_retry)" \
    " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)", \
    13, \
    {TEXT("production"), ID, ID, PRODUCT, NUMBER(1699999000), NUMBER(1702591000), \
    TEXT("standard"), TEXT("month"), NUMBER(1), NUMBER(1700000000), NUMBER(1700000000), \
    NUMBER(1700000000000), NUMBER(0)}}

#define SUBSCRIPTION_READ \
  {"SELECT environment, last_transaction_id, product_id, purchase_date_utc, expires_date_utc, tier," \
    " cycle, auto_renewal, ftc_user_id, as_of_ms, transactions_as_of_ms FROM apple_subscription" \
    " WHERE original_transaction_id = $1", \
    1, {ID}, .decides = 1, .locks = 1}

#define MEMBERSHIP_COLUMNS \
  "vip_id, id, ftc_user_id, wx_union_id, vip_id_alias, member_tier, billing_cycle, expire_date," \
  " payment_method, stripe_subscription_id, auto_renewal, sub_status, apple_subscription_id"

// The periods of a subscription that are stored, as no older answer may replace a newer one.
#define HISTORY_READ \
  {"SELECT transaction_id, product_id, quantity, purchase_date_ms, original_purchase_date_ms," \
    " expires_date_ms, is_trial_period, is_in_intro_offer_period, is_upgraded," \
    " cancellation_date_ms, cancellation_reason, subscription_group_id, as_of_ms" \
    " FROM apple_transaction WHERE original_transaction_id = $1 AND environment = $2", \
    2, {ID, TEXT("production")}, .decides = 1}

#define ORDERED_READ \
  {"SELECT level, vendor, purchase_key, \"subscriptionReceiptData\"," \
    " \"subscriptionExpiration\", validated_at FROM user_subscriptions WHERE user_id = $1", \
    1, {ACCOUNT}, .decides = 1, .locks = 1}

const WorkText work_texts[work_count] = {
    {700000000000000,
     1,
     9,
     {
         SUBSCRIPTION_READ,
         HISTORY_READ,
         {"SELECT product_id, auto_renew_product_id, auto_renew_status, expiration_intent,"
          " grace_period_expires_date_ms, is_in_billing_retry_period, as_of_ms"
          " FROM apple_pending_renewal WHERE original_transaction_id = $1 AND environment = $2",
          2, {ID, TEXT("production")}, .decides = 1},
         {"SELECT " MEMBERSHIP_COLUMNS " FROM ftc_vip WHERE apple_subscription_id = $1",
          1, {ID}, .decides = 1, .locks = 1},
         PERIOD_ROW,
         RENEWAL_ROW,
         {"INSERT INTO apple_verification_session (environment, original_transaction_id,"
          " transaction_id, app_item_id, application_version, bundle_id, download_id,"
          " expiration_date_ms, original_purchase_date_ms, original_application_version,"
          " preorder_date_ms, receipt_creation_date_ms, receipt_type, request_date_ms,"
          " response_status, version_external_identifier, created_utc)"
          " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)",
          17,
          {TEXT("production"), ID, ID, TEXT("1234567890"), TEXT("31"), TEXT("com.example.reader"),
           TEXT("502920194821234567"), NONE, NUMBER(1699990000000), TEXT("1.0"), NONE,
           NUMBER(1699999000000), TEXT("Production"), NUMBER(1700000000000), NUMBER(0),
           TEXT("861234567"), NUMBER(1700000000)}},
         SUBSCRIPTION_ROW,
         {"INSERT INTO apple_receipt (environment, original_transaction_id, receipt, created_utc,"
          " as_of_ms) VALUES ($1, $2, $3, $4, $5)",
          5,
          {TEXT("production"), ID, RECEIPT, NUMBER(1700000000), NUMBER(1700000000000)}},
     }},
    {400000000000000,
     2,
     5,
     {
         SUBSCRIPTION_READ,
         {"SELECT " MEMBERSHIP_COLUMNS " FROM ftc_vip"
          " WHERE vip_id = $1 OR ftc_user_id = $2 OR apple_subscription_id = $3",
          3, {ACCOUNT, ACCOUNT, ID}, .decides = 1, .locks = 1},
         {"UPDATE apple_subscription SET ftc_user_id = $1, updated_utc = $2"
          " WHERE original_transaction_id = $3",
          3,
          {ACCOUNT, NUMBER(1700000000), ID}},
         {"INSERT INTO ftc_vip (vip_id, id, ftc_user_id, wx_union_id, vip_id_alias, member_tier,"
          " billing_cycle, expire_date, payment_method, ftc_plan_id, stripe_subscription_id,"
          " stripe_plan_id, b2b_licence_id, auto_renewal, sub_status, apple_subscription_id,"
          " vip_type, expire_time) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,"
          " $13, $14, $15, $16, $17, $18)",
          18,
          {ACCOUNT, MEMBERSHIP, ACCOUNT, NONE, NONE, TEXT("standard"), TEXT("month"),
           TEXT("2023-12-14"), TEXT("apple"), NONE, NONE, NONE, NONE, NUMBER(1), NONE, ID,
           NUMBER(10), NUMBER(1702598399)}},
         {"INSERT INTO outbox (kind, ftc_user_id, union_id, original_transaction_id, tier,"
          " expire_date, already_expired, created_utc, failures)"
          " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
          9,
          {TEXT("link"), ACCOUNT, NONE, ID, TEXT("standard"), TEXT("2023-12-14"), NUMBER(0),
           NUMBER(1700000000), NUMBER(0)}},
     }},
    {900000000000000,
     1,
     4,
     {
         {"INSERT INTO apple_iap_transactions (environment, transaction_id, user_id,"
          " original_transaction_id, bundle_id, product_id, product_code, quantity,"
          " credits_per_unit, credits, app_account_token, purchase_date, ledger_event_id,"
          " refund_round, last_event_signed_at, status, created_at, updated_at) VALUES ($1, $2, $3,"
          " $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)",
          18,
          {TEXT("Sandbox"), ID, ACCOUNT, ID, TEXT("com.example.reader"), PACK, TEXT("big_pack"),
           NUMBER(1), NUMBER(500), NUMBER(500), NONE, NUMBER(1699999000000), EVENT, NUMBER(0),
           NONE, TEXT("granted"), NUMBER(1700000000000), NUMBER(1700000000000)}},
         {"INSERT INTO credit_account (user_id, balance, updated_at) VALUES ($1, $2, $3)"
          " ON CONFLICT (user_id) DO UPDATE SET balance = credit_account.balance"
          " + excluded.balance, updated_at = excluded.updated_at",
          3,
          {ACCOUNT, NUMBER(500), NUMBER(1700000000000)},
          "INSERT INTO credit_account (user_id, balance, updated_at) VALUES ($1, $2, $3)"
          " ON DUPLICATE KEY UPDATE balance = balance + VALUES(balance),"
          " updated_at = VALUES(updated_at)"},
         {"INSERT INTO credit_ledger (user_id, environment, event_id, change_type, biz_type,"
          " biz_id, amount, balance_after, metadata, created_at)"
          " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
          10,
          {ACCOUNT, TEXT("Sandbox"), EVENT, TEXT("purchase"), TEXT("payment"), TEXT("123456"),
           NUMBER(500), NUMBER(500),
           TEXT("{\"ext\":{\"app_store_product_id\":\"com.example.reader.gems.big\","
                "\"bundle_id\":\"com.example.reader\",\"credits_per_unit\":500,"
                "\"environment\":\"Sandbox\",\"original_transaction_id\":\"900000000000000\","
                "\"product_code\":\"big_pack\",\"provider\":\"apple_iap\","
                "\"purchase_date\":1699999000000,\"quantity\":1,"
                "\"transaction_id\":\"900000000000000\"}}"),
           NUMBER(1700000000000)}},
         {"INSERT INTO apple_transaction (environment, original_transaction_id, transaction_id,"
          " product_id, quantity, web_order_line_item_id, purchase_date_ms,"
          " original_purchase_date_ms, expires_date_ms, is_trial_period,"
          " is_in_intro_offer_period, is_upgraded, cancellation_date_ms, cancellation_reason,"
          " promotional_offer_id, subscription_group_id, product_type, app_account_token,"
          " in_app_ownership_type, revocation_type, offer_type, unreadable_fields, created_utc,"
          " as_of_ms) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,"
          " $16, $17, $18, $19, $20, $21, $22, $23, $24)",
          24,
          {TEXT("sandbox"), ID, ID, PACK, NUMBER(1), NONE, NUMBER(1699999000000),
           NUMBER(1699999000000), NONE, NONE, NONE, NUMBER(0), NONE, NONE, NONE, NONE,
           TEXT("Consumable"), NONE, TEXT("PURCHASED"), NONE, NONE, NUMBER(0), NUMBER(1700000000),
           NUMBER(1700000000000)}},
     },
     .signatures = 1},
    {700000000000000,
     1,
     5,
     {
         ORDERED_READ,
         HISTORY_READ,
         {"INSERT INTO subscription_claims (purchase_key, vendor, user_id) VALUES ($1, $2, $3)",
          3,
          {PURCHASE, TEXT("apple"), ACCOUNT}},
         {"INSERT INTO user_subscriptions (user_id, level, vendor, purchase_key,"
          " \"subscriptionReceiptData\", \"subscriptionExpiration\", validated_at)"
          " VALUES ($1, $2, $3, $4, $5, $6, $7)",
          7,
          {ACCOUNT, TEXT("Pro"), TEXT("apple"), PURCHASE, RECEIPT, NUMBER(1702591000000),
           MOMENT}},
         PERIOD_ROW,
     },
     .start = ordered_count},
    {700000000000000,
     1,
     4,
     {
         ORDERED_READ,
         HISTORY_READ,
         {"SELECT level, vendor, purchase_key, \"subscriptionReceiptData\","
          " \"subscriptionExpiration\", validated_at FROM user_subscriptions WHERE user_id = $1",
          1,
          {ACCOUNT}},
         {"UPDATE user_subscriptions SET level = $1, vendor = $2, purchase_key = $3,"
          " \"subscriptionReceiptData\" = $4, \"subscriptionExpiration\" = $5,"
          " validated_at = $6 WHERE user_id = $7",
          7,
          {TEXT("Pro"), TEXT("apple"), PURCHASE, RECEIPT, NUMBER(1702591000000),
           MOMENT, ACCOUNT}},
     },
     .cycle = ordered_count},
    {600000000000000,
     1,
     5,
     {
         {"INSERT INTO apple_webhook (notification_key, environment, original_transaction_id,"
          " notification_type, subtype, notification_uuid, auto_renew_product_id, auto_renew_status,"
          " auto_renew_status_change_date_ms, expiration_intent, response_status, created_utc)"
          " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
          12,
          {ACCOUNT, TEXT("production"), ID, TEXT("SUBSCRIBED"), TEXT("INITIAL_BUY"), ACCOUNT, PRODUCT,
           NUMBER(1), NONE, NONE, NONE, NUMBER(1700000000)}},
         PERIOD_ROW,
         RENEWAL_ROW,
         {"INSERT INTO apple_renewal_set (original_transaction_id, environment, renewals_as_of_ms)"
          " VALUES ($1, $2, $3)",
          3,
          {ID, TEXT("production"), NONE}},
         SUBSCRIPTION_ROW,
     },
     .signatures = 3},
};

int work_writes(Work work) {
  int writes = 0;
  for (int index = 0; index < work_texts[work].count; index++) {
    writes += strncmp(work_texts[work].statements[index].sql, "SELECT", 6) != 0;
  }
  return writes;
}
