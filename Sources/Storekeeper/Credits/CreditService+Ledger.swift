public import CreditPolicy
internal import PurchaseStorage
public import ReceiptModels

extension CreditService {
  /// Books an event of the host's own, such as a bonus or spending, once, and returns the entry that was added, now
  /// or before.
  ///
  /// A repeated event has no effect, whatever its amount and user. Events of purchases are booked by the service
  /// alone; the booking has no environment. Source: credit rules, section 5.
  ///
  /// - Throws: ``CreditFailure/balanceInsufficient``, ``CreditFailure/amountOutOfRange``,
  ///   ``CreditFailure/reservedEvent``, ``CreditFailure/conflict``, or an error of the store.
  @discardableResult
  public func book(_ booking: LedgerBooking) async throws -> LedgerEntry {
    guard booking.reservedPart == nil else { throw CreditFailure.reservedEvent }
    let now = now()
    return try await retrying {
      try await store.write { records in
        let stored = try await records.creditLedger.entry(
          eventID: booking.eventID, environment: nil)
        if let stored { return stored }
        switch try await records.creditLedger.book(booking, now: now) {
        case .booked(let entry): return entry
        case .insufficient: throw CreditFailure.balanceInsufficient
        case .outOfRange: throw CreditFailure.amountOutOfRange
        }
      }
    }
  }

  /// Returns a user's balance; 0 for a user without an account.
  public func balance(of userID: AccountID) async throws -> Int {
    try await store.read { try await $0.creditLedger.balance(of: userID) }
  }

  /// Returns a page of a user's ledger, the newest entry first; a page behind the last is empty.
  ///
  /// Pages are counted from 1, and have 1 to 100 entries; other numbers count as the nearest.
  public func ledger(
    of userID: AccountID, page: Int = 1, limit: Int = 20
  ) async throws -> LedgerPage {
    let (page, limit) = (max(1, page), max(1, min(100, limit)))
    let (skipping, overflows) = (page - 1).multipliedReportingOverflow(by: limit)
    return try await store.read { records in
      let total = try await records.creditLedger.count(of: userID)
      let entries =
        overflows || skipping >= total
        ? [] : try await records.creditLedger.entries(of: userID, skipping: skipping, limit: limit)
      return LedgerPage(total: total, page: page, limit: limit, entries: entries)
    }
  }
}

/// A page of a user's ledger.
///
/// Source: credit rules, section 10.
public struct LedgerPage: Hashable, Sendable {
  /// The number of the user's entries.
  public let total: Int
  /// The number of the page, from 1.
  public let page: Int
  public let limit: Int
  /// The entries, the newest first.
  public let entries: [LedgerEntry]
}
