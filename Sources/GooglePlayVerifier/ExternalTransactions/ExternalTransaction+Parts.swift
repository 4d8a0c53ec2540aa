public import JSONValues
public import ReceiptModels

extension ExternalTransaction {
  /// An amount of money in millionths of the currency's unit.
  ///
  /// Source: Google Play Developer API, `Price`.
  public struct Price: FieldModel, GoogleModel {
    /// The currency (ISO 4217).
    public var currency = ""
    /// The millionths of the unit (`1990000` is 1.99).
    public var priceMicros = 0
    public var additionalMembers: [String: JSONValue] = [:]
    package init() {}

    /// Creates an amount.
    public init(currency: String, priceMicros: Int) {
      self.currency = currency
      self.priceMicros = priceMicros
    }

    package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
      try coder.required("currency", &currency)
      var micros: Int? = priceMicros
      try coder.integerText("priceMicros", &micros)
      priceMicros = micros ?? 0
    }

    /// Checks that the amount is of a currency, and not negative.
    func validate(_ member: InvalidCall.Member) throws(InvalidCall) {
      try PlayRequestCheck.code(currency, letters: 3, .currency)
      guard priceMicros >= 0 else { throw .notAccepted(member) }
    }
  }
}

/// A user's address for taxes.
///
/// Source: Google Play Developer API, `ExternalTransactionAddress`.
public struct ExternalTransactionAddress: FieldModel, GoogleModel {
  /// The country (ISO 3166-1, two letters).
  public var regionCode = ""
  /// The state or territory, in Google's spelling; only in India.
  public var administrativeArea: String?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates an address.
  public init(regionCode: String, administrativeArea: String? = nil) {
    self.regionCode = regionCode
    self.administrativeArea = administrativeArea
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("regionCode", &regionCode)
    try coder("administrativeArea", &administrativeArea)
  }
}

/// The payment of a one-time product.
///
/// Source: Google Play Developer API, `OneTimeExternalTransaction`.
public struct OneTimeExternalTransaction: FieldModel, GoogleModel {
  /// The token of the billing dialog in the app; Google never answers with it.
  public var externalTransactionToken: String?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("externalTransactionToken", &externalTransactionToken)
  }
}

/// A payment of a series.
///
/// Source: Google Play Developer API, `RecurringExternalTransaction`.
public struct RecurringExternalTransaction: FieldModel, GoogleModel {
  /// The token of the billing dialog in the app, only for the first payment; Google never answers with it.
  public var externalTransactionToken: String?
  /// The identifier of the first payment of the series; nil for that one itself.
  public var initialExternalTransactionID: String?
  /// The terms of a subscription; nil for another product.
  public var externalSubscription: ExternalSubscription?
  /// Whether the product is no subscription, for example one that is paid in instalments.
  public var isOtherRecurringProduct = false
  /// The program of a subscription that was reported by hand until now; Google never answers with it.
  public var migratedTransactionProgram: TransactionProgram?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates the first payment of a subscription.
  public init(
    first externalTransactionToken: String, of type: ExternalSubscription.SubscriptionType
  ) {
    self.externalTransactionToken = externalTransactionToken
    externalSubscription = ExternalSubscription(type)
  }

  /// Creates a further payment of a subscription.
  public init(
    after initialExternalTransactionID: String, of type: ExternalSubscription.SubscriptionType
  ) {
    self.initialExternalTransactionID = initialExternalTransactionID
    externalSubscription = ExternalSubscription(type)
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("externalTransactionToken", &externalTransactionToken)
    try coder("initialExternalTransactionId", &initialExternalTransactionID)
    try coder("externalSubscription", &externalSubscription)
    try coder.mark("otherRecurringProduct", &isOtherRecurringProduct)
    try coder("migratedTransactionProgram", &migratedTransactionProgram)
  }

  /// A program for billing outside of Google's.
  public struct TransactionProgram: StringVocabulary, FieldValue {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Not accepted.
    public static let unspecified = Self(rawValue: "EXTERNAL_TRANSACTION_PROGRAM_UNSPECIFIED")
    /// The user chooses between Google's billing and the developer's.
    public static let userChoiceBilling = Self(rawValue: "USER_CHOICE_BILLING")
    /// Only the developer's billing.
    public static let alternativeBillingOnly = Self(rawValue: "ALTERNATIVE_BILLING_ONLY")

    public static let allCases: [Self] = [unspecified, userChoiceBilling, alternativeBillingOnly]
  }
}

