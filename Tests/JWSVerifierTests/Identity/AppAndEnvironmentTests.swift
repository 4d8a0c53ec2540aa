import JWSVerifier
import JSONValues
import ReceiptModels
import StorekeeperTesting
import Testing

/// One payload given to one of the verifying functions (contract, section 2.1).
struct IdentityRow: Sendable, CustomTestStringConvertible {
  enum Kind: Sendable {
    case transaction, renewalInfo, appTransaction, realtimeRequest, notification(String)
  }

  var testDescription: String
  var kind: Kind
  var changes: Sample.Changes
  /// Why it is refused; nil when it is accepted.
  var reason: SignedDataFailure?

  init(_ kind: Kind, _ changes: Sample.Changes, _ reason: SignedDataFailure? = nil) {
    self.kind = kind
    self.changes = changes
    self.reason = reason
    let members = changes.sorted { $0.key < $1.key }.map { name, value in
      "\(name): \(value.map { String(decoding: $0.serialized, as: UTF8.self) } ?? "missing")"
    }
    testDescription = "\(kind) with \(members.joined(separator: ", "))"
  }

  var payload: JSONValue {
    switch kind {
    case .transaction: Sample.transaction(changes)
    case .renewalInfo: Sample.renewalInfo(changes)
    case .appTransaction: Sample.appTransaction(changes)
    case .realtimeRequest: Sample.realtimeRequest(changes)
    case .notification(let shape): Sample.notification(shape, changes)
    }
  }

  /// What a verifier says of the environment, or why it refuses.
  func outcome(
    of token: String, by verifier: SignedDataVerifier
  ) -> Result<AppStoreEnvironment, SignedDataFailure> {
    Result { () throws(SignedDataFailure) in
      switch kind {
      case .transaction: try verifier.transaction(token).environment
      case .renewalInfo: try verifier.renewalInfo(token).environment
      case .appTransaction: try verifier.appTransaction(token).environment
      case .realtimeRequest: try verifier.realtimeRequest(token).environment
      case .notification: try verifier.notification(token).environment
      }
    }
  }
}

@Suite("Environment, bundle id and Apple id")
struct AppAndEnvironmentTests {
  let authority: TestAuthority

  init() throws {
    authority = try TestAuthority()
  }

  private static let shapes = ["data", "summary", "appData"]
  private static let ours = JSONValue.integer(1_234_567_890)

  // MARK: Environment

  private static func environmentRows(
    _ kind: IdentityRow.Kind, _ member: String
  ) -> [IdentityRow] {
    [
      IdentityRow(kind, [member: .string("Sandbox")]),
      IdentityRow(kind, [member: .string("Production")], .environmentNotAllowed(.production)),
      IdentityRow(kind, [member: .string("Xcode")], .environmentNotAllowed(.xcode)),
      IdentityRow(kind, [member: .string("LocalTesting")], .environmentNotAllowed(.localTesting)),
      IdentityRow(kind, [member: .string("Foo")], .environmentUnknown("Foo")),
      IdentityRow(kind, [member: .string("sandbox")], .environmentUnknown("sandbox")),
      IdentityRow(kind, [member: .string("Sandbox ")], .environmentUnknown("Sandbox ")),
      IdentityRow(kind, [member: .string("")], .environmentUnknown("")),
    ]
  }

  static let environments: [IdentityRow] =
    environmentRows(.transaction, "environment") + environmentRows(.renewalInfo, "environment")
    + environmentRows(.appTransaction, "receiptType")
    + environmentRows(.realtimeRequest, "environment")
    + shapes.flatMap { environmentRows(.notification($0), "environment") }

  @Test("only the environments that are set are accepted", arguments: environments)
  func environment(row: IdentityRow) throws {
    let token = try authority.sign(row.payload)
    let outcome = row.outcome(of: token, by: try authority.verifier())
    #expect(outcome == (row.reason.map(Result.failure) ?? .success(.sandbox)))
  }

  static let withoutEnvironment: [IdentityRow] =
    [nil, JSONValue.null].flatMap { value in
      [
        IdentityRow(.transaction, ["environment": value], .environmentMissing),
        IdentityRow(.renewalInfo, ["environment": value], .environmentMissing),
        IdentityRow(.appTransaction, ["receiptType": value], .environmentMissing),
      ]
        + shapes.map {
          IdentityRow(.notification($0), ["environment": value], .environmentMissing)
        }
    }

