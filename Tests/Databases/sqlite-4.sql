-- A database as release 4 of the tables left it, with all kinds of rows; every id is invented.
-- Made by sqlite3 .dump, from a store that was opened, filled and closed.
PRAGMA application_id = 1400138608;
CREATE TABLE storekeeper_migration (
  number INTEGER NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  applied_utc INTEGER NOT NULL);
INSERT INTO storekeeper_migration VALUES(1,'subscriptions and memberships',1605340800);
INSERT INTO storekeeper_migration VALUES(2,'stamps of whole answers',1605340800);
INSERT INTO storekeeper_migration VALUES(3,'age of evidence',1605340800);
INSERT INTO storekeeper_migration VALUES(4,'notifications that were not decoded',1605340800);
CREATE TABLE apple_verification_session (
  environment TEXT NOT NULL,
  original_transaction_id TEXT NOT NULL,
  transaction_id TEXT NOT NULL,
  app_item_id TEXT,
  application_version TEXT,
  bundle_id TEXT,
  download_id TEXT,
  expiration_date_ms INTEGER,
  original_purchase_date_ms INTEGER,
  original_application_version TEXT,
  preorder_date_ms INTEGER,
  receipt_creation_date_ms INTEGER,
  receipt_type TEXT,
  request_date_ms INTEGER NOT NULL,
  response_status INTEGER NOT NULL,
  version_external_identifier TEXT,
  created_utc INTEGER NOT NULL,
  CONSTRAINT apple_verification_session_key PRIMARY KEY
    (environment, original_transaction_id, transaction_id, request_date_ms)) WITHOUT ROWID;
INSERT INTO apple_verification_session VALUES('production','910000000000001','920000000000002',NULL,NULL,'com.example.reader',NULL,NULL,NULL,NULL,NULL,1605340795000,NULL,1605340800000,0,NULL,1605340800);
INSERT INTO apple_verification_session VALUES('production','910000000000001','920000000000002',NULL,NULL,'com.example.reader',NULL,NULL,NULL,NULL,NULL,1605340855000,NULL,1605340860000,0,NULL,1605340860);
CREATE TABLE apple_transaction (
  environment TEXT NOT NULL,
  original_transaction_id TEXT NOT NULL,
  transaction_id TEXT NOT NULL,
  product_id TEXT NOT NULL,
  quantity INTEGER NOT NULL,
  web_order_line_item_id TEXT,
  purchase_date_ms INTEGER,
  original_purchase_date_ms INTEGER,
  expires_date_ms INTEGER,
  is_trial_period INTEGER,
  is_in_intro_offer_period INTEGER,
  is_upgraded INTEGER NOT NULL,
  cancellation_date_ms INTEGER,
  cancellation_reason INTEGER,
  promotional_offer_id TEXT,
  subscription_group_id TEXT,
  product_type TEXT,
  app_account_token TEXT,
  in_app_ownership_type TEXT,
  revocation_type TEXT,
  offer_type INTEGER,
  unreadable_fields INTEGER NOT NULL,
  created_utc INTEGER NOT NULL,
  as_of_ms INTEGER,
  CONSTRAINT apple_transaction_key PRIMARY KEY (transaction_id, environment)) WITHOUT ROWID;
INSERT INTO apple_transaction VALUES('production','910000000000001','920000000000001','com.example.standard.month',1,'930000000000001',1605254400500,1602662400000,1605254400000,1,0,0,NULL,NULL,NULL,'20500001',NULL,NULL,NULL,NULL,NULL,0,1605340800,1605340800000);
INSERT INTO apple_transaction VALUES('production','910000000000001','920000000000002','com.example.standard.month',1,NULL,1605254400500,1602662400000,1607932800000,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,1605340800,1605340800000);
INSERT INTO apple_transaction VALUES('sandbox','910000000000002','920000000000003','com.example.standard.month',2,NULL,1605254400500,1602662400000,1605337200000,NULL,NULL,1,NULL,NULL,'winter',NULL,'Auto-Renewable Subscription','6B1A0A3E-0000-4000-8000-000000000001','PURCHASED',NULL,2,0,1605340800,1605340800000);
INSERT INTO apple_transaction VALUES('production','910000000000003','920000000000004','com.example.standard.month',1,NULL,1605254400500,1602662400000,1605333600000,NULL,NULL,0,1605337200000,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,4,1605340800,NULL);
CREATE TABLE apple_pending_renewal (
  environment TEXT NOT NULL,
  original_transaction_id TEXT NOT NULL,
  product_id TEXT,
  auto_renew_product_id TEXT,
  auto_renew_status INTEGER,
  expiration_intent INTEGER,
  grace_period_expires_date_ms INTEGER,
  is_in_billing_retry_period INTEGER,
  price_consent_status INTEGER,
  promotional_offer_id TEXT,
  offer_type INTEGER,
  created_utc INTEGER NOT NULL,
  updated_utc INTEGER NOT NULL,
  as_of_ms INTEGER NOT NULL);
