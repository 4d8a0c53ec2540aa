#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A reason why a call breaks a rule, so that nothing was sent.
@nonexhaustive
public enum InvalidCall: Error, Hashable, Sendable {
  case empty(Member)
  /// An identifier is longer than the limit in bytes.
  case tooLong(Member, limit: Int)
  /// An identifier is `.` or `..`, which is no part of a path.
  case notPathPart(Member)
  /// A period begins before this date, which is 30 days ago.
  case startTooEarly(earliest: Date)
  /// A period ends at its start, or before it.
  case emptyPeriod
  /// The size of a page is not from 1 to 1000.
  case pageSizeOutOfRange(Int)

  /// An identifier in a call.
  public enum Member: String, Hashable, Sendable {
    case token
    case productID
  }
}
