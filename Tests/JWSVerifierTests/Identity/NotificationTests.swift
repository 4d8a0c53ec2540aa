import Foundation
import JWSVerifier
import JSONValues
import ReceiptModels
import StorekeeperTesting
import Testing

@Suite("Notifications and the signed data inside them")
struct NotificationTests {
  let authority: TestAuthority
  let verifier: SignedDataVerifier

  init() throws {
    authority = try TestAuthority()
    verifier = try authority.verifier(
      apps: [Sample.app, Sample.otherApp], environments: .auto)
  }

  private func notification(
    _ shape: String = "data", transaction: String? = nil, renewalInfo: String? = nil,
    appTransaction: String? = nil, _ changes: Sample.Changes = [:]
  ) throws -> String {
    let nested: Sample.Changes = [
      "signedTransactionInfo": transaction.map(JSONValue.string),
      "signedRenewalInfo": renewalInfo.map(JSONValue.string),
      "signedAppTransactionInfo": appTransaction.map(JSONValue.string),
    ]
    return try authority.sign(Sample.notification(shape, nested.merging(changes) { $1 }))
  }

  // MARK: Shape

  static let shapes = ["data", "summary", "externalPurchaseToken", "appData"]

  @Test("each of the four shapes is accepted alone, in Sandbox", arguments: shapes)
  func shape(name: String) throws {
    let token = try notification(name, ["externalPurchaseId": .string("SANDBOX_7e9c")])
    let verified = try verifier.notification(token)
    #expect(verified.environment == .sandbox)
    #expect(verified.bundleID == "com.example.reader")
    let content = verified.payload
    #expect((content.notification.data != nil) == (name == "data"))
    #expect((content.notification.summary != nil) == (name == "summary"))
    #expect(
      (content.notification.externalPurchaseToken != nil) == (name == "externalPurchaseToken"))
    #expect((content.notification.appData != nil) == (name == "appData"))
    #expect(content.transaction == nil && content.renewalInfo == nil)
    #expect(content.appTransaction == nil)
    #expect(try verifier.notificationEnvelope(token).payload == content.notification)
  }

  @Test("each of the four shapes is accepted alone, in Production", arguments: shapes)
  func productionShape(name: String) throws {
    let token = try notification(
      name,
      [
        "environment": .string("Production"), "appAppleId": .integer(1_234_567_890),
        "externalPurchaseId": .string("b2158121-7af9-49d4-9561-1f588205523e"),
      ])
    #expect(try verifier.notification(token).environment == .production)
  }

  /// Contract, section 2.1: an id that starts with `SANDBOX` belongs to Sandbox, any other to
  /// Production.
  @Test(
    "the environment of an external purchase token comes from its id",
    arguments: [
      ("SANDBOX", AppStoreEnvironment.sandbox), ("SANDBOX_b2158121", .sandbox),
      ("SANDBOXb2158121", .sandbox), ("sandbox_b2158121", .production),
      ("Sandbox_b2158121", .production), (" SANDBOX_b2158121", .production),
      ("b2158121_SANDBOX", .production), ("", .production),
    ])
  func externalPurchaseToken(id: String, environment: AppStoreEnvironment) throws {
    let token = try notification(
      "externalPurchaseToken",
      [
        "externalPurchaseId": .string(id), "appAppleId": .integer(1_234_567_890),
        "environment": nil,
      ])
    #expect(try verifier.notification(token).environment == environment)
  }

  @Test("an external purchase token without id belongs to Production")
  func externalPurchaseTokenWithoutID() throws {
    let token = try notification("externalPurchaseToken", ["environment": nil])
    #expect(throws: SignedDataFailure.environmentNotAllowed(.production)) {
      try authority.verifier().notification(token)
    }
  }

  @Test("a notification with none of the four shapes is refused")
  func noShape() throws {
    for shape in ["Data", "appdata", "rescindConsentData"] {
      #expect(throws: SignedDataFailure.notificationShape(count: 0)) {
        try verifier.notification(notification(shape))
      }
    }
    let null = try authority.sign(
      .object(["data": .null, "summary": .null, "signedDate": Sample.milliseconds]))
    #expect(throws: SignedDataFailure.notificationShape(count: 0)) {
      try verifier.notification(null)
    }
  }

  @Test("a notification with several of the four shapes is refused", arguments: 2...4)
  func severalShapes(count: Int) throws {
    guard case .object(var members) = Sample.notification() else { return }
    let body = members["data"]
    for first in Self.shapes.indices {
      for shape in Self.shapes { members[shape] = nil }
      for offset in 0..<count { members[Self.shapes[(first + offset) % 4]] = body }
      let token = try authority.sign(.object(members))
      #expect(throws: SignedDataFailure.notificationShape(count: count)) {
        try verifier.notification(token)
      }
      #expect(throws: SignedDataFailure.notificationShape(count: count)) {
        try verifier.notificationEnvelope(token)
      }
    }
  }

  @Test("null beside one shape is no second one")
  func nullBeside() throws {
    guard case .object(var members) = Sample.notification() else { return }
    members["summary"] = .null
    members["appData"] = .null
    let token = try authority.sign(.object(members))
    #expect(try verifier.notification(token).token == token)
  }

  // MARK: Nested

  @Test("the signed data inside is verified and given out")
  func nested() throws {
    let transaction = try authority.sign(Sample.transaction())
    let renewalInfo = try authority.sign(Sample.renewalInfo())
    let verified = try verifier.notification(
      notification(transaction: transaction, renewalInfo: renewalInfo))
    #expect(verified.payload.transaction == (try verifier.transaction(transaction)))
    #expect(verified.payload.renewalInfo == (try verifier.renewalInfo(renewalInfo)))
    let appTransaction = try authority.sign(Sample.appTransaction())
    let consent = try verifier.notification(
      notification("appData", appTransaction: appTransaction))
    #expect(consent.payload.appTransaction == (try verifier.appTransaction(appTransaction)))
  }

  @Test("each part is judged at its own time of signing, under its own leaf")
  func ownTimes() throws {
    let earlier = try authority.withNewLeaf {
      $0.leaf.notAfter = Sample.now.addingTimeInterval(-1_000)
    }
    let transaction = try earlier.sign(
      Sample.transaction(["signedDate": .integer(1_761_962_975_000 - 1_000_000)]))
    let verified = try verifier.notification(notification(transaction: transaction))
    #expect(verified.payload.transaction?.token == transaction)
    let late = try earlier.sign(Sample.transaction())
    #expect(throws: SignedDataFailure.nested(.transaction, .certificateExpired(0))) {
      try verifier.notification(notification(transaction: late))
    }
  }

  /// Ways to spoil a good token, and the reasons.
  static let spoilings: [(Change<String>, SignedDataFailure)] = [
    (
      Change("an altered payload") {
        try TokenParts($0).replacing(payload: Array("{}".utf8))
      }, .signatureInvalid
    ),
    (
      Change("another signature") {
        try TokenParts($0).replacing(signature: [UInt8](repeating: 1, count: 64))
      }, .signatureInvalid
    ),
    (Change("no signature") { try TokenParts($0).replacing(signature: []) }, .signatureMalformed),
    (Change("no token") { _ in "" }, .malformedToken),
    (Change("a placeholder") { _ in "signed_transaction_info_value" }, .malformedToken),
    (
      Change("an unsigned token") { "e30.\(try TokenParts($0).payload)." },
      .unsupportedAlgorithm(nil)
    ),
    (Change("a line feed behind it") { $0 + "\n" }, .badEncoding(.signature)),
  ]

  @Test("spoiled data inside refuses the whole", arguments: spoilings)
  func spoiled(change: Change<String>, reason: SignedDataFailure) throws {
    let transaction = try authority.sign(Sample.transaction())
    let renewalInfo = try authority.sign(Sample.renewalInfo())
    let appTransaction = try authority.sign(Sample.appTransaction())
    // With the genuine data seen before, and without.
    for verifier in [try authority.verifier(), verifier] {
      #expect(throws: SignedDataFailure.nested(.transaction, reason)) {
        try verifier.notification(
          notification(transaction: change(transaction), renewalInfo: renewalInfo))
      }
      #expect(throws: SignedDataFailure.nested(.renewalInfo, reason)) {
        try verifier.notification(
          notification(transaction: transaction, renewalInfo: change(renewalInfo)))
      }
      #expect(throws: SignedDataFailure.nested(.appTransaction, reason)) {
        try verifier.notification(
          notification("appData", appTransaction: change(appTransaction)))
      }
    }
    let envelope = try notification(transaction: change(transaction))
    #expect(try verifier.notificationEnvelope(envelope).environment == .sandbox)
  }

  @Test("data inside that is signed by a stranger refuses the whole")
  func foreign() throws {
    let stranger = try TestAuthority { $0.root.commonName = "Other Root" }
    #expect(throws: SignedDataFailure.nested(.transaction, .untrustedRoot)) {
      try verifier.notification(notification(transaction: stranger.sign(Sample.transaction())))
    }
  }

  @Test("data inside of an app that is not ours refuses the whole")
  func foreignApp() throws {
    let bundleID = JSONValue.string("com.example.third")
    let reason = SignedDataFailure.bundleMismatch(found: "com.example.third")
    #expect(throws: SignedDataFailure.nested(.transaction, reason)) {
      try verifier.notification(
        notification(transaction: authority.sign(Sample.transaction(["bundleId": bundleID]))))
    }
    #expect(throws: SignedDataFailure.nested(.appTransaction, reason)) {
      try verifier.notification(
        notification(
          "appData",
          appTransaction: authority.sign(Sample.appTransaction(["bundleId": bundleID]))))
    }
  }

  @Test("data inside of another of our apps contradicts the notification")
  func otherApp() throws {
    let bundleID = JSONValue.string(Sample.otherApp.bundleID)
    #expect(throws: SignedDataFailure.nestedMismatch(.bundleID(.transaction))) {
      try verifier.notification(
        notification(transaction: authority.sign(Sample.transaction(["bundleId": bundleID]))))
    }
    #expect(throws: SignedDataFailure.nestedMismatch(.bundleID(.appTransaction))) {
      try verifier.notification(
        notification(
          "appData",
          appTransaction: authority.sign(Sample.appTransaction(["bundleId": bundleID]))))
    }
  }

  @Test("data inside of an environment that is not accepted refuses the whole")
  func refusedEnvironment() throws {
    let sandbox = try authority.verifier()
    let reason = SignedDataFailure.environmentNotAllowed(.production)
    #expect(throws: SignedDataFailure.nested(.transaction, reason)) {
      try sandbox.notification(
        notification(transaction: authority.sign(Sample.transaction(Sample.production))))
    }
    #expect(throws: SignedDataFailure.nested(.renewalInfo, .environmentMissing)) {
      try sandbox.notification(
        notification(renewalInfo: authority.sign(Sample.renewalInfo(["environment": nil]))))
    }
  }

  @Test("data inside of the other accepted environment contradicts the notification")
  func otherEnvironment() throws {
    let transaction = try authority.sign(Sample.transaction(Sample.production))
    let renewalInfo = try authority.sign(Sample.renewalInfo(Sample.production))
    let appTransaction = try authority.sign(
      Sample.appTransaction([
        "receiptType": .string("Production"), "appAppleId": .integer(1_234_567_890),
      ]))
    #expect(throws: SignedDataFailure.nestedMismatch(.environment(.transaction))) {
      try verifier.notification(notification(transaction: transaction))
    }
    #expect(throws: SignedDataFailure.nestedMismatch(.environment(.renewalInfo))) {
      try verifier.notification(notification(renewalInfo: renewalInfo))
    }
    #expect(throws: SignedDataFailure.nestedMismatch(.environment(.appTransaction))) {
      try verifier.notification(notification("appData", appTransaction: appTransaction))
    }
    let production: Sample.Changes = [
      "environment": .string("Production"), "appAppleId": .integer(1_234_567_890),
    ]
    let sandboxTransaction = try authority.sign(Sample.transaction())
    #expect(throws: SignedDataFailure.nestedMismatch(.environment(.transaction))) {
      try verifier.notification(notification(transaction: sandboxTransaction, production))
    }
    let verified = try verifier.notification(
      notification(transaction: transaction, renewalInfo: renewalInfo, production))
    #expect(verified.environment == .production)
  }

  @Test("renewal info of another subscription contradicts the transaction")
  func otherSubscription() throws {
    let transaction = try authority.sign(Sample.transaction())
    let ids: [JSONValue?] = [
      .string("2000000000000009"), .string("2000000000000001 "), .string(""), nil, .null,
    ]
    for id in ids {
      let renewalInfo = try authority.sign(Sample.renewalInfo(["originalTransactionId": id]))
      #expect(throws: SignedDataFailure.nestedMismatch(.originalTransactionID)) {
        try verifier.notification(
          notification(transaction: transaction, renewalInfo: renewalInfo))
      }
      // Alone there is nothing to compare it with.
      #expect(try verifier.renewalInfo(renewalInfo).bundleID == nil)
      let alone = try verifier.notification(notification(renewalInfo: renewalInfo))
      #expect(alone.payload.renewalInfo?.token == renewalInfo)
    }
  }

  @Test("one kind of signed data in the place of another refuses the whole")
  func swapped() throws {
    let transaction = try authority.sign(Sample.transaction())
    let renewalInfo = try authority.sign(Sample.renewalInfo())
    #expect(throws: SignedDataFailure.nested(.transaction, .bundleMismatch(found: nil))) {
      try verifier.notification(notification(transaction: renewalInfo, renewalInfo: transaction))
    }
    #expect(throws: SignedDataFailure.nested(.appTransaction, .environmentMissing)) {
      try verifier.notification(notification("appData", appTransaction: transaction))
    }
  }

  @Test("the same notification twice has the same notificationUUID, whatever its text")
  func sameUUID() throws {
    let payload = Sample.notification()
    let first = try verifier.notification(authority.sign(payload))
    let second = try verifier.notification(authority.withNewLeaf().sign(payload))
    #expect(first.token != second.token)
    #expect(
      first.payload.notification.notificationUUID == second.payload.notification.notificationUUID)
  }
}
