import Foundation
import GooglePlayVerifier
import JSONValues
import StorekeeperCrypto
import Testing

@Suite("Messages of Pub/Sub")
struct PubSubPushTests {
  static let notification =
    #"{"version":"1.0","packageName":"com.example.reader","eventTimeMillis":"1503349566168","#
    + #""subscriptionNotification":{"version":"1.0","notificationType":4,"#
    + #""purchaseToken":"PURCHASE-TOKEN"}}"#

  /// A body with members of the message changed.
  private static func body(
    _ changes: [String: JSONValue] = [:],
    subscription: JSONValue = .string("projects/p/subscriptions/s")
  ) -> [UInt8] {
    var message: [String: JSONValue] = [
      "data": .string(Base64.encode(Array(notification.utf8), .standard)),
      "messageId": .string("136969346945"), "message_id": .string("other"),
      "publishTime": .string("2026-11-01T00:00:00.123456Z"), "publish_time": .string("never"),
      "attributes": .object(["key": .string("value")]),
    ]
    for (name, value) in changes { message[name] = value }
    return JSONValue.object(["message": .object(message), "subscription": subscription]).serialized
  }

  @Test("the envelope is read; of members that are written twice, the first form counts")
  func envelope() throws {
    let push = try PubSubPush(parsing: Self.body())
    #expect(push.subscription == "projects/p/subscriptions/s")
    #expect(push.messageID == "136969346945")
    #expect(push.publishTime == Date(timeIntervalSince1970: 1_793_491_200.123))
    #expect(push.attributes == ["key": "value"])
    #expect(push.data == Array(Self.notification.utf8))
    let notification = try push.notification()
    #expect(notification.packageName == "com.example.reader")
    #expect(notification.purchaseToken == "PURCHASE-TOKEN")
  }

  @Test("attributes and the time may be missing")
  func optionals() throws {
    let push = try PubSubPush(
      parsing: Self.body(["attributes": .null, "publishTime": .null, "data": .string("")]))
    #expect(push.attributes.isEmpty)
    #expect(push.publishTime == nil)
    #expect(push.data.isEmpty)
    #expect(throws: DeveloperNotificationFailure.notJSON) { try push.notification() }
  }

  @Test(
    "a member that is missing or has the wrong type is named",
    arguments: [
      ("data", .null, .string, .absent), ("data", .integer(1), .string, .integer),
      ("data", .string("e30"), .string, .string), ("data", .string("e30\n"), .string, .string),
      ("data", .string("e3-_"), .string, .string), ("messageId", .null, .string, .absent),
      ("messageId", .string(""), .string, .absent),
      ("messageId", .integer(136_969_346_945), .string, .integer),
      ("publishTime", .string("now"), .timestamp, .string),
      ("attributes", .array([]), .object, .array),
      ("attributes", .object(["key": .integer(1)]), .string, .integer),
    ] as [(String, JSONValue, JSONKind, JSONKind)])
  func wrongTypes(name: String, value: JSONValue, expected: JSONKind, found: JSONKind) {
    let fault = FieldTypeFailure(path: "message." + name, expected: expected, found: found)
    #expect(throws: PubSubPushFailure.malformed(fault)) {
      try PubSubPush(parsing: Self.body([name: value]))
    }
  }

  @Test("what is no envelope is refused")
  func refusals() {
    #expect(throws: PubSubPushFailure.notJSON) { try PubSubPush(parsing: []) }
    #expect(throws: PubSubPushFailure.notJSON) {
      try PubSubPush(parsing: [UInt8](repeating: UInt8(ascii: "["), count: 100))
    }
    #expect(
      throws: PubSubPushFailure.malformed(
        FieldTypeFailure(path: "subscription", expected: .string, found: .absent))
    ) { try PubSubPush(parsing: Self.body(subscription: .null)) }
    #expect(
      throws: PubSubPushFailure.malformed(
        FieldTypeFailure(path: "message", expected: .object, found: .absent))
    ) { try PubSubPush(parsing: Array(#"{"subscription":"s"}"#.utf8)) }
  }

  @Test("a body above 1 MiB is refused")
  func size() throws {
    let body = Self.body()
    let padded = body + [UInt8](repeating: 0x20, count: 1_048_576 - body.count)
    #expect(try PubSubPush(parsing: padded).messageID == "136969346945")
    #expect(throws: PubSubPushFailure.tooLarge(limit: 1_048_576)) {
      try PubSubPush(parsing: padded + [0x20])
    }
  }

  @Test("the content is not printed")
  func secrets() throws {
    let push = try PubSubPush(parsing: Self.body())
    let shown = printed(push) + printed(try push.notification())
    #expect(!shown.contains("PURCHASE-TOKEN"))
    #expect(String(describing: push) == "PubSubPush(136969346945, \(push.data.count) bytes)")
  }
}
