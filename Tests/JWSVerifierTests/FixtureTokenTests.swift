import JSONValues
import StorekeeperFixtures
import Foundation
import JWSVerifier
import StorekeeperCrypto
import ReceiptModels
import Testing

/// One row of `signed-data/expected.json`, or one of its variants.
struct ExpectedToken: Decodable, Sendable, CustomTestStringConvertible {
  struct Variant: Decodable, Sendable {
    var environment: String?
    var bundle_id: String?
    var app_apple_id: Int?
    var verify_as: String?
    var expected: String
    var reason: String?
  }

  var file: String
  var verify_as: String
  var trust_anchor: String
  var environment: String
  var bundle_id: String?
  var app_apple_id: Int?
  var effective_time_ms: Double?
  var expected: String
  var reason: String?
  var variants: [Variant]?

  var testDescription: String { "\(file) as \(verify_as) for \(environment)" }

  static let all: [ExpectedToken] = {
    guard let data = try? Fixtures.data("signed-data/expected.json"),
      let rows = try? JSONDecoder().decode([ExpectedToken].self, from: data)
    else { return [] }
    return rows + rows.flatMap { row in (row.variants ?? []).map(row.applying) }
  }()

  private func applying(_ variant: Variant) -> ExpectedToken {
    var row = self
    row.environment = variant.environment ?? environment
    row.bundle_id = variant.bundle_id ?? bundle_id
    row.app_apple_id = variant.app_apple_id ?? app_apple_id
    row.verify_as = variant.verify_as ?? verify_as
    row.expected = variant.expected
    row.reason = variant.reason
    return row
  }

  func verifier(now: @escaping @Sendable () -> Date = { Date() }) throws -> SignedDataVerifier {
    try SignedDataVerifier(
      apps: [App(bundleID: bundle_id ?? "com.example", appAppleID: app_apple_id)],
      environments: [AppStoreEnvironment(rawValue: environment)],
      trustAnchors: [TrustAnchor(certificate: Array(Fixtures.data(trust_anchor)))],
      now: now)
  }

  /// The signed date, or the reason for the refusal.
  func outcome(of token: String, by verifier: SignedDataVerifier) throws -> Outcome {
    do throws(SignedDataFailure) {
      switch verify_as {
      case "transaction": return .verified(try verifier.transaction(token).signedDate)
      case "renewal info": return .verified(try verifier.renewalInfo(token).signedDate)
      case "notification": return .verified(try verifier.notification(token).signedDate)
      default:
        Issue.record("no such kind: \(verify_as)")
        return .verified(nil)
      }
    } catch {
      return .refused(error)
    }
  }

  enum Outcome {
    case verified(Date?)
    case refused(SignedDataFailure)
  }
}

@Suite(
  "Tokens of the fixtures", .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"))
struct FixtureTokenTests {
  @Test("every token of the list gives the outcome and the reason that the list states")
  func outcomes() throws {
    var counts: [String: Int] = [:]
    for row in ExpectedToken.all {
      let token = try Fixtures.text("signed-data/" + row.file)
      switch (try row.outcome(of: token, by: try row.verifier()), row.expected) {
      case (.verified(let date), "valid"):
        let expected = row.effective_time_ms.map { Date(timeIntervalSince1970: $0 / 1000) }
        #expect(
          date.map { Int($0.timeIntervalSince1970) }
            == expected.map { Int($0.timeIntervalSince1970) }, "\(row.testDescription)")
      // The first of duplicate members counts everywhere; here it is Sandbox.
      case (.verified, "undecided"): #expect(row.file == "derived/dup-key-env.jws")
      case (.refused(let failure), "invalid"):
        #expect(
          failure.matches(try #require(row.reason)), "\(row.testDescription): \(failure)")
      case (let outcome, _):
        Issue.record("\(row.testDescription): \(outcome), expected \(row.expected)")
      }
      counts[row.expected, default: 0] += 1
    }
    print("fixture tokens: \(counts.sorted { $0.key < $1.key })")
    #expect(counts == ["valid": 11, "invalid": 24, "undecided": 1])
  }

  @Test("renewal info that Apple signed verifies with the built-in anchor, at its time of signing")
  func appleSigned() throws {
    let token = try Fixtures.text("signed-data/apple/goiap-sandbox-renewal-info-2023.jws")
    let verifier = try SignedDataVerifier(
      apps: [App(bundleID: "co.ringalarm.swtich")], environments: [.sandbox])
    let verified = try verifier.renewalInfo(token)
    #expect(verified.environment == .sandbox)
    #expect(verified.signedDate == Date(timeIntervalSince1970: 1_684_822_778.492))
    #expect(verified.payload.originalTransactionID == "2000000335310644")
    #expect(verified.payload.autoRenewStatus == .on)
    #expect(verified.bundleID == nil)
    #expect(verified.token == token)
    #expect(verified.payload.additionalMembers.isEmpty)
    #expect(verified.certificateSerialNumber == "68fa0f95dbe94a8107d2506b8c33eff6")
  }

  @Test("the same renewal info is refused when the certificates are judged now")
  func appleSignedNow() throws {
    let token = try Fixtures.text("signed-data/apple/goiap-sandbox-renewal-info-2023.jws")
    var configuration = SignedDataVerifier.Configuration()
    configuration.clockPolicy = .now
    let verifier = try SignedDataVerifier(
      apps: [App(bundleID: "co.ringalarm.swtich")], environments: [.sandbox],
      configuration: configuration)
    #expect(throws: SignedDataFailure.chain(.certificateExpired(0))) {
      try verifier.renewalInfo(token)
    }
  }

  @Test("a token signed in 2042 is refused as expired once the clock is there")
  func movedClock() throws {
    let row = try #require(ExpectedToken.all.first { $0.file.contains("2042") })
    let verifier = try row.verifier(now: { Date(timeIntervalSince1970: 2_281_000_000) })
    #expect(throws: SignedDataFailure.chain(.certificateExpired(0))) {
      try verifier.transaction(Fixtures.text("signed-data/" + row.file))
    }
  }
}

extension SignedDataFailure {
  /// Returns whether this is one of the reasons in a text such as `a(1) or b`.
  func matches(_ reasons: String) -> Bool {
    reasons.components(separatedBy: " or ").contains { reason in
      guard let open = reason.firstIndex(of: "(") else { return reason == name }
      let value = reason[reason.index(after: open)...].dropLast()
      return reason[..<open] == name && String(value) == self.value
    }
  }

  private var value: String? {
    switch self {
    case .certificateEncoding(let index), .wrongChainLength(let index): String(index)
    case .environmentUnknown(let text): text
    case .fieldType(let failure, _): failure.path
    default: nil
    }
  }
}
