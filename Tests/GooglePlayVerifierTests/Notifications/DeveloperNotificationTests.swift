import Foundation
import GooglePlayVerifier
import JSONValues
import Testing

@Suite("Real-time developer notifications")
struct DeveloperNotificationTests {
  private static func bytes(_ event: String, time: String = #""1503349566168""#) -> [UInt8] {
    Array(
      (#"{"version":"1.0","packageName":"com.example.reader","eventTimeMillis":\#(time)"#
        + (event.isEmpty ? "" : "," + event) + "}").utf8)
  }

  private static func notification(_ event: String) throws -> DeveloperNotification {
    try DeveloperNotification(parsing: bytes(event))
  }

  @Test("the members around the event are read")
  func envelope() throws {
    let notification = try Self.notification(#""testNotification":{"version":"1.0"}"#)
    #expect(notification.version == "1.0")
    #expect(notification.packageName == "com.example.reader")
    #expect(notification.eventTime == Date(timeIntervalSince1970: 1_503_349_566.168))
    #expect(notification.event == .test)
    #expect(notification.purchaseToken == nil)
  }

  @Test("the time of the event is a number or a text")
  func eventTime() throws {
    let notification = try DeveloperNotification(
      parsing: Self.bytes(#""testNotification":{}"#, time: "1503349566168"))
    #expect(notification.eventTime == Date(timeIntervalSince1970: 1_503_349_566.168))
    #expect(
      throws: DeveloperNotificationFailure.malformed(
        FieldTypeFailure(path: "eventTimeMillis", expected: .integer, found: .string))
    ) {
      try DeveloperNotification(parsing: Self.bytes(#""testNotification":{}"#, time: #""now""#))
    }
  }

  @Test("a notification without a time is one, such as that of a voided purchase")
  func withoutTime() throws {
    let notification = try DeveloperNotification(
      parsing: Array(
        (#"{"version":"1.0","packageName":"com.example.reader","voidedPurchaseNotification":"#
          + #"{"purchaseToken":"t","orderId":"GPA.1","productType":1,"refundType":1}}"#).utf8))
    #expect(notification.eventTime == nil)
    #expect(notification.purchaseToken == "t")
  }

  @Test(
    "the types of changes of a subscription",
    arguments: [
      (1, .recovered), (2, .renewed), (3, .canceled), (4, .purchased), (5, .onHold),
      (6, .inGracePeriod), (7, .restarted), (8, .priceChangeConfirmed), (9, .deferred),
      (10, .paused), (11, .pauseScheduleChanged), (12, .revoked), (13, .expired),
      (17, .itemsChanged), (18, .cancellationScheduled), (19, .priceChangeUpdated),
      (20, .pendingPurchaseCanceled), (22, .priceStepUpConsentUpdated),
      (99, .init(rawValue: 99)),
    ] as [(Int, SubscriptionNotificationType)])
  func subscriptionTypes(number: Int, type: SubscriptionNotificationType) throws {
    let notification = try Self.notification(
      #""subscriptionNotification":{"version":"1.0","notificationType":\#(number),"#
        + #""purchaseToken":"t"}"#)
    guard case .subscription(let event) = notification.event else {
      Issue.record("\(notification.event)")
      return
    }
    #expect(event.notificationType == type)
    #expect(notification.purchaseToken == "t")
  }

  @Test("a change of a purchase of a one-time product")
  func oneTimeProduct() throws {
    for (number, type) in [
      (1, OneTimeProductNotificationType.purchased), (2, .canceled), (7, .init(rawValue: 7)),
    ] {
      let notification = try Self.notification(
        #""oneTimeProductNotification":{"version":"1.0","notificationType":\#(number),"#
          + #""purchaseToken":"t","sku":"coins"}"#)
      guard case .oneTimeProduct(let event) = notification.event else {
        Issue.record("\(notification.event)")
        return
      }
      #expect(event.notificationType == type)
      #expect(event.sku == "coins")
      #expect(notification.purchaseToken == "t")
    }
  }

  @Test("a voided purchase")
  func voidedPurchase() throws {
    let notification = try Self.notification(
      #""voidedPurchaseNotification":{"purchaseToken":"t","orderId":"GPA.1","productType":1,"#
        + #""refundType":2}"#)
    guard case .voidedPurchase(let event) = notification.event else {
      Issue.record("\(notification.event)")
      return
    }
    #expect(event.orderID == "GPA.1")
    #expect(event.productType == .subscription)
    #expect(event.refundType == .quantityBasedPartial)
    #expect(notification.purchaseToken == "t")
  }

  @Test("a chargeback that awaits a review")
  func pendingRefundReview() throws {
    let notification = try Self.notification(
      #""pendingRefundReviewNotification":{"version":"1.0","pendingRefundToken":"r","#
        + #""orderId":"GPA.1","refundReason":7}"#)
    guard case .pendingRefundReview(let event) = notification.event else {
      Issue.record("\(notification.event)")
      return
    }
    #expect(event.pendingRefundToken == "r")
    #expect(event.orderID == "GPA.1")
    #expect(event.refundReason == .chargeback)
    #expect(notification.purchaseToken == nil)
  }

  @Test("an unknown event is kept, with its content")
  func unknownEvent() throws {
    let notification = try Self.notification(#""newThingNotification":{"a":1}"#)
    #expect(notification.event == .unknown(name: "newThingNotification"))
    #expect(notification.json["newThingNotification"] == .object(["a": .integer(1)]))
  }

  @Test("a known event counts even if there is an unknown one beside it")
  func knownBesideUnknown() throws {
    let notification = try Self.notification(
      #""newThingNotification":{},"testNotification":{}"#)
    #expect(notification.event == .test)
  }

  @Test(
    "a notification has exactly one event",
    arguments: [
      ("", .noEvent), (#""testNotification":null"#, .noEvent), (#""a":{}"#, .noEvent),
      (#""aNotification":1"#, .noEvent),
      (
        #""testNotification":{},"voidedPurchaseNotification":{"purchaseToken":"t"}"#, .severalEvents
      ),
      (#""aNotification":{},"bNotification":{}"#, .severalEvents),
    ] as [(String, DeveloperNotificationFailure)])
  func events(event: String, failure: DeveloperNotificationFailure) {
    #expect(throws: failure) { try Self.notification(event) }
  }

  @Test(
    "a member that is missing or has the wrong type is named",
    arguments: [
      (#""testNotification":1"#, "testNotification", .object, .integer),
      (
        #""subscriptionNotification":{"notificationType":4}"#,
        "subscriptionNotification.purchaseToken", .string, .absent
      ),
      (
        #""subscriptionNotification":{"purchaseToken":"t"}"#,
        "subscriptionNotification.notificationType", .integer, .absent
      ),
      (
        #""subscriptionNotification":{"purchaseToken":"t","notificationType":"x"}"#,
        "subscriptionNotification.notificationType", .integer, .string
      ),
      (
        #""voidedPurchaseNotification":{"orderId":"o"}"#,
        "voidedPurchaseNotification.purchaseToken", .string, .absent
      ),
    ] as [(String, String, JSONKind, JSONKind)])
  func wrongTypes(event: String, path: String, expected: JSONKind, found: JSONKind) {
    let fault = FieldTypeFailure(path: path, expected: expected, found: found)
    #expect(throws: DeveloperNotificationFailure.malformed(fault)) {
      try Self.notification(event)
    }
  }

  @Test("what is no notification is refused")
  func refusals() {
    #expect(throws: DeveloperNotificationFailure.notJSON) {
      try DeveloperNotification(parsing: Array("{".utf8))
    }
    #expect(throws: DeveloperNotificationFailure.tooLarge(limit: 1_048_576)) {
      try DeveloperNotification(parsing: [UInt8](repeating: 0x20, count: 1_048_577))
    }
    #expect(
      throws: DeveloperNotificationFailure.malformed(
        FieldTypeFailure(path: "packageName", expected: .string, found: .absent))
    ) { try DeveloperNotification(parsing: Array("{}".utf8)) }
    #expect(
      throws: DeveloperNotificationFailure.malformed(
        FieldTypeFailure(expected: .object, found: .string))
    ) { try DeveloperNotification(parsing: Array(#""a""#.utf8)) }
  }
}
