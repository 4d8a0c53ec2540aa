public import ReceiptModels

/// A decision about a membership, with everything that has to be written: all of it or nothing.
public struct LinkDecision: Hashable, Sendable {
  public var outcome: LinkOutcome
  /// The writes of one transaction, in this order.
  public var writes: [LinkWrite]
  /// The resulting membership, of the account (link, unlink) or of the subscription (sync); nil if
  /// there is none.
  public var membership: Membership?
  /// The accounts from which the subscription moves, which are told by mail.
  public var previousAccounts: [Account] = []

  /// Creates a decision.
  public init(outcome: LinkOutcome, writes: [LinkWrite] = [], membership: Membership? = nil) {
    self.outcome = outcome
    self.writes = writes
    self.membership = membership
  }
}

/// The outcome of a decision.
@nonexhaustive
public enum LinkOutcome: Hashable, Sendable {
  /// A first membership.
  case link
  /// The same membership, brought up to date.
  case sync
  /// The same membership, which needs no change.
  case unchanged
  /// The replacement of another Apple subscription's membership.
  case `switch`
  /// The replacement of a membership of another source.
  case override
  /// A membership by a subscription that moved from another account, whether or not another one was replaced.
  case transfer
  /// A subscription without owner.
  case unlink
  /// A refusal; only its records are written.
  case refuse(LinkRefusal)
}

/// A write of a decision.
public enum LinkWrite: Hashable, Sendable {
  /// Sets the owner of a subscription, or clears it.
  case claim(originalTransactionID: String, owner: AccountID?)
  /// Inserts a row.
  indirect case insert(Membership)
  /// Changes a row in place; the second value is the previous row.
  indirect case update(Membership, previous: Membership)
  /// Deletes a row.
  indirect case delete(Membership)
  /// Keeps a copy of the previous row.
  indirect case snapshot(Membership, reason: SnapshotReason)
  /// Records that two accounts wanted one subscription.
  case dispute(originalTransactionID: String, account: Account)
  /// Records that a subscription was unlinked from an account.
  case archive(originalTransactionID: String, accountID: AccountID)
  /// Sends an e-mail to the owner of the account.
  indirect case email(OutboxMessage)
}

/// The reason why a link or an unlink is refused: one case for each rule.
///
/// Source: linking rules, sections 2.2 and 3.1.
@nonexhaustive
public enum LinkRefusal: Error, Hashable, Sendable, CaseIterable {
  /// Another account owns the subscription, or has its membership (L5, L11).
  case linkedToOtherAccount
  /// The account has another Apple subscription, and its replacement isn't forced (L12a).
  case linkedToOtherSubscription
  /// The account has a valid membership from a source other than Apple (L13).
  case hasValidNonIAP
  /// The environment of the subscription isn't allowed (L4a).
  case environmentNotAllowed
  /// The subscription expires before the membership that it would replace (L12b).
  case expiresEarlier
  /// The subscription isn't linked to the account (U4, U7).
  case notLinked
  /// The subscription was bought with the app account token of another account.
  case accountTokenMismatch
}

/// The reason for a change of a membership, which each copy of a previous row names.
///
/// Source: linking rules, section 4.6.
public struct SnapshotReason: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A receipt or a signed transaction was recorded.
  public static let verify = Self(rawValue: "apple.verify")
  public static let link = Self(rawValue: "apple.link")
  public static let unlink = Self(rawValue: "apple.unlink")
  /// Another account showed the subscription, and got it.
  public static let transfer = Self(rawValue: "apple.transfer")
  /// A subscription was refreshed on request.
  public static let refresh = Self(rawValue: "apple.refresh")
  public static let webhook = Self(rawValue: "apple.webhook")
  /// The refresh job found a change.
  public static let poll = Self(rawValue: "apple.poll")

  public static let allCases: [Self] = [
    verify, link, unlink, transfer, refresh, webhook, poll,
  ]
}
