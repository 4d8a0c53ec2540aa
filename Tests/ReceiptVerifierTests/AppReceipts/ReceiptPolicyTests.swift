import StorekeeperFixtures
import Foundation
import StorekeeperCrypto
import ReceiptModels
import ReceiptVerifier
import StorekeeperTesting
import Testing

@Suite("Accepted app receipts")
struct ReceiptPolicyTests {
  private func refusal(
    expecting expectation: ReceiptExpectation = ReceiptExpectation(),
    _ change: (inout AppReceipt) -> Void = { _ in }
  ) throws -> ReceiptFailure? {
    try ReceiptScene.refusal(of: try ReceiptScene.signed(change), expecting: expectation)
  }

  @Test("only those of our apps, byte for byte")
  func bundle() throws {
    for other in ["com.example.reade", "com.example.Reader", "com.example.\u{212A}reader"] {
      #expect(try refusal { $0.bundleID = other } == .bundleMismatch(found: other))
    }
    let kelvin = try AppReceiptVerifier(
      bundleIDs: ["com.example.K"], trustAnchors: [ReceiptScene.authority.trustAnchor],
      now: { ReceiptScene.now })
    let receipt = try ReceiptScene.signed { $0.bundleID = "com.example.\u{212A}" }
    #expect(
      try ReceiptScene.refusal(of: receipt, by: kelvin)
        == .bundleMismatch(found: "com.example.\u{212A}"))
  }

  @Test("only those of accepted environments; VPP counts as its environment")
  func environment() throws {
    let sandbox = try ReceiptScene.verifier(environments: [.sandbox])
    let both = try ReceiptScene.verifier(environments: [.sandbox, .production])
    let rows: [(ReceiptType, AppStoreEnvironment)] = [
      (.production, .production), (.productionVPP, .production), (.productionSandbox, .sandbox),
      (.productionVPPSandbox, .sandbox),
    ]
    for (type, environment) in rows {
      let receipt = try ReceiptScene.signed { $0.receiptType = type }
      let isProduction = environment == .production
      let refused = ReceiptFailure.environmentNotAllowed(environment)
      #expect(try ReceiptScene.refusal(of: receipt) == (isProduction ? nil : refused))
      #expect(try ReceiptScene.refusal(of: receipt, by: sandbox) == (isProduction ? refused : nil))
      #expect(try both.verify(der: receipt).environment == environment)
    }
    #expect(try refusal { $0.receiptType = .xcode } == .environmentNotAllowed(.xcode))
    let unknown = ReceiptType(rawValue: "production")
    #expect(try refusal { $0.receiptType = unknown } == .environmentUnknown("production"))
  }

  @Test("only those of a version, when one is asked for")
  func version() throws {
    #expect(try refusal(expecting: ReceiptExpectation(applicationVersion: "7")) == nil)
    #expect(
      try refusal(expecting: ReceiptExpectation(applicationVersion: "8"))
        == .versionMismatch(found: "7"))
    #expect(
      try refusal(expecting: ReceiptExpectation(applicationVersion: "7")) {
        $0.applicationVersion = nil
      } == .versionMismatch(found: nil))
  }

  @Test("those of the volume purchase program until they end; the end does not belong to it")
  func expiry() throws {
    let now = ReceiptScene.now
    #expect(try refusal { $0.expirationDate = now.addingTimeInterval(1) } == nil)
    #expect(try refusal { $0.expirationDate = now } == .receiptExpired(now))
  }

  @Test("only those of a device, when one is asked for")
  func device() throws {
    let device = [UInt8](0..<16)
    let receipt = try ReceiptScene.authority.sign(ReceiptScene.receipt, deviceIdentifier: device)
    let right = ReceiptExpectation(deviceIdentifier: device)
    #expect(try ReceiptScene.refusal(of: receipt, expecting: right) == nil)
    for other in [[], Array(device.dropLast()), device.reversed()] {
      let wrong = ReceiptExpectation(deviceIdentifier: other)
      #expect(try ReceiptScene.refusal(of: receipt, expecting: wrong) == .hashMismatch)
    }
    #expect(try refusal(expecting: right) == .hashMismatch)
    #expect(try refusal(expecting: right) { $0.sha1Hash = [] } == .hashMismatch)
  }

  @Test(
    "a genuine receipt is that of its device",
    .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"))
  func genuineDevice() throws {
    let expected = try ExpectedReceipt(path: "app-receipts/ideas-purchasing-experiments.der")
    let text = try #require(expected.text("device_identifier_hex"))
    let digits = Array(text.utf8)
    let device = try stride(from: 0, to: digits.count, by: 2).map { place in
      try #require(UInt8(String(decoding: digits[place..<(place + 2)], as: UTF8.self), radix: 16))
    }
    let verifier = try AppReceiptVerifier(
      bundleIDs: [try #require(expected.bundleID)], environments: [.sandbox])
    let right = ReceiptExpectation(deviceIdentifier: device)
    #expect(try ReceiptScene.refusal(of: expected.der, by: verifier, expecting: right) == nil)
    let wrong = ReceiptExpectation(deviceIdentifier: device.reversed())
    #expect(
      try ReceiptScene.refusal(of: expected.der, by: verifier, expecting: wrong) == .hashMismatch)
  }

  @Test("a verifier that could accept nothing, or unsigned environments, is refused")
  func configuration() throws {
    typealias Failure = ReceiptConfigurationFailure
    #expect(throws: Failure.noBundleID) { try AppReceiptVerifier(bundleIDs: []) }
    #expect(throws: Failure.noBundleID) { try AppReceiptVerifier(bundleIDs: ["a", ""]) }
    #expect(throws: Failure.noEnvironment) {
      try AppReceiptVerifier(bundleIDs: nil, environments: [])
    }
    #expect(throws: Failure.environmentNotSigned(.xcode)) {
      try AppReceiptVerifier(bundleIDs: nil, environments: [.xcode])
    }
    #expect(throws: Failure.noTrustAnchor) {
      try AppReceiptVerifier(bundleIDs: nil, trustAnchors: [])
    }
    #expect(try AppReceiptVerifier(bundleIDs: nil).environments == [.production])
  }
}
