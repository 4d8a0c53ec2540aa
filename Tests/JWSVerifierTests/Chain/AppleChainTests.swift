import StorekeeperFixtures
import Foundation
import JWSVerifier
import StorekeeperCrypto
import JSONValues
import ReceiptModels
import Testing

/// Certificates without private keys, to be verified at a date.
///
/// The checks on certificates come before that of the signature, so a token under these
/// certificates with an arbitrary signature shows their result. A good chain is refused with
/// `signatureInvalid`.
struct PresentedChain: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var files: [String]
  var anchors: [Anchor]
  var moment: String
  var reason: SignedDataFailure

  enum Anchor: Sendable {
    case builtIn(TrustAnchor)
    case file(String)
  }

  /// The reason that means a good chain.
  static let good = SignedDataFailure.signatureInvalid

  init(
    _ description: String, _ files: [String], _ anchors: [Anchor], at moment: String,
    _ reason: SignedDataFailure
  ) {
    testDescription = description
    self.files = files
    self.anchors = anchors
    self.moment = moment
    self.reason = reason
  }

  func token() throws -> String {
    let texts = try files.map { JSONValue.string(Base64.encode(try Fixtures.data($0), .standard)) }
    let header = JSONValue.object(["alg": .string("ES256"), "x5c": .array(texts)])
    return [header.serialized, Array("{}".utf8), [UInt8](repeating: 1, count: 64)]
      .map { Base64.encode($0, .url) }.joined(separator: ".")
  }

  func verifier() throws -> SignedDataVerifier {
    let now = try Date(moment, strategy: .iso8601)
    var configuration = SignedDataVerifier.Configuration()
    configuration.clockPolicy = .now
    return try SignedDataVerifier(
      apps: [Sample.app], environments: [.sandbox],
      trustAnchors: try anchors.map { anchor in
        switch anchor {
        case .builtIn(let anchor): anchor
        case .file(let path): try TrustAnchor(certificate: Array(try Fixtures.data(path)))
        }
      }, configuration: configuration, now: { now })
  }
}

