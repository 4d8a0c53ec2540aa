#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A model described once, field by field, for reading and for writing.
///
/// ``fields(_:)`` hands each property with its JSON name to the coder, which either fills it or
/// writes it down.
package protocol FieldModel: JSONModel, FieldValue {
  /// An empty value, to be filled from JSON.
  init()
  /// Members that the model does not know, and known ones that it could not read but keeps.
  var additionalMembers: [String: JSONValue] { get set }
  /// Visits every field.
  mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure)
}

extension FieldModel {
  /// Reads the value.
  public init(json: JSONValue) throws(FieldTypeFailure) {
    guard case .object(let members) = json else {
      throw FieldTypeFailure(expected: .object, found: json.kind)
    }
    self.init()
    var coder = FieldCoder(direction: .reading, members: members)
    try fields(&coder)
    additionalMembers = coder.members.filter { !$0.value.isNull }
  }

  /// The JSON form.
  public var json: JSONValue { .object(jsonMembers) }

  /// The members of the JSON form.
  package var jsonMembers: [String: JSONValue] {
    var model = self
    var coder = FieldCoder(direction: .writing, members: additionalMembers)
    // Most models have no more fields; so the dictionary does not grow again and again.
    coder.members.reserveCapacity(additionalMembers.count + 16)
    // Writing asks nothing of the values, so there is nothing to throw.
    try? model.fields(&coder)
    return coder.members
  }
}

/// Fills the fields of a model from the members of an object, or the other way round.
package struct FieldCoder {
  package enum Direction { case reading, writing }

  package let direction: Direction
  /// The members that no field has taken yet (reading), or that were written so far (writing).
  package var members: [String: JSONValue]

  /// A field that may be absent.
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

  /// A field that must be there.
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

  /// A field that is always written, and that keeps its preset value when it is absent.
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

  /// A UUID that may be absent; a string that is none leaves the field nil and is kept among the
  /// additional members (contract, section 3: Apple sends `""` for an `appAccountToken`).
  package mutating func lenient(
    _ name: String, _ value: inout UUID?
  ) throws(FieldTypeFailure) {
    guard direction == .reading, case .string(let text) = members[name] else {
      return try self(name, &value)
    }
    value = UUID(uuidString: text)
    if value != nil { members[name] = nil }
  }

  /// The value of a member, which is then taken; nil, and not taken, if it cannot be read.
  package mutating func lenient<Value>(
    _ name: String, _ read: (JSONValue) -> Value?
  ) -> Value? {
    guard let index = members.index(forKey: name), let value = read(members.values[index]) else {
      return nil
    }
    // As good as removed, since null counts as absent; removing would move other members.
    members.values[index] = .null
    return value
  }

  private mutating func take(_ name: String) -> JSONValue? {
    guard let json = members.removeValue(forKey: name), json != .null else { return nil }
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
