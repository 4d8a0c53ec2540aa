import Foundation
import InMemoryStorage
import SQLStorage
import SQLiteStorage
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

/// The tables that the services only write, and people read: every column has what the contract says.
///
/// Source: linking rules, section 4.6.
@Suite("The tables that are only written")
struct LogTableTests {
  @Test("a verification keeps each field of Apple's answer in its own column")
  func session() async throws {
    try await withSQLiteFile([.subscriptions]) { store, path in
      var configuration = VerifyReceiptClient.Configuration()
      configuration.retries.attempts = 1
      configuration.clock = ManualClock()
      let service = try SubscriptionService(
        PurchaseContext(
          store: store, accounts: InMemoryAccountDirectory(),
          now: { Date(timeIntervalSince1970: 1_700_000_900) }), products: ServiceScene.products,
        appStore: try VerifyReceiptClient(
          transport: FixedAnswer(.ok, Self.answer), bundleIDs: ["com.example.reader"],
          configuration: configuration))
      _ = try await service.verify(receipt: "MIIB")
      #expect(
        try row(
          """
          environment, original_transaction_id, transaction_id, app_item_id, application_version,
          bundle_id, download_id, expiration_date_ms, original_purchase_date_ms,
          original_application_version, preorder_date_ms, receipt_creation_date_ms, receipt_type,
          request_date_ms, response_status, version_external_identifier, created_utc
          """, of: "apple_verification_session", path) == """
            ["production","1000","1002","11","12","com.example.reader","13",1700000000014,\
            1700000000015,"16",1700000000017,1700000000018,"Production",1700000000019,0,"20",\
            1700000900]
            """)
      // Each verification is a row, and each answer one.
      _ = try await service.verify(receipt: "MIIB")
      #expect(try count("apple_verification_session", path) == 1)
    }
  }

  private static let answer = """
    {"status":0,"environment":"Production","latest_receipt":"MIIB","receipt":{
      "app_item_id":11,"application_version":"12","bundle_id":"com.example.reader","download_id":13,
      "expiration_date_ms":"1700000000014","original_purchase_date_ms":"1700000000015",
      "original_application_version":"16","preorder_date_ms":"1700000000017",
      "receipt_creation_date_ms":"1700000000018","receipt_type":"Production",
      "request_date_ms":"1700000000019","version_external_identifier":20,"in_app":[]},
     "latest_receipt_info":[
      {"original_transaction_id":"1000","transaction_id":"1001","product_id":"reader.monthly",
       "quantity":"1","purchase_date_ms":"1690000000000","expires_date_ms":"1692000000000"},
      {"original_transaction_id":"1000","transaction_id":"1002","product_id":"reader.monthly",
       "quantity":"1","purchase_date_ms":"1692000000000","expires_date_ms":"1800000000000"}]}
    """

  private static let webhookColumns = """
    environment, original_transaction_id, notification_type, subtype, notification_uuid,
    auto_renew_product_id, auto_renew_status, auto_renew_status_change_date_ms, expiration_intent,
    response_status, created_utc
    """

  @Test("a notification of version 1 keeps each field in its own column, and no password")
  func version1() async throws {
    try await withSQLiteFile([.subscriptions]) { store, path in
      let scene = try await NotificationScene(store: store)
      let purchase = try await scene.scene.bought()
      try await scene.service.receive(
        scene.notificationV1(.didChangeRenewalStatus, about: purchase) {
          $0.autoRenewProductID = "reader.yearly"
          $0.autoRenewStatus = false
          $0.autoRenewStatusChangeDate = Date(timeIntervalSince1970: 1_700_000_000.021)
          $0.expirationIntent = .billingError
        })
      #expect(
        try row(Self.webhookColumns, of: "apple_webhook", path) == """
          ["production","\(purchase.originalTransactionID)","DID_CHANGE_RENEWAL_STATUS",null,null,\
          "reader.yearly",0,1700000000021,2,0,\(Int(scene.scene.now.timeIntervalSince1970))]
          """)
      let dump = try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self)
      #expect(!dump.contains("0123456789abcdef0123456789abcdef"))
    }
  }

  @Test("a notification of version 2 keeps each field in its own column")
  func version2() async throws {
    try await withSQLiteFile([.subscriptions]) { store, path in
      let scene = try await NotificationScene(store: store)
      let purchase = try await scene.scene.bought()
      var renewal = scene.renewal(purchase, willRenew: false)
      renewal.autoRenewProductID = "reader.yearly"
      renewal.expirationIntent = .billingError
      let transaction = scene.transaction(purchase, expires: scene.scene.now.addingTimeInterval(60))
      var notification = ServerNotification()
      notification.notificationType = .didFailToRenew
      notification.subtype = .gracePeriod
      notification.notificationUUID = "002E14D5-51F5-4503-B5A8-C3A1AF68EB20"
      notification.version = "2.0"
      notification.signedDate = scene.scene.now
      var data = NotificationData()
      data.environment = .production
      data.bundleID = ServiceScene.bundleID
      data.appAppleID = 1_234_567_890
      data.signedTransactionInfo = try scene.authority.sign(transaction)
      data.signedRenewalInfo = try scene.authority.sign(renewal)
      notification.data = data
      try await scene.service.receive(signedPayload: scene.authority.sign(notification))
      #expect(
        try row(Self.webhookColumns, of: "apple_webhook", path) == """
          ["production","\(purchase.originalTransactionID)","DID_FAIL_TO_RENEW","GRACE_PERIOD",\
          "002e14d5-51f5-4503-b5a8-c3a1af68eb20","reader.yearly",0,null,2,null,\
          \(Int(scene.scene.now.timeIntervalSince1970))]
          """)
    }
  }

  @Test("a dispute and an unlink have the subscription, the account and the second")
  func claims() async throws {
    try await withSQLiteFile([.subscriptions]) { store, path in
      let date = Date(timeIntervalSince1970: 1_700_000_000.9)
      try await store.write { records in
        try await records.memberships.recordDispute(
          originalTransactionID: "1000", account: Account(id: "ann"), now: date)
        try await records.memberships.recordUnlink(
          originalTransactionID: "1001", accountID: "ben", now: date)
      }
      let columns = "original_transaction_id, ftc_user_id, created_utc"
      #expect(try row(columns, of: "apple_cheat", path) == #"["1000","ann",1700000000]"#)
      #expect(try row(columns, of: "apple_unlink_archive", path) == #"["1001","ben",1700000000]"#)
    }
  }
}

/// The columns of the only row of a table, as a JSON array.
private func row(_ columns: String, of table: String, _ path: String) throws -> String {
  let found = try SQLiteConnection(path: path, configuration: SQLiteConfiguration())
    .value("SELECT json_array(\(columns)) FROM \(table)")
  guard case .text(let text) = found else { return "\(found)" }
  return text
}

private func count(_ table: String, _ path: String) throws -> Int64 {
  let found = try SQLiteConnection(path: path, configuration: SQLiteConfiguration())
    .value("SELECT COUNT(*) FROM \(table)")
  guard case .integer(let count) = found else { return -1 }
  return count
}
