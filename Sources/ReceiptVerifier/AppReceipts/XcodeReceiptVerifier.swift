internal import JWSVerifier
internal import StorekeeperCrypto
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Checks app receipts of StoreKit testing in Xcode, on a developer's machine.
///
/// The private key behind them lies on every developer's computer, so *anyone can sign such a
/// receipt*: never offer this to clients of a public server. What it returns has a type of its own,
/// which cannot pass where ``VerifiedAppReceipt`` is asked for, and no setting of
/// ``AppReceiptVerifier`` leads here.
///
/// Checked are the form, the signature under a pinned certificate that was valid when the receipt was
/// made, the type `Xcode`, and the bundle id.
///
/// Source: contract on signed data, section 6.6.
public struct XcodeReceiptVerifier: Sendable {
  /// The apps whose receipts are accepted; nil for any.
  public let bundleIDs: Set<String>?
  private let fingerprints: Set<[UInt8]>
  private let now: @Sendable () -> Date

  /// SHA-256 of the certificate "StoreKit" that Xcode signs with, valid from 2020-04-01 to
  /// 2040-03-27.
  private static let storeKitTest: [UInt8] = [
    0xff, 0x0b, 0xa3, 0x6e, 0x72, 0x1d, 0x2d, 0xb7, 0x41, 0xd2, 0xaa, 0x11, 0xe6, 0x11, 0x2e, 0xf7,
    0x8b, 0xf7, 0x13, 0x1b, 0x46, 0xc7, 0xf0, 0x35, 0xb0, 0x08, 0x91, 0xd0, 0x45, 0xc8, 0x64, 0xfe,
  ]

  /// Makes a verifier.
  ///
  /// - Parameters:
  ///   - bundleIDs: The apps whose receipts are accepted; nil for any.
  ///   - certificates: Further certificates, in DER, that may sign: those that Xcode exports as
  ///     "StoreKitTestCertificate".
  ///   - now: The current time.
  /// - Throws: ``ReceiptConfigurationFailure``.
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

  /// Checks a receipt of Xcode's.
  ///
  /// - Parameters:
  ///   - input: What came, recognised and decoded from base64.
  ///   - expectation: What else has to hold, such as the device.
  /// - Returns: What the receipt says; it proves nothing.
  /// - Throws: ``ReceiptFailure``.
  public func verify(
    _ input: ReceiptInput, expecting expectation: ReceiptExpectation = ReceiptExpectation()
  ) throws(ReceiptFailure) -> XcodeReceipt {
    guard input.kind == .xcodeReceipt else { throw .inputKind(input.kind) }
    let now = now()
    let message = try CMSMessage(receipt: input.bytes)
    let signer = try message.onlySigner()
    guard let content = message.content else { throw .malformedContainer }
    let payload = AppReceiptPayload(bytes: content)
    let creationDate = try payload.creationDate()
    guard creationDate <= now.addingTimeInterval(ReceiptLimits.clockLeeway) else {
      throw .creationDateInFuture
    }
    let certificate = try signingCertificate(of: message, signer)
    let moment = creationDate.timeIntervalSince1970
    if moment > Double(certificate.validity.notAfter) { throw .certificateExpired(0) }
    guard certificate.validity.contains(moment) else { throw .certificateNotYetValid(0) }
    try signer.checkSignature(of: content, by: certificate)
    let receipt = try payload.receipt()
    _ = try receipt.acceptedEnvironment(bundleIDs: bundleIDs, environments: [.xcode])
    try expectation.check(receipt, at: now)
    return XcodeReceipt(receipt: receipt)
  }

  private func signingCertificate(
    of message: CMSMessage, _ signer: CMSMessage.Signer
  ) throws(ReceiptFailure) -> Certificate {
    let pinned = message.certificates.filter { der in
      (try? SHA256.digest(of: der)).map(fingerprints.contains) == true
    }
    guard !pinned.isEmpty else { throw .untrustedRoot }
    guard let certificate = pinned.compactMap(Certificate.init(der:)).first(where: signer.names)
    else { throw .signerCertificateMissing }
    return certificate
  }
}

/// An app receipt of StoreKit testing in Xcode: signed by nobody who matters, so it proves nothing.
public struct XcodeReceipt: Hashable, Sendable {
  /// What the receipt says.
  public let receipt: AppReceipt
}
