public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An account's claim to a subscription of another account.
///
/// Source: linking rules, sections 2.2 and 4.6.
public struct Dispute: Hashable, Sendable {
  /// The number of the record, from 1; later records have greater numbers.
  public var number: Int
  public var originalTransactionID: String
  /// The account that claimed it, by its key.
  public var accountID: AccountID
  /// The date of the claim, in whole seconds.
  public var date: Date

  /// Creates a dispute.
  public init(number: Int, originalTransactionID: String, accountID: AccountID, date: Date) {
    self.number = number
    self.originalTransactionID = originalTransactionID
    self.accountID = accountID
    self.date = date
  }
}

/// A query of disputes.
public struct DisputeQuery: Hashable, Sendable {
  /// The subscription that was claimed, or the account that claimed it; nil for all.
  public var subject: MembershipHistoryQuery?
  /// The earliest date of a claim, of which the whole second counts; nil for all.
  public var since: Date?
  /// The number after which the page begins: that of the last dispute of the page before.
  public var number: Int

  /// Creates a query; the number is that of the last dispute of the page before, and 0 for the first page.
  public init(of subject: MembershipHistoryQuery? = nil, since: Date? = nil, after number: Int = 0)
  {
    self.subject = subject
    self.since = since
    self.number = number
  }
}
