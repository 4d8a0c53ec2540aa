public import CreditPolicy
public import ReceiptModels

/// The rows that an audit of the ledgers reads.
///
/// An audit walks every row. To save time, a store may examine rows itself and return only the doubtful ones, which
/// the audit then examines in full. A row is doubtful unless the store knows that it is right. The simplest store
/// returns every entry about a purchase and every transaction. Source: credit rules, section 5.
public protocol LedgerAuditRepository {
  /// Returns entries of a user, or of all users, after a place, in ascending order of the bytes of the user and then
  /// of the entries' numbers.
  ///
  /// A walk over all entries begins without a place, and continues with that of the last entry until fewer come than
  /// the limit.
  func entries(
    of userID: AccountID?, after place: LedgerPlace?, limit: Int
  ) async throws -> [AuditedEntry]

  /// Returns a user's account, or nil if there is none.
  func account(of userID: AccountID) async throws -> CreditAccount?

  /// Returns accounts in ascending order of the bytes of the user: those after one user, if it is given, up to and
  /// with the `last` one, if it is given.
  func accounts(
    after userID: AccountID?, through last: AccountID?, limit: Int
  ) async throws -> [CreditAccount]

  /// Examines entries of a user, or of all users, whose numbers come after the given one, in ascending order of their
  /// numbers.
  ///
  /// An entry is as it has to be if it is the host's own, or if its transaction demands it with this event, user and
  /// amount.
  func examineEntries(
    of userID: AccountID?, after id: Int?, limit: Int
  ) async throws -> ExaminedRows<LedgerAuditRow>

  /// Examines transactions of an owner, or of all, whose numbers come after the given one, in ascending order of
  /// their numbers.
  ///
  /// A transaction is as it has to be if the ledger has every entry that it demands. With an owner, entries of other
  /// users count as missing.
  func examineTransactions(
    of userID: AccountID?, after id: Int?, limit: Int
  ) async throws -> ExaminedRows<CreditTransaction>

  /// Returns the entry of an event, or nil if there is none.
  func entry(
    eventID: String, environment: AppStoreEnvironment
  ) async throws -> LedgerAuditRow?

  /// Returns the transaction with a number, or nil if there is none.
  func transaction(number id: Int) async throws -> CreditTransaction?

  /// Returns the approximate numbers of rows, at little cost.
  func extent() async throws -> LedgerExtent
}

/// Rows that a store has examined for an audit, in ascending order of their numbers.
///
/// Source: credit rules, section 5.
public struct ExaminedRows<Row: Hashable & Sendable>: Hashable, Sendable {
  public var count: Int
  /// The number of the last row; nil if there are no rows.
  public var last: Int?
  /// Those of which the store does not know that they are as they have to be.
  public var doubtful: [Row]

  /// Creates rows that were examined.
  public init(count: Int, last: Int?, doubtful: [Row]) {
    self.count = count
    self.last = last
    self.doubtful = doubtful
  }
}

/// The approximate numbers of rows that an audit reads; 0 where they are not known.
public struct LedgerExtent: Hashable, Sendable {
  public var entries: Int
  public var transactions: Int

  /// Creates an extent; 0 stands for a number that is not known.
  public init(entries: Int = 0, transactions: Int = 0) {
    self.entries = entries
    self.transactions = transactions
  }
}

/// An entry in a ledger, as far as an audit adds it up.
///
/// Source: credit rules, section 5.
public struct AuditedEntry: Hashable, Sendable {
  public var id: Int
  public var userID: AccountID
  /// The credits: positive if they were given, negative if they were taken, or 0.
  public var amount: Int
  public var balanceAfter: Int

  /// Creates an entry.
  public init(id: Int, userID: AccountID, amount: Int, balanceAfter: Int) {
    self.id = id
    self.userID = userID
    self.amount = amount
    self.balanceAfter = balanceAfter
  }

  public var place: LedgerPlace { LedgerPlace(userID: userID, id: id) }
}

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
