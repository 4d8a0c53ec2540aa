/// The kind of product of a transaction.
///
/// Source: Apple, `type`.
public struct ProductType: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A subscription that Apple renews.
  public static let autoRenewableSubscription = ProductType(rawValue: "Auto-Renewable Subscription")
  /// A product bought once and owned permanently.
  public static let nonConsumable = ProductType(rawValue: "Non-Consumable")
  /// A product that is used up and may be bought again.
  public static let consumable = ProductType(rawValue: "Consumable")
  /// A subscription for a period whose length only the app knows.
  public static let nonRenewingSubscription = ProductType(rawValue: "Non-Renewing Subscription")

  /// The values that Apple documents.
  public static let allCases: [ProductType] = [
    autoRenewableSubscription, nonConsumable, consumable, nonRenewingSubscription,
  ]
}

/// The ownership of a purchase.
///
/// Source: Apple, `inAppOwnershipType`.
public struct InAppOwnershipType: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The customer bought it.
  public static let purchased = InAppOwnershipType(rawValue: "PURCHASED")
  /// A family member bought and shared it.
  public static let familyShared = InAppOwnershipType(rawValue: "FAMILY_SHARED")
  /// An organization or a group bought it and assigned it to the customer.
  public static let assigned = InAppOwnershipType(rawValue: "ASSIGNED")

  /// The values that Apple documents.
  public static let allCases: [InAppOwnershipType] = [
    purchased, familyShared, assigned,
  ]
}

/// The cause of a transaction: the customer or a renewal.
///
/// Source: Apple, `transactionReason`.
public struct TransactionReason: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The customer bought it.
  public static let purchase = TransactionReason(rawValue: "PURCHASE")
  /// Apple renewed it.
  public static let renewal = TransactionReason(rawValue: "RENEWAL")

  /// The values that Apple documents.
  public static let allCases: [TransactionReason] = [
    purchase, renewal,
  ]
}

/// The billing plan of a subscription with a commitment.
///
/// Source: Apple, `billingPlanType`.
public struct BillingPlanType: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// One payment for the whole commitment.
  public static let billedUpfront = BillingPlanType(rawValue: "BILLED_UPFRONT")
  /// Monthly payments.
  public static let monthly = BillingPlanType(rawValue: "MONTHLY")

  /// The values that Apple documents.
  public static let allCases: [BillingPlanType] = [
    billedUpfront, monthly,
  ]
}

/// The platform on which a customer first got the app.
///
/// Source: Apple, `originalPlatform`.
public struct PurchasePlatform: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// iPhone and iPad.
  public static let iOS = PurchasePlatform(rawValue: "iOS")
  public static let macOS = PurchasePlatform(rawValue: "macOS")
  /// Apple TV.
  public static let tvOS = PurchasePlatform(rawValue: "tvOS")
  /// Apple Vision.
  public static let visionOS = PurchasePlatform(rawValue: "visionOS")

  /// The values that Apple documents.
  public static let allCases: [PurchasePlatform] = [
    iOS, macOS, tvOS, visionOS,
  ]
}
