/// A reader of the value of the header field `Retry-After` (RFC 9110 section 10.2.3).
package enum RetryAfterReader {
  /// Returns the moment from which another request may succeed, not before `now`.
  ///
  /// The value is a number of seconds or a date. Anything else, and a date more than a day ahead, is not relied on.
  ///
  /// - Parameters:
  ///   - text: The value; nil without the field.
  ///   - now: The moment of the answer, in seconds since 1970.
  /// - Returns: The moment, in seconds since 1970, or nil.
  package static func moment(_ text: String?, at now: Double) -> Double? {
    guard let text, let moment = moment(text, from: now), moment <= now + 86_400 else {
      return nil
    }
    return max(moment, now)
  }

  private static func moment(_ text: String, from now: Double) -> Double? {
    guard (1...9).contains(text.utf8.count), text.utf8.areDigits else {
      return DateTextReader.seconds(headerField: text).map(Double.init)
    }
    return Double(text).map { now + $0 }
  }
}
