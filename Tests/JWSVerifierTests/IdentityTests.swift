import Foundation
import JWSVerifier
import ReceiptModels
import StorekeeperTesting
import Testing

@Suite("The owner of the data")
struct IdentityTests {
  let authority: TestAuthority

  init() throws {
    authority = try TestAuthority()
  }

  /// U+212A, the Kelvin sign, equals the letter K for Swift's `==` but not byte for byte.
  @Test("a bundle id that is only canonically equivalent is another app's")
  func canonicalEquivalence() throws {
    let verifier = try SignedDataVerifier(
      apps: [App(bundleID: "com.example.K")], environments: [.sandbox],
      trustAnchors: [authority.trustAnchor])
    var transaction = Transaction()
    transaction.environment = .sandbox
    transaction.bundleID = "com.example.\u{212A}"
    let token = try authority.sign(transaction)
    #expect(throws: SignedDataFailure.bundleMismatch(found: "com.example.\u{212A}")) {
      try verifier.transaction(token)
    }
    let reader = LocalTestDataReader(environment: .xcode, bundleIDs: ["com.example.K"])
    transaction.environment = .xcode
    let local = try authority.sign(transaction)
    #expect(throws: SignedDataFailure.bundleMismatch(found: "com.example.\u{212A}")) {
      try reader.transaction(local)
    }
  }
}
