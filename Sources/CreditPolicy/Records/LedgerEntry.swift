#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An entry in a user's ledger, which is never changed and never deleted.
///
/// Source: credit rules, section 5.
public struct LedgerEntry: Hashable, Sendable {
  /// The number of the entry; later entries of a user have greater numbers.
  public var id: Int
  public var booking: LedgerBooking
  /// The user's balance after the booking.
  public var balanceAfter: Int
  /// The date of the booking, in milliseconds.
  public var createdDate: Date

  /// Creates an entry.
  public init(id: Int, booking: LedgerBooking, balanceAfter: Int, createdDate: Date) {
    self.id = id
    self.booking = booking
    self.balanceAfter = balanceAfter
    self.createdDate = createdDate
  }
}
