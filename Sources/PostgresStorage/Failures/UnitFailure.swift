internal import PurchaseStorage
internal import SQLStorage

/// The failure of a unit of work, with its cause.
struct UnitFailure: Error {
  enum Cause: Hashable {
    /// An error of its own, or an unknown one: it is not retried.
    case own
    /// A conflict with another unit of work.
    case conflict
    /// The connection was lost before the commit was sent, or cannot be used any more.
    case lost
  }

  let cause: Cause
  /// The error for the caller, unless the unit of work is retried.
  let reported: any Error

  /// Creates a failure from the error of the closure or of the end of the transaction.
  init(_ error: any Error, in phase: UnitPhase) {
    if case .failed(let failure) = phase, !Self.isUncertain(error) {
      cause = failure.cause
      // The closure's error is more precise, unless the cause lies outside of the unit of work.
      reported = cause == .own ? error : failure.reported
    } else {
      cause = Self.isConflict(error) ? .conflict : .own
      reported = error
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
