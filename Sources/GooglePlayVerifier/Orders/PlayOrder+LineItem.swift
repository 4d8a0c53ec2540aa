public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension PlayOrder {
  /// A product in an order.
  ///
  /// Source: Google Play Developer API, `LineItem`.
  public struct LineItem: GoogleModel {
    public let json: JSONValue
    public let productID: String?
    /// The product's name in the user's language.
    public let productTitle: String?
    /// The price in the Play store, without discounts that Google pays.
    public let listingPrice: PlayMoney?
    /// The amount that the user paid for the item, with tax and after discounts.
    public let total: PlayMoney?
    public let tax: PlayMoney?
    /// The terms of a subscription; nil for another product.
    public let subscriptionDetails: SubscriptionDetails?
    /// The terms of a one-time product; nil for another product.
    public let oneTimePurchaseDetails: OneTimePurchaseDetails?
    /// Whether the item is the app itself.
    public let isPaidApp: Bool

    public init(json: JSONValue) throws(FieldTypeFailure) {
      let members = try MemberReader(json)
      productID = try members.text("productId")
      productTitle = try members.text("productTitle")
      listingPrice = try members.model("listingPrice")
      total = try members.model("total")
      tax = try members.model("tax")
      subscriptionDetails = try members.model("subscriptionDetails")
      oneTimePurchaseDetails = try members.model("oneTimePurchaseDetails")
      isPaidApp = try members.hasObject("paidAppDetails")
      self.json = json
    }
  }

  /// The terms of a subscription in an order.
  ///
  /// The period is that which the order paid for, as of the payment; ``SubscriptionPurchaseV2`` tells how
  /// it stands now. Source: Google Play Developer API, `SubscriptionDetails`.
  public struct SubscriptionDetails: GoogleModel {
    public let json: JSONValue
    public let basePlanID: String?
    public let offerID: String?
    public let servicePeriodStartTime: Date?
    public let servicePeriodEndTime: Date?
    /// The phase in Google's older form, which does not tell proration; see ``phase``.
    public let offerPhase: OfferPhase?
    /// The part of the plan or the offer that the order pays for; nil for one that this version does not
    /// know.
    public let phase: Phase?

    /// A part of a plan or an offer.
    public enum Phase: Hashable, Sendable {
      /// The price of the base plan.
      case base
      case freeTrial
      case introductoryPrice
      /// Time that a change of plan credited, or that brings an add-on to the end of the base item's period.
      case prorationPeriod(original: OfferPhase?)
    }

    public init(json: JSONValue) throws(FieldTypeFailure) {
      let members = try MemberReader(json)
      basePlanID = try members.text("basePlanId")
      offerID = try members.text("offerId")
      servicePeriodStartTime = try members.time("servicePeriodStartTime")
      servicePeriodEndTime = try members.time("servicePeriodEndTime")
      offerPhase = try members.value("offerPhase")
      let details: OfferPhaseDetails? = try members.model("offerPhaseDetails")
      phase = details?.phase ?? offerPhase?.phase
      self.json = json
    }

    /// A part of a plan or an offer, in Google's older form.
    public struct OfferPhase: StringVocabulary {
      public var rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }

      public static let unspecified = Self(rawValue: "OFFER_PHASE_UNSPECIFIED")
      public static let base = Self(rawValue: "BASE")
      public static let introductory = Self(rawValue: "INTRODUCTORY")
      public static let freeTrial = Self(rawValue: "FREE_TRIAL")

      public static let allCases: [Self] = [unspecified, base, introductory, freeTrial]
    }
  }

  /// The terms of a one-time product in an order.
  ///
  /// Source: Google Play Developer API, `OneTimePurchaseDetails`.
  public struct OneTimePurchaseDetails: GoogleModel {
    public let json: JSONValue
    public let quantity: Int?
    public let purchaseOptionID: String?
    public let offerID: String?
    /// Whether the product was ordered before its release, also once it is released.
    public let isPreorder: Bool
    public let isRental: Bool

    public init(json: JSONValue) throws(FieldTypeFailure) {
      let members = try MemberReader(json)
      quantity = try members.int64("quantity")
      purchaseOptionID = try members.text("purchaseOptionId")
      offerID = try members.text("offerId")
      isPreorder = try members.hasObject("preorderDetails")
      isRental = try members.hasObject("rentalDetails")
      self.json = json
    }
  }
}

extension PlayOrder.SubscriptionDetails.OfferPhase {
  fileprivate var phase: PlayOrder.SubscriptionDetails.Phase? {
    switch self {
    case .base: .base
    case .introductory: .introductoryPrice
    case .freeTrial: .freeTrial
    default: nil
    }
  }
}

/// The part of a plan or an offer that an order pays for.
private struct OfferPhaseDetails: GoogleModel {
  let json: JSONValue
  let phase: PlayOrder.SubscriptionDetails.Phase?

  init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    let isBase = try members.hasObject("baseDetails")
    let isFreeTrial = try members.hasObject("freeTrialDetails")
    let isIntroductory = try members.hasObject("introductoryPriceDetails")
    let proration: ProrationPeriodDetails? = try members.model("prorationPeriodDetails")
    if let proration {
      phase = .prorationPeriod(original: proration.originalOfferPhase)
    } else if isFreeTrial {
      phase = .freeTrial
    } else if isIntroductory {
      phase = .introductoryPrice
    } else {
      phase = isBase ? .base : nil
    }
    self.json = json
  }
}

/// A period of proration that an order pays for.
package struct ProrationPeriodDetails: GoogleModel {
  package let json: JSONValue
  package let originalOfferPhase: PlayOrder.SubscriptionDetails.OfferPhase?

  package init(json: JSONValue) throws(FieldTypeFailure) {
    originalOfferPhase = try MemberReader(json).value("originalOfferPhase")
    self.json = json
  }
}
