#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension RealtimeResponse {
  /// Returns a response that shows a message.
  ///
  /// Whether Apple knows and has approved the message is *not* checked, here and in the other
  /// responses; Apple shows the default message instead of one that it does not accept.
  ///
  /// Source: Apple, `RealtimeResponseBody.message`.
  public static func message(_ messageIdentifier: UUID) -> RealtimeResponse {
    var message = RealtimeMessage()
    message.messageIdentifier = messageIdentifier
    return RealtimeResponse(.message(message))
  }

  /// Returns a response that shows a message and offers an alternate product.
  ///
  /// A nil billing plan names none.
  ///
  /// Source: Apple, `RealtimeResponseBody.alternateProduct`.
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
  /// The signature is *not* verified.
  /// The signature is a compact JWS.
  ///
  /// Source: Apple, `RealtimeResponseBody.promotionalOffer`.
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
  /// The signature is *not* verified.
  ///
  /// Source: Apple, `RealtimeResponseBody.promotionalOffer`.
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
  /// The data is passed on unread.
  ///
  /// Source: Apple, `RealtimeResponseBody.advancedCommerceInfo`.
  public static func advancedCommerce(
    messageIdentifier: UUID, data: String
  ) -> RealtimeResponse {
    var info = RealtimeAdvancedCommerceInfo()
    info.messageIdentifier = messageIdentifier
    info.advancedCommerceData = data
    return RealtimeResponse(.advancedCommerceInfo(info))
  }
}
