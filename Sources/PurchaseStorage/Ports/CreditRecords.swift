public import CreditPolicy
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The records of credits, beside those that all capabilities have in common.
///
/// Units of work that need several of them lock in the order transaction, claim, account; a notification is recorded
/// last, and its unique key decides between repetitions. Source: credit rules, sections 3 and 5.
public protocol CreditRecords {
  var creditTransactions: any CreditTransactionRepository { get }
  var creditLedger: any CreditLedgerRepository { get }
  var starterClaims: any StarterClaimRepository { get }
  var creditNotifications: any CreditNotificationRepository { get }
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

  /// Adds a transaction, and returns it with its number; returns nil if one of the same environment and identifier is
  /// stored.
  ///
  /// If another unit of work is adding that transaction, this waits for its end. Of any number of units of work, one
  /// adds it; in the others the unit of work may go on.
  func insert(_ transaction: CreditTransaction, now: Date) async throws -> CreditTransaction?

  /// Replaces the values of the stored transaction with this number, except environment and identifier.
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
  /// ``BookingResult/insufficient(balance:)`` and ``BookingResult/outOfRange(balance:)`` nothing is changed, and the
  /// unit of work may go on. An event that was booked before is a duplicate whatever the amount is.
  ///
  /// Metadata is stored as JSON: at most 64 KiB, nested at most 64 levels deep, with names of at most 128 bytes. A
  /// number without a fraction is an integer before a store sees it.
  ///
  /// - Throws: ``StorageFailure/duplicate(_:)`` with ``StorageFailure/UniqueField/ledgerEvent`` if the event was
  ///   booked before in its environment.
  func book(_ booking: LedgerBooking, now: Date) async throws -> BookingResult

  /// Returns the entry of an event, or nil if it was not booked; the host's own events have no environment.
  func entry(
    eventID: String, environment: AppStoreEnvironment?
  ) async throws -> LedgerEntry?

  /// Returns at most `limit` of a user's entries, the newest first, without the newest ones that are skipped.
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
  /// Returns false, and changes nothing, if it was marked before. The row is locked until the end of the unit of
  /// work. A user that the row has already stays there. The identity has 1 to 1,024 bytes; see
  /// ``/CreditPolicy/StarterIdentity``.
  func mark(
    identity: String, userID: AccountID, transactionID: String, now: Date
  ) async throws -> Bool
}

/// The notifications that were considered for credits, each once.
public protocol CreditNotificationRepository {
  /// Records a notification; returns false if one with the same UUID is stored, which stays as it is.
  func record(_ notification: CreditNotification) async throws -> Bool

  /// Returns the notification with this UUID, or nil if there is none.
  func find(uuid: String) async throws -> CreditNotification?
}

/// The result of a booking in a user's ledger.
public enum BookingResult: Hashable, Sendable {
  case booked(LedgerEntry)
  /// The balance would be below 0.
  case insufficient(balance: Int)
  /// The balance would not fit in 64 bits.
  case outOfRange(balance: Int)
}

/// The account of a user's credits, as it is stored.
///
/// Source: credit rules, section 5.
public struct CreditAccount: Hashable, Sendable {
  public var userID: AccountID
  /// The balance, at least 0.
  public var balance: Int

  /// Creates an account.
  public init(userID: AccountID, balance: Int) {
    self.userID = userID
    self.balance = balance
  }
}

/// A place in the entries of all users, in the order of the bytes of the user and then of the entries'
/// numbers.
public struct LedgerPlace: Hashable, Sendable {
  public var userID: AccountID
  public var id: Int

  /// Creates a place.
  public init(userID: AccountID, id: Int) {
    self.userID = userID
    self.id = id
  }
}

/// The claim of an identity to bonuses, as it is stored.
///
/// Source: credit rules, sections 5 and 7.
public struct StarterClaim: Hashable, Sendable {
  public var identity: String
  public var userID: AccountID?
  public var hasPurchasedStarterPack: Bool
  public var starterTransactionID: String?
  /// The date at which the starter pack was granted, in milliseconds.
  public var starterPurchasedDate: Date?

  /// Creates a claim.
  public init(
    identity: String, userID: AccountID? = nil, hasPurchasedStarterPack: Bool = false,
    starterTransactionID: String? = nil, starterPurchasedDate: Date? = nil
  ) {
    self.identity = identity
    self.userID = userID
    self.hasPurchasedStarterPack = hasPurchasedStarterPack
    self.starterTransactionID = starterTransactionID
    self.starterPurchasedDate = starterPurchasedDate
  }
}

/// A notification that was considered for credits, as it is stored.
///
/// Source: credit rules, section 5.
public struct CreditNotification: Hashable, Sendable {
  /// The identifier of the notification, in lower case: 1 to 255 bytes.
  public var uuid: String
  /// The type: 0 to 255 bytes.
  public var type: String
  public var subtype: String?
  /// The environment as Apple signed it; also one without a store, such as Xcode.
  public var environment: AppStoreEnvironment
  public var transactionID: String?
  /// The date at which Apple signed the notification, in milliseconds.
  public var signedDate: Date
  public var outcome: NoticeOutcome
  /// The date at which the notification was processed, in milliseconds.
  public var processedDate: Date

  /// Creates a notification.
  public init(
    uuid: String, type: String, subtype: String? = nil, environment: AppStoreEnvironment,
    transactionID: String? = nil, signedDate: Date, outcome: NoticeOutcome, processedDate: Date
  ) {
    self.uuid = uuid
    self.type = type
    self.subtype = subtype
    self.environment = environment
    self.transactionID = transactionID
    self.signedDate = signedDate
    self.outcome = outcome
    self.processedDate = processedDate
  }
}
