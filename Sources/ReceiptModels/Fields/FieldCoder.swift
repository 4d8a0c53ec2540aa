package import JSONValues

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A model with one description of its fields for reading and writing.
///
/// ``fields(_:)`` passes each property with its JSON name to the coder, which either sets it or
/// writes it.
package protocol FieldModel: JSONModel, FieldValue {
  /// Creates an empty value.
  init()
  /// Unknown members, and unreadable known members that are kept.
  var additionalMembers: [String: JSONValue] { get set }
  /// Visits every field.
  mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure)
}

extension FieldModel {
  public init(json: JSONValue) throws(FieldTypeFailure) {
    guard case .object(let members) = json else {
      throw FieldTypeFailure(expected: .object, found: json.kind)
    }
    self.init()
    var coder = FieldCoder(direction: .reading, members: members)
    try fields(&coder)
    additionalMembers = coder.members.filter { !$0.value.isNull }
  }

  public var json: JSONValue { .object(jsonMembers) }

  package var jsonMembers: [String: JSONValue] {
    var model = self
    var coder = FieldCoder(direction: .writing, members: additionalMembers)
    // Most models have at most 16 fields, so the dictionary does not grow.
    coder.members.reserveCapacity(additionalMembers.count + 16)
    // Writing never throws.
    try? model.fields(&coder)
    return coder.members
  }
}

/// A coder that reads the fields of a model from the members of an object, or writes them.
///
/// The coder is in the module of the models, because the compiler specializes generic package code
/// for its callers only within a module, which makes decoding and encoding twice as fast.
package struct FieldCoder {
  package enum Direction { case reading, writing }

  package let direction: Direction
  /// The members not yet read by a field when reading, or the members written so far when writing.
  package var members: [String: JSONValue]

  /// Reads or writes an optional field.
  package mutating func callAsFunction<Value: FieldValue>(
    _ name: String, _ value: inout Value?
  ) throws(FieldTypeFailure) {
    switch direction {
    case .writing:
      if let value { members[name] = value.json }
    case .reading:
      guard let json = take(name) else { return }
      value = try read(json, name)
    }
  }

  /// Reads or writes a required field.
  package mutating func required<Value: FieldValue>(
    _ name: String, _ value: inout Value
  ) throws(FieldTypeFailure) {
    switch direction {
    case .writing:
      members[name] = value.json
    case .reading:
      guard let json = take(name) else {
        throw FieldTypeFailure(path: name, expected: Value.kind, found: .absent)
      }
      value = try read(json, name)
    }
  }

  /// Reads or writes a field that is always written, and that keeps its initial value if absent.
  package mutating func preset<Value: FieldValue>(
    _ name: String, _ value: inout Value
  ) throws(FieldTypeFailure) {
    switch direction {
    case .writing:
      members[name] = value.json
    case .reading:
      guard let json = take(name) else { return }
      value = try read(json, name)
    }
  }

  /// Reads or writes an optional UUID; a string that is not a UUID leaves the field nil and is kept
  /// among the additional members.
  ///
  /// Apple sends `""` for an `appAccountToken`. Source: App Store rules, section 3.
  package mutating func lenient(
    _ name: String, _ value: inout UUID?
  ) throws(FieldTypeFailure) {
    guard direction == .reading, case .string(let text) = members[name] else {
      return try self(name, &value)
    }
    value = UUID(uuidString: text)
    if value != nil { members[name] = nil }
  }

  /// Reads a member and removes it, or returns nil and keeps it if it is unreadable.
  mutating func lenient<Value>(
    _ name: String, _ read: (JSONValue) -> Value?
  ) -> Value? {
    guard let index = members.index(forKey: name), let value = read(members.values[index]) else {
      return nil
    }
    // Null counts as absent; removing the member would move others.
    members.values[index] = .null
    return value
  }

  private mutating func take(_ name: String) -> JSONValue? {
    guard let json = members.removeValue(forKey: name), !json.isNull else { return nil }
    return json
  }

  private func read<Value: FieldValue>(
    _ json: JSONValue, _ name: String
  ) throws(FieldTypeFailure) -> Value {
    do throws(FieldTypeFailure) {
      return try Value(json: json)
    } catch {
      throw error.inside(member: name)
    }
  }
}

extension JSONValue {
  /// Whether this is the literal `null`; unlike `==`, inlined where it is used.
  fileprivate var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

/// A type of a model's field.
package protocol FieldValue {
  static var kind: JSONKind { get }
  init(json: JSONValue) throws(FieldTypeFailure)
  var json: JSONValue { get }
}

extension FieldModel {
  package static var kind: JSONKind { .object }
}

extension String: FieldValue {
  package static var kind: JSONKind { .string }

  package init(json: JSONValue) throws(FieldTypeFailure) {
    guard case .string(let value) = json else {
      throw FieldTypeFailure(expected: .string, found: json.kind)
    }
    self = value
  }

  package var json: JSONValue { .string(self) }
}

extension Int: FieldValue {
  package static var kind: JSONKind { .integer }

  /// Creates an integer, also from a number with a fraction of zero (`1.0`).
  package init(json: JSONValue) throws(FieldTypeFailure) {
    switch json {
    case .integer(let value): self = value
    case .number(let number):
      guard let value = Int(exactly: number) else { fallthrough }
      self = value
    default: throw FieldTypeFailure(expected: .integer, found: json.kind)
    }
  }

  package var json: JSONValue { .integer(self) }
}

extension Bool: FieldValue {
  package static var kind: JSONKind { .boolean }

  package init(json: JSONValue) throws(FieldTypeFailure) {
    guard case .boolean(let value) = json else {
      throw FieldTypeFailure(expected: .boolean, found: json.kind)
    }
    self = value
  }

  package var json: JSONValue { .boolean(self) }
}

extension Date: FieldValue {
  package static var kind: JSONKind { .number }

  /// Creates a date from milliseconds since 1970 in UTC, which may be fractional or negative.
  package init(json: JSONValue) throws(FieldTypeFailure) {
    switch json {
    case .integer(let milliseconds): self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    case .number(let milliseconds): self.init(timeIntervalSince1970: milliseconds / 1000)
    default: throw FieldTypeFailure(expected: .number, found: json.kind)
    }
  }

  /// The whole milliseconds, as a floating-point number beyond 64 bits.
  package var json: JSONValue {
    let milliseconds = (timeIntervalSince1970 * 1000).rounded()
    return Int(exactly: milliseconds).map(JSONValue.integer) ?? .number(milliseconds)
  }
}

extension UUID: FieldValue {
  package static var kind: JSONKind { .uuid }

  package init(json: JSONValue) throws(FieldTypeFailure) {
    guard case .string(let text) = json, let value = UUID(uuidString: text) else {
      throw FieldTypeFailure(expected: .uuid, found: json.kind)
    }
    self = value
  }

  package static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

  /// The UUID in lower case, as Apple writes it.
  package var json: JSONValue { .string(uuidString.lowercased()) }
}

extension Array: FieldValue where Element: FieldValue {
  package static var kind: JSONKind { .array }

  package init(json: JSONValue) throws(FieldTypeFailure) {
    guard case .array(let elements) = json else {
      throw FieldTypeFailure(expected: .array, found: json.kind)
    }
    self = []
    reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      do throws(FieldTypeFailure) {
        append(try Element(json: element))
      } catch {
        throw error.inside(member: "[\(index)]")
      }
    }
  }

  package var json: JSONValue { .array(map(\.json)) }
}
