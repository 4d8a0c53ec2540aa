public import CreditPolicy
public import ReceiptModels

/// The part of an entry in a ledger that is needed to check it: an entry without its date, the kind of
/// the thing that it is about, and its metadata.
///
/// Source: credit rules, section 5.
public struct LedgerAuditRow: Hashable, Sendable {
  public var id: Int
  public var userID: AccountID
  /// The environment of the purchase; nil for a booking of the host's own.
  public var environment: AppStoreEnvironment?
  public var eventID: String
  public var changeType: LedgerBooking.ChangeType
  public var subjectID: String
  /// The credits: positive if they were given, negative if they were taken, or 0.
  public var amount: Int
  public var balanceAfter: Int

  /// Creates a row.
  public init(
    id: Int, userID: AccountID, environment: AppStoreEnvironment? = nil, eventID: String,
    changeType: LedgerBooking.ChangeType, subjectID: String, amount: Int, balanceAfter: Int
  ) {
    self.id = id
    self.userID = userID
    self.environment = environment
    self.eventID = eventID
    self.changeType = changeType
    self.subjectID = subjectID
    self.amount = amount
    self.balanceAfter = balanceAfter
  }

  /// Creates the row of an entry.
  public init(_ entry: LedgerEntry) {
    self.init(
      id: entry.id, userID: entry.booking.userID, environment: entry.booking.environment,
      eventID: entry.booking.eventID, changeType: entry.booking.changeType,
      subjectID: entry.booking.subjectID, amount: entry.booking.amount,
      balanceAfter: entry.balanceAfter)
  }

  /// Whether the entry is about a transaction of the App Store, or says so.
  public var isOfPurchase: Bool {
    environment != nil || LedgerBooking.ChangeType.allCases.contains(changeType)
  }
}
