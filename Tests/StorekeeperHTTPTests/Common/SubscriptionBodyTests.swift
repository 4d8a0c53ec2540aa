import Foundation
import JSONValues
import ReceiptModels
import StorekeeperHTTP
import Testing

@Suite("The JSON of subscriptions")
struct SubscriptionBodyTests {
  static let members: [String: JSONValue] = [
    "environment": .string("Production"), "originalTransactionId": .string("30000781417036"),
    "lastTransactionId": .string("30000781417037"),
    "productId": .string("com.example.reader.member"),
    "purchaseDateUtc": .string("2020-07-22T17:39:08Z"),
    "expiresDateUtc": .string("2021-07-22T17:39:08Z"), "tier": .string("standard"),
    "cycle": .string("year"), "autoRenewal": .boolean(true),
    "createdUtc": .string("2020-07-22T17:40:00Z"), "updatedUtc": .string("2020-07-23T00:00:00Z"),
    "ftcUserId": .string("c1f87ecb-4ed9-4d65-8f1f-6b4d0c1d3e2f"), "inUse": .boolean(true),
  ]

  static func with(_ name: String, _ value: JSONValue?) -> JSONValue {
    var members = members
    members[name] = value
    return .object(members)
  }

  @Test("have the contract's members")
  func members() throws {
    let subscription = try SubscriptionBody(json: .object(Self.members)).subscription
    #expect(subscription.environment == .production)
    #expect(subscription.originalTransactionID == "30000781417036")
    #expect(subscription.lastTransactionID == "30000781417037")
    #expect(subscription.productID == "com.example.reader.member")
    #expect(subscription.purchaseDate == Date(timeIntervalSince1970: 1_595_439_548))
    #expect(subscription.expiresDate == Date(timeIntervalSince1970: 1_626_975_548))
    #expect(subscription.tier == .standard)
    #expect(subscription.cycle == .year)
    #expect(subscription.autoRenewal)
    #expect(subscription.createdDate == Date(timeIntervalSince1970: 1_595_439_600))
    #expect(subscription.updatedDate == Date(timeIntervalSince1970: 1_595_462_400))
    #expect(subscription.owner == "c1f87ecb-4ed9-4d65-8f1f-6b4d0c1d3e2f")
    #expect(subscription.isInUse)
    #expect(SubscriptionBody(subscription).json == .object(Self.members))
  }

  @Test("are written as bytes just as they are as values, also with characters to escape")
  func bytes() throws {
    let subscription = try SubscriptionBody(json: .object(Self.members)).subscription
    var strange = subscription
    strange.environment = AppStoreEnvironment(rawValue: "SANDBOX")
    strange.productID = "a\"b\\c\u{1}é"
    strange.owner = nil
    strange.createdDate = nil
    strange.isInUse = false
    var unowned = strange
    unowned.owner = AccountID(stored: "")
    for subscription in [subscription, strange, unowned] {
      #expect(subscription.body == SubscriptionBody(subscription).json.serialized)
    }
  }

  @Test("write every member, also those that are null")
  func nulls() throws {
    let subscription = Subscription(
      environment: .sandbox, originalTransactionID: "1", lastTransactionID: "2", productID: "p",
      purchaseDate: Date(timeIntervalSince1970: 0.999),
      expiresDate: Date(timeIntervalSince1970: -0.001), tier: .premium, cycle: .month,
      autoRenewal: false)
    let json = JSONValue.object([
      "environment": .string("Sandbox"), "originalTransactionId": .string("1"),
      "lastTransactionId": .string("2"), "productId": .string("p"),
      "purchaseDateUtc": .string("1970-01-01T00:00:00Z"),
      "expiresDateUtc": .string("1969-12-31T23:59:59Z"), "tier": .string("premium"),
      "cycle": .string("month"), "autoRenewal": .boolean(false), "createdUtc": .null,
      "updatedUtc": .null, "ftcUserId": .null, "inUse": .boolean(false),
    ])
    #expect(SubscriptionBody(subscription).json == json)
    #expect(try SubscriptionBody(json: json).json == json)
    let text = try String(
      decoding: JSONEncoder().encode(SubscriptionBody(subscription)), as: UTF8.self)
    #expect(text.contains(#""ftcUserId":null"#))
  }

