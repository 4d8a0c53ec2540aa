public import JWSVerifier
internal import StorekeeperCrypto
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Verifies transaction receipts of iOS 6 without asking Apple, as far as that can be done: those with
/// a signature of version 3.
///
/// Such a receipt embeds the certificate that signed it and no other, so the host supplies Apple's
/// intermediate (Worldwide Developer Relations) and root. Certificates are judged when the purchase
/// was made, by the receipt's own word. *Not* checked, as nothing signed says it: the environment.
///
/// Source: contract on signed data, section 6.7.
public final class TransactionReceiptVerifier: Sendable {
  /// The apps whose receipts are accepted; nil for any.
  public let bundleIDs: Set<String>?
  private let issuers: [Certificate]
  private let chainVerifier: ChainVerifier
  private let now: @Sendable () -> Date

  /// Makes a verifier.
  ///
  /// - Parameters:
  ///   - bundleIDs: The apps whose receipts are accepted; nil for any.
  ///   - issuers: Apple's intermediates, in DER, and its root, unless that is an anchor in DER;
  ///     none of them is trusted for being here.
  ///   - trustAnchors: Where chains must end; by default Apple's root for receipts.
  ///   - now: The current time.
  /// - Throws: ``ReceiptConfigurationFailure``.
  public init(
    bundleIDs: Set<String>?, issuers: [[UInt8]], trustAnchors: [TrustAnchor] = [.appleRootCA],
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws(ReceiptConfigurationFailure) {
    try ReceiptConfigurationFailure.check(bundleIDs)
    guard !trustAnchors.isEmpty else { throw .noTrustAnchor }
    var certificates: [Certificate] = []
    for (index, der) in issuers.enumerated() {
      guard let certificate = Certificate(der: der) else { throw .notACertificate(index) }
      certificates.append(certificate)
    }
    self.bundleIDs = bundleIDs
    self.issuers = certificates
    self.now = now
    chainVerifier = ChainVerifier(anchors: trustAnchors, rules: .receipt)
  }

  /// Verifies a receipt.
  ///
  /// - Parameter receipt: The receipt, decoded.
  /// - Returns: The receipt with what it proves.
  /// - Throws: ``ReceiptFailure``; for other versions than 3
  ///   ``ReceiptFailure/unsupportedSignatureVersion(_:)``.
  public func verify(
    _ receipt: TransactionReceipt
  ) throws(ReceiptFailure) -> VerifiedTransactionReceipt {
    guard let signature = receipt.signature else { throw .signatureMissing }
    guard signature.version == 3 else {
      throw .unsupportedSignatureVersion(Int(signature.version))
    }
    guard let moment = receipt.transaction.purchaseDate else { throw .noCreationDate }
    guard moment <= now().addingTimeInterval(ReceiptLimits.clockLeeway) else {
      throw .creationDateInFuture
    }
    guard signature.certificate.count <= ReceiptLimits.certificateSize else {
      throw .certificateTooLarge(limit: ReceiptLimits.certificateSize)
    }
    guard let leaf = Certificate(der: signature.certificate) else {
      throw .certificateMalformed(0)
    }
    let chain = try chainVerifier.receiptChain(
      of: leaf, among: issuers, at: moment, isForced: false)
    let signed = [signature.version] + receipt.purchaseInfo
    guard let key = chain.leaf.publicKey,
      key.isValid(rsaSignature: signature.bytes, of: signed, digest: .sha1)
    else { throw .signatureInvalid }
    let bundleID = receipt.transaction.bundleID
    if let bundleIDs {
      guard let bundleID, bundleIDs.contains(where: { $0.isSameText(as: bundleID) }) else {
        throw .bundleMismatch(found: bundleID)
      }
    }
    return VerifiedTransactionReceipt(transaction: receipt.transaction)
  }
}

/// A transaction receipt of iOS 6 whose signature fits; only ``TransactionReceiptVerifier`` makes one.
///
/// The environment is *not* proven: a purchase of the Sandbox looks the same.
public struct VerifiedTransactionReceipt: Hashable, Sendable {
  /// What was bought.
  public let transaction: ReceiptTransaction

  /// A transaction id to ask the App Store Server API about.
  public var transactionID: String? {
    transaction.originalTransactionID ?? transaction.transactionID
  }
}
