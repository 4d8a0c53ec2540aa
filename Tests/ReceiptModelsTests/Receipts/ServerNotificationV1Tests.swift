import StorekeeperFixtures
import Foundation
import JSONValues
import ReceiptModels
import Testing

@Suite("Notifications of version 1")
struct ServerNotificationV1Tests {
  @Test(
    "recorded ones are read, and lose nothing when written again",
    .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"),
    arguments: [
      ("dollabill-cancel", NotificationTypeV1.cancel, AppStoreEnvironment.sandbox, nil, 3),
      ("aporat-serverNotificationRequest", .didRenew, .production, true, 1),
    ] as [(String, NotificationTypeV1, AppStoreEnvironment, Bool?, Int)])
  func recorded(
    name: String, type: NotificationTypeV1, environment: AppStoreEnvironment, renews: Bool?,
    count: Int
  ) throws {
    let json = try JSONValue(
      parsing: Array(Fixtures.data("notifications-v1/\(name).json")))
    let notification = try ServerNotificationV1(json: json)
    #expect(notification.notificationType == type)
    #expect(notification.environment == environment)
    #expect(notification.autoRenewStatus == renews)
    #expect(notification.unifiedReceipt?.latestReceiptInfo?.count == count)
    #expect(notification.unifiedReceipt?.pendingRenewalInfo?.count == 1)
    #expect(notification.latestReceipt?.isEmpty == false)
    #expect(LenientComparison.losses(from: json, to: notification.json, at: "") == [])
    #expect(try ServerNotificationV1(json: notification.json) == notification)
  }

  @Test("every field has its member")
  func fields() throws {
    let json = JSONValue.object([
      "notification_type": .string("REFUND"), "password": .string("1"),
      "environment": .string("PROD"), "bid": .string("2"), "bvrs": .string("3"),
      "original_transaction_id": .string("4"), "web_order_line_item_id": .string("5"),
      "auto_renew_adam_id": .string("6"), "auto_renew_product_id": .string("7"),
      "auto_renew_status": .string("false"),
      "auto_renew_status_change_date": .string("2020-07-22 17:39:08 Etc/GMT"),
      "auto_renew_status_change_date_ms": .string("1595439548000"),
      "cancellation_date": .string("1970-01-01 00:00:00 Etc/GMT"),
      "cancellation_date_ms": .string("0"), "expiration_intent": .string("2"),
      "unified_receipt": .object([
        "environment": .string("Production"), "status": .integer(0),
        "latest_receipt": .string("8"), "latest_receipt_info": .array([]),
        "pending_renewal_info": .array([]),
      ]),
    ])
    let notification = try ServerNotificationV1(json: json)
    #expect(notification.json == json)
    #expect(notification.additionalMembers == [:])
    #expect(notification.password == "1")
    #expect(notification.bundleID == "2")
    #expect(notification.bundleVersion == "3")
    #expect(notification.originalTransactionID == "4")
    #expect(notification.webOrderLineItemID == "5")
    #expect(notification.autoRenewAdamID == "6")
    #expect(notification.autoRenewProductID == "7")
    #expect(notification.autoRenewStatus == false)
    #expect(
      notification.autoRenewStatusChangeDate == Date(timeIntervalSince1970: 1_595_439_548))
    #expect(notification.cancellationDate == Date(timeIntervalSince1970: 0))
    #expect(notification.expirationIntent == .billingError)
    #expect(notification.latestReceipt == "8")
    #expect(notification.unifiedReceipt?.status == .valid)
    #expect(notification.environment == .production)
  }

  @Test(
    "a status that is no number is kept raw, and never valid",
    arguments: [
      JSONValue.boolean(false), .string("false"), .string("FALSE"), .string(""),
    ])
  func noStatus(json: JSONValue) throws {
    let receipt = try ServerNotificationV1.UnifiedReceipt(json: .object(["status": json]))
    #expect(receipt.status == nil)
    #expect(receipt.additionalMembers == ["status": json])
    let valid = try ServerNotificationV1.UnifiedReceipt(json: .object(["status": .string("0")]))
    #expect(valid.status == .valid)
  }

  @Test("an empty receipt is none")
  func emptyReceipt() throws {
    var notification = ServerNotificationV1()
    #expect(notification.latestReceipt == nil)
    notification.unifiedReceipt = ServerNotificationV1.UnifiedReceipt()
    notification.unifiedReceipt?.latestReceipt = ""
    #expect(notification.latestReceipt == nil)
    #expect(try ServerNotificationV1(json: .object([:])) == ServerNotificationV1())
  }

  @Test("neither password nor receipt is printed or dumped")
  func redaction() throws {
    let notification = try ServerNotificationV1(
      json: .object([
        "password": .string("SECRET-1"), "latest_receipt": .string("SECRET-2"),
        "unified_receipt": .object(["latest_receipt": .string("SECRET-3")]),
      ]))
    var dumped = ""
    dump(notification, to: &dumped)
    for text in ["\(notification)", String(reflecting: notification), dumped] {
      #expect(!text.contains("SECRET"))
      #expect(text.contains("redacted"))
    }
  }
}
