import Foundation
import JWSVerifier
import StorekeeperCrypto
import JSONValues
import ReceiptModels
import StorekeeperTesting
import Testing

@Suite("The content of an authentic payload")
struct PayloadContentTests {
  let authority: TestAuthority
  let verifier: SignedDataVerifier

  init() throws {
    authority = try TestAuthority()
    verifier = try authority.verifier()
  }

  // MARK: Accepted

  @Test("an unknown value of a vocabulary is kept")
  func unknownValues() throws {
    let verified = try verifier.transaction(
      authority.sign(
        Sample.transaction([
          "type": .string("Timed Rental"), "offerType": .integer(77),
          "inAppOwnershipType": .string(""), "revocationReason": .integer(-1),
          "transactionReason": .string("GIFT"),
        ])))
    #expect(verified.payload.type == ProductType(rawValue: "Timed Rental"))
    #expect(verified.payload.type?.isKnown == false)
    #expect(verified.payload.offerType == OfferType(rawValue: 77))
    #expect(verified.payload.inAppOwnershipType == InAppOwnershipType(rawValue: ""))
    #expect(verified.payload.revocationReason == RevocationReason(rawValue: -1))
    #expect(verified.payload.transactionReason == TransactionReason(rawValue: "GIFT"))
    let notification = try verifier.notification(authority.sign(Sample.notification()))
    #expect(notification.payload.notification.notificationType == .test)
  }

  @Test("an unknown type of notification is kept")
  func unknownNotificationType() throws {
    let token = try authority.sign(
      .object([
        "notificationType": .string("SOMETHING_NEW"), "subtype": .string("VERY_NEW"),
        "signedDate": Sample.milliseconds,
        "data": .object([
          "environment": .string("Sandbox"), "bundleId": .string("com.example.reader"),
          "status": .integer(6),
        ]),
      ]))
    let notification = try verifier.notification(token).payload.notification
    #expect(notification.notificationType == NotificationType(rawValue: "SOMETHING_NEW"))
    #expect(notification.subtype == NotificationSubtype(rawValue: "VERY_NEW"))
    #expect(notification.data?.status == SubscriptionStatus(rawValue: 6))
  }

  @Test("unknown members are kept")
  func unknownMembers() throws {
    let extra = JSONValue.object(["a": .array([.integer(1), .null, .string("é😀")])])
    let verified = try verifier.transaction(
      authority.sign(Sample.transaction(["newIn2027": extra, "": .integer(0)])))
    #expect(verified.payload.additionalMembers == ["newIn2027": extra, "": .integer(0)])
  }

  @Test(
    "an appAccountToken that is no UUID counts as absent and is kept",
    arguments: ["", "none", "7e3fb20b-4cdb-47cc-936d", "ＡＢＣ"])
  func accountToken(text: String) throws {
    let verified = try verifier.transaction(
      authority.sign(Sample.transaction(["appAccountToken": .string(text)])))
    #expect(verified.payload.appAccountToken == nil)
    #expect(verified.payload.additionalMembers["appAccountToken"] == .string(text))
  }

