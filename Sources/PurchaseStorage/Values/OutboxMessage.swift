public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Something to tell: an e-mail to a member, or an event for the host.
///
/// Source: contract on linking, section 4.6, `mail_outbox`.
public struct OutboxMessage: Hashable, Sendable {
  /// What a message tells; hosts and later versions have others.
  public struct Kind: StringVocabulary {
    /// The stored text.
    public var rawValue: String
    /// Takes any text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// E-mail: an Apple subscription was linked.
    public static let link = Kind(rawValue: "link")
    /// E-mail: an Apple subscription was unlinked.
    public static let unlink = Kind(rawValue: "unlink")
    /// Event: a membership follows what Apple says now; no e-mail.
    public static let sync = Kind(rawValue: "sync")

    /// The values of this version.
    public static let allCases: [Kind] = [link, unlink, sync]
  }

  /// What it tells.
  public var kind: Kind
  /// About whom.
  public var account: Account
  /// The Apple subscription.
  public var originalTransactionID: String
  /// What the membership includes, or included.
  public var tier: Tier?
  /// The last day of the membership, in UTC.
  public var expireDate: CalendarDay?
  /// Whether the membership was expired already.
  public var isAlreadyExpired: Bool

  /// A message.
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

/// A message that one worker delivers for a while.
public struct OutboxLease: Hashable, Sendable {
  /// The number of the message, the same at each delivery.
  public var number: Int
  /// The message.
  public var message: OutboxMessage
  /// When it was written.
  public var createdDate: Date
  /// How often delivery failed.
  public var failures: Int
  /// The worker's token.
  public var token: String

  /// A lease.
  public init(
    number: Int, message: OutboxMessage, createdDate: Date, failures: Int, token: String
  ) {
    self.number = number
    self.message = message
    self.createdDate = createdDate
    self.failures = failures
    self.token = token
  }
}