  @Test("a payload without environment is refused", arguments: withoutEnvironment)
  func missingEnvironment(row: IdentityRow) throws {
    let token = try authority.sign(row.payload)
    for environments in [[.sandbox], [.production], .auto] as [Set<AppStoreEnvironment>] {
      let verifier = try authority.verifier(environments: environments)
      #expect(row.outcome(of: token, by: verifier) == .failure(.environmentMissing))
    }
  }

  @Test("data of Xcode that Apple seems to have signed is accepted by no verifier")
  func signedXcode() throws {
    for environment in [AppStoreEnvironment.xcode, .localTesting] {
      let token = try authority.sign(
        Sample.transaction(["environment": .string(environment.rawValue)]))
      #expect(throws: SignedDataFailure.environmentNotAllowed(environment)) {
        try authority.verifier(environments: .auto).transaction(token)
      }
    }
  }

  @Test("a verifier for both environments says which one it was")
  func auto() throws {
    let verifier = try authority.verifier(environments: .auto)
    let sandbox = try verifier.transaction(authority.sign(Sample.transaction()))
    #expect(sandbox.environment == .sandbox)
    let production = try verifier.transaction(
      authority.sign(Sample.transaction(Sample.production)))
    #expect(production.environment == .production)
  }

  // MARK: Bundle id

  private static func bundleRows(_ kind: IdentityRow.Kind) -> [IdentityRow] {
    [
      IdentityRow(kind, ["bundleId": nil], .bundleMismatch(found: nil)),
      IdentityRow(kind, ["bundleId": .null], .bundleMismatch(found: nil)),
      IdentityRow(kind, ["bundleId": .string("")], .bundleMismatch(found: "")),
    ]
      + [
        "com.example.other", "com.example.Reader", "COM.EXAMPLE.READER", "com.example.reader ",
        "com.example.reader.extension", "com.example", "com.example.reader\0",
      ].map { IdentityRow(kind, ["bundleId": .string($0)], .bundleMismatch(found: $0)) }
  }

  static let bundles: [IdentityRow] =
    bundleRows(.transaction) + bundleRows(.appTransaction)
    + (shapes + ["externalPurchaseToken"]).flatMap { shape in
      bundleRows(.notification(shape)).map { row in
        var row = row
        if shape == "externalPurchaseToken" {
          row.changes["externalPurchaseId"] = .string("SANDBOX_1")
        }
        return row
      }
    }

  @Test("another bundle id, or none, is a mismatch", arguments: bundles)
  func bundle(row: IdentityRow) throws {
    let reason = try #require(row.reason)
    let outcome = row.outcome(of: try authority.sign(row.payload), by: try authority.verifier())
    #expect(outcome == .failure(reason))
  }

  @Test("the environment is named before the bundle id, and that before the Apple id")
  func order() throws {
    let verifier = try authority.verifier(environments: [.production])
    let foreign: Sample.Changes = ["bundleId": .string("com.example.other"), "appAppleId": nil]
    #expect(throws: SignedDataFailure.environmentNotAllowed(.sandbox)) {
      try verifier.notification(authority.sign(Sample.notification("data", foreign)))
    }
    let production = foreign.merging(Sample.production) { $1 }
    #expect(throws: SignedDataFailure.bundleMismatch(found: "com.example.other")) {
      try verifier.notification(authority.sign(Sample.notification("data", production)))
    }
  }

  // MARK: Apple id

  private static func appleIDRows(
    _ kind: IdentityRow.Kind, _ production: Sample.Changes, _ sandbox: Sample.Changes
  ) -> [IdentityRow] {
    func with(_ value: JSONValue?, _ changes: Sample.Changes) -> Sample.Changes {
      changes.merging(["appAppleId": value]) { $1 }
    }
    return [
      IdentityRow(kind, with(ours, production)),
      IdentityRow(
        kind, with(.integer(987_654_321), production), .appAppleIdMismatch(found: 987_654_321)),
      IdentityRow(kind, with(.integer(0), production), .appAppleIdMismatch(found: 0)),
      IdentityRow(kind, with(nil, production), .appAppleIdMismatch(found: nil)),
      IdentityRow(kind, with(.null, production), .appAppleIdMismatch(found: nil)),
      IdentityRow(kind, with(ours, sandbox)),
      IdentityRow(kind, with(.integer(987_654_321), sandbox)),
      IdentityRow(kind, with(nil, sandbox)),
    ]
  }

  static let appleIDs: [IdentityRow] =
    appleIDRows(.appTransaction, ["receiptType": .string("Production")], [:])
    + shapes.flatMap { appleIDRows(.notification($0), Sample.production, [:]) }
    + appleIDRows(
      .notification("externalPurchaseToken"),
      ["externalPurchaseId": .string("7e9c"), "environment": nil],
      ["externalPurchaseId": .string("SANDBOX_7e9c"), "environment": nil])

  @Test("the Apple id is compared in Production and only there", arguments: appleIDs)
  func appleID(row: IdentityRow) throws {
    let token = try authority.sign(row.payload)
    let outcome = row.outcome(of: token, by: try authority.verifier(environments: .auto))
    if let reason = row.reason {
      #expect(outcome == .failure(reason))
    } else {
      #expect(throws: Never.self) { try outcome.get() }
    }
  }

  @Test("a realtime request names no bundle id, and its Apple id is compared in Production")
  func realtimeRequest() throws {
    let verifier = try authority.verifier(environments: .auto)
    let sandbox = try verifier.realtimeRequest(
      authority.sign(Sample.realtimeRequest(["appAppleId": .integer(1)])))
    #expect(sandbox.bundleID == nil)
    let production = Sample.realtimeRequest(Sample.production)
    #expect(try verifier.realtimeRequest(authority.sign(production)).environment == .production)
    let foreign = Sample.production.merging(["appAppleId": .integer(1)]) { $1 }
    #expect(throws: SignedDataFailure.appAppleIdMismatch(found: 1)) {
      try verifier.realtimeRequest(authority.sign(Sample.realtimeRequest(foreign)))
    }
  }

  // MARK: Several apps

  @Test("a verifier of several apps accepts each, and no mixture of two")
  func severalApps() throws {
    let verifier = try authority.verifier(
      apps: [Sample.app, Sample.otherApp], environments: .auto)
    for app in [Sample.app, Sample.otherApp] {
      let changes = Sample.production.merging(
        ["bundleId": .string(app.bundleID), "appAppleId": app.appAppleID.map(JSONValue.integer)]
      ) { $1 }
      let verified = try verifier.notification(
        authority.sign(Sample.notification("data", changes)))
      #expect(verified.bundleID == app.bundleID)
      let transaction = try verifier.transaction(
        authority.sign(Sample.transaction(["bundleId": .string(app.bundleID)])))
      #expect(transaction.bundleID == app.bundleID)
    }
    let mixed = Sample.production.merging(["appAppleId": .integer(987_654_321)]) { $1 }
    #expect(throws: SignedDataFailure.appAppleIdMismatch(found: 987_654_321)) {
      try verifier.notification(authority.sign(Sample.notification("data", mixed)))
    }
    #expect(throws: SignedDataFailure.bundleMismatch(found: "com.example.third")) {
      try verifier.transaction(
        authority.sign(Sample.transaction(["bundleId": .string("com.example.third")])))
    }
  }

  @Test("a realtime request for any of several apps is accepted by its Apple id")
  func realtimeRequestOfSeveralApps() throws {
    let verifier = try authority.verifier(
      apps: [Sample.app, Sample.otherApp], environments: [.production])
    for id in [1_234_567_890, 987_654_321] {
      let changes = Sample.production.merging(["appAppleId": .integer(id)]) { $1 }
      let verified = try verifier.realtimeRequest(authority.sign(Sample.realtimeRequest(changes)))
      #expect(verified.payload.appAppleID == id)
    }
  }

  // MARK: One kind given to another function

  @Test("a payload of one kind is no payload of another")
  func otherKinds() throws {
    let verifier = try authority.verifier()
    let transaction = try authority.sign(Sample.transaction())
    let renewalInfo = try authority.sign(Sample.renewalInfo())
    let appTransaction = try authority.sign(Sample.appTransaction())
    let notification = try authority.sign(Sample.notification())
    #expect(throws: SignedDataFailure.environmentMissing) {
      try verifier.transaction(appTransaction)
    }
    #expect(throws: SignedDataFailure.environmentMissing) {
      try verifier.appTransaction(transaction)
    }
    #expect(throws: SignedDataFailure.environmentMissing) {
      try verifier.transaction(notification)
    }
    #expect(throws: SignedDataFailure.environmentMissing) {
      try verifier.renewalInfo(notification)
    }
    #expect(throws: SignedDataFailure.bundleMismatch(found: nil)) {
      try verifier.transaction(renewalInfo)
    }
    for token in [transaction, renewalInfo, appTransaction] {
      #expect(throws: SignedDataFailure.notificationShape(count: 0)) {
        try verifier.notification(token)
      }
    }
  }

  @Test("renewal info of another app is accepted alone, and says that no app is proven")
  func renewalInfoAlone() throws {
    let token = try authority.sign(
      Sample.renewalInfo(["productId": .string("other.month"), "bundleId": .string("com.other")]))
    #expect(try authority.verifier().renewalInfo(token).bundleID == nil)
  }
}
