public import ReceiptModels

/// The membership of an account, from any source: at most one for each account.
///
/// Words that this version does not know are kept unchanged; ``unknownFields(besides:)`` lists them.
/// Source: linking rules, section 1.3.
public struct Membership: Hashable, Sendable {
  /// The identifier of the row, `mmb_` and 12 letters or digits, which never changes.
  ///
  /// Nil before the row is stored.
  public var id: String?
  /// The host's own identifier of the account, or nil if the account has a second identifier only.
  public var primaryID: AccountID?
  public var secondID: AccountID?
  /// The level of the plan, or nil if it is unknown.
  public var tier: Tier?
  /// The billing cycle of the plan, or nil if it is unknown.
  public var cycle: BillingCycle?
  /// The last day on which the membership is valid, in UTC.
  ///
  /// Nil if it is unknown, or if the stored text isn't a day (``unreadableExpireDate``).
  public var expireDate: CalendarDay? {
    get { lastDay?.day }
    set { lastDay = newValue.map(LastDay.day) }
  }
  /// The stored text of the last day, if it isn't a day.
  ///
  /// Such a membership counts as valid, because somebody may have paid for it. The text is kept.
  public var unreadableExpireDate: String? {
    get { lastDay?.text }
    set { lastDay = newValue.map(LastDay.unreadable) }
  }
  /// The source of the membership, or nil if it is unknown.
  public var payMethod: PayMethod?
  public var autoRenew: Bool = false
  /// The original transaction ID of the Apple subscription.
  ///
  /// If the source isn't Apple, the ID is stale and has no meaning.
  public var originalTransactionID: String?
  /// The values of sources other than Apple, which are kept unchanged.
  public var details = SourceDetails()

  private var lastDay: LastDay?

  /// The key under which the row is stored, if it isn't the ``accountID``.
  package var storedKey: String?

  package init() {}

  /// Creates a membership of an account without a plan.
  public init(account: Account) {
    primaryID = account.primaryID
    secondID = account.secondID
  }

  /// The identifier of the account: the ``primaryID``, or else the ``secondID``.
  public var accountID: AccountID? { primaryID ?? secondID }

  /// The account, or nil without an identifier.
  public var account: Account? { Account(primaryID: primaryID, secondID: secondID) }

  /// The key of the row.
  package var key: String { storedKey ?? accountID?.rawValue ?? "" }

  /// Whether the membership comes from a subscription of Apple, or of another store that sells in apps: the
  /// store is the source, and there is an original transaction ID.
  ///
  /// Source: linking rules, section 1.5.
  public var isIAP: Bool {
    payMethod.map(PayMethod.stores.contains) ?? false
      && originalTransactionID?.utf8.isEmpty == false
  }
}

/// Values of a membership that sources other than Apple need.
///
/// No rule reads them except ``subscriptionID``, which tells memberships apart. A membership that
/// an Apple subscription replaces loses them.
public struct SourceDetails: Hashable, Sendable {
  public var hostPlanID: String?
  public var subscriptionID: String?
  public var planID: String?
  public var status: ProviderStatus?
  public var licenceID: String?

  /// Creates details without values.
  public init() {}
}

/// The status of a subscription at a payment provider other than Apple.
///
/// Source: linking rules, section 1.3.
public struct ProviderStatus: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let active = Self(rawValue: "active")
  public static let canceled = Self(rawValue: "canceled")
  /// The first payment is pending.
  public static let incomplete = Self(rawValue: "incomplete")
  /// The first payment was never made.
  public static let incompleteExpired = Self(rawValue: "incomplete_expired")
  /// A renewal is not paid yet.
  public static let pastDue = Self(rawValue: "past_due")
  public static let trialing = Self(rawValue: "trialing")
  /// A renewal was not paid.
  public static let unpaid = Self(rawValue: "unpaid")

  public static let allCases: [Self] = [
    active, canceled, incomplete, incompleteExpired, pastDue, trialing, unpaid,
  ]
}
