package import JSONValues
package import ReceiptModels

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The members of a line, which is an object.
package typealias LineMembers = JSONMembers<LineFailure>

extension LineMembers {
  /// Returns a text that must be there, but may be empty.
  package func neededText(_ name: String) throws(LineFailure) -> String {
    try required(name, .string, text(name))
  }

  /// Returns a moment in whole seconds of UTC, as `2020-11-14T08:00:00Z`.
  package func moment(_ name: String) throws(LineFailure) -> Date {
    try required(name, .timestamp, optionalMoment(name))
  }

  /// Returns a moment in whole seconds of UTC, or nil if it is absent.
  package func optionalMoment(_ name: String) throws(LineFailure) -> Date? {
    guard let text = try text(name) else { return nil }
    guard let moment = Moment(text, as: .rfc3339) else {
      throw failure(name, FieldTypeFailure(expected: .timestamp, found: .string))
    }
    return moment.date
  }

  /// Returns the moments in an array, in whole seconds of UTC; none if it is absent.
  package func moments(_ name: String) throws(LineFailure) -> [Date] {
    var moments: [Date] = []
    for (index, text) in try texts(name).enumerated() {
      guard let moment = Moment(text, as: .rfc3339) else {
        throw failure(
          name,
          FieldTypeFailure(path: "[\(index)]", expected: .timestamp, found: .string))
      }
      moments.append(moment.date)
    }
    return moments
  }

  /// Returns a value or a model.
  package func value<Value: FieldValue>(
    _ name: String, _ type: Value.Type
  ) throws(LineFailure) -> Value? {
    try value(name) { json throws(FieldTypeFailure) in try Value(json: json) }
  }

  /// Returns the identifier of an account; nil if it is absent or blank.
  package func accountID(_ name: String) throws(LineFailure) -> AccountID? {
    guard let text = try text(name), !text.isBlank else { return nil }
    return try accountID(text, at: name)
  }

  /// Returns the identifiers of accounts in an array, none if it is absent.
  package func accountIDs(_ name: String) throws(LineFailure) -> [AccountID] {
    var ids: [AccountID] = []
    for (index, text) in try texts(name).enumerated() {
      ids.append(try accountID(text, at: "\(name)[\(index)]"))
    }
    return ids
  }

  private func accountID(_ text: String, at name: String) throws(LineFailure) -> AccountID {
    do throws(AccountFailure) {
      return try AccountID(text)
    } catch {
      throw LineFailure(path: path(name), error: "\(error)")
    }
  }
}
