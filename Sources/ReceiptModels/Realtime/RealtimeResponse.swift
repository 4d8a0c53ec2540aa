public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The answer to a ``RealtimeRequest``: one way to retain the subscriber.
///
/// Source: Apple, `RealtimeResponseBody`.
public struct RealtimeResponse: JSONModel {
  /// The single member of a response.
  @nonexhaustive
  public enum Answer: Hashable, Sendable {
    case message(RealtimeMessage)
    case alternateProduct(RealtimeAlternateProduct)
    case promotionalOffer(RealtimePromotionalOffer)
    /// Shows a message and an offer of the Advanced Commerce API.
    case advancedCommerceInfo(RealtimeAdvancedCommerceInfo)
  }

  public var answer: Answer
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates a response.
  public init(_ answer: Answer) {
    self.answer = answer
  }

  /// Creates the value from its JSON form.
  ///
  /// - Throws: ``/JSONValues/FieldTypeFailure`` if a member has the wrong JSON type, if no known
  ///   member is present (at the empty path), or if two are (at the path of the second).
  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try RealtimeResponseMembers(json: json)
    answer = try members.answer()
    additionalMembers = members.additionalMembers
  }

  public var json: JSONValue {
    var members = RealtimeResponseMembers()
    switch answer {
    case .message(let value): members.message = value
    case .alternateProduct(let value): members.alternateProduct = value
    case .promotionalOffer(let value): members.promotionalOffer = value
    case .advancedCommerceInfo(let value): members.advancedCommerceInfo = value
    }
    members.additionalMembers = additionalMembers
    return members.json
  }
}

/// The documented members, each optional.
private struct RealtimeResponseMembers: FieldModel {
  var message: RealtimeMessage?
  var alternateProduct: RealtimeAlternateProduct?
  var promotionalOffer: RealtimePromotionalOffer?
  var advancedCommerceInfo: RealtimeAdvancedCommerceInfo?
  var additionalMembers: [String: JSONValue] = [:]

  mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("message", &message)
    try coder("alternateProduct", &alternateProduct)
    try coder("promotionalOffer", &promotionalOffer)
    try coder("advancedCommerceInfo", &advancedCommerceInfo)
  }

  func answer() throws(FieldTypeFailure) -> RealtimeResponse.Answer {
    let present: [(path: String, answer: RealtimeResponse.Answer)] = [
      message.map { ("message", .message($0)) },
      alternateProduct.map { ("alternateProduct", .alternateProduct($0)) },
      promotionalOffer.map { ("promotionalOffer", .promotionalOffer($0)) },
      advancedCommerceInfo.map { ("advancedCommerceInfo", .advancedCommerceInfo($0)) },
    ].compactMap(\.self)
    guard let first = present.first else {
      throw FieldTypeFailure(expected: .object, found: .absent)
    }
    guard present.count == 1 else {
      throw FieldTypeFailure(path: present[1].path, expected: .absent, found: .object)
    }
    return first.answer
  }
}

extension RealtimeResponse {
  /// Returns a response that shows a message.
  ///
  /// Whether Apple knows and has approved the message is *not* checked, here and in the other
  /// responses; Apple shows the default message instead of one that it does not accept. Source:
  /// Apple, `RealtimeResponseBody.message`.
  public static func message(_ messageIdentifier: UUID) -> RealtimeResponse {
    var message = RealtimeMessage()
    message.messageIdentifier = messageIdentifier
    return RealtimeResponse(.message(message))
  }

  /// Returns a response that shows a message and offers an alternate product.
  ///
  /// A nil billing plan names none. Source: Apple, `RealtimeResponseBody.alternateProduct`.
  public static func alternateProduct(
    messageIdentifier: UUID, productID: String, billingPlanType: BillingPlanType? = nil
  ) -> RealtimeResponse {
    var product = RealtimeAlternateProduct()
    product.messageIdentifier = messageIdentifier
    product.productID = productID
    product.billingPlanType = billingPlanType
    return RealtimeResponse(.alternateProduct(product))
  }

  /// Returns a response that shows a message and makes a promotional offer, with a signature of
  /// version 2.
  ///
  /// The signature is *not* verified. The signature is a compact JWS. Source: Apple,
  /// `RealtimeResponseBody.promotionalOffer`.
  public static func promotionalOffer(
    messageIdentifier: UUID, signature: String
  ) -> RealtimeResponse {
    var offer = RealtimePromotionalOffer()
    offer.messageIdentifier = messageIdentifier
    offer.promotionalOfferSignatureV2 = signature
    return RealtimeResponse(.promotionalOffer(offer))
  }

  /// Returns a response that shows a message and makes a promotional offer, with a signature of
  /// version 1.
  ///
  /// The signature is *not* verified. Source: Apple, `RealtimeResponseBody.promotionalOffer`.
  public static func promotionalOffer(
    messageIdentifier: UUID, signatureV1: PromotionalOfferSignatureV1
  ) -> RealtimeResponse {
    var offer = RealtimePromotionalOffer()
    offer.messageIdentifier = messageIdentifier
    offer.promotionalOfferSignatureV1 = signatureV1
    return RealtimeResponse(.promotionalOffer(offer))
  }

  /// Returns a response that shows a message and an offer of the Advanced Commerce API.
  ///
  /// The data is passed on unread. Source: Apple, `RealtimeResponseBody.advancedCommerceInfo`.
  public static func advancedCommerce(
    messageIdentifier: UUID, data: String
  ) -> RealtimeResponse {
    var info = RealtimeAdvancedCommerceInfo()
    info.messageIdentifier = messageIdentifier
    info.advancedCommerceData = data
    return RealtimeResponse(.advancedCommerceInfo(info))
  }
}
