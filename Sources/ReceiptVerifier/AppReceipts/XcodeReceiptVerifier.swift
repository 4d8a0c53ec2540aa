internal import JWSVerifier
internal import StorekeeperCrypto
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A verifier of app receipts from StoreKit testing in Xcode, for a developer's machine.
///
/// The private key behind them is on every developer's computer, so *anyone can sign such a
/// receipt*. Never offer this to clients of a public server. The result has its own type, which
/// cannot be passed in place of ``VerifiedAppReceipt``, and no setting of ``AppReceiptVerifier``
/// accepts these receipts.
///
/// The verifier checks the form, the signature under a pinned certificate that was valid when the
/// receipt was created, the type `Xcode`, and the bundle ID. Source:
/// `Documentation/rules/app-store-rules.md`.
public struct XcodeReceiptVerifier: Sendable {
  /// The apps whose receipts are accepted; nil for any.
  public let bundleIDs: Set<String>?
  private let fingerprints: Set<[UInt8]>
  private let now: @Sendable () -> Date

  /// The SHA-256 digest of the certificate "StoreKit" with which Xcode signs, valid from 2020-04-01
  /// to 2040-03-27.
  private static let storeKitTest: [UInt8] = [
    0xff, 0x0b, 0xa3, 0x6e, 0x72, 0x1d, 0x2d, 0xb7, 0x41, 0xd2, 0xaa, 0x11, 0xe6, 0x11, 0x2e, 0xf7,
    0x8b, 0xf7, 0x13, 0x1b, 0x46, 0xc7, 0xf0, 0x35, 0xb0, 0x08, 0x91, 0xd0, 0x45, 0xc8, 0x64, 0xfe,
  ]

  /// Creates a verifier.
  ///
  /// `bundleIDs` is nil for any app. Xcode exports further signing certificates, in DER, as
  /// "StoreKitTestCertificate".
  public init(
    bundleIDs: Set<String>?, certificates: [[UInt8]] = [],
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws(ReceiptConfigurationFailure) {
    try ReceiptConfigurationFailure.check(bundleIDs)
    var fingerprints: Set = [Self.storeKitTest]
    for (index, der) in certificates.enumerated() {
      guard Certificate(der: der) != nil, let fingerprint = try? SHA256.digest(of: der) else {
        throw .notACertificate(index)
      }
      fingerprints.insert(fingerprint)
    }
    self.bundleIDs = bundleIDs
    self.now = now
    self.fingerprints = fingerprints
  }

  /// Verifies a receipt from Xcode.
  ///
  /// Its content proves nothing.
  public func verify(
    _ input: ReceiptInput, expecting expectation: ReceiptExpectation = ReceiptExpectation()
  ) throws(ReceiptFailure) -> XcodeReceipt {
    guard input.kind == .xcodeReceipt else { throw .inputKind(input.kind) }
    let now = now()
    let message = try CMSMessage(receipt: input.bytes)
    let signer = try message.onlySigner()
    guard let content = message.content else { throw .malformedContainer }
    let payload = AppReceiptPayload(bytes: content, range: content.indices)
    let creationDate = try payload.creationDate()
    guard creationDate <= now.addingTimeInterval(ReceiptLimits.clockLeeway) else {
      throw .creationDateInFuture
    }
    let certificate = try signingCertificate(of: message, signer)
    let moment = creationDate.timeIntervalSince1970
    if moment > Double(certificate.validity.notAfter) { throw .chain(.certificateExpired(0)) }
    guard certificate.validity.contains(moment) else { throw .chain(.certificateNotYetValid(0)) }
    try signer.checkSignature(of: content[...], by: certificate)
    let receipt = try payload.receipt()
    _ = try receipt.acceptedEnvironment(bundleIDs: bundleIDs, environments: [.xcode])
    try expectation.check(receipt, at: now)
    return XcodeReceipt(receipt: receipt)
  }

  private func signingCertificate(
    of message: CMSMessage, _ signer: CMSSigner
  ) throws(ReceiptFailure) -> Certificate {
    let pinned = message.certificates.filter { der in
      (try? SHA256.digest(of: der)).map(fingerprints.contains) == true
    }
    guard !pinned.isEmpty else { throw .chain(.untrustedRoot) }
    guard let certificate = pinned.compactMap(Certificate.init(der:)).first(where: signer.names)
    else { throw .signerCertificateMissing }
    return certificate
  }
}

/// An app receipt from StoreKit testing in Xcode, which proves nothing: Apple did not sign it.
public struct XcodeReceipt: Hashable, Sendable {
  public let receipt: AppReceipt
}
