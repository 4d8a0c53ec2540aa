public import JSONValues
public import ReceiptModels

/// The countries whose means of payment are the only ones that buy a product.
///
/// Source: Google Play Developer API, `RestrictedPaymentCountries`.
public struct RestrictedPaymentCountries: GoogleModel {
  public let json: JSONValue
  /// The countries (ISO 3166-1, two letters); none for all.
  public let regionCodes: [String]

  public init(json: JSONValue) throws(FieldTypeFailure) {
    regionCodes = try MemberReader(json).texts("regionCodes")
    self.json = json
  }
}

/// The tax and legal settings of a product.
///
/// Source: Google Play Developer API, `SubscriptionTaxAndComplianceSettings` and
/// `OneTimeProductTaxAndComplianceSettings`.
public struct TaxAndComplianceSettings: GoogleModel {
  public let json: JSONValue
  /// The user's right to withdraw from a subscription, by the laws of the EEA; options of a one-time product have
  /// their own.
  public let eeaWithdrawalRightType: WithdrawalRightType?
  /// Whether the product is an asset on a blockchain.
  public let isTokenizedDigitalAsset: Bool
  public let productTaxCategoryCode: String?
  public let regionalProductAgeRatings: [RegionalProductAgeRating]
  /// The taxes of a subscription, by country.
  public let taxRatesByRegion: [String: RegionalTax]
  /// The taxes of a one-time product, one for each country.
  public let regionalTaxes: [RegionalTax]

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    eeaWithdrawalRightType = try members.value("eeaWithdrawalRightType")
    isTokenizedDigitalAsset = try members.flag("isTokenizedDigitalAsset") ?? false
    productTaxCategoryCode = try members.text("productTaxCategoryCode")
    regionalProductAgeRatings = try members.models("regionalProductAgeRatingInfos")
    taxRatesByRegion = try members.models(byName: "taxRateInfoByRegionCode")
    regionalTaxes = try members.models("regionalTaxConfigs")
    self.json = json
  }

  /// The tax on a product in a country.
  ///
  /// Source: Google Play Developer API, `RegionalTaxRateInfo` and `RegionalTaxConfig`.
  public struct RegionalTax: GoogleModel {
    public let json: JSONValue
    /// The country (ISO 3166-1, two letters); nil where it stands outside.
    public let regionCode: String?
    public let taxTier: TaxTier?
    /// The kind of streaming, where that is taxed in its own way.
    public let streamingTaxType: StreamingTaxType?
    /// Whether the lower rate for streaming counts, in the United States.
    public let isEligibleForStreamingServiceTaxRate: Bool

    public init(json: JSONValue) throws(FieldTypeFailure) {
      let members = try MemberReader(json)
      regionCode = try members.text("regionCode")
      taxTier = try members.value("taxTier")
      streamingTaxType = try members.value("streamingTaxType")
      isEligibleForStreamingServiceTaxRate =
        try members.flag("eligibleForStreamingServiceTaxRate") ?? false
      self.json = json
    }

    /// A tier of reduced tax.
    public struct TaxTier: StringVocabulary {
      public var rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }

      public static let unspecified = Self(rawValue: "TAX_TIER_UNSPECIFIED")
      public static let books1 = Self(rawValue: "TAX_TIER_BOOKS_1")
      public static let news1 = Self(rawValue: "TAX_TIER_NEWS_1")
      public static let news2 = Self(rawValue: "TAX_TIER_NEWS_2")
      public static let musicOrAudio1 = Self(rawValue: "TAX_TIER_MUSIC_OR_AUDIO_1")
      public static let liveOrBroadcast1 = Self(rawValue: "TAX_TIER_LIVE_OR_BROADCAST_1")

      public static let allCases: [Self] = [
        unspecified, books1, news1, news2, musicOrAudio1, liveOrBroadcast1,
      ]
    }

    /// A kind of streaming.
    public struct StreamingTaxType: StringVocabulary {
      public var rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }

      public static let unspecified = Self(rawValue: "STREAMING_TAX_TYPE_UNSPECIFIED")
      public static let videoRental = Self(rawValue: "STREAMING_TAX_TYPE_TELCO_VIDEO_RENTAL")
      public static let videoSales = Self(rawValue: "STREAMING_TAX_TYPE_TELCO_VIDEO_SALES")
      public static let videoMultiChannel = Self(
        rawValue: "STREAMING_TAX_TYPE_TELCO_VIDEO_MULTI_CHANNEL")
      public static let audioRental = Self(rawValue: "STREAMING_TAX_TYPE_TELCO_AUDIO_RENTAL")
      public static let audioSales = Self(rawValue: "STREAMING_TAX_TYPE_TELCO_AUDIO_SALES")
      public static let audioMultiChannel = Self(
        rawValue: "STREAMING_TAX_TYPE_TELCO_AUDIO_MULTI_CHANNEL")

      public static let allCases: [Self] = [
        unspecified, videoRental, videoSales, videoMultiChannel, audioRental, audioSales,
        audioMultiChannel,
      ]
    }
  }

  /// The age from which a product is suitable, in a country.
  ///
  /// Source: Google Play Developer API, `RegionalProductAgeRatingInfo`.
  public struct RegionalProductAgeRating: GoogleModel {
    public let json: JSONValue
    /// The country (ISO 3166-1, two letters).
    public let regionCode: String?
    public let tier: Tier?

    public init(json: JSONValue) throws(FieldTypeFailure) {
      let members = try MemberReader(json)
      regionCode = try members.text("regionCode")
      tier = try members.value("productAgeRatingTier")
      self.json = json
    }

    /// An age from which a product is suitable.
    public struct Tier: StringVocabulary {
      public var rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }

      public static let unknown = Self(rawValue: "PRODUCT_AGE_RATING_TIER_UNKNOWN")
      public static let everyone = Self(rawValue: "PRODUCT_AGE_RATING_TIER_EVERYONE")
      public static let thirteenAndAbove = Self(
        rawValue: "PRODUCT_AGE_RATING_TIER_THIRTEEN_AND_ABOVE")
      public static let sixteenAndAbove = Self(
        rawValue: "PRODUCT_AGE_RATING_TIER_SIXTEEN_AND_ABOVE")
      public static let eighteenAndAbove = Self(
        rawValue: "PRODUCT_AGE_RATING_TIER_EIGHTEEN_AND_ABOVE")

      public static let allCases: [Self] = [
        unknown, everyone, thirteenAndAbove, sixteenAndAbove, eighteenAndAbove,
      ]
    }
  }
}

/// A user's right to withdraw from a purchase, by the laws of the EEA.
public struct WithdrawalRightType: StringVocabulary {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: "WITHDRAWAL_RIGHT_TYPE_UNSPECIFIED")
  public static let digitalContent = Self(rawValue: "WITHDRAWAL_RIGHT_DIGITAL_CONTENT")
  public static let service = Self(rawValue: "WITHDRAWAL_RIGHT_SERVICE")

  public static let allCases: [Self] = [unspecified, digitalContent, service]
}
