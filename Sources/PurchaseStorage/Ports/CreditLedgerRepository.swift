public import CreditPolicy
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The users' balances (table `credit_account`) and the entries that explain them (table
/// `credit_ledger`).
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
  /// bytes. A number without a fraction is read as an integer.
  ///
  /// - Parameters:
  ///   - booking: The amount and the reason.
  ///   - now: The present moment.
  /// - Returns: The entry, or the reason why the balance can't change so.
  /// - Throws: ``StorageFailure/duplicate(_:)`` with ``StorageFailure/UniqueField/ledgerEvent`` if the
  ///   event was booked before in its environment; ``StorageFailure/invalidValue(field:)`` for a text
  ///   that cannot be stored.
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
