import Foundation
import HTTPMessages
import JWSVerifier
import StorekeeperLocks
import StorekeeperCrypto
import StorekeeperTesting

/// A test authority with its responder, a manual clock, and a settable time of day.
final class RevocationScene: Sendable {
  typealias Identity = (certificate: Certificate, key: PrivateKey)

  /// The start of the scene in seconds since 1970 UTC.
  static let start = 1_700_000_000
  /// The lifetime of an answer in seconds.
  static let lifetime = 3600
  static let leafAddress = "http://ocsp.example.org/leaf"
  static let intermediateAddress = "http://ocsp.example.org/intermediate"

  let clock = ManualClock()
  let responder: TestRevocationResponder
  let chain: CertificateChain
  private let intermediateKey: PrivateKey
  private let time: Time

  /// The time of day.
  final class Time: Sendable {
    private let seconds = Locked(start)
    var now: Date { Date(timeIntervalSince1970: Double(seconds.withLock { $0 })) }
    func set(_ value: Int) { seconds.withLock { $0 = value } }
  }

  init(
    leafAddress: String? = leafAddress, intermediateAddress: String? = intermediateAddress,
    leafEnd: Int = start + 10 * 86_400
  ) throws {
    let time = Time()
    let root = try Self.identity("Root", 1, .p384) { $0.isAuthority = true }
    let intermediate = try Self.identity("Intermediate", 2, .p384, issuer: root) {
      $0.isAuthority = true
      $0.revocationResponder = intermediateAddress
    }
    let leaf = try Self.identity("Leaf", 3, .p256, issuer: intermediate) {
      $0.validity.notAfter = leafEnd
      $0.revocationResponder = leafAddress
    }
    responder = TestRevocationResponder(lifetime: Self.lifetime) { time.now }
    try responder.serve(
      leaf.certificate, as: .leaf, issuedBy: intermediate.certificate, issuerKey: intermediate.key)
    try responder.serve(
      intermediate.certificate, as: .intermediate, issuedBy: root.certificate, issuerKey: root.key)
    chain = CertificateChain(
      leaf: leaf.certificate, intermediate: intermediate.certificate, anchor: root.certificate)
    intermediateKey = intermediate.key
    self.time = time
  }

  /// Another chain, with another leaf and the same intermediate.
  func otherChain(serialNumber: Int) throws -> CertificateChain {
    let leaf = try Self.identity(
      "Other leaf", serialNumber, .p256, issuer: (chain.intermediate, intermediateKey)
    ) { $0.revocationResponder = Self.leafAddress }
    try responder.serve(
      leaf.certificate, as: .leaf, issuedBy: chain.intermediate, issuerKey: intermediateKey)
    return CertificateChain(
      leaf: leaf.certificate, intermediate: chain.intermediate, anchor: chain.anchor)
  }

  /// Creates a checker that uses the scene's responder and clock unless others are given.
  func checker(
    transport: (any HTTPTransport)? = nil, clock: (any Clock<Duration>)? = nil,
    _ change: (inout RevocationChecker.Configuration) -> Void = { _ in }
  ) -> RevocationChecker {
    var configuration = RevocationChecker.Configuration()
    change(&configuration)
    return RevocationChecker(
      transport: transport ?? responder, configuration: configuration,
      clock: clock ?? self.clock
    ) { [time] in time.now }
  }

  /// Sets the time of day, in seconds after the start.
  func setTime(_ seconds: Int) {
    time.set(Self.start + seconds)
  }

  /// The numbers of requests about leaves and about intermediates.
  var counts: [Int] {
    [responder.queryCount(about: .leaf), responder.queryCount(about: .intermediate)]
  }

  private static func identity(
    _ name: String, _ serialNumber: Int, _ kind: PrivateKey.Generated, issuer: Identity? = nil,
    _ change: (inout CertificateBuilder) -> Void
  ) throws -> Identity {
    var builder = CertificateBuilder(
      subject: name, serialNumber: serialNumber,
      validity: .init(notBefore: start - 86_400, notAfter: start + 100 * 86_400))
    change(&builder)
    let key = try PrivateKey(generating: kind)
    let certificate = try builder.certificate(
      for: key, issuedBy: issuer?.certificate, signedWith: issuer?.key ?? key)
    return (certificate, key)
  }
}
