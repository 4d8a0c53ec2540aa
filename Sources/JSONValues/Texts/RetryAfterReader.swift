/// A reader of the value of the header field `Retry-After` (RFC 9110 section 10.2.3).
package enum RetryAfterReader {
  /// Returns the moment from which another request may succeed, not before `now`, both in seconds since 1970; nil
  /// without the field.
  ///
  /// The value is a number of seconds or a date. Anything else, and a date more than a day ahead, is not relied on.
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
