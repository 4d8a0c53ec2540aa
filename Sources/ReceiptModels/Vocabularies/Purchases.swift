/// The kind of product of a transaction.
///
/// Source: Apple, `type`.
public struct ProductType: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let autoRenewableSubscription = Self(rawValue: "Auto-Renewable Subscription")
  public static let nonConsumable = Self(rawValue: "Non-Consumable")
  /// A product that is used up and may be bought again.
  public static let consumable = Self(rawValue: "Consumable")
  /// A subscription for a period whose length only the app knows.
  public static let nonRenewingSubscription = Self(rawValue: "Non-Renewing Subscription")

  public static let allCases: [Self] = [
    autoRenewableSubscription, nonConsumable, consumable, nonRenewingSubscription,
  ]
}

/// The ownership of a purchase.
///
/// Source: Apple, `inAppOwnershipType`.
public struct InAppOwnershipType: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let purchased = Self(rawValue: "PURCHASED")
  /// A family member bought and shared it.
  public static let familyShared = Self(rawValue: "FAMILY_SHARED")
  /// An organization or a group bought it and assigned it to the customer.
  public static let assigned = Self(rawValue: "ASSIGNED")

  public static let allCases: [Self] = [purchased, familyShared, assigned]
}

/// The cause of a transaction: the customer or a renewal.
///
/// Source: Apple, `transactionReason`.
public struct TransactionReason: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let purchase = Self(rawValue: "PURCHASE")
  public static let renewal = Self(rawValue: "RENEWAL")

  public static let allCases: [Self] = [purchase, renewal]
}

/// The billing plan of a subscription with a commitment.
///
/// Source: Apple, `billingPlanType`.
public struct BillingPlanType: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// One payment for the whole commitment.
  public static let billedUpfront = Self(rawValue: "BILLED_UPFRONT")
  public static let monthly = Self(rawValue: "MONTHLY")

  public static let allCases: [Self] = [billedUpfront, monthly]
}

/// The platform on which a customer first got the app.
///
/// Source: Apple, `originalPlatform`.
public struct PurchasePlatform: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let iOS = Self(rawValue: "iOS")
  public static let macOS = Self(rawValue: "macOS")
  public static let tvOS = Self(rawValue: "tvOS")
  public static let visionOS = Self(rawValue: "visionOS")

  public static let allCases: [Self] = [iOS, macOS, tvOS, visionOS]
}
