import CreditPolicy
import Foundation
import PurchaseStorage
import ReceiptModels

/// Records of credits of which one repository is another.
struct BrokenCreditRecords: CreditRecords {
  let base: any CreditRecords
  var creditTransactions: any CreditTransactionRepository
  var creditLedger: any CreditLedgerRepository
  var starterClaims: any StarterClaimRepository
  var creditNotifications: any CreditNotificationRepository
  var ledgerAudit: any LedgerAuditRepository

  init(_ base: any CreditRecords, _ change: (inout BrokenCreditRecords) -> Void) {
    self.base = base
    creditTransactions = base.creditTransactions
    creditLedger = base.creditLedger
    starterClaims = base.starterClaims
    creditNotifications = base.creditNotifications
    ledgerAudit = base.ledgerAudit
    change(&self)
  }
}

struct BrokenCreditLedger: CreditLedgerRepository {
  let base: any CreditLedgerRepository
  /// A repeated event is booked under another identifier.
  var areEventsForgotten = false
  /// Only as much is taken as there is.
  var isShortfallTaken = false
  /// A balance that is too great becomes the greatest.
  var isOverflowCut = false
  var isMetadataForgotten = false
  var isOrderReversed = false

  func balance(of userID: AccountID) async throws -> Int { try await base.balance(of: userID) }

  func book(_ booking: LedgerBooking, now: Date) async throws -> BookingResult {
    var booking = booking
    if isMetadataForgotten { booking.metadata = [:] }
    if areEventsForgotten {
      let stored = try await base.entry(eventID: booking.eventID, environment: booking.environment)
      if stored != nil { booking.eventID += "-again" }
    }
    let result = try await base.book(booking, now: now)
    switch result {
    case .insufficient(let balance) where isShortfallTaken: booking.amount = -balance
    case .outOfRange(let balance) where isOverflowCut: booking.amount = Int.max - balance
    default: return result
    }
    return try await base.book(booking, now: now)
  }

  func entry(eventID: String, environment: AppStoreEnvironment?) async throws -> LedgerEntry? {
    try await base.entry(eventID: eventID, environment: environment)
  }

  func entries(of userID: AccountID, skipping: Int, limit: Int) async throws -> [LedgerEntry] {
    let entries = try await base.entries(of: userID, skipping: skipping, limit: limit)
    return isOrderReversed ? entries.reversed() : entries
  }

  func count(of userID: AccountID) async throws -> Int { try await base.count(of: userID) }
}

struct BrokenLedgerAudit: LedgerAuditRepository {
  let base: any LedgerAuditRepository
  /// One user's entries are left out.
  var isWalkCut = false
  /// Nothing is doubtful.
  var isTrusting = false

  func entries(
    of userID: AccountID?, after place: LedgerPlace?, limit: Int
  ) async throws -> [AuditedEntry] {
    let entries = try await base.entries(of: userID, after: place, limit: limit)
    return isWalkCut ? entries.filter { $0.userID != "a" } : entries
  }

  func account(of userID: AccountID) async throws -> CreditAccount? {
    try await base.account(of: userID)
  }

  func accounts(
    after userID: AccountID?, through last: AccountID?, limit: Int
  ) async throws -> [CreditAccount] {
    try await base.accounts(after: userID, through: last, limit: limit)
  }

  func examineEntries(
    of userID: AccountID?, after id: Int?, limit: Int
  ) async throws -> ExaminedRows<LedgerAuditRow> {
    var rows = try await base.examineEntries(of: userID, after: id, limit: limit)
    if isTrusting { rows.doubtful = [] }
    return rows
  }

  func examineTransactions(
    of userID: AccountID?, after id: Int?, limit: Int
  ) async throws -> ExaminedRows<CreditTransaction> {
    try await base.examineTransactions(of: userID, after: id, limit: limit)
  }

  func entry(
    eventID: String, environment: AppStoreEnvironment
  ) async throws -> LedgerAuditRow? {
    try await base.entry(eventID: eventID, environment: environment)
  }

  func transaction(number id: Int) async throws -> CreditTransaction? {
    try await base.transaction(number: id)
  }

  func extent() async throws -> LedgerExtent { try await base.extent() }
}

struct BrokenCreditTransactions: CreditTransactionRepository {
  let base: any CreditTransactionRepository
  var isDuplicateIgnored = false
  var isUpdateForgotten = false
  var isRoundForgotten = false

  func find(
    transactionID: String, environment: AppStoreEnvironment
  ) async throws -> CreditTransaction? {
    try await base.find(transactionID: transactionID, environment: environment)
  }

  func insert(_ transaction: CreditTransaction, now: Date) async throws -> CreditTransaction? {
    var row = transaction
    if isRoundForgotten { row.refundRound = 0 }
    if isDuplicateIgnored,
      let stored = try await find(
        transactionID: row.purchase.transactionID, environment: row.purchase.environment)
    {
      return stored
    }
    return try await base.insert(row, now: now)
  }

  func update(_ transaction: CreditTransaction, now: Date) async throws {
    if !isUpdateForgotten { try await base.update(transaction, now: now) }
  }

  func transactions(
    of userID: AccountID, after id: Int?, limit: Int
  ) async throws -> [CreditTransaction] {
    try await base.transactions(of: userID, after: id, limit: limit)
  }

  func transactions(after id: Int?, limit: Int) async throws -> [CreditTransaction] {
    try await base.transactions(after: id, limit: limit)
  }
}

/// Each mark succeeds.
struct TrustingStarterClaims: StarterClaimRepository {
  let base: any StarterClaimRepository

  func find(identity: String) async throws -> StarterClaim? {
    try await base.find(identity: identity)
  }

  func mark(
    identity: String, userID: AccountID, transactionID: String, now: Date
  ) async throws -> Bool {
    _ = try await base.mark(
      identity: identity, userID: userID, transactionID: transactionID, now: now)
    return true
  }
}

/// Each notification is new.
struct ForgetfulCreditNotifications: CreditNotificationRepository {
  let base: any CreditNotificationRepository

  func record(_ notification: CreditNotification) async throws -> Bool {
    _ = try await base.record(notification)
    return true
  }

  func find(uuid: String) async throws -> CreditNotification? { try await base.find(uuid: uuid) }
}
