public import JWSVerifier
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Why a receipt was refused; one case a reason, in the order of the checks.
///
/// For app receipts and for the transaction receipts of iOS 6. Nothing of a refused receipt is
/// released.
///
/// Source: contract on signed data, sections 6.1, 6.2 and 6.7.
@nonexhaustive
public enum ReceiptFailure: Error, Hashable, Sendable {
  // MARK: Form

  /// The input is larger than the limit, in bytes; nothing else was looked at.
  case tooLarge(limit: Int)
  /// The input is something else than this call takes.
  case inputKind(ReceiptKind)
  /// The text is not base64 (RFC 4648 section 4; white space is left out first).
  case badEncoding
  /// The bytes are no CMS message (RFC 5652), or end too early.
  case malformedContainer
  /// The message holds something else than signed data, or signed data about something else than
  /// data.
  case notSignedData
  /// Bytes follow the message.
  case trailingBytes
  /// There is not exactly one signer.
  case signerCount(Int)
  /// The signer has signed or unsigned attributes, which no genuine receipt has.
  case unexpectedAttributes
  /// The digest is neither SHA-1 nor SHA-256, or the signature is not RSA with PKCS#1 v1.5.
  case unsupportedDigest
  /// There are more certificates than the limit.
  case tooManyCertificates(limit: Int)
  /// A certificate is larger than the limit, in bytes.
  case certificateTooLarge(limit: Int)
  /// The certificate at this place is not exactly one X.509 certificate in DER.
  case certificateMalformed(Int)

  // MARK: Form of transaction receipts

  /// The text is no property list of the form that iOS 6 wrote, or lacks `purchase-info`.
  case malformedPropertyList
  /// The receipt is not signed at all.
  case signatureMissing
  /// The signature is not a version, a signature and a certificate.
  case signatureMalformed
  /// Signatures of this version cannot be checked offline: Apple does not publish the authority of
  /// version 2. Ask verifyReceipt.
  case unsupportedSignatureVersion(Int)

  // MARK: Trust and time

  /// The receipt does not say when it was made.
  case noCreationDate
  /// The receipt says it was made more than five minutes ahead of now.
  case creationDateInFuture
  /// The certificate that the signer names is not in the receipt.
  case signerCertificateMissing
  /// The chain does not end at a trust anchor.
  case untrustedRoot
  /// The chain is broken.
  case chainInvalid(ChainFault)
  /// The certificate at this place (0 the leaf, 1 the intermediate, 2 the root) had ended when the
  /// receipt was made.
  ///
  /// On 2023-02-07 and -08 Apple itself embedded an intermediate that had just ended; ask the client
  /// to refresh its receipt.
  case certificateExpired(Int)
  /// The certificate at this place was not valid yet when the receipt was made.
  case certificateNotYetValid(Int)
  /// The certificate at this place is not valid at a moment that the configuration forces, rather
  /// than when the receipt was made.
  case certificateNotValidAt(Date, Int)
  /// The intermediate lacks Apple's mark for its Worldwide Developer Relations authority.
  case missingIntermediateMarker
  /// The leaf lacks Apple's mark for signing receipts.
  case missingLeafMarker
  /// The leaf's key is no RSA key.
  case unsupportedLeafKey
  /// The signature does not fit: the receipt was altered, or somebody else signed it.
  case signatureInvalid
  /// The platform's OpenSSL forbids the receipt's algorithms; nothing is known against the receipt.
  case weakAlgorithmForbidden

  // MARK: Content

  /// The signed content is not what receipts hold, at this place.
  case payloadMalformed(ReceiptPath)
  /// An attribute that occurs once at the most occurs again.
  case duplicateAttribute(Int)
  /// An attribute is missing that every receipt has.
  case missingAttribute(Int)

  // MARK: Policy

  /// The receipt is of another app, or names none.
  case bundleMismatch(found: String?)
  /// The receipt is of an environment that this verifier does not accept.
  case environmentNotAllowed(AppStoreEnvironment)
  /// The receipt is of a type that Apple does not document.
  case environmentUnknown(String)
  /// The receipt is of another version of the app, or names none.
  case versionMismatch(found: String?)
  /// The receipt ended (volume purchase program).
  case receiptExpired(Date)
  /// The receipt was made for another device.
  case hashMismatch
}

/// A place in a receipt: the types of the attributes that lead there.
public struct ReceiptPath: Hashable, Sendable, CustomStringConvertible {
  /// The attribute, or nil for the receipt itself.
  public var attribute: Int?
  /// The purchase that it is in, counted from 0, or nil outside purchases.
  public var purchase: Int?

  /// Names a place.
  public init(attribute: Int? = nil, purchase: Int? = nil) {
    self.attribute = attribute
    self.purchase = purchase
  }

  /// For example `purchase 2, attribute 1704`.
  public var description: String {
    let parts = [purchase.map { "purchase \($0)" }, attribute.map { "attribute \($0)" }]
    let text = parts.compactMap(\.self).joined(separator: ", ")
    return text.isEmpty ? "the receipt" : text
  }
}
