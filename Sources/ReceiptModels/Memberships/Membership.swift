public import JSONValues

/// What a member has, from whatever source: one row for each account.
///
/// JSON has the twelve members of the current contract, also those that are null. No membership at
/// all ("zero") is nil wherever a membership is optional.
///
/// Words that are not known are kept as they are, and are null in JSON; ``unknownFields`` names them.
///
/// Source: contract on linking, section 1.3.
public struct Membership: FieldModel {
  /// The identifier of the row, `mmb_` and 12 letters or digits, kept for its whole life.
  ///
  /// Nil before the row is stored. Not in the JSON of the current contract.
  public var id: String?
  /// The account made with e-mail, or nil for an account with WeChat only.
  public var ftcID: String?
  /// The WeChat union id.
  public var unionID: String?
  /// What the membership includes, or nil if unknown.
  public var tier: Tier?
  /// How often it is paid, or nil if unknown.
  public var cycle: BillingCycle?
  /// The last day on which it is valid, in UTC; nil if unknown, or if what is stored is no day
  /// (``unreadableExpireDate``).
  public var expireDate: CalendarDay? {
    get { lastDay?.day }
    set { lastDay = newValue.map(LastDay.day) }
  }
  /// What is stored in the place of the last day, where it is no day.
  ///
  /// Such a membership counts as valid, because somebody may have paid for it; the text is kept, and is
  /// not in JSON.
  public var unreadableExpireDate: String? {
    get { lastDay?.text }
    set { lastDay = newValue.map(LastDay.unreadable) }
  }
  /// How it was paid for; nil when the origin is unknown.
  public var payMethod: PayMethod?
  /// The plan bought from the newspaper itself.
  public var ftcPlanID: String?
  /// The subscription at Stripe.
  public var stripeSubsID: String?
  /// The plan at Stripe; not in JSON.
  public var stripePlanID: String?
  /// Whether it renews by itself.
  public var autoRenew: Bool = false
  /// What Stripe says of it.
  public var status: StripeSubscriptionStatus?
  /// The original transaction id of the Apple subscription.
  ///
  /// On any pay method but Apple it is stale and means nothing.
  public var appleSubsID: String?
  /// The licence of an organisation.
  public var b2bLicenceID: String?

  private var lastDay: LastDay?

  /// The key under which the row is stored, where it is not the ``compoundID``; rows of the past
  /// have such keys.
  package var storedKey: String?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// A membership of an account, to be filled.
  public init(account: Account) {
    ftcID = account.ftcID
    unionID = account.unionID
  }

  /// The identifier of its account: the ``ftcID``, or else the ``unionID``; empty without both.
  public var compoundID: String { ftcID ?? unionID ?? "" }

  /// The key of its row.
  package var key: String { storedKey ?? compoundID }

  /// Whether it comes from an Apple subscription: paid by Apple, with an original transaction id.
  ///
  /// Source: contract on linking, section 1.5.
  public var isIAP: Bool { payMethod == .apple && appleSubsID?.utf8.isEmpty == false }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.nullableText("ftcId", &ftcID)
    try coder.nullableText("unionId", &unionID)
    try coder.nullableWord("tier", &tier)
    try coder.nullableWord("cycle", &cycle)
    try coder.nullable("expireDate", &expireDate)
    try coder.nullableWord("payMethod", &payMethod)
    try coder.nullableText("ftcPlanId", &ftcPlanID)
    try coder.nullableText("stripeSubsId", &stripeSubsID)
    try coder.preset("autoRenew", &autoRenew)
    try coder.nullableWord("status", &status)
    try coder.nullableText("appleSubsId", &appleSubsID)
    try coder.nullableText("b2bLicenceId", &b2bLicenceID)
  }
}
