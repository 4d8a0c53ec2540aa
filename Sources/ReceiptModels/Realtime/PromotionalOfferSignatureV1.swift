public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A promotional offer with a signature of version 1.
///
/// The signature is neither computed nor verified here.
///
/// Source: Apple, `promotionalOfferSignatureV1`.
public struct PromotionalOfferSignatureV1: FieldModel {
  /// The DER signature in standard base64, ECDSA on P-256 with SHA-256.
  public var encodedSignature: String = ""
  public var productID: String = ""
  public var nonce: UUID = .zero
  /// The signed date, in milliseconds since 1970 in UTC.
  public var timestamp: Int = 0
  public var keyID: String = ""
  public var offerIdentifier: String = ""
  /// The signed account.
  ///
  /// Text that is not a UUID leaves this nil and is kept in ``additionalMembers``.
  public var appAccountToken: UUID?
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// Creates a value with the required fields.
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
