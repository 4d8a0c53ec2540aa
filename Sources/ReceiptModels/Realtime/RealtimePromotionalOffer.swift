public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A promotional offer that the App Store makes to keep a subscriber.
///
/// Give one of the two signatures.
///
/// Source: Apple, `RealtimeResponseBody.promotionalOffer`.
public struct RealtimePromotionalOffer: FieldModel {
  /// The message, which was uploaded before.
  ///
  /// A text that is no UUID leaves this nil and is among the ``additionalMembers``.
  public var messageIdentifier: UUID?
  /// The offer as a token that the server signed.
  public var promotionalOfferSignatureV2: String?
  /// The offer in the older form.
  public var promotionalOfferSignatureV1: PromotionalOfferSignatureV1?

  /// Members that this version does not know, and a UUID field whose text is none.
  public var additionalMembers: [String: JSONValue] = [:]

  /// An empty value, to be filled field by field.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.lenient("messageIdentifier", &messageIdentifier)
    try coder("promotionalOfferSignatureV2", &promotionalOfferSignatureV2)
    try coder("promotionalOfferSignatureV1", &promotionalOfferSignatureV1)
  }
}