  @Test("an appAccountToken is a UUID in either case of letters")
  func accountTokenCase() throws {
    for text in ["7e3fb20b-4cdb-47cc-936d-99d65f608138", "7E3FB20B-4CDB-47CC-936D-99D65F608138"] {
      let verified = try verifier.transaction(
        authority.sign(Sample.transaction(["appAccountToken": .string(text)])))
      #expect(
        verified.payload.appAccountToken
          == UUID(uuidString: "7E3FB20B-4CDB-47CC-936D-99D65F608138"))
    }
  }

  @Test("integers are held in 64 bits", arguments: [2_147_483_648, -2_147_483_649, .max, .min, 0])
  func integers(quantity: Int) throws {
    let verified = try verifier.transaction(
      authority.sign(Sample.transaction(["quantity": .integer(quantity)])))
    #expect(verified.payload.quantity == quantity)
  }

  @Test("null fields are absent")
  func nulls() throws {
    let verified = try verifier.transaction(
      authority.sign(
        Sample.transaction([
          "quantity": .null, "type": .null, "appAccountToken": .null, "expiresDate": .null,
          "isUpgraded": .null, "commitmentInfo": .null, "nobodyKnows": .null,
        ])))
    #expect(verified.payload.quantity == nil && verified.payload.type == nil)
    #expect(verified.payload.appAccountToken == nil && verified.payload.expiresDate == nil)
    #expect(verified.payload.isUpgraded == nil && verified.payload.commitmentInfo == nil)
    #expect(verified.payload.additionalMembers.isEmpty)
  }

  @Test("what is verified carries the token and the signed bytes as they came")
  func bytes() throws {
    let payload =
      Array(
        #" {"signedDate" : 1761962975000.0,"bundleId":"com.\u0065xample.reader","#.utf8)
      + Array("\n\t\"environment\":\"Sandbox\" , \"x\": [ ] }\r\n".utf8)
    let token = try authority.sign(payload, header: authority.header)
    let verified = try verifier.transaction(token)
    #expect(verified.payloadBytes == payload)
    #expect(verified.token == token)
    #expect(verified.bundleID == "com.example.reader")
    #expect(verified.certificateSerialNumber == authority.leaf.serialNumber)
    #expect(verified.revocation == .notRequested)
  }

  // MARK: Refused, with the bytes

  static let wrongTypes: [(Sample.Changes, FieldTypeFailure)] = [
    (
      ["quantity": .string("1")],
      FieldTypeFailure(path: "quantity", expected: .integer, found: .string)
    ),
    (
      ["quantity": .number(1.5)],
      FieldTypeFailure(path: "quantity", expected: .integer, found: .number)
    ),
    (
      ["price": .string("9990")],
      FieldTypeFailure(path: "price", expected: .integer, found: .string)
    ),
    (
      ["purchaseDate": .string("1761962975000")],
      FieldTypeFailure(path: "purchaseDate", expected: .number, found: .string)
    ),
    (
      ["isUpgraded": .integer(1)],
      FieldTypeFailure(path: "isUpgraded", expected: .boolean, found: .integer)
    ),
    (
      ["isUpgraded": .string("true")],
      FieldTypeFailure(path: "isUpgraded", expected: .boolean, found: .string)
    ),
    (
      ["bundleId": .integer(1)],
      FieldTypeFailure(path: "bundleId", expected: .string, found: .integer)
    ),
    (
      ["environment": .array([.string("Sandbox")])],
      FieldTypeFailure(path: "environment", expected: .string, found: .array)
    ),
    (
      ["appAccountToken": .integer(1)],
      FieldTypeFailure(path: "appAccountToken", expected: .uuid, found: .integer)
    ),
    (
      ["offerType": .string("1")],
      FieldTypeFailure(path: "offerType", expected: .integer, found: .string)
    ),
    (
      ["commitmentInfo": .array([])],
      FieldTypeFailure(path: "commitmentInfo", expected: .object, found: .array)
    ),
    (
      ["commitmentInfo": .object(["commitmentPrice": .string("1")])],
      FieldTypeFailure(path: "commitmentInfo.commitmentPrice", expected: .integer, found: .string)
    ),
    (
      [
        "advancedCommerceInfo": .object([
          "items": .array([.object([:]), .object(["price": .string("1")])])
        ])
      ],
      FieldTypeFailure(
        path: "advancedCommerceInfo.items[1].price", expected: .integer, found: .string)
    ),
  ]

  @Test(
    "a field of the wrong JSON type is refused with its path and the bytes", arguments: wrongTypes)
  func wrongType(changes: Sample.Changes, fault: FieldTypeFailure) throws {
    let payload = Sample.transaction(changes)
    let failure = #expect(throws: SignedDataFailure.self) {
      try verifier.transaction(authority.sign(payload))
    }
    guard case .fieldType(let found, let bytes) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(found == fault)
    #expect(bytes.bytes == payload.serialized)
  }

  @Test("a realtime request without one of its fields is refused with its name")
  func requiredFields() throws {
    let kinds: [(String, JSONKind)] = [
      ("originalTransactionId", .string), ("appAppleId", .integer), ("productId", .string),
      ("userLocale", .string), ("requestIdentifier", .uuid), ("environment", .string),
      ("signedDate", .number),
    ]
    for (name, kind) in kinds {
      for value in [nil, JSONValue.null] {
        let token = try authority.sign(Sample.realtimeRequest([name: value]))
        let failure = #expect(throws: SignedDataFailure.self) {
          try verifier.realtimeRequest(token)
        }
        guard case .fieldType(let fault, _) = failure else {
          Issue.record("\(name): \(String(describing: failure))")
          continue
        }
        #expect(fault == FieldTypeFailure(path: name, expected: kind, found: .absent))
      }
    }
  }

  static let malformations: [(String, [UInt8])] = [
    ("an array", Array("[]".utf8)), ("an array of one", Array("[{}]".utf8)),
    ("a string", Array("\"Sandbox\"".utf8)), ("null", Array("null".utf8)),
    ("a number", Array("1".utf8)), ("text", Array("Sandbox".utf8)), ("a space", [0x20]),
    ("a NUL", [0]), ("half an object", Array("{\"environment\":\"Sandbox\"".utf8)),
    ("two objects", Array("{}{}".utf8)), ("a trailing comma", Array("{\"a\":1,}".utf8)),
    ("a byte-order mark", [0xEF, 0xBB, 0xBF] + Array("{}".utf8)),
    ("invalid UTF-8", Array("{\"a\":\"".utf8) + [0xFF] + Array("\"}".utf8)),
    ("half a surrogate pair", Array(#"{"a":"\ud800"}"#.utf8)),
    ("a number beyond all", Array("{\"signedDate\":1e999}".utf8)),
    ("not a number", Array("{\"signedDate\":NaN}".utf8)),
    (
      "65 levels",
      Array((String(repeating: "[", count: 65) + String(repeating: "]", count: 65)).utf8)
    ),
    ("a bomb of arrays", Array(String(repeating: "[", count: 150_000).utf8)),
    ("a bomb of objects", Array(String(repeating: "{\"a\":", count: 30_000).utf8)),
    (
      "a bomb in a member",
      Array(#"{"environment":"Sandbox","bundleId":"com.example.reader","x":"#.utf8)
        + Array(String(repeating: "[", count: 100_000).utf8)
        + Array(String(repeating: "]", count: 100_000).utf8.prefix(40_000))
    ),
  ]

  @Test("a payload that is no JSON object is refused with the bytes", arguments: malformations)
  func malformed(description: String, bytes: [UInt8]) throws {
    let token = try authority.sign(bytes, header: authority.header)
    let failure = #expect(throws: SignedDataFailure.self) { try verifier.transaction(token) }
    guard case .payloadMalformed(let found) = failure else {
      Issue.record("\(description): \(String(describing: failure))")
      return
    }
    #expect(found.bytes == bytes)
    // The same bytes that nobody signed are refused for that.
    let unsigned = try TokenParts(token).replacing(signature: [UInt8](repeating: 1, count: 64))
    #expect(throws: SignedDataFailure.signatureInvalid) { try verifier.transaction(unsigned) }
  }

  @Test("an empty object names no environment")
  func emptyObject() throws {
    #expect(throws: SignedDataFailure.environmentMissing) {
      try verifier.transaction(authority.sign(.object([:])))
    }
  }
}
