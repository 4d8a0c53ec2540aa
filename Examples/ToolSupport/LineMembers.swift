package import JSONValues
package import ReceiptModels

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The members of a line, read one by one; null counts as absent.
package struct LineMembers {
  private let members: [String: JSONValue]

  /// Parses a line, which must be an object.
  package init(parsing line: [UInt8]) throws(LineFailure) {
    let json: JSONValue
    do throws(JSONValue.SyntaxFailure) {
      json = try JSONValue(parsing: line)
    } catch {
      throw LineFailure(error: "no JSON: \(error)")
    }
    guard case .object(let members) = json else {
      throw LineFailure(error: "expected object, found \(json.kind)")
    }
    self.init(members)
  }

  /// Creates the members of an object.
  package init(_ members: [String: JSONValue]) {
    self.members = members.filter { $0.value != .null }
  }

  /// Returns a member, or nil if it is absent.
  package subscript(_ name: String) -> JSONValue? { members[name] }

  /// Returns a Boolean, false if it is absent.
  package func flag(_ name: String) throws(LineFailure) -> Bool {
    switch members[name] {
    case nil: false
    case .boolean(let value)?: value
    case let other?: throw mismatch(name, .boolean, other)
    }
  }

  /// Returns one of a closed set.
  package func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String
  ) throws(LineFailure) -> Choice? {
    guard let text = try text(name) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw LineFailure(path: name, error: "expected one of \(choices)")
    }
    return choice
  }

  /// Returns a moment in whole seconds of UTC, as `2020-11-14T08:00:00Z`.
  package func moment(_ name: String) throws(LineFailure) -> Date {
    guard let text = try text(name) else {
      throw LineFailure(path: name, error: "expected timestamp, found absent")
    }
    guard let moment = Moment(text, as: .rfc3339) else {
      throw LineFailure(path: name, error: "expected timestamp, found string")
    }
    return moment.date
  }

  /// Returns a text.
  package func text(_ name: String) throws(LineFailure) -> String? {
    try value(name, String.self)
  }

  /// Returns a value or a model.
  package func value<Value: FieldValue>(
    _ name: String, _ type: Value.Type
  ) throws(LineFailure) -> Value? {
    guard let json = members[name] else { return nil }
    do throws(FieldTypeFailure) {
      return try Value(json: json)
    } catch {
      throw LineFailure(error, in: name)
    }
  }

  /// Returns the identifier of an account in a member of the parent; nil if it is absent or blank.
  package func accountID(
    _ name: String, of parent: String
  ) throws(LineFailure) -> AccountID? {
    let path = "\(parent).\(name)"
    let text: String?
    do throws(LineFailure) {
      text = try self.text(name)
    } catch {
      throw LineFailure(path: path, error: error.error)
    }
    guard let text, !text.isBlank else { return nil }
    do throws(AccountFailure) {
      return try AccountID(text)
    } catch {
      throw LineFailure(path: path, error: "\(error)")
    }
  }

  /// Returns the elements of an array.
  package func elements(_ name: String) throws(LineFailure) -> [JSONValue]? {
    switch members[name] {
    case nil: nil
    case .array(let elements)?: elements
    case let other?: throw mismatch(name, .array, other)
    }
  }

  /// Returns the members of an object.
  package func object(_ name: String) throws(LineFailure) -> [String: JSONValue]? {
    switch members[name] {
    case nil: nil
    case .object(let members)?: members
    case let other?: throw mismatch(name, .object, other)
    }
  }

  /// Returns the failure for a value of another kind.
  package func mismatch(
    _ path: String, _ expected: JSONKind, _ found: JSONValue
  ) -> LineFailure {
    LineFailure(path: path, error: "expected \(expected), found \(found.kind)")
  }
}
