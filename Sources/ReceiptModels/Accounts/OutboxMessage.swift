/// A message of the outbox: an e-mail to a customer, or an event for the host.
///
/// Source: linking rules, section 4.6.
public struct OutboxMessage: Hashable, Sendable {
  /// The subject of a message; hosts and later versions have further ones.
  public struct Kind: StringVocabulary {
    /// The stored text.
    public var rawValue: String
    /// Creates a kind of any text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An e-mail: an Apple subscription was linked.
    public static let link = Kind(rawValue: "link")
    /// An e-mail: an Apple subscription was unlinked.
    public static let unlink = Kind(rawValue: "unlink")
    /// An event: a membership changed with its Apple subscription.
    public static let sync = Kind(rawValue: "sync")

    /// The kinds of this version.
    public static let allCases: [Kind] = [link, unlink, sync]
  }

  /// The subject.
  public var kind: Kind
  /// The account concerned.
  public var account: Account
  /// The Apple subscription.
  public var originalTransactionID: String
  /// The level of the membership.
  public var tier: Tier?
  /// The last day of the membership, in UTC.
  public var expireDate: CalendarDay?
  /// Whether the membership was expired already.
  public var isAlreadyExpired: Bool

  /// Creates a message.
  public init(
    kind: Kind, account: Account, originalTransactionID: String, tier: Tier?,
    expireDate: CalendarDay?, isAlreadyExpired: Bool
  ) {
    self.kind = kind
    self.account = account
    self.originalTransactionID = originalTransactionID
    self.tier = tier
    self.expireDate = expireDate
    self.isAlreadyExpired = isAlreadyExpired
  }
}
