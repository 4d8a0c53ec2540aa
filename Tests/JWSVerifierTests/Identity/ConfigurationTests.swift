import JWSVerifier
import ReceiptModels
import StorekeeperTesting
import Testing

@Suite("Configuration of verifiers")
struct ConfigurationTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var apps = [Sample.app]
    var environments: Set<AppStoreEnvironment> = [.sandbox]
    var anchors = [TrustAnchor.appleRootCAG3]
    var failure: SignedDataVerifier.ConfigurationFailure
  }

  static let rows: [Row] = [
    Row(testDescription: "no app", apps: [], failure: .noApp),
    Row(
      testDescription: "an empty bundle id", apps: [Sample.app, App(bundleID: "")],
      failure: .emptyBundleID),
    Row(
      testDescription: "a bundle id twice", apps: [Sample.app, Sample.otherApp, Sample.app],
      failure: .repeatedBundleID("com.example.reader")),
    Row(
      testDescription: "a bundle id twice with different Apple ids",
      apps: [Sample.app, App(bundleID: "com.example.reader", appAppleID: 7)],
      failure: .repeatedBundleID("com.example.reader")),
    Row(
      testDescription: "Production without Apple id",
      apps: [App(bundleID: "com.example.reader")], environments: [.production],
      failure: .missingAppAppleID(bundleID: "com.example.reader")),
    Row(
      testDescription: "both environments and one app without Apple id",
      apps: [Sample.app, App(bundleID: "com.example.other")], environments: .auto,
      failure: .missingAppAppleID(bundleID: "com.example.other")),
    Row(testDescription: "no environment", environments: [], failure: .noEnvironment),
    Row(
      testDescription: "Xcode", environments: [.xcode], failure: .environmentNotSigned(.xcode)),
    Row(
      testDescription: "local testing beside Sandbox", environments: [.sandbox, .localTesting],
      failure: .environmentNotSigned(.localTesting)),
    Row(
      testDescription: "Xcode beside Production and Sandbox",
      environments: [.production, .sandbox, .xcode], failure: .environmentNotSigned(.xcode)),
    Row(
      testDescription: "an environment that Apple does not document",
      environments: [AppStoreEnvironment(rawValue: "Staging")],
      failure: .environmentNotSigned(AppStoreEnvironment(rawValue: "Staging"))),
    Row(
      testDescription: "an environment in other letters",
      environments: [AppStoreEnvironment(rawValue: "sandbox")],
      failure: .environmentNotSigned(AppStoreEnvironment(rawValue: "sandbox"))),
    Row(testDescription: "no trust anchor", anchors: [], failure: .noTrustAnchor),
  ]

  @Test("a verifier that could not be right is refused", arguments: rows)
  func refused(row: Row) {
    #expect(throws: row.failure) {
      try SignedDataVerifier(
        apps: row.apps, environments: row.environments, trustAnchors: row.anchors)
    }
  }

  @Test("an app without Apple id is enough for Sandbox alone")
  func sandboxOnly() throws {
    let verifier = try SignedDataVerifier(
      apps: [App(bundleID: "com.example.reader")], environments: [.sandbox])
    #expect(verifier.environments == [.sandbox])
  }

  @Test("by default both signed environments and Apple's root are set")
  func defaults() throws {
    let verifier = try SignedDataVerifier(apps: [Sample.app], environments: .auto)
    #expect(verifier.environments == [.production, .sandbox])
    #expect(verifier.configuration.clockPolicy == .signedDate)
    let stranger = try TestAuthority().sign(Sample.transaction())
    #expect(throws: SignedDataFailure.chain(.untrustedRoot)) { try verifier.transaction(stranger) }
  }

  @Test("bundle ids that are only canonically equivalent are two apps")
  func equivalentBundleIDs() throws {
    let apps = [App(bundleID: "com.example.K"), App(bundleID: "com.example.\u{212A}")]
    let verifier = try SignedDataVerifier(apps: apps, environments: [.sandbox])
    #expect(verifier.apps.count == 2)
  }
}
