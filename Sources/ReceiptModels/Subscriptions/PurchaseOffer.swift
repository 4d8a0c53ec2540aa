/// The offer that set the price of a purchase or of a renewal.
public struct PurchaseOffer: Hashable, Sendable {
  /// The kind of offer.
  public var type: OfferType
  /// The promotional offer, or the reference name of the offer code.
  public var identifier: String?

  /// An offer.
  public init(type: OfferType, identifier: String? = nil) {
    self.type = type
    self.identifier = identifier
  }

  /// What verifyReceipt says of it: a promotional offer or an offer code.
  init?(promotionalOfferID: String?, offerCodeRefName: String?) {
    if let promotionalOfferID, !promotionalOfferID.utf8.isEmpty {
      self.init(type: .promotional, identifier: promotionalOfferID)
    } else if let offerCodeRefName, !offerCodeRefName.utf8.isEmpty {
      self.init(type: .offerCode, identifier: offerCodeRefName)
    } else {
      return nil
    }
  }
}
