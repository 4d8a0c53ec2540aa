public import JSONValues
public import ReceiptModels

extension PlayOneTimeProduct {
  /// A way to get a one-time product: to buy or to rent it, with a price in each country.
  ///
  /// Source: Google Play Developer API, `OneTimeProductPurchaseOption`.
  public struct PurchaseOption: GoogleModel {
    public let json: JSONValue
    public let purchaseOptionID: String
    /// The state; only an active option can be bought.
    public let state: State?
    /// The terms of an option to buy; nil for another one.
    public let buy: BuyOption?
    /// The terms of an option to rent; nil for another one.
    public let rent: RentOption?
    /// The prices, one for each country.
    public let regionalConfigs: [RegionalConfig]
    /// The prices in countries where Google Play begins to sell; nil if the option is not sold there.
    public let newRegionsConfig: NewRegionsConfig?
    /// The developer's tags, without a meaning for Google.
    public let offerTags: [OfferTag]
    /// The user's right to withdraw, by the laws of the EEA.
    public let withdrawalRightType: WithdrawalRightType?

    /// Creates the value from its JSON form.
    ///
    /// - Throws: `FieldTypeFailure`; only the option's identifier is required.
    public init(json: JSONValue) throws(FieldTypeFailure) {
      let members = try MemberReader(json)
      purchaseOptionID = try members.requiredText("purchaseOptionId")
      state = try members.value("state")
      buy = try members.model("buyOption")
      rent = try members.model("rentOption")
      regionalConfigs = try members.models("regionalPricingAndAvailabilityConfigs")
      newRegionsConfig = try members.model("newRegionsConfig")
      offerTags = try members.models("offerTags")
      let compliance: PurchaseOptionCompliance? = try members.model("taxAndComplianceSettings")
      withdrawalRightType = compliance?.withdrawalRightType
      self.json = json
    }

    /// The state of an option.
    public struct State: StringVocabulary {
      public var rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }

      public static let unspecified = Self(rawValue: "STATE_UNSPECIFIED")
      /// The option was not for sale yet.
      public static let draft = Self(rawValue: "DRAFT")
      public static let active = Self(rawValue: "ACTIVE")
      public static let inactive = Self(rawValue: "INACTIVE")
      /// The option is for sale no more, and apps in use before may still sell it for a while.
      public static let inactivePublished = Self(rawValue: "INACTIVE_PUBLISHED")

      public static let allCases: [Self] = [
        unspecified, draft, active, inactive, inactivePublished,
      ]
    }
  }

  /// The terms of an option to buy.
  ///
  /// Source: Google Play Developer API, `OneTimeProductBuyPurchaseOption`.
  public struct BuyOption: GoogleModel {
    public let json: JSONValue
    /// Whether apps can buy the option that know no options.
    public let isLegacyCompatible: Bool
    /// Whether a purchase may have several pieces.
    public let isMultiQuantityEnabled: Bool

    public init(json: JSONValue) throws(FieldTypeFailure) {
      let members = try MemberReader(json)
      isLegacyCompatible = try members.flag("legacyCompatible") ?? false
      isMultiQuantityEnabled = try members.flag("multiQuantityEnabled") ?? false
      self.json = json
    }
  }

  /// The terms of an option to rent.
  ///
  /// Source: Google Play Developer API, `OneTimeProductRentPurchaseOption`.
  public struct RentOption: GoogleModel {
    public let json: JSONValue
    /// The time from the purchase in which the user may begin (ISO 8601), such as `P30D`.
    public let rentalPeriod: String?
    /// The time from the beginning after which the rent ends (ISO 8601), such as `P2D`.
    public let expirationPeriod: String?

    public init(json: JSONValue) throws(FieldTypeFailure) {
      let members = try MemberReader(json)
      rentalPeriod = try members.text("rentalPeriod")
      expirationPeriod = try members.text("expirationPeriod")
      self.json = json
    }
  }

  /// The price of an option in a country, and whether it is sold there.
  ///
  /// Source: Google Play Developer API, `OneTimeProductPurchaseOptionRegionalPricingAndAvailabilityConfig`.
  public struct RegionalConfig: GoogleModel {
    public let json: JSONValue
    /// The country (ISO 3166-1, two letters).
    public let regionCode: String?
    public let price: PlayMoney?
    public let availability: Availability?

    public init(json: JSONValue) throws(FieldTypeFailure) {
      let members = try MemberReader(json)
      regionCode = try members.text("regionCode")
      price = try members.model("price")
      availability = try members.value("availability")
      self.json = json
    }

    /// Whether an option is sold in a country.
    public struct Availability: StringVocabulary {
      public var rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }

      public static let unspecified = Self(rawValue: "AVAILABILITY_UNSPECIFIED")
      public static let available = Self(rawValue: "AVAILABLE")
      public static let noLongerAvailable = Self(rawValue: "NO_LONGER_AVAILABLE")
      /// From the release of a product on that can be ordered before.
      public static let availableIfReleased = Self(rawValue: "AVAILABLE_IF_RELEASED")
      public static let availableForOffersOnly = Self(rawValue: "AVAILABLE_FOR_OFFERS_ONLY")

      public static let allCases: [Self] = [
        unspecified, available, noLongerAvailable, availableIfReleased, availableForOffersOnly,
      ]
    }
  }

  /// The prices of an option in countries where Google Play begins to sell.
  ///
  /// Source: Google Play Developer API, `OneTimeProductPurchaseOptionNewRegionsConfig`.
  public struct NewRegionsConfig: GoogleModel {
    public let json: JSONValue
    public let usdPrice: PlayMoney?
    public let eurPrice: PlayMoney?
    public let availability: Availability?

    public init(json: JSONValue) throws(FieldTypeFailure) {
      let members = try MemberReader(json)
      usdPrice = try members.model("usdPrice")
      eurPrice = try members.model("eurPrice")
      availability = try members.value("availability")
      self.json = json
    }

    /// Whether an option is sold where Google Play begins to sell.
    public struct Availability: StringVocabulary {
      public var rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }

      public static let unspecified = Self(rawValue: "AVAILABILITY_UNSPECIFIED")
      public static let available = Self(rawValue: "AVAILABLE")
      public static let noLongerAvailable = Self(rawValue: "NO_LONGER_AVAILABLE")

      public static let allCases: [Self] = [unspecified, available, noLongerAvailable]
    }
  }
}

/// The legal settings of an option.
package struct PurchaseOptionCompliance: GoogleModel {
  package let json: JSONValue
  package let withdrawalRightType: WithdrawalRightType?

  package init(json: JSONValue) throws(FieldTypeFailure) {
    withdrawalRightType = try MemberReader(json).value("withdrawalRightType")
    self.json = json
  }
}
