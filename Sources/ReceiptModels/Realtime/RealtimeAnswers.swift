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

  /// Creates an empty value.
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

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.lenient("messageIdentifier", &messageIdentifier)
    try coder("productId", &productID)
    try coder("billingPlanType", &billingPlanType)
  }
}

/// A promotional offer that the App Store makes to retain a subscriber.
///
/// Set one of the two signatures.
///
/// Source: Apple, `RealtimeResponseBody.promotionalOffer`.
public struct RealtimePromotionalOffer: FieldModel {
  /// Nil for text that is not a UUID, which is kept in ``additionalMembers``.
  public var messageIdentifier: UUID?
  /// The offer as a token signed by the server.
  public var promotionalOfferSignatureV2: String?
  public var promotionalOfferSignatureV1: PromotionalOfferSignatureV1?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
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

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.lenient("messageIdentifier", &messageIdentifier)
    try coder("advancedCommerceData", &advancedCommerceData)
  }
}
