internal import CreditPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Balances and ledgers, in memory.
struct MemoryCreditLedger: CreditLedgerRepository {
  let unit: MemoryUnit

  func balance(of userID: AccountID) throws -> Int {
    try unit.reading { $0.credits.balances[userID] ?? 0 }
  }

  func book(_ booking: LedgerBooking, now: Date) throws -> BookingResult {
    try booking.checkTexts()
    var stored = booking
    stored.metadata = try booking.storableMetadata().value
    let date = StoredMoment.inMilliseconds(now)
    return try unit.writing { try $0.credits.book(stored, date: date) }
  }

  func entry(eventID: String, environment: AppStoreEnvironment?) throws -> LedgerEntry? {
    try unit.reading { tables in
      let number = tables.credits.entryNumbers[.init(environment, eventID)]
      return number.map { tables.credits.entries[$0 - 1] }
    }
  }

  func entries(of userID: AccountID, skipping: Int, limit: Int) throws -> [LedgerEntry] {
    try unit.reading { tables in
      let numbers = tables.credits.entriesOfUsers[userID] ?? []
      return numbers.reversed().dropFirst(max(0, skipping)).prefix(max(0, limit)).map {
        tables.credits.entries[$0 - 1]
      }
    }
  }

  func count(of userID: AccountID) throws -> Int {
    try unit.reading { $0.credits.entriesOfUsers[userID]?.count ?? 0 }
  }
}

extension MemoryCredits {
  fileprivate mutating func book(_ booking: LedgerBooking, date: Date) throws -> BookingResult {
    let key = Key(booking.environment, booking.eventID)
    guard entryNumbers[key] == nil else { throw StorageFailure.duplicate(.ledgerEvent) }
    let balance = balances[booking.userID] ?? 0
    let (sum, overflows) = balance.addingReportingOverflow(booking.amount)
    if overflows { return .outOfRange(balance: balance) }
    if sum < 0 { return .insufficient(balance: balance) }
    let entry = LedgerEntry(
      id: entries.count + 1, booking: booking, balanceAfter: sum, createdDate: date)
    entries.append(entry)
    entryNumbers[key] = entry.id
    entriesOfUsers[booking.userID, default: []].append(entry.id)
    balances[booking.userID] = sum
    return .booked(entry)
  }
}
