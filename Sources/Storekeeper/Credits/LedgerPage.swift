public import CreditPolicy

/// A page of a user's ledger.
///
/// Source: credit rules, section 10.
public struct LedgerPage: Hashable, Sendable {
  /// The number of the user's entries.
  public let total: Int
  /// The number of the page, from 1.
  public let page: Int
  /// The maximum number of entries on a page.
  public let limit: Int
  /// The entries, the newest first.
  public let entries: [LedgerEntry]
}
