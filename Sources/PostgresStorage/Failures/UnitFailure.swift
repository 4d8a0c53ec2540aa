internal import PurchaseStorage
internal import SQLStorage

/// Why a unit of work came to nothing.
struct UnitFailure: Error {
  enum Cause: Hashable {
    /// Of its own making, or unknown: it is not tried again.
    case own
    /// Another unit of work stood in the way.
    case conflict
    /// The connection went before the end was sent, or is of no more use.
    case lost
  }

  let cause: Cause
  /// What the caller is told unless it is tried again.
  let told: any Error

  /// - Parameters:
  ///   - error: What the closure threw, or the end of the transaction.
  ///   - phase: How far the transaction was.
  init(_ error: any Error, in phase: UnitPhase) {
    if case .failed(let failure) = phase, !Self.isUncertain(error) {
      cause = failure.cause
      // The closure's error says more, unless the cause lies outside of what it did.
      told = cause == .own ? error : failure.reported
    } else {
      cause = Self.isConflict(error) ? .conflict : .own
      told = error
    }
  }

  private static func isConflict(_ error: any Error) -> Bool {
    error as? SQLFailure == .conflict || error as? StorageFailure == .conflict
  }

  private static func isUncertain(_ error: any Error) -> Bool {
    guard case .unavailable(mayHaveCommitted: true, _) = error as? SQLFailure else { return false }
    return true
  }
}
