package import JSONValues

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A reader of the members of a JSON object in the form that Google writes.
///
/// `null` counts as absent, and a missing list as empty. Integers of 64 bits come as texts, those of
/// 32 bits as numbers; either is read. All failures name the member.
///
/// Source: Protocol Buffers, "ProtoJSON format".
struct MemberReader {
  private let members: [String: JSONValue]

  init(_ json: JSONValue) throws(FieldTypeFailure) {
    guard case .object(let members) = json else {
      throw FieldTypeFailure(expected: .object, found: json.kind)
    }
    self.members = members
  }

  /// The value of a member, unless it is absent or `null`.
  subscript(name: String) -> JSONValue? {
    members[name].flatMap { $0 == .null ? nil : $0 }
  }

  /// Returns a member that must be there.
  func required<Value>(
    _ name: String, _ kind: JSONKind, _ value: Value?
  ) throws(FieldTypeFailure) -> Value {
    guard let value else { throw FieldTypeFailure(path: name, expected: kind, found: .absent) }
    return value
  }

  // MARK: Scalars

  func text(_ name: String) throws(FieldTypeFailure) -> String? {
    try read(name, .string) { if case .string(let text) = $0 { text } else { nil } }
  }

  /// Returns a text that must be there and must not be empty.
  func requiredText(_ name: String) throws(FieldTypeFailure) -> String {
    guard let text = try text(name), !text.isEmpty else {
      throw FieldTypeFailure(path: name, expected: .string, found: .absent)
    }
    return text
  }

  func flag(_ name: String) throws(FieldTypeFailure) -> Bool? {
    try read(name, .boolean) { if case .boolean(let value) = $0 { value } else { nil } }
  }

  func integer(_ name: String) throws(FieldTypeFailure) -> Int? {
    try read(name, .integer) { json in
      switch json {
      case .integer(let value): value
      case .number(let value): Int(exactly: value)
      case .string(let text): Self.integer(text)
      case .null, .boolean, .array, .object: nil
      }
    }
  }

  /// Returns a number that is written as one.
  func number(_ name: String) throws(FieldTypeFailure) -> Double? {
    try read(name, .number) { json in
      switch json {
      case .integer(let value): Double(value)
      case .number(let value): value
      case .null, .boolean, .string, .array, .object: nil
      }
    }
  }

  /// Returns a moment of RFC 3339.
  func time(_ name: String) throws(FieldTypeFailure) -> Date? {
    try read(name, .timestamp) { json in
      if case .string(let text) = json { Date(timestamp: text) } else { nil }
    }
  }

  /// Returns a moment in milliseconds since 1970, in the years 1 to 9999.
  func milliseconds(_ name: String) throws(FieldTypeFailure) -> Date? {
    guard let number = try integer(name) else { return nil }
    guard (-62_135_596_800_000...253_402_300_799_999).contains(number) else {
      throw FieldTypeFailure(path: name, expected: .timestamp, found: .number)
    }
    return Date(timeIntervalSince1970: Double(number) / 1000)
  }

  // MARK: Open vocabularies

  /// Returns a value of a vocabulary of texts.
  func value<Value: RawRepresentable<String>>(_ name: String) throws(FieldTypeFailure) -> Value? {
    try text(name).flatMap(Value.init)
  }

  /// Returns a value of a vocabulary of numbers.
  func value<Value: RawRepresentable<Int>>(_ name: String) throws(FieldTypeFailure) -> Value? {
    try integer(name).flatMap(Value.init)
  }

  // MARK: Containers

  /// Returns a nested object.
  func model<Model: JSONModel>(_ name: String) throws(FieldTypeFailure) -> Model? {
    guard let json = self[name] else { return nil }
    do throws(FieldTypeFailure) { return try Model(json: json) } catch {
      throw error.inside(member: name)
    }
  }

  /// Returns whether there is a nested object, whatever its members are.
  func hasObject(_ name: String) throws(FieldTypeFailure) -> Bool {
    try read(name, .object) { if case .object = $0 { true } else { nil } } ?? false
  }

  /// Returns a list of objects.
  func models<Model: JSONModel>(_ name: String) throws(FieldTypeFailure) -> [Model] {
    var models: [Model] = []
    for (index, element) in try elements(name).enumerated() {
      do throws(FieldTypeFailure) { models.append(try Model(json: element)) } catch {
        throw error.inside(member: "[\(index)]").inside(member: name)
      }
    }
    return models
  }

  /// Returns a list of texts.
  func texts(_ name: String) throws(FieldTypeFailure) -> [String] {
    var texts: [String] = []
    for (index, element) in try elements(name).enumerated() {
      guard case .string(let text) = element else {
        throw FieldTypeFailure(path: "\(name)[\(index)]", expected: .string, found: element.kind)
      }
      texts.append(text)
    }
    return texts
  }

  /// Returns the elements of a list.
  func elements(_ name: String) throws(FieldTypeFailure) -> [JSONValue] {
    try read(name, .array) { if case .array(let elements) = $0 { elements } else { nil } } ?? []
  }

  private func read<Value>(
    _ name: String, _ kind: JSONKind, _ convert: (JSONValue) -> Value?
  ) throws(FieldTypeFailure) -> Value? {
    guard let json = self[name] else { return nil }
    guard let value = convert(json) else {
      throw FieldTypeFailure(path: name, expected: kind, found: json.kind)
    }
    return value
  }

  /// Reads ASCII digits, perhaps after a minus sign.
  private static func integer(_ text: String) -> Int? {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    return digits.areDigits ? Int(text) : nil
  }
}

/// A value that Google sent.
///
/// The whole JSON is kept, so that members which this version doesn't know are there, and are written
/// again. Descriptions and mirrors name the members without their values, because many values are
/// purchase tokens or identify a user.
package protocol GoogleModel: JSONModel, CustomStringConvertible, CustomReflectable {}

extension GoogleModel {
  /// The names of the members, without their values.
  public var description: String {
    "\(Self.self)(\(memberNames.joined(separator: ", ")))"
  }

  /// A mirror with the names of the members, without their values.
  public var customMirror: Mirror { Mirror(self, children: ["members": memberNames]) }

  private var memberNames: [String] {
    guard case .object(let members) = json else { return [] }
    return members.keys.sorted()
  }
}
