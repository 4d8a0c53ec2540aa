public import ReceiptModels

/// An e-mail that a decision asks for; the host words and sends it.
///
/// Source: contract on linking, sections 2.2 and 3.1.
public struct MembershipEmail: Hashable, Sendable {
  /// What it tells.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// An Apple subscription was linked.
    case link
    /// An Apple subscription was unlinked.
    case unlink
  }

  /// What it tells.
  public var kind: Kind
  /// To whom.
  public var account: Account
  /// The Apple subscription.
  public var originalTransactionID: String
  /// What the membership includes, or included.
  public var tier: Tier?
  /// The last day of the membership, in UTC.
  public var expireDate: CalendarDay?
  /// Whether the membership is expired already, so that the text may differ.
  public var isAlreadyExpired: Bool

  /// An e-mail.
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