  @Test(
    "read the environment in any case",
    arguments: [
      ("Production", "Production"), ("production", "Production"), ("PRODUCTION", "Production"),
      ("PROD", "Production"), ("prod", "Production"), ("sandbox", "Sandbox"),
      ("SandBox", "Sandbox"), ("xcode", "Xcode"), ("", ""), ("Moon", "Moon"),
    ])
  func environment(text: String, written: String) throws {
    let subscription = try SubscriptionBody(json: Self.with("environment", .string(text)))
      .subscription
    #expect(subscription.environment == AppStoreEnvironment(rawValue: written))
    #expect(SubscriptionBody(subscription).json["environment"] == .string(written))
  }

  @Test(
    "refuse identifiers that are not 1 to 64 digits",
    arguments: ["originalTransactionId", "lastTransactionId"],
    ["", "1a", "-1", " 1", "../../etc/passwd", String(repeating: "1", count: 65)])
  func identifiers(name: String, text: String) {
    #expect(throws: FieldTypeFailure(path: name, expected: .digits, found: .string)) {
      try SubscriptionBody(json: Self.with(name, .string(text))).subscription
    }
  }

  @Test(
    "refuse dates in any other form",
    arguments: [
      "purchaseDateUtc", "expiresDateUtc", "createdUtc", "updatedUtc",
    ],
    [
      "", "2020-07-22", "2020-07-22T17:39:08", "2020-07-22T17:39:08+00:00",
      "2020-07-22T17:39:08.5Z", "2020-07-22 17:39:08Z", "2020-02-30T00:00:00Z",
      "0000-01-01T00:00:00Z", "10000-01-01T00:00:00Z",
    ])
  func dates(name: String, text: String) {
    #expect(throws: FieldTypeFailure(path: name, expected: .timestamp, found: .string)) {
      try SubscriptionBody(json: Self.with(name, .string(text))).subscription
    }
  }

  @Test(
    "need these members",
    arguments: [
      ("environment", JSONKind.string), ("originalTransactionId", .string),
      ("lastTransactionId", .string), ("productId", .string), ("purchaseDateUtc", .timestamp),
      ("expiresDateUtc", .timestamp), ("tier", .string), ("cycle", .string),
    ])
  func required(name: String, kind: JSONKind) {
    for value in [nil, JSONValue.null] {
      #expect(throws: FieldTypeFailure(path: name, expected: kind, found: .absent)) {
        try SubscriptionBody(json: Self.with(name, value)).subscription
      }
    }
  }

  @Test("read an empty owner as none, and missing flags as false")
  func empty() throws {
    #expect(
      try SubscriptionBody(json: Self.with("ftcUserId", .string(""))).subscription.owner == nil)
    #expect(try SubscriptionBody(json: Self.with("ftcUserId", nil)).subscription.owner == nil)
    #expect(try !SubscriptionBody(json: Self.with("autoRenewal", .null)).subscription.autoRenewal)
    #expect(try !SubscriptionBody(json: Self.with("inUse", nil)).subscription.isInUse)
    var subscription = try SubscriptionBody(json: .object(Self.members)).subscription
    subscription.owner = AccountID(stored: "")
    #expect(SubscriptionBody(subscription).json["ftcUserId"] == .null)
  }

  @Test("keep tiers and cycles that the contract does not name yet")
  func openSets() throws {
    let subscription = try SubscriptionBody(json: Self.with("tier", .string("gold"))).subscription
    #expect(subscription.tier == Tier(rawValue: "gold"))
    #expect(
      try SubscriptionBody(json: Self.with("cycle", .string("week"))).subscription.cycle.isKnown
        == false)
  }
}
