internal import HTTPMessages
internal import JSONValues

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension HTTPResponse {
  /// Returns the date from which another request may succeed, not before `now`; nil if the answer names none.
  func retryAfter(at now: Date) -> Date? {
    RetryAfterReader.moment(headers[.retryAfter], at: now.timeIntervalSince1970)
      .map { Date(timeIntervalSince1970: $0) }
  }
}
