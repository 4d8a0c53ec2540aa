public import CreditPolicy
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The records of credits, beside those that all capabilities have in common.
///
/// Units of work that need several of them lock in the order transaction, claim, account; a notification
/// is recorded last, and its unique key decides between repetitions.
///
/// Source: credit rules, sections 3 and 5.
public protocol CreditRecords {
  /// The transactions of credit products.
  var creditTransactions: any CreditTransactionRepository { get }
  /// The users' balances and ledgers.
  var creditLedger: any CreditLedgerRepository { get }
  /// The identities that bought a starter pack.
  var starterClaims: any StarterClaimRepository { get }
  /// The notifications that were considered for credits.
  var creditNotifications: any CreditNotificationRepository { get }
  /// The rows of an audit.
  var ledgerAudit: any LedgerAuditRepository { get }
}

/// The transactions of credit products, each under environment and transaction identifier.
///
/// Identifiers of transactions are opaque texts of 1 to 200 bytes; environments, which are stored as
/// Apple writes them, have at most 64 bytes. Rows are never removed.
public protocol CreditTransactionRepository {
  /// Returns a transaction, or nil if it is not stored.
  ///
  /// In a unit of work that writes, the row is locked until its end.
  func find(
    transactionID: String, environment: AppStoreEnvironment
  ) async throws -> CreditTransaction?

  /// Adds a transaction, unless one of the same environment and identifier is stored.
  ///
  /// If another unit of work is adding that transaction, this waits for its end. Of any number of units
  /// of work, one adds it; in the others the unit of work may go on.
  ///
  /// - Parameters:
  ///   - transaction: The transaction, without ``/CreditPolicy/CreditTransaction/id``.
  ///   - now: The present moment.
  /// - Returns: The transaction with its number, or nil if one is stored.
  /// - Throws: A failure of the store.
  func insert(_ transaction: CreditTransaction, now: Date) async throws -> CreditTransaction?

  /// Replaces the values of a stored transaction, except environment and identifier.
  ///
  /// - Parameters:
  ///   - transaction: The transaction, with its number.
  ///   - now: The present moment.
  /// - Throws: A failure of the store.
  func update(_ transaction: CreditTransaction, now: Date) async throws

  /// Returns a user's transactions whose numbers come after the given one, in ascending order of their
  /// numbers.
  func transactions(
    of userID: AccountID, after id: Int?, limit: Int
  ) async throws -> [CreditTransaction]

  /// Returns all transactions whose numbers come after the given one, in ascending order of their
  /// numbers.
  func transactions(after id: Int?, limit: Int) async throws -> [CreditTransaction]
}

/// The users' balances and the entries that explain them.
///
/// Entries are never changed or removed. A balance is never below 0, and is changed by bookings alone.
public protocol CreditLedgerRepository {
  /// Returns a user's balance; 0 for a user without an account.
  ///
  /// In a unit of work that writes, the account, if there is one, is locked until its end.
  func balance(of userID: AccountID) async throws -> Int

  /// Changes a user's balance by an amount, and adds the entry that explains it.
  ///
  /// The user's account is created if it is missing, and locked until the end of the unit of work. After
  /// ``BookingResult/insufficient(balance:)`` and ``BookingResult/outOfRange(balance:)`` nothing is
  /// changed, and the unit of work may go on. An event that was booked before is a duplicate whatever the
  /// amount is.
  ///
  /// Metadata is stored as JSON: at most 64 KiB, nested at most 64 levels deep, with names of at most 128
  /// bytes. A number without a fraction is an integer before a store sees it.
  ///
  /// - Parameters:
  ///   - booking: The amount and the reason.
  ///   - now: The present moment.
  /// - Returns: The entry, or the reason why the balance can't change so.
  /// - Throws: ``StorageFailure/duplicate(_:)`` with ``StorageFailure/UniqueField/ledgerEvent`` if the
  ///   event was booked before in its environment, or another failure of the store.
  func book(_ booking: LedgerBooking, now: Date) async throws -> BookingResult

  /// Returns the entry of an event, or nil if it was not booked.
  ///
  /// - Parameters:
  ///   - eventID: The event.
  ///   - environment: The environment; nil for the host's own events.
  /// - Returns: The entry, or nil.
  /// - Throws: A failure of the store.
  func entry(
    eventID: String, environment: AppStoreEnvironment?
  ) async throws -> LedgerEntry?

  /// Returns a part of a user's entries, the newest first.
  ///
  /// - Parameters:
  ///   - userID: The user.
  ///   - skipping: The number of newer entries to leave out.
  ///   - limit: The maximum number of entries.
  /// - Returns: The entries.
  /// - Throws: A failure of the store.
  func entries(of userID: AccountID, skipping: Int, limit: Int) async throws -> [LedgerEntry]

  /// Returns the number of a user's entries.
  func count(of userID: AccountID) async throws -> Int
}

/// The identities that bought a starter pack.
public protocol StarterClaimRepository {
  /// Returns the claim of an identity, or nil if there is none.
  func find(identity: String) async throws -> StarterClaim?

  /// Marks that an identity bought a starter pack, in one statement: of several at once, one succeeds.
  ///
  /// The row is locked until the end of the unit of work. A user that the row has already stays there.
  ///
  /// - Parameters:
  ///   - identity: The identity, 1 to 1,024 bytes; see ``/CreditPolicy/StarterIdentity``.
  ///   - userID: The user.
  ///   - transactionID: The transaction of the starter pack.
  ///   - now: The present moment.
  /// - Returns: False if it was marked before, in which case nothing is changed.
  /// - Throws: A failure of the store.
  func mark(
    identity: String, userID: AccountID, transactionID: String, now: Date
  ) async throws -> Bool
}

/// The notifications that were considered for credits, each once.
public protocol CreditNotificationRepository {
  /// Records a notification.
  ///
  /// - Returns: False if one with the same UUID is stored; that one stays as it is.
  func record(_ notification: CreditNotification) async throws -> Bool

  /// Returns the notification with this UUID, or nil if there is none.
  func find(uuid: String) async throws -> CreditNotification?
}