/// The terms of a subscription that is paid outside of Google's billing.
///
/// Source: Google Play Developer API, `ExternalSubscription`.
public struct ExternalSubscription: FieldModel, GoogleModel {
  public var subscriptionType = SubscriptionType.unspecified
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates the terms of a subscription.
  public init(_ type: SubscriptionType) { subscriptionType = type }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("subscriptionType", &subscriptionType)
  }

  /// A kind of subscription.
  public struct SubscriptionType: StringVocabulary, FieldValue {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Not accepted.
    public static let unspecified = Self(rawValue: "SUBSCRIPTION_TYPE_UNSPECIFIED")
    /// Charged each period.
    public static let recurring = Self(rawValue: "RECURRING")
    public static let prepaid = Self(rawValue: "PREPAID")

    public static let allCases: [Self] = [unspecified, recurring, prepaid]
  }
}

/// The terms of a payment in the external offers program.
///
/// Source: Google Play Developer API, `ExternalOfferDetails`.
public struct ExternalOfferDetails: FieldModel, GoogleModel {
  public var linkType: LinkType?
  /// The package name of the app that was installed; for ``LinkType/linkToAppDownload``.
  public var installedAppPackage: String?
  /// The category of that app, as verified in the Play Console.
  public var installedAppCategory: AppCategory?
  /// The identifier of the report of the download, for a payment in the app that was installed.
  public var appDownloadEventExternalTransactionID: String?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates terms without particulars.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("linkType", &linkType)
    try coder("installedAppPackage", &installedAppPackage)
    try coder("installedAppCategory", &installedAppCategory)
    try coder("appDownloadEventExternalTransactionId", &appDownloadEventExternalTransactionID)
  }

  /// A kind of content that a link leads to.
  public struct LinkType: StringVocabulary, FieldValue {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Not accepted.
    public static let unspecified = Self(rawValue: "EXTERNAL_OFFER_LINK_TYPE_UNSPECIFIED")
    public static let linkToDigitalContentOffer = Self(rawValue: "LINK_TO_DIGITAL_CONTENT_OFFER")
    public static let linkToAppDownload = Self(rawValue: "LINK_TO_APP_DOWNLOAD")

    public static let allCases: [Self] = [
      unspecified, linkToDigitalContentOffer, linkToAppDownload,
    ]
  }

  /// A category of apps.
  public struct AppCategory: StringVocabulary, FieldValue {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Not accepted.
    public static let unspecified = Self(rawValue: "EXTERNAL_OFFER_APP_CATEGORY_UNSPECIFIED")
    public static let app = Self(rawValue: "APP")
    public static let game = Self(rawValue: "GAME")

    public static let allCases: [Self] = [unspecified, app, game]
  }
}

/// The terms of a payment in the program for external content links.
///
/// Source: Google Play Developer API, `ExternalContentLinkDetails`.
public struct ExternalContentLinkDetails: FieldModel, GoogleModel {
  public var linkType: LinkType?
  /// The package name of the app that was installed; for ``LinkType/linkToAppDownload``.
  public var installedAppPackage: String?
  /// The category of that app, as verified in the Play Console.
  public var externalAppCategory: AppCategory?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates the terms of a link.
  public init(_ linkType: LinkType) { self.linkType = linkType }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("linkType", &linkType)
    try coder("installedAppPackage", &installedAppPackage)
    try coder("externalAppCategory", &externalAppCategory)
  }

  /// A kind of content that a link leads to.
  public struct LinkType: StringVocabulary, FieldValue {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Not accepted.
    public static let unspecified = Self(rawValue: "EXTERNAL_CONTENT_LINK_TYPE_UNSPECIFIED")
    public static let linkToDigitalContentOffer = Self(rawValue: "LINK_TO_DIGITAL_CONTENT_OFFER")
    public static let linkToAppDownload = Self(rawValue: "LINK_TO_APP_DOWNLOAD")

    public static let allCases: [Self] = [
      unspecified, linkToDigitalContentOffer, linkToAppDownload,
    ]
  }

  /// A category of apps.
  public struct AppCategory: StringVocabulary, FieldValue {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Not accepted.
    public static let unspecified = Self(rawValue: "EXTERNAL_CONTENT_APP_CATEGORY_UNSPECIFIED")
    public static let app = Self(rawValue: "APP")
    public static let game = Self(rawValue: "GAME")

    public static let allCases: [Self] = [unspecified, app, game]
  }
}
