internal import JSONValues
public import JWSVerifier
internal import StorekeeperCrypto
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A verifier of transaction receipts of iOS 6 that does not ask Apple, for signatures of version
/// 3.
///
/// Such a receipt embeds only the signing certificate, so the host supplies Apple's intermediate
/// (Worldwide Developer Relations) and root. Certificates must be valid at the purchase date that
/// the receipt names. *Not* checked: the environment, which is not signed. Source:
/// `Documentation/rules/app-store-rules.md`.
public final class TransactionReceiptVerifier: Sendable {
  /// The apps whose receipts are accepted; nil for any.
  public let bundleIDs: Set<String>?
  private let issuers: [Certificate]
  private let chainVerifier: ChainVerifier
  private let now: @Sendable () -> Date

  /// Creates a verifier.
  ///
  /// `bundleIDs` is nil for any app. `issuers` are Apple's intermediates in DER, and its root unless that is an
  /// anchor in DER; they are not trusted by themselves.
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
  /// - Throws: ``ReceiptFailure``; for versions other than 3
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
      throw .chain(.certificateMalformed(0))
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

/// A transaction receipt of iOS 6 with a valid signature, as only ``TransactionReceiptVerifier``
/// creates it.
///
/// The environment is *not* proven: a purchase in the Sandbox looks the same.
public struct VerifiedTransactionReceipt: Hashable, Sendable {
  public let transaction: ReceiptTransaction

  /// A transaction ID for requests to the App Store Server API.
  public var transactionID: String? {
    transaction.originalTransactionID ?? transaction.transactionID
  }
}
