public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ClientRequestSigner {
  /// Returns the answer to a realtime request with a promotional offer, version 2.
  ///
  /// The offer is bound to the customer of the request, by the original transaction ID. Whether
  /// Apple knows the product, the offer and the message is *not* checked. A nil product stands for
  /// the one that the customer is about to cancel. Source: Apple,
  /// `RealtimeResponseBody.promotionalOffer`.
  public func retentionOffer(
    _ offerIdentifier: String, of productID: String? = nil, messageIdentifier: UUID,
    for request: Verified<RealtimeRequest>, at date: Date
  ) throws(SigningFailure) -> RealtimeResponse {
    .promotionalOffer(
      messageIdentifier: messageIdentifier,
      signature: try promotionalOffer(
        productID: productID ?? request.payload.productID, offerIdentifier: offerIdentifier,
        transactionID: request.payload.originalTransactionID, at: date))
  }
}

extension PromotionalOfferSigner {
  /// Returns the answer to a realtime request with a promotional offer, version 1.
  ///
  /// Whether Apple knows the product, the offer and the message is *not* checked.
  ///
  /// Source: Apple, `RealtimeResponseBody.promotionalOffer`.
  ///
  /// - Throws: ``SigningFailure/separatorInText`` or ``SigningFailure/signing``, the latter also for
  ///   a time whose milliseconds are no 64-bit number.
  public func retentionOffer(
    _ offer: Offer, messageIdentifier: UUID
  ) throws(SigningFailure) -> RealtimeResponse {
    let milliseconds = (offer.timestamp.timeIntervalSince1970 * 1000).rounded()
    guard let timestamp = Int(exactly: milliseconds) else { throw .signing }
    var signature = PromotionalOfferSignatureV1(
      encodedSignature: try signature(for: offer), productID: offer.productID, nonce: offer.nonce,
      timestamp: timestamp, keyID: key.keyID, offerIdentifier: offer.offerIdentifier)
    signature.appAccountToken = offer.appAccountToken
    return .promotionalOffer(messageIdentifier: messageIdentifier, signatureV1: signature)
  }
}
