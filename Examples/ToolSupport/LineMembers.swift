package import JSONValues
package import ReceiptModels

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The members of a line, read one by one; null counts as absent.
package struct LineMembers {
  /// The members that are not null.
  package let values: [String: JSONValue]
  /// The path of the object, with a dot at its end; empty for the line itself.
  private let prefix: String

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
    self.init(members, prefix: "")
  }

  private init(_ members: [String: JSONValue], prefix: String) {
    values = members.filter { $0.value != .null }
    self.prefix = prefix
  }

  /// The names of the members, in the order of their bytes.
  package var names: [String] {
    values.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Returns a Boolean, false if it is absent.
  package func flag(_ name: String) throws(LineFailure) -> Bool {
    switch values[name] {
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
      throw LineFailure(path: path(name), error: "expected one of \(choices)")
    }
    return choice
  }

  /// Returns a moment in whole seconds of UTC, as `2020-11-14T08:00:00Z`.
  package func moment(_ name: String) throws(LineFailure) -> Date {
    let text = try needed(name, .timestamp, try text(name))
    guard let moment = Moment(text, as: .rfc3339) else {
      throw mismatch(name, .timestamp, .string(text))
    }
    return moment.date
  }

  /// Returns a moment in whole seconds of UTC, or nil if it is absent.
  package func optionalMoment(_ name: String) throws(LineFailure) -> Date? {
    values[name] == nil ? nil : try moment(name)
  }

  /// Returns a text.
  package func text(_ name: String) throws(LineFailure) -> String? {
    try value(name, String.self)
  }

  /// Returns a value or a model.
  package func value<Value: FieldValue>(
    _ name: String, _ type: Value.Type
  ) throws(LineFailure) -> Value? {
    guard let json = values[name] else { return nil }
    do throws(FieldTypeFailure) {
      return try Value(json: json)
    } catch {
      throw LineFailure(error, in: path(name))
    }
  }

  /// Returns the identifier of an account; nil if it is absent or blank.
  package func accountID(_ name: String) throws(LineFailure) -> AccountID? {
    guard let text = try text(name), !text.isBlank else { return nil }
    do throws(AccountFailure) {
      return try AccountID(text)
    } catch {
      throw LineFailure(path: path(name), error: "\(error)")
    }
  }

  /// Returns the identifiers of accounts in an array, none if it is absent.
  package func accountIDs(_ name: String) throws(LineFailure) -> [AccountID] {
    var ids: [AccountID] = []
    for (index, text) in try texts(name).enumerated() {
      do throws(AccountFailure) {
        ids.append(try AccountID(text))
      } catch {
        throw LineFailure(path: path("\(name)[\(index)]"), error: "\(error)")
      }
    }
    return ids
  }

  /// Returns the elements of an array.
  package func elements(_ name: String) throws(LineFailure) -> [JSONValue]? {
    switch values[name] {
    case nil: nil
    case .array(let elements)?: elements
    case let other?: throw mismatch(name, .array, other)
    }
  }

  /// Returns the members of the objects in an array; none if it is absent.
  package func objects(_ name: String) throws(LineFailure) -> [LineMembers] {
    var objects: [LineMembers] = []
    for (index, element) in (try elements(name) ?? []).enumerated() {
      guard case .object(let members) = element else {
        throw mismatch("\(name)[\(index)]", .object, element)
      }
      objects.append(LineMembers(members, prefix: path("\(name)[\(index)].")))
    }
    return objects
  }

  /// Returns the texts in an array; none if it is absent.
  package func texts(_ name: String) throws(LineFailure) -> [String] {
    var texts: [String] = []
    for (index, element) in (try elements(name) ?? []).enumerated() {
      guard case .string(let text) = element else {
        throw mismatch("\(name)[\(index)]", .string, element)
      }
      texts.append(text)
    }
    return texts
  }

  /// Returns the members of an object.
  package func object(_ name: String) throws(LineFailure) -> LineMembers? {
    switch values[name] {
    case nil: nil
    case .object(let members)?: LineMembers(members, prefix: path(name) + ".")
    case let other?: throw mismatch(name, .object, other)
    }
  }

  /// Returns what is needed, or throws the failure for a member that is absent.
  package func needed<Value>(
    _ name: String, _ kind: JSONKind, _ value: Value?
  ) throws(LineFailure) -> Value {
    guard let value else {
      throw LineFailure(path: path(name), error: "expected \(kind), found absent")
    }
    return value
  }

  /// Returns the path of a member from the line on.
  package func path(_ name: String) -> String { prefix + name }

  /// Returns the failure for a value of another kind.
  package func mismatch(
    _ name: String, _ expected: JSONKind, _ found: JSONValue
  ) -> LineFailure {
    LineFailure(path: path(name), error: "expected \(expected), found \(found.kind)")
  }
}
