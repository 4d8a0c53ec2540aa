public import JWSVerifier
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A reason why a receipt was refused, in the order of the checks.
///
/// This covers app receipts and the transaction receipts of iOS 6. No data of a refused receipt is
/// released. Source: `Documentation/rules/app-store-rules.md`.
@nonexhaustive
public enum ReceiptFailure: Error, Hashable, Sendable {
  // MARK: Form

  /// The input is larger than the limit, in bytes; nothing else was checked.
  case tooLarge(limit: Int)
  /// The input is of a kind that this call does not accept.
  case inputKind(ReceiptKind)
  /// The text is not base64 (RFC 4648 section 4), apart from white space.
  case badEncoding
  /// The bytes are not a CMS message (RFC 5652), or end too early.
  case malformedContainer
  /// The message is not signed data with content of type data.
  case notSignedData
  case trailingBytes
  case signerCount(Int)
  /// The signer has signed or unsigned attributes, which no genuine receipt has.
  case unexpectedAttributes
  /// The digest is neither SHA-1 nor SHA-256, or the signature is not RSA with PKCS #1 v1.5.
  case unsupportedDigest
  /// There are more certificates than the limit.
  case tooManyCertificates(limit: Int)
  /// A certificate is larger than the limit, in bytes.
  case certificateTooLarge(limit: Int)

  // MARK: Form of transaction receipts

  /// The text is not a property list of the form that iOS 6 wrote, or lacks `purchase-info`.
  case malformedPropertyList
  case signatureMissing
  /// The signature does not consist of a version, a signature and a certificate.
  case signatureMalformed
  /// Signatures of this version cannot be verified offline: Apple does not publish the authority of
  /// version 2. Use verifyReceipt.
  case unsupportedSignatureVersion(Int)

  // MARK: Trust and time

  case noCreationDate
  /// The creation date is more than five minutes ahead of the current time.
  case creationDateInFuture
  /// The certificate that the signer names is not in the receipt.
  case signerCertificateMissing
  /// The certificates do not make a trusted chain at the creation date of the receipt.
  ///
  /// ``/JWSVerifier/ChainFault/certificateExpired(_:)`` also occurs with genuine receipts: on
  /// 2023-02-07 and 2023-02-08, Apple embedded an intermediate that had just expired. Ask the
  /// client to refresh its receipt.
  case chain(ChainFault)
  /// The certificate at this index is not valid at a time that the configuration forces instead of
  /// the creation date of the receipt.
  case certificateNotValidAt(Date, Int)
  /// The signature is invalid: the receipt was altered, or signed with another key.
  case signatureInvalid
  /// The platform's OpenSSL forbids the receipt's algorithms; nothing is known against the receipt.
  case weakAlgorithmForbidden

  // MARK: Content

  /// The signed content at this path is not that of a receipt.
  case payloadMalformed(ReceiptPath)
  /// An attribute that may occur at most once occurs again.
  case duplicateAttribute(Int)
  /// A required attribute is missing.
  case missingAttribute(Int)

  // MARK: Policy

  /// The receipt belongs to another app, or names none.
  case bundleMismatch(found: String?)
  /// The receipt belongs to an environment that this verifier does not accept.
  case environmentNotAllowed(AppStoreEnvironment)
  /// The receipt has a type that Apple does not document.
  case environmentUnknown(String)
  /// The receipt belongs to another version of the app, or names none.
  case versionMismatch(found: String?)
  /// The receipt expired at this date (volume purchase program).
  case receiptExpired(Date)
  case hashMismatch
}

/// The path of an element in a receipt.
public struct ReceiptPath: Hashable, Sendable, CustomStringConvertible {
  /// The type of the attribute, or nil for the receipt or purchase itself.
  public var attribute: Int?
  /// The index of the purchase, or nil outside purchases.
  public var purchase: Int?

  /// Creates a path.
  public init(attribute: Int? = nil, purchase: Int? = nil) {
    self.attribute = attribute
    self.purchase = purchase
  }

  /// The path as text, such as `purchase 2, attribute 1704`.
  public var description: String {
    let parts = [purchase.map { "purchase \($0)" }, attribute.map { "attribute \($0)" }]
    let text = parts.compactMap(\.self).joined(separator: ", ")
    return text.isEmpty ? "the receipt" : text
  }
}

/// A reason why a verifier of receipts cannot be configured.
@nonexhaustive
public enum ReceiptConfigurationFailure: Error, Hashable, Sendable {
  /// No app is named, or a bundle ID is empty; use nil for any app.
  case noBundleID
  case noEnvironment
  /// Apple signs no receipts for this environment.
  case environmentNotSigned(AppStoreEnvironment)
  /// No trust anchor is named, so no chain could end at one.
  case noTrustAnchor
  /// The element at this index is not one X.509 certificate in DER.
  case notACertificate(Int)

  /// Checks the bundle IDs, if they are limited at all.
  static func check(_ bundleIDs: Set<String>?) throws(ReceiptConfigurationFailure) {
    guard let bundleIDs else { return }
    guard !bundleIDs.isEmpty, !bundleIDs.contains("") else { throw .noBundleID }
  }
}
