import Foundation
import JWSVerifier
import JSONValues
import ReceiptModels
import StorekeeperTesting

/// Payloads that the tests' verifiers accept, and changes to them.
enum Sample {
  /// 2025-11-01T02:09:35Z, the signing date of the payloads and, by default, the current date.
  static let now = Date(timeIntervalSince1970: 1_761_962_975)

  /// The date ``now`` in a payload.
  static let milliseconds = JSONValue.integer(1_761_962_975_000)

  static let app = App(bundleID: "com.example.reader", appAppleID: 1_234_567_890)
  static let otherApp = App(bundleID: "com.example.other", appAppleID: 987_654_321)

  /// Replaces members; nil removes one.
  typealias Changes = [String: JSONValue?]

  static func transaction(_ changes: Changes = [:]) -> JSONValue {
    changed(
      [
        "environment": .string("Sandbox"), "bundleId": .string(app.bundleID),
        "signedDate": milliseconds, "transactionId": .string("2000000000000002"),
        "originalTransactionId": .string("2000000000000001"),
      ], changes)
  }

  static func renewalInfo(_ changes: Changes = [:]) -> JSONValue {
    changed(
      [
        "environment": .string("Sandbox"), "signedDate": milliseconds,
        "originalTransactionId": .string("2000000000000001"),
      ], changes)
  }

  static func appTransaction(_ changes: Changes = [:]) -> JSONValue {
    changed(
      [
        "receiptType": .string("Sandbox"), "bundleId": .string(app.bundleID),
        "receiptCreationDate": milliseconds,
      ], changes)
  }

  static func realtimeRequest(_ changes: Changes = [:]) -> JSONValue {
    changed(
      [
        "originalTransactionId": .string("2000000000000001"), "productId": .string("reader.month"),
        "userLocale": .string("en-US"), "appAppleId": .integer(1_234_567_890),
        "requestIdentifier": .string("d4e1f2a3-1111-4222-8333-944455556666"),
        "environment": .string("Sandbox"), "signedDate": milliseconds,
      ], changes)
  }

  /// Returns a notification with one content, in the member `shape`.
  static func notification(_ shape: String = "data", _ changes: Changes = [:]) -> JSONValue {
    .object([
      "notificationType": .string("TEST"), "version": .string("2.0"),
      "notificationUUID": .string("9a000000-0000-4000-8000-000000000001"),
      "signedDate": milliseconds,
      shape: changed(
        ["environment": .string("Sandbox"), "bundleId": .string(app.bundleID)], changes),
    ])
  }

  /// The members of a payload for Production.
  static let production: Changes = ["environment": .string("Production")]

  static func changed(_ members: [String: JSONValue], _ changes: Changes) -> JSONValue {
    var members = members
    for (name, value) in changes { members[name] = value }
    return .object(members)
  }
}

extension TestAuthority {
  /// Creates an authority of the usual names whose certificates name no keys, so that nothing but
  /// the signatures gives it away.
  static func namesake(_ change: (inout Shape) -> Void = { _ in }) throws -> TestAuthority {
    try TestAuthority { shape in
      shape.root.hasKeyIdentifiers = false
      shape.intermediate.hasKeyIdentifiers = false
      shape.leaf.hasKeyIdentifiers = false
      change(&shape)
    }
  }

  /// Creates a verifier that trusts only this authority, by default by its certificate.
  func verifier(
    apps: [App] = [Sample.app], environments: Set<AppStoreEnvironment> = [.sandbox],
    anchors: [TrustAnchor]? = nil, clockPolicy: ClockPolicy = .signedDate,
    cache: SignedDataVerifier.CacheLimits = .init(), now: Date = Sample.now
  ) throws -> SignedDataVerifier {
    var configuration = SignedDataVerifier.Configuration()
    configuration.clockPolicy = clockPolicy
    configuration.cache = cache
    return try SignedDataVerifier(
      apps: apps, environments: environments, trustAnchors: try anchors ?? [trustAnchor],
      configuration: configuration, now: { now })
  }

  /// Creates a verifier that trusts this authority by the fingerprint of its root.
  func pinningVerifier() throws -> SignedDataVerifier {
    try verifier(anchors: [fingerprintAnchor])
  }
}
