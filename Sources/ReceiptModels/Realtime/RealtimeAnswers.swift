public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message that the App Store shows to retain a subscriber.
///
/// Source: Apple, `RealtimeResponseBody.message`.
public struct RealtimeMessage: FieldModel {
  /// Nil for text that is not a UUID, which is kept in ``additionalMembers``.
  public var messageIdentifier: UUID?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.lenient("messageIdentifier", &messageIdentifier)
  }
}

/// An alternate product that the App Store offers to retain a subscriber.
///
/// Source: Apple, `RealtimeResponseBody.alternateProduct`.
public struct RealtimeAlternateProduct: FieldModel {
  /// Nil for text that is not a UUID, which is kept in ``additionalMembers``.
  public var messageIdentifier: UUID?
  public var productID: String?
  public var billingPlanType: BillingPlanType?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.lenient("messageIdentifier", &messageIdentifier)
    try coder("productId", &productID)
    try coder("billingPlanType", &billingPlanType)
  }
}

/// A promotional offer that the App Store makes to retain a subscriber.
///
/// Set one of the two signatures. Source: Apple, `RealtimeResponseBody.promotionalOffer`.
public struct RealtimePromotionalOffer: FieldModel {
  /// Nil for text that is not a UUID, which is kept in ``additionalMembers``.
  public var messageIdentifier: UUID?
  /// The offer as a token signed by the server.
  public var promotionalOfferSignatureV2: String?
  public var promotionalOfferSignatureV1: PromotionalOfferSignatureV1?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.lenient("messageIdentifier", &messageIdentifier)
    try coder("promotionalOfferSignatureV2", &promotionalOfferSignatureV2)
    try coder("promotionalOfferSignatureV1", &promotionalOfferSignatureV1)
  }
}

/// The data of the Advanced Commerce API to retain a subscriber.
///
/// Source: Apple, `RealtimeResponseBody.advancedCommerceInfo`.
public struct RealtimeAdvancedCommerceInfo: FieldModel {
  /// Nil for text that is not a UUID, which is kept in ``additionalMembers``.
  public var messageIdentifier: UUID?
  /// The text for the Advanced Commerce API, which is passed on unread.
  public var advancedCommerceData: String?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.lenient("messageIdentifier", &messageIdentifier)
    try coder("advancedCommerceData", &advancedCommerceData)
  }
}

/// A promotional offer with a signature of version 1.
///
/// The signature is neither computed nor verified here. Source: Apple,
/// `promotionalOfferSignatureV1`.
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
