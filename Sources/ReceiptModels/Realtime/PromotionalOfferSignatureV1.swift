public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A promotional offer with a signature of version 1.
///
/// Nothing here computes or checks the signature.
///
/// Source: Apple, `promotionalOfferSignatureV1`.
public struct PromotionalOfferSignatureV1: FieldModel {
  /// The standard base64 form of the DER signature, ECDSA on P-256 with SHA-256.
  public var encodedSignature: String = ""
  /// The product of the offer.
  public var productID: String = ""
  /// The nonce that was signed.
  public var nonce: UUID = .zero
  /// The moment that was signed, in milliseconds since 1970 UTC.
  public var timestamp: Int = 0
  /// The identifier of the key that signed.
  public var keyID: String = ""
  /// The promotional offer.
  public var offerIdentifier: String = ""
  /// The account that was signed.
  ///
  /// A text that is no UUID leaves this nil and is among the ``additionalMembers``.
  public var appAccountToken: UUID?

  /// Members that this version does not know, and a UUID field whose text is none.
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// A value with the fields that must be there.
  public init(
    encodedSignature: String, productID: String, nonce: UUID, timestamp: Int, keyID: String,
    offerIdentifier: String
  ) {
    self.encodedSignature = encodedSignature
    self.productID = productID
    self.nonce = nonce
    self.timestamp = timestamp
    self.keyID = keyID
    self.offerIdentifier = offerIdentifier
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("encodedSignature", &encodedSignature)
    try coder.required("productId", &productID)
    try coder.required("nonce", &nonce)
    try coder.required("timestamp", &timestamp)
    try coder.required("keyId", &keyID)
    try coder.required("offerIdentifier", &offerIdentifier)
    try coder.lenient("appAccountToken", &appAccountToken)
  }
}
