-- A database as release 4 of the tables left it, with all kinds of rows; every id is invented.
-- Made by pg_dump --inserts, from a store that was opened, filled and closed.
CREATE TABLE apple_cheat (
    id bigint NOT NULL,
    original_transaction_id text NOT NULL COLLATE pg_catalog."C",
    ftc_user_id text NOT NULL COLLATE pg_catalog."C",
    created_utc bigint NOT NULL
);
ALTER TABLE apple_cheat ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME apple_cheat_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE apple_pending_renewal (
    environment text NOT NULL COLLATE pg_catalog."C",
    original_transaction_id text NOT NULL COLLATE pg_catalog."C",
    product_id text COLLATE pg_catalog."C",
    auto_renew_product_id text COLLATE pg_catalog."C",
    auto_renew_status smallint,
    expiration_intent bigint,
    grace_period_expires_date_ms bigint,
    is_in_billing_retry_period smallint,
    price_consent_status bigint,
    promotional_offer_id text COLLATE pg_catalog."C",
    offer_type bigint,
    created_utc bigint NOT NULL,
    updated_utc bigint NOT NULL,
    as_of_ms bigint NOT NULL
);
CREATE TABLE apple_poll_state (
    original_transaction_id text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    next_try_utc bigint,
    failures bigint NOT NULL,
    last_error text COLLATE pg_catalog."C"
);
CREATE TABLE apple_receipt (
    original_transaction_id text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    receipt text NOT NULL COLLATE pg_catalog."C",
    created_utc bigint NOT NULL,
    as_of_ms bigint NOT NULL
);
CREATE TABLE apple_refresh_lease (
    original_transaction_id text NOT NULL COLLATE pg_catalog."C",
    token text NOT NULL COLLATE pg_catalog."C",
    until_utc bigint NOT NULL
);
CREATE TABLE apple_subscription (
    environment text NOT NULL COLLATE pg_catalog."C",
    original_transaction_id text NOT NULL COLLATE pg_catalog."C",
    last_transaction_id text NOT NULL COLLATE pg_catalog."C",
    product_id text NOT NULL COLLATE pg_catalog."C",
    purchase_date_utc bigint NOT NULL,
    expires_date_utc bigint NOT NULL,
    tier text NOT NULL COLLATE pg_catalog."C",
    cycle text NOT NULL COLLATE pg_catalog."C",
    auto_renewal smallint NOT NULL,
    created_utc bigint NOT NULL,
    updated_utc bigint NOT NULL,
    ftc_user_id text COLLATE pg_catalog."C",
    as_of_ms bigint NOT NULL,
    in_billing_retry smallint NOT NULL,
    wake_utc bigint,
    refresh_failures bigint DEFAULT 0 NOT NULL,
    transactions_as_of_ms bigint,
    receipt_as_of_ms bigint
);
CREATE TABLE apple_transaction (
    environment text NOT NULL COLLATE pg_catalog."C",
    original_transaction_id text NOT NULL COLLATE pg_catalog."C",
    transaction_id text NOT NULL COLLATE pg_catalog."C",
    product_id text NOT NULL COLLATE pg_catalog."C",
    quantity bigint NOT NULL,
    web_order_line_item_id text COLLATE pg_catalog."C",
    purchase_date_ms bigint,
    original_purchase_date_ms bigint,
    expires_date_ms bigint,
    is_trial_period smallint,
    is_in_intro_offer_period smallint,
    is_upgraded smallint NOT NULL,
    cancellation_date_ms bigint,
    cancellation_reason bigint,
    promotional_offer_id text COLLATE pg_catalog."C",
    subscription_group_id text COLLATE pg_catalog."C",
    product_type text COLLATE pg_catalog."C",
    app_account_token text COLLATE pg_catalog."C",
    in_app_ownership_type text COLLATE pg_catalog."C",
    revocation_type text COLLATE pg_catalog."C",
    offer_type bigint,
    unreadable_fields bigint NOT NULL,
    created_utc bigint NOT NULL,
    as_of_ms bigint
);
CREATE TABLE apple_undecoded (
    notification_key text NOT NULL COLLATE pg_catalog."C",
    environment text COLLATE pg_catalog."C",
    signed_payload text NOT NULL COLLATE pg_catalog."C",
    path text NOT NULL COLLATE pg_catalog."C",
    created_utc bigint NOT NULL
);
CREATE TABLE apple_unlink_archive (
    id bigint NOT NULL,
    original_transaction_id text NOT NULL COLLATE pg_catalog."C",
    ftc_user_id text NOT NULL COLLATE pg_catalog."C",
    created_utc bigint NOT NULL
);
ALTER TABLE apple_unlink_archive ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME apple_unlink_archive_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE apple_verification_session (
    environment text NOT NULL COLLATE pg_catalog."C",
    original_transaction_id text NOT NULL COLLATE pg_catalog."C",
    transaction_id text NOT NULL COLLATE pg_catalog."C",
    app_item_id text COLLATE pg_catalog."C",
    application_version text COLLATE pg_catalog."C",
    bundle_id text COLLATE pg_catalog."C",
    download_id text COLLATE pg_catalog."C",
    expiration_date_ms bigint,
    original_purchase_date_ms bigint,
    original_application_version text COLLATE pg_catalog."C",
    preorder_date_ms bigint,
    receipt_creation_date_ms bigint,
    receipt_type text COLLATE pg_catalog."C",
    request_date_ms bigint NOT NULL,
    response_status bigint NOT NULL,
    version_external_identifier text COLLATE pg_catalog."C",
    created_utc bigint NOT NULL
);
CREATE TABLE apple_webhook (
    notification_key text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    original_transaction_id text COLLATE pg_catalog."C",
    notification_type text NOT NULL COLLATE pg_catalog."C",
    subtype text COLLATE pg_catalog."C",
    notification_uuid text COLLATE pg_catalog."C",
    auto_renew_product_id text COLLATE pg_catalog."C",
    auto_renew_status smallint,
    auto_renew_status_change_date_ms bigint,
    expiration_intent bigint,
    response_status bigint,
    created_utc bigint NOT NULL
);
CREATE TABLE ftc_vip (
    vip_id text NOT NULL COLLATE pg_catalog."C",
    id text COLLATE pg_catalog."C",
    ftc_user_id text COLLATE pg_catalog."C",
    wx_union_id text COLLATE pg_catalog."C",
    vip_id_alias text COLLATE pg_catalog."C",
    member_tier text COLLATE pg_catalog."C",
    billing_cycle text COLLATE pg_catalog."C",
    expire_date text COLLATE pg_catalog."C",
    payment_method text COLLATE pg_catalog."C",
    ftc_plan_id text COLLATE pg_catalog."C",
    stripe_subscription_id text COLLATE pg_catalog."C",
    stripe_plan_id text COLLATE pg_catalog."C",
    b2b_licence_id text COLLATE pg_catalog."C",
    auto_renewal smallint,
    sub_status text COLLATE pg_catalog."C",
    apple_subscription_id text COLLATE pg_catalog."C",
    vip_type bigint,
    expire_time bigint
);
CREATE TABLE member_snapshot (
    number bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    created_by text NOT NULL COLLATE pg_catalog."C",
    created_utc bigint NOT NULL,
    order_id text COLLATE pg_catalog."C",
    compound_id text NOT NULL COLLATE pg_catalog."C",
    ftc_user_id text COLLATE pg_catalog."C",
    wx_union_id text COLLATE pg_catalog."C",
    tier text COLLATE pg_catalog."C",
    cycle text COLLATE pg_catalog."C",
    expire_date text COLLATE pg_catalog."C",
    payment_method text COLLATE pg_catalog."C",
    ftc_plan_id text COLLATE pg_catalog."C",
    stripe_subscription_id text COLLATE pg_catalog."C",
    stripe_plan_id text COLLATE pg_catalog."C",
    auto_renewal smallint NOT NULL,
    sub_status text COLLATE pg_catalog."C",
    apple_subscription_id text COLLATE pg_catalog."C",
    b2b_licence_id text COLLATE pg_catalog."C"
);
ALTER TABLE member_snapshot ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME member_snapshot_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE outbox (
    id bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    ftc_user_id text COLLATE pg_catalog."C",
    union_id text COLLATE pg_catalog."C",
    original_transaction_id text NOT NULL COLLATE pg_catalog."C",
    tier text COLLATE pg_catalog."C",
    expire_date text COLLATE pg_catalog."C",
    already_expired smallint NOT NULL,
    created_utc bigint NOT NULL,
    sent_utc bigint,
    failures bigint NOT NULL,
    next_try_utc bigint,
    lease_token text COLLATE pg_catalog."C",
    lease_until_utc bigint,
    wake_utc bigint
);
ALTER TABLE outbox ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME outbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE polling_log (
    id bigint NOT NULL,
    total_counter bigint NOT NULL,
    success_counter bigint NOT NULL,
    failure_counter bigint NOT NULL,
    start_utc bigint NOT NULL,
    end_utc bigint,
    app_name text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE polling_log ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME polling_log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE retention_lease (
    kind text NOT NULL COLLATE pg_catalog."C",
    token text NOT NULL COLLATE pg_catalog."C",
    until_utc bigint NOT NULL
);
CREATE TABLE storekeeper_migration (
    number bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    applied_utc bigint NOT NULL
);
INSERT INTO apple_cheat OVERRIDING SYSTEM VALUE VALUES (1, '910000000000001', 'reader-2', 1605340801);
INSERT INTO apple_pending_renewal VALUES ('production', '910000000000001', 'com.example.standard.month', 'com.example.premium.month', 1, NULL, NULL, 0, 1, NULL, NULL, 1605340800, 1605340860, 1605340860000);
INSERT INTO apple_pending_renewal VALUES ('sandbox', '910000000000002', 'com.example.standard.month', NULL, 1, 2, 1605427200000, 1, NULL, NULL, NULL, 1605340800, 1605340800, 1605340800000);
INSERT INTO apple_poll_state VALUES ('910000000000002', 'sandbox', 1605342600, 2, 'not reached');
INSERT INTO apple_receipt VALUES ('910000000000001', 'production', 'aW52ZW50ZWQ=', 1605340800, 1605340800000);
INSERT INTO apple_receipt VALUES ('910000000000002', 'sandbox', 'c2Vjb25k', 1605340800, 1605340800000);
INSERT INTO apple_refresh_lease VALUES ('910000000000001', 'worker-2', 1605341400);
INSERT INTO apple_subscription VALUES ('production', '910000000000001', '910000000000001', 'com.example.standard.month', 1605254400, 1607932800, 'standard', 'month', 1, 1605340800, 1605340800, 'reader-1', 1605340860000, 0, NULL, 0, 1605340860000, 1605340860000);
INSERT INTO apple_subscription VALUES ('sandbox', '910000000000002', '910000000000002', 'com.example.standard.month', 1605254400, 1605337200, 'standard', 'month', 1, 1605340800, 1605340800, NULL, 1605340800000, 1, 1605342600, 2, NULL, NULL);
INSERT INTO apple_transaction VALUES ('production', '910000000000001', '920000000000001', 'com.example.standard.month', 1, '930000000000001', 1605254400500, 1602662400000, 1605254400000, 1, 0, 0, NULL, NULL, NULL, '20500001', NULL, NULL, NULL, NULL, NULL, 0, 1605340800, 1605340800000);
INSERT INTO apple_transaction VALUES ('production', '910000000000001', '920000000000002', 'com.example.standard.month', 1, NULL, 1605254400500, 1602662400000, 1607932800000, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1605340800, 1605340800000);
INSERT INTO apple_transaction VALUES ('sandbox', '910000000000002', '920000000000003', 'com.example.standard.month', 2, NULL, 1605254400500, 1602662400000, 1605337200000, NULL, NULL, 1, NULL, NULL, 'winter', NULL, 'Auto-Renewable Subscription', '6B1A0A3E-0000-4000-8000-000000000001', 'PURCHASED', NULL, 2, 0, 1605340800, 1605340800000);
INSERT INTO apple_transaction VALUES ('production', '910000000000003', '920000000000004', 'com.example.standard.month', 1, NULL, 1605254400500, 1602662400000, 1605333600000, NULL, NULL, 0, 1605337200000, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 4, 1605340800, NULL);
INSERT INTO apple_undecoded VALUES ('v2:6b1a0a3e-0000-4000-8000-000000000003', 'sandbox', 'invented', 'data.signedTransactionInfo', 1605340800);
INSERT INTO apple_undecoded VALUES ('v2:unknown', NULL, 'also invented', '', 1605340800);
INSERT INTO apple_unlink_archive OVERRIDING SYSTEM VALUE VALUES (1, '910000000000002', 'reader-2', 1605340802);
INSERT INTO apple_verification_session VALUES ('production', '910000000000001', '920000000000002', NULL, NULL, 'com.example.reader', NULL, NULL, NULL, NULL, NULL, 1605340795000, NULL, 1605340800000, 0, NULL, 1605340800);
INSERT INTO apple_verification_session VALUES ('production', '910000000000001', '920000000000002', NULL, NULL, 'com.example.reader', NULL, NULL, NULL, NULL, NULL, 1605340855000, NULL, 1605340860000, 0, NULL, 1605340860);
INSERT INTO apple_webhook VALUES ('v2:6b1a0a3e-0000-4000-8000-000000000002', 'production', '910000000000001', 'DID_RENEW', NULL, '6b1a0a3e-0000-4000-8000-000000000002', NULL, NULL, NULL, NULL, NULL, 1605340800);
INSERT INTO ftc_vip VALUES ('reader-1', 'mmb_910000000001', 'reader-1', 'union-1', 'union-1', 'standard', 'month', '2020-12-14', 'apple', NULL, NULL, NULL, NULL, 1, NULL, '910000000000001', 10, 1607990399);
INSERT INTO ftc_vip VALUES ('reader-2', 'mmb_910000000002', 'reader-2', NULL, NULL, 'gold', 'year', '31/12/2030', 'stripe', NULL, 'sub_91', 'plan_91', NULL, 0, 'paused', NULL, 0, NULL);
INSERT INTO ftc_vip VALUES ('union-9', NULL, NULL, 'union-9', 'union-9', NULL, NULL, NULL, 'tenpay', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 100, 1606780799);
INSERT INTO member_snapshot OVERRIDING SYSTEM VALUE VALUES (1, 'snp_910000000001', 'apple.link', 1605340800, NULL, 'reader-1', 'reader-1', 'union-1', 'standard', 'month', '2020-12-14', 'apple', NULL, NULL, NULL, 1, NULL, '910000000000001', NULL);
INSERT INTO outbox OVERRIDING SYSTEM VALUE VALUES (4, 'sync', 'reader-4', NULL, '910000000000001', 'standard', '2020-12-14', 0, 1605340800, NULL, 0, NULL, NULL, NULL, NULL);
INSERT INTO outbox OVERRIDING SYSTEM VALUE VALUES (3, 'unlink', 'reader-3', NULL, '910000000000001', 'standard', '2020-12-14', 0, 1605340800, NULL, 0, NULL, 'worker-1', 1605341400, 1605341400);
INSERT INTO outbox OVERRIDING SYSTEM VALUE VALUES (1, 'link', 'reader-1', NULL, '910000000000001', 'standard', '2020-12-14', 0, 1605340800, 1605340810, 0, NULL, NULL, NULL, NULL);
INSERT INTO outbox OVERRIDING SYSTEM VALUE VALUES (2, 'sync', 'reader-2', NULL, '910000000000001', 'standard', '2020-12-14', 0, 1605340800, NULL, 1, 1605341100, NULL, NULL, 1605341100);
INSERT INTO polling_log OVERRIDING SYSTEM VALUE VALUES (1, 1, 0, 1, 1605340800, 1605340820, 'iap');
INSERT INTO retention_lease VALUES ('sessions', 'worker-3', 1605341100);
INSERT INTO storekeeper_migration VALUES (1, 'subscriptions and memberships', 1605340800);
INSERT INTO storekeeper_migration VALUES (2, 'stamps of whole answers', 1605340800);
INSERT INTO storekeeper_migration VALUES (3, 'age of evidence', 1605340800);
INSERT INTO storekeeper_migration VALUES (4, 'notifications that were not decoded', 1605340800);
SELECT pg_catalog.setval('apple_cheat_id_seq', 1, true);
SELECT pg_catalog.setval('apple_unlink_archive_id_seq', 1, true);
SELECT pg_catalog.setval('member_snapshot_number_seq', 1, true);
SELECT pg_catalog.setval('outbox_id_seq', 4, true);
SELECT pg_catalog.setval('polling_log_id_seq', 1, true);
ALTER TABLE apple_cheat
    ADD CONSTRAINT apple_cheat_pkey PRIMARY KEY (id);
ALTER TABLE apple_poll_state
    ADD CONSTRAINT apple_poll_state_key PRIMARY KEY (original_transaction_id);
ALTER TABLE apple_receipt
    ADD CONSTRAINT apple_receipt_key PRIMARY KEY (original_transaction_id, environment);
ALTER TABLE apple_refresh_lease
    ADD CONSTRAINT apple_refresh_lease_key PRIMARY KEY (original_transaction_id);
ALTER TABLE apple_subscription
    ADD CONSTRAINT apple_subscription_key PRIMARY KEY (original_transaction_id);
ALTER TABLE apple_transaction
    ADD CONSTRAINT apple_transaction_key PRIMARY KEY (transaction_id, environment);
ALTER TABLE apple_undecoded
    ADD CONSTRAINT apple_undecoded_key PRIMARY KEY (notification_key);
ALTER TABLE apple_unlink_archive
    ADD CONSTRAINT apple_unlink_archive_pkey PRIMARY KEY (id);
ALTER TABLE apple_verification_session
    ADD CONSTRAINT apple_verification_session_key PRIMARY KEY (environment, original_transaction_id, transaction_id, request_date_ms);
ALTER TABLE apple_webhook
    ADD CONSTRAINT apple_webhook_key PRIMARY KEY (notification_key);
ALTER TABLE ftc_vip
    ADD CONSTRAINT ftc_vip_vip_id PRIMARY KEY (vip_id);
ALTER TABLE member_snapshot
    ADD CONSTRAINT member_snapshot_id UNIQUE (id);
ALTER TABLE member_snapshot
    ADD CONSTRAINT member_snapshot_pkey PRIMARY KEY (number);
ALTER TABLE outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE polling_log
    ADD CONSTRAINT polling_log_pkey PRIMARY KEY (id);
ALTER TABLE retention_lease
    ADD CONSTRAINT retention_lease_key PRIMARY KEY (kind);
ALTER TABLE storekeeper_migration
    ADD CONSTRAINT storekeeper_migration_pkey PRIMARY KEY (number);
CREATE INDEX apple_cheat_ftc_user_id ON apple_cheat USING btree (ftc_user_id);
CREATE INDEX apple_cheat_original_transaction_id ON apple_cheat USING btree (original_transaction_id);
CREATE UNIQUE INDEX apple_pending_renewal_key ON apple_pending_renewal USING btree (original_transaction_id, environment, product_id);
CREATE INDEX apple_subscription_due ON apple_subscription USING btree (expires_date_utc, original_transaction_id, environment, refresh_failures, auto_renewal, wake_utc) WHERE ((auto_renewal = 1) AND (wake_utc IS NULL));
CREATE INDEX apple_subscription_ftc_user_id ON apple_subscription USING btree (ftc_user_id, expires_date_utc DESC, original_transaction_id, environment, last_transaction_id, product_id, purchase_date_utc, tier, cycle, auto_renewal, created_utc, updated_utc) WHERE (ftc_user_id IS NOT NULL);
CREATE INDEX apple_subscription_retry ON apple_subscription USING btree (expires_date_utc, original_transaction_id, environment, refresh_failures, auto_renewal, wake_utc, in_billing_retry) WHERE ((auto_renewal = 1) AND (wake_utc IS NULL) AND (in_billing_retry = 1));
CREATE INDEX apple_subscription_wake ON apple_subscription USING btree (wake_utc) WHERE (wake_utc IS NOT NULL);
CREATE INDEX apple_transaction_original_transaction_id ON apple_transaction USING btree (original_transaction_id, environment);
CREATE INDEX apple_unlink_archive_ftc_user_id ON apple_unlink_archive USING btree (ftc_user_id);
CREATE INDEX apple_unlink_archive_original_transaction_id ON apple_unlink_archive USING btree (original_transaction_id);
CREATE INDEX apple_verification_session_created_utc ON apple_verification_session USING btree (created_utc);
CREATE INDEX apple_webhook_created_utc ON apple_webhook USING btree (created_utc);
CREATE UNIQUE INDEX ftc_vip_apple_subscription_id ON ftc_vip USING btree (apple_subscription_id) WHERE (apple_subscription_id <> ''::text);
CREATE UNIQUE INDEX ftc_vip_b2b_licence_id ON ftc_vip USING btree (b2b_licence_id) WHERE (b2b_licence_id <> ''::text);
CREATE UNIQUE INDEX ftc_vip_ftc_user_id ON ftc_vip USING btree (ftc_user_id) WHERE (ftc_user_id <> ''::text);
CREATE UNIQUE INDEX ftc_vip_id ON ftc_vip USING btree (id) WHERE (id <> ''::text);
CREATE UNIQUE INDEX ftc_vip_stripe_subscription_id ON ftc_vip USING btree (stripe_subscription_id) WHERE (stripe_subscription_id <> ''::text);
CREATE UNIQUE INDEX ftc_vip_vip_id_alias ON ftc_vip USING btree (vip_id_alias) WHERE (vip_id_alias <> ''::text);
CREATE UNIQUE INDEX ftc_vip_wx_union_id ON ftc_vip USING btree (wx_union_id) WHERE (wx_union_id <> ''::text);
CREATE INDEX member_snapshot_apple_subscription_id ON member_snapshot USING btree (apple_subscription_id) WHERE (apple_subscription_id IS NOT NULL);
CREATE INDEX member_snapshot_compound_id ON member_snapshot USING btree (compound_id);
CREATE INDEX member_snapshot_created_utc ON member_snapshot USING btree (created_utc);
CREATE INDEX member_snapshot_wx_union_id ON member_snapshot USING btree (wx_union_id) WHERE (wx_union_id IS NOT NULL);
CREATE INDEX outbox_due ON outbox USING btree (id) WHERE ((sent_utc IS NULL) AND (wake_utc IS NULL));
CREATE INDEX outbox_sent ON outbox USING btree (sent_utc, id) WHERE (sent_utc IS NOT NULL);
CREATE INDEX outbox_wake ON outbox USING btree (wake_utc) WHERE ((sent_utc IS NULL) AND (wake_utc IS NOT NULL));