@Suite(
  "Apple's own chains", .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"))
struct AppleChainTests {
  private static let leaf = "certificates/apple/apple-receipt-signing-2021-2023.der"
  private static let g6 = "certificates/apple/apple-wwdr-g6.der"
  private static let g3 = "certificates/apple/apple-root-ca-g3.der"
  private static let g2 = "certificates/apple/apple-root-ca-g2.der"
  private static let inc = "certificates/apple/apple-inc-root-ca.der"
  private static let g5 = "certificates/apple/apple-wwdr-g5.der"
  private static let chain = [leaf, g6, g3]

  static let rows: [PresentedChain] = [
    PresentedChain(
      "in its middle", chain, [.builtIn(.appleRootCAG3)], at: "2022-11-01T00:00:00Z", good),
    PresentedChain(
      "on its first whole day", chain, [.builtIn(.appleRootCAG3)], at: "2021-08-26T00:00:00Z", good),
    PresentedChain(
      "on its last whole day", chain, [.builtIn(.appleRootCAG3)], at: "2023-09-23T23:59:59Z", good),
    PresentedChain(
      "before it", chain, [.builtIn(.appleRootCAG3)], at: "2021-08-24T23:59:59Z",
      .chain(.certificateNotYetValid(0))),
    PresentedChain(
      "after it", chain, [.builtIn(.appleRootCAG3)], at: "2023-09-25T00:00:00Z",
      .chain(.certificateExpired(0))),
    PresentedChain(
      "on 2025-11-01", chain, [.builtIn(.appleRootCAG3)], at: "2025-11-01T02:09:35Z",
      .chain(.certificateExpired(0))),
    PresentedChain(
      "in 2042", chain, [.builtIn(.appleRootCAG3)], at: "2042-04-12T20:20:46Z",
      .chain(.certificateExpired(0))),
    PresentedChain(
      "under the certificate of G3", chain, [.file(g3)], at: "2022-11-01T00:00:00Z", good),
    PresentedChain(
      "under the certificate of G3, with another in the third place", [leaf, g6, g2], [.file(g3)],
      at: "2022-11-01T00:00:00Z", good),
    PresentedChain(
      "under all of Apple's roots", chain, [.file(inc), .file(g2), .file(g3)],
      at: "2022-11-01T00:00:00Z", good),
    PresentedChain(
      "under the fingerprint of G2", chain, [.builtIn(.appleRootCAG2)], at: "2022-11-01T00:00:00Z",
      .chain(.untrustedRoot)),
    PresentedChain(
      "under the certificate of G2", chain, [.file(g2)], at: "2022-11-01T00:00:00Z",
      .chain(.untrustedRoot)),
    PresentedChain(
      "under Apple Inc. Root", chain, [.file(inc)], at: "2022-11-01T00:00:00Z",
      .chain(.untrustedRoot)),
    PresentedChain(
      "under the root of the test authority", chain, [.file(testRoot)], at: "2022-11-01T00:00:00Z",
      .chain(.untrustedRoot)),
    PresentedChain(
      "with G2 presented and its fingerprint trusted", [leaf, g6, g2], [.builtIn(.appleRootCAG2)],
      at: "2022-11-01T00:00:00Z", .chain(.issuerName(1))),
    PresentedChain(
      "with another intermediate of Apple's", [leaf, g5, g3], [.builtIn(.appleRootCAG3)],
      at: "2022-11-01T00:00:00Z", .chain(.issuerName(1))),
    PresentedChain(
      "leaf and intermediate swapped", [g6, leaf, g3], [.builtIn(.appleRootCAG3)],
      at: "2022-11-01T00:00:00Z", .chain(.issuerName(1))),
    PresentedChain(
      "intermediate and root swapped", [leaf, g3, g6], [.builtIn(.appleRootCAG3)],
      at: "2022-11-01T00:00:00Z", .chain(.untrustedRoot)),
    PresentedChain(
      "from the root down", [g3, g6, leaf], [.builtIn(.appleRootCAG3)],
      at: "2022-11-01T00:00:00Z", .chain(.untrustedRoot)),
  ]

  @Test("Apple's token chain of 2021 to 2023", arguments: rows)
  func apple(row: PresentedChain) throws {
    #expect(throws: row.reason) { try row.verifier().transaction(row.token()) }
  }

  /// G6 outlives that leaf: under Root G3 it is valid on 2025-11-01, and expired in 2042.
  @Test(
    "the intermediate G6 under Root G3",
    arguments: [
      ("2025-11-01T02:09:35Z", true), ("2021-03-18T00:00:00Z", true),
      ("2036-03-18T00:00:00Z", true), ("2021-03-16T00:00:00Z", false),
      ("2036-03-20T00:00:00Z", false), ("2042-04-12T20:20:46Z", false),
    ])
  func intermediate(moment: String, isValid: Bool) throws {
    let moment = try Date(moment, strategy: .iso8601).timeIntervalSince1970
    let g6 = try #require(Certificate(der: Array(try Fixtures.data(Self.g6))))
    let g3 = try #require(Certificate(der: Array(try Fixtures.data(Self.g3))))
    try g6.checkIssued(by: g3)
    #expect(g6.validity.intersection(g3.validity).contains(moment) == isValid)
    #expect(g6.hasExtension("1.2.840.113635.100.6.2.1"))
    #expect(g6.isAuthority && g3.isAuthority)
  }

  private static let testRoot = "certificates/apple-library-test-pki/root.der"
  private static let testIntermediate = "certificates/apple-library-test-pki/intermediate.der"
  private static let testLeaf = "certificates/apple-library-test-pki/leaf.der"
  private static let testLeafWithoutMarker =
    "certificates/apple-library-test-pki/leaf-invalid-oid.der"
  private static let testChain = [testLeaf, testIntermediate, testRoot]

  static let testRows: [PresentedChain] = [
    PresentedChain(
      "on 2025-11-01", testChain, [.file(testRoot)], at: "2025-11-01T02:09:35Z", good),
    PresentedChain(
      "in 2042", testChain, [.file(testRoot)], at: "2042-04-12T20:20:46Z",
      .chain(.certificateExpired(0))),
    PresentedChain(
      "before it", testChain, [.file(testRoot)], at: "2023-01-04T00:00:00Z",
      .chain(.certificateNotYetValid(0))),
    PresentedChain(
      "under the fingerprint of G3", testChain, [.builtIn(.appleRootCAG3)],
      at: "2025-11-01T02:09:35Z", .chain(.untrustedRoot)),
    PresentedChain(
      "under the certificate of G3", testChain, [.file(g3)], at: "2025-11-01T02:09:35Z",
      .chain(.untrustedRoot)),
    PresentedChain(
      "with a leaf that has another marker", [testLeafWithoutMarker, testIntermediate, testRoot],
      [.file(testRoot)], at: "2025-11-01T02:09:35Z", .chain(.missingLeafMarker)),
    PresentedChain(
      "with Apple's root presented", [testLeaf, testIntermediate, g3], [.builtIn(.appleRootCAG3)],
      at: "2025-11-01T02:09:35Z", .chain(.issuerName(1))),
    PresentedChain(
      "with Apple's intermediate", [testLeaf, g6, g3], [.builtIn(.appleRootCAG3)],
      at: "2025-11-01T02:09:35Z", .chain(.issuerName(0))),
  ]

  @Test("the chain of the test authority that Apple publishes", arguments: testRows)
  func testAuthority(row: PresentedChain) throws {
    #expect(throws: row.reason) { try row.verifier().transaction(row.token()) }
  }

  @Test("the verified leaf's key is the one that is published")
  func publicKey() throws {
    let leaf = try #require(Certificate(der: Array(try Fixtures.data(Self.testLeaf))))
    let published = try Fixtures.data(
      "certificates/apple-library-test-pki/leaf-public-key.spki.der")
    #expect(try leaf.publicKey?.subjectPublicKeyInfo == Array(published))
    #expect(leaf.publicKey?.kind == .p256)
  }

  private static let good = PresentedChain.good
}
