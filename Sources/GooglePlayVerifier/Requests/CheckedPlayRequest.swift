internal import JSONValues
package import ReceiptModels

/// The body of a request, whose rules are checked before it is sent.
///
/// Reading and writing check nothing but types.
package protocol CheckedPlayRequest: FieldModel, GoogleModel {
  /// Checks Google's rules.
  func validate() throws(InvalidCall)
}

extension CheckedPlayRequest {
  /// The JSON to send, after ``validate()``.
  func checked() throws(GooglePlayFailure) -> JSONValue {
    do throws(InvalidCall) { try validate() } catch { throw .invalidCall(error) }
    return json
  }
}

/// The checks that several requests share.
enum PlayRequestCheck {
  /// Returns a value that has to be there.
  @discardableResult
  static func required<Value>(
    _ value: Value?, _ member: InvalidCall.Member
  ) throws(InvalidCall) -> Value {
    guard let value else { throw .missing(member) }
    return value
  }

  /// Checks a text that has to be there.
  static func text(_ text: String?, _ member: InvalidCall.Member) throws(InvalidCall) {
    guard !(try required(text, member)).utf8.isEmpty else { throw .empty(member) }
  }

  /// Checks the length of a text in characters of Unicode.
  static func length(
    _ text: String?, atMost limit: Int, _ member: InvalidCall.Member
  ) throws(InvalidCall) {
    guard (text?.unicodeScalars.count ?? 0) <= limit else { throw .tooLong(member, limit: limit) }
  }

  /// Checks that a value is one that Google documents, and not the one that stands for none.
  static func known(
    _ value: (some StringVocabulary)?, _ member: InvalidCall.Member
  ) throws(InvalidCall) {
    guard let value else { return }
    let isUnspecified = value.rawValue.hasSuffix("_UNSPECIFIED")
    guard value.isKnown, !isUnspecified else { throw .notAccepted(member) }
  }

  /// Checks that a member is absent which only Google writes.
  static func absent(_ value: (some Any)?, _ member: InvalidCall.Member) throws(InvalidCall) {
    guard value == nil else { throw .notAccepted(member) }
  }

  /// Checks a code of capital letters of ASCII, such as that of a country.
  static func code(
    _ text: String, letters: Int, _ member: InvalidCall.Member
  ) throws(InvalidCall) {
    guard text.utf8.count == letters, text.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
      throw .notAccepted(member)
    }
  }
}