INSERT INTO apple_pending_renewal VALUES('production','910000000000001','com.example.standard.month','com.example.premium.month',1,NULL,NULL,0,1,NULL,NULL,1605340800,1605340860,1605340860000);
INSERT INTO apple_pending_renewal VALUES('sandbox','910000000000002','com.example.standard.month',NULL,1,2,1605427200000,1,NULL,NULL,NULL,1605340800,1605340800,1605340800000);
CREATE TABLE apple_receipt (
  original_transaction_id TEXT NOT NULL,
  environment TEXT NOT NULL,
  receipt TEXT NOT NULL,
  created_utc INTEGER NOT NULL,
  as_of_ms INTEGER NOT NULL,
  CONSTRAINT apple_receipt_key PRIMARY KEY (original_transaction_id, environment));
INSERT INTO apple_receipt VALUES('910000000000001','production','aW52ZW50ZWQ=',1605340800,1605340800000);
INSERT INTO apple_receipt VALUES('910000000000002','sandbox','c2Vjb25k',1605340800,1605340800000);
CREATE TABLE apple_webhook (
  notification_key TEXT NOT NULL CONSTRAINT apple_webhook_key PRIMARY KEY,
  environment TEXT NOT NULL,
  original_transaction_id TEXT,
  notification_type TEXT NOT NULL,
  subtype TEXT,
  notification_uuid TEXT,
  auto_renew_product_id TEXT,
  auto_renew_status INTEGER,
  auto_renew_status_change_date_ms INTEGER,
  expiration_intent INTEGER,
  response_status INTEGER,
  created_utc INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO apple_webhook VALUES('v2:6b1a0a3e-0000-4000-8000-000000000002','production','910000000000001','DID_RENEW',NULL,'6b1a0a3e-0000-4000-8000-000000000002',NULL,NULL,NULL,NULL,NULL,1605340800);
CREATE TABLE apple_subscription (
  environment TEXT NOT NULL,
  original_transaction_id TEXT NOT NULL
    CONSTRAINT apple_subscription_key PRIMARY KEY,
  last_transaction_id TEXT NOT NULL,
  product_id TEXT NOT NULL,
  purchase_date_utc INTEGER NOT NULL,
  expires_date_utc INTEGER NOT NULL,
  tier TEXT NOT NULL,
  cycle TEXT NOT NULL,
  auto_renewal INTEGER NOT NULL,
  created_utc INTEGER NOT NULL,
  updated_utc INTEGER NOT NULL,
  ftc_user_id TEXT,
  as_of_ms INTEGER NOT NULL,
  in_billing_retry INTEGER NOT NULL,
  wake_utc INTEGER,
  refresh_failures INTEGER NOT NULL DEFAULT 0, transactions_as_of_ms INTEGER, receipt_as_of_ms INTEGER) WITHOUT ROWID;
INSERT INTO apple_subscription VALUES('production','910000000000001','910000000000001','com.example.standard.month',1605254400,1607932800,'standard','month',1,1605340800,1605340800,'reader-1',1605340860000,0,NULL,0,1605340860000,1605340860000);
INSERT INTO apple_subscription VALUES('sandbox','910000000000002','910000000000002','com.example.standard.month',1605254400,1605337200,'standard','month',1,1605340800,1605340800,NULL,1605340800000,1,1605342600,2,NULL,NULL);
CREATE TABLE ftc_vip (
  vip_id TEXT NOT NULL CONSTRAINT ftc_vip_vip_id PRIMARY KEY,
  id TEXT,
  ftc_user_id TEXT,
  wx_union_id TEXT,
  vip_id_alias TEXT,
  member_tier TEXT,
  billing_cycle TEXT,
  expire_date TEXT,
  payment_method TEXT,
  ftc_plan_id TEXT,
  stripe_subscription_id TEXT,
  stripe_plan_id TEXT,
  b2b_licence_id TEXT,
  auto_renewal INTEGER,
  sub_status TEXT,
  apple_subscription_id TEXT,
  vip_type INTEGER,
  expire_time INTEGER) WITHOUT ROWID;
INSERT INTO ftc_vip VALUES('reader-1','mmb_910000000001','reader-1','union-1','union-1','standard','month','2020-12-14','apple',NULL,NULL,NULL,NULL,1,NULL,'910000000000001',10,1607990399);
INSERT INTO ftc_vip VALUES('reader-2','mmb_910000000002','reader-2',NULL,NULL,'gold','year','31/12/2030','stripe',NULL,'sub_91','plan_91',NULL,0,'paused',NULL,0,NULL);
INSERT INTO ftc_vip VALUES('union-9',NULL,NULL,'union-9','union-9',NULL,NULL,NULL,'tenpay',NULL,NULL,NULL,NULL,NULL,NULL,NULL,100,1606780799);
CREATE TABLE member_snapshot (
  number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL CONSTRAINT member_snapshot_id UNIQUE,
  created_by TEXT NOT NULL,
  created_utc INTEGER NOT NULL,
  order_id TEXT,
  compound_id TEXT NOT NULL,
  ftc_user_id TEXT,
  wx_union_id TEXT,
  tier TEXT,
  cycle TEXT,
  expire_date TEXT,
  payment_method TEXT,
  ftc_plan_id TEXT,
  stripe_subscription_id TEXT,
  stripe_plan_id TEXT,
  auto_renewal INTEGER NOT NULL,
  sub_status TEXT,
  apple_subscription_id TEXT,
  b2b_licence_id TEXT);
INSERT INTO member_snapshot VALUES(1,'snp_910000000001','apple.link',1605340800,NULL,'reader-1','reader-1','union-1','standard','month','2020-12-14','apple',NULL,NULL,NULL,1,NULL,'910000000000001',NULL);
CREATE TABLE apple_cheat (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  original_transaction_id TEXT NOT NULL,
  ftc_user_id TEXT NOT NULL,
  created_utc INTEGER NOT NULL);
INSERT INTO apple_cheat VALUES(1,'910000000000001','reader-2',1605340801);
CREATE TABLE apple_unlink_archive (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  original_transaction_id TEXT NOT NULL,
  ftc_user_id TEXT NOT NULL,
  created_utc INTEGER NOT NULL);
INSERT INTO apple_unlink_archive VALUES(1,'910000000000002','reader-2',1605340802);
CREATE TABLE apple_poll_state (
  original_transaction_id TEXT NOT NULL
    CONSTRAINT apple_poll_state_key PRIMARY KEY,
  environment TEXT NOT NULL,
  next_try_utc INTEGER,
  failures INTEGER NOT NULL,
  last_error TEXT) WITHOUT ROWID;
INSERT INTO apple_poll_state VALUES('910000000000002','sandbox',1605342600,2,'not reached');
CREATE TABLE apple_refresh_lease (
  original_transaction_id TEXT NOT NULL
    CONSTRAINT apple_refresh_lease_key PRIMARY KEY,
  token TEXT NOT NULL,
  until_utc INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO apple_refresh_lease VALUES('910000000000001','worker-2',1605341400);
CREATE TABLE polling_log (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  total_counter INTEGER NOT NULL,
  success_counter INTEGER NOT NULL,
  failure_counter INTEGER NOT NULL,
  start_utc INTEGER NOT NULL,
  end_utc INTEGER,
  app_name TEXT NOT NULL);
INSERT INTO polling_log VALUES(1,1,0,1,1605340800,1605340820,'iap');
CREATE TABLE outbox (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  ftc_user_id TEXT,
  union_id TEXT,
  original_transaction_id TEXT NOT NULL,
  tier TEXT,
  expire_date TEXT,
  already_expired INTEGER NOT NULL,
  created_utc INTEGER NOT NULL,
  sent_utc INTEGER,
  failures INTEGER NOT NULL,
  next_try_utc INTEGER,
  lease_token TEXT,
  lease_until_utc INTEGER,
  wake_utc INTEGER);
INSERT INTO outbox VALUES(1,'link','reader-1',NULL,'910000000000001','standard','2020-12-14',0,1605340800,1605340810,0,NULL,NULL,NULL,NULL);
INSERT INTO outbox VALUES(2,'sync','reader-2',NULL,'910000000000001','standard','2020-12-14',0,1605340800,NULL,1,1605341100,NULL,NULL,1605341100);
INSERT INTO outbox VALUES(3,'unlink','reader-3',NULL,'910000000000001','standard','2020-12-14',0,1605340800,NULL,0,NULL,'worker-1',1605341400,1605341400);
INSERT INTO outbox VALUES(4,'sync','reader-4',NULL,'910000000000001','standard','2020-12-14',0,1605340800,NULL,0,NULL,NULL,NULL,NULL);
CREATE TABLE retention_lease (
  kind TEXT NOT NULL CONSTRAINT retention_lease_key PRIMARY KEY,
  token TEXT NOT NULL,
  until_utc INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO retention_lease VALUES('sessions','worker-3',1605341100);
CREATE TABLE apple_undecoded (
  notification_key TEXT NOT NULL CONSTRAINT apple_undecoded_key PRIMARY KEY,
  environment TEXT,
  signed_payload TEXT NOT NULL,
  path TEXT NOT NULL,
  created_utc INTEGER NOT NULL);
INSERT INTO apple_undecoded VALUES('v2:6b1a0a3e-0000-4000-8000-000000000003','sandbox','invented','data.signedTransactionInfo',1605340800);
INSERT INTO apple_undecoded VALUES('v2:unknown',NULL,'also invented','',1605340800);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('member_snapshot',1);
INSERT INTO sqlite_sequence VALUES('apple_cheat',1);
INSERT INTO sqlite_sequence VALUES('apple_unlink_archive',1);
INSERT INTO sqlite_sequence VALUES('outbox',4);
INSERT INTO sqlite_sequence VALUES('polling_log',1);
CREATE UNIQUE INDEX apple_pending_renewal_key
  ON apple_pending_renewal (original_transaction_id, environment, product_id);
CREATE INDEX apple_transaction_original_transaction_id
  ON apple_transaction (original_transaction_id, environment);
CREATE INDEX apple_subscription_ftc_user_id ON apple_subscription
  (ftc_user_id, expires_date_utc DESC, original_transaction_id, environment,
  last_transaction_id, product_id, purchase_date_utc, tier, cycle, auto_renewal,
  created_utc, updated_utc)
  WHERE ftc_user_id IS NOT NULL;
CREATE INDEX apple_subscription_due ON apple_subscription
  (expires_date_utc, original_transaction_id, environment, refresh_failures,
  auto_renewal, wake_utc)
  WHERE auto_renewal = 1 AND wake_utc IS NULL;
CREATE INDEX apple_subscription_retry ON apple_subscription
  (expires_date_utc, original_transaction_id, environment, refresh_failures,
  auto_renewal, wake_utc, in_billing_retry)
  WHERE auto_renewal = 1 AND wake_utc IS NULL AND in_billing_retry = 1;
CREATE INDEX apple_subscription_wake ON apple_subscription (wake_utc)
  WHERE wake_utc IS NOT NULL;
CREATE UNIQUE INDEX ftc_vip_id ON ftc_vip (id) WHERE id <> '';
CREATE UNIQUE INDEX ftc_vip_ftc_user_id ON ftc_vip (ftc_user_id) WHERE ftc_user_id <> '';
CREATE UNIQUE INDEX ftc_vip_wx_union_id ON ftc_vip (wx_union_id) WHERE wx_union_id <> '';
CREATE UNIQUE INDEX ftc_vip_vip_id_alias ON ftc_vip (vip_id_alias) WHERE vip_id_alias <> '';
CREATE UNIQUE INDEX ftc_vip_stripe_subscription_id ON ftc_vip (stripe_subscription_id) WHERE stripe_subscription_id <> '';
CREATE UNIQUE INDEX ftc_vip_apple_subscription_id ON ftc_vip (apple_subscription_id) WHERE apple_subscription_id <> '';
CREATE UNIQUE INDEX ftc_vip_b2b_licence_id ON ftc_vip (b2b_licence_id) WHERE b2b_licence_id <> '';
CREATE INDEX member_snapshot_compound_id ON member_snapshot (compound_id);
CREATE INDEX member_snapshot_wx_union_id ON member_snapshot (wx_union_id)
  WHERE wx_union_id IS NOT NULL;
CREATE INDEX member_snapshot_apple_subscription_id ON member_snapshot (apple_subscription_id)
  WHERE apple_subscription_id IS NOT NULL;
CREATE INDEX apple_cheat_original_transaction_id ON apple_cheat (original_transaction_id);
CREATE INDEX apple_cheat_ftc_user_id ON apple_cheat (ftc_user_id);
CREATE INDEX apple_unlink_archive_original_transaction_id ON apple_unlink_archive (original_transaction_id);
CREATE INDEX apple_unlink_archive_ftc_user_id ON apple_unlink_archive (ftc_user_id);
CREATE INDEX outbox_due ON outbox (id) WHERE sent_utc IS NULL AND wake_utc IS NULL;
CREATE INDEX outbox_wake ON outbox (wake_utc)
  WHERE sent_utc IS NULL AND wake_utc IS NOT NULL;
CREATE INDEX outbox_sent ON outbox (sent_utc, id) WHERE sent_utc IS NOT NULL;
CREATE INDEX apple_webhook_created_utc ON apple_webhook (created_utc);
CREATE INDEX apple_verification_session_created_utc ON apple_verification_session (created_utc);
CREATE INDEX member_snapshot_created_utc ON member_snapshot (created_utc);
