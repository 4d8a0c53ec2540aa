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
    var coder = FieldCoder(reading: members)
    try self.init(reading: &coder)
  }

  public init(parsing bytes: [UInt8]) throws {
    let text = try JSONText(checking: bytes, within: .values)
    try self.init(text, at: text.root)
  }

  @inlinable
  package init(_ text: JSONText, at place: JSONText.Place) throws(FieldTypeFailure) {
    guard let object = JSONObjectReader(text, at: place) else {
      try self.init(json: text.value(at: place))
      return
    }
    var coder = FieldCoder(reading: object)
    try self.init(reading: &coder)
  }

  @inlinable
  init(reading coder: inout FieldCoder) throws(FieldTypeFailure) {
    self.init()
    try fields(&coder)
    additionalMembers = coder.rest
  }

  public var json: JSONValue { .object(jsonMembers) }

  package var jsonMembers: [String: JSONValue] {
    var model = self
    var coder = FieldCoder(writing: additionalMembers)
    // Most models have at most 16 fields, so the dictionary does not grow.
    coder.members.reserveCapacity(additionalMembers.count + 16)
    // Writing never throws.
    try? model.fields(&coder)
    return coder.members
  }
}

/// A coder that reads the fields of a model from the members of an object, or writes them.
///
/// The members are those of a text where it is, or of a value. The generic calls are inlinable, so that models of
/// other modules are read without looking types up.
package struct FieldCoder {
  package enum Direction: Sendable { case reading, writing }

  package let direction: Direction
  /// The members written so far when writing, or those of a value not yet read by a field.
  package var members: [String: JSONValue]
  /// Whether the members are read from a text.
  @usableFromInline let isOfText: Bool
  /// The members of a text, if they are read from one.
  @usableFromInline var object: JSONObjectReader

  fileprivate init(reading members: [String: JSONValue]) {
    direction = .reading
    self.members = members
    isOfText = false
    object = JSONObjectReader()
  }

  fileprivate init(writing members: [String: JSONValue]) {
    direction = .writing
    self.members = members
    isOfText = false
    object = JSONObjectReader()
  }

  @usableFromInline
  init(reading object: JSONObjectReader) {
    direction = .reading
    members = [:]
    isOfText = true
    self.object = object
  }

  /// Reads or writes an optional field.
  @inlinable
  package mutating func callAsFunction<Value: FieldValue>(
    _ name: String, _ value: inout Value?
  ) throws(FieldTypeFailure) {
    switch direction {
    case .writing: if let value { members[name] = value.json }
    case .reading: if let read: Value = try read(name) { value = read }
    }
  }

  /// Reads or writes a required field.
  @inlinable
  package mutating func required<Value: FieldValue>(
    _ name: String, _ value: inout Value
  ) throws(FieldTypeFailure) {
    switch direction {
    case .writing:
      members[name] = value.json
    case .reading:
      guard let read: Value = try read(name) else {
        throw FieldTypeFailure(path: name, expected: Value.kind, found: .absent)
      }
      value = read
    }
  }

  /// Reads or writes a field that is always written, and that keeps its initial value if absent.
  @inlinable
  package mutating func preset<Value: FieldValue>(
    _ name: String, _ value: inout Value
  ) throws(FieldTypeFailure) {
    switch direction {
    case .writing: members[name] = value.json
    case .reading: if let read: Value = try read(name) { value = read }
    }
  }

  /// Reads or writes a field of any JSON type.
  package mutating func raw(_ name: String, _ value: inout JSONValue?) {
    switch direction {
    case .writing: if let value { members[name] = value }
    case .reading:
      value = lenient(name, read: { $0.isNull ? nil : $0 }) { text, place in
        text.kind(at: place) == .null ? nil : text.value(at: place)
      }
    }
  }

  /// Reads or writes an optional UUID; a string that is not a UUID leaves the field nil and is kept
  /// among the additional members.
  ///
  /// Apple sends `""` for an `appAccountToken`. Source: App Store rules, section 3.
  package mutating func lenient(
    _ name: String, _ value: inout UUID?
  ) throws(FieldTypeFailure) {
    guard direction == .reading, case .string(let text)? = self[name] else {
      return try self(name, &value)
    }
    value = UUID(text: text)
    if value != nil { take(name) }
  }
}

// MARK: Members that are read

extension FieldCoder {
  /// The value of a member that no field has read yet, or nil.
  package subscript(name: String) -> JSONValue? {
    guard isOfText else { return members[name] }
    return object.first(name).map { object.text.value(at: $0.value) }
  }

  /// The kind of a member that no field has read yet, for numbers any of their kinds, or nil.
  func kind(of name: String) -> JSONKind? {
    guard isOfText else { return members[name]?.kind }
    return object.first(name).map { object.text.kind(at: $0.value) }
  }

  /// The kind of a member of an object that no field has read yet, or nil.
  func kind(of name: String, inside outer: String) -> JSONKind? {
    guard isOfText else { return members[outer]?[name]?.kind }
    return object.first(outer).flatMap { object.text.place(of: name, in: $0.value) }
      .map(object.text.kind(at:))
  }

  /// Reads a member and takes it, or returns nil and keeps it if it is unreadable.
  @inline(__always)
  mutating func lenient<Value>(
    _ name: String, read: (JSONValue) -> Value?,
    inText: (JSONText, JSONText.Place) -> Value?
  ) -> Value? {
    if isOfText {
      guard let found = object.first(name), let value = inText(object.text, found.value) else {
        return nil
      }
      object.take(found)
      return value
    }
    guard let index = members.index(forKey: name), let value = read(members.values[index]) else {
      return nil
    }
    // Null counts as absent; removing the member would move others.
    members.values[index] = .null
    return value
  }

  /// Reads a member as a scalar of any kind and takes it, or returns nil and keeps it if it is unreadable.
  @inline(__always)
  mutating func lenient<Value: LenientValue>(_ name: String) -> Value? {
    lenient(name, read: { Value(lenient: $0) }, inText: { Value(lenient: $0, at: $1) })
  }

  /// Takes a member, so that it is no additional one.
  private mutating func take(_ name: String) {
    if let found = object.first(name) { object.take(found) } else { members[name] = nil }
  }

  /// The members that no field has read.
  @usableFromInline var rest: [String: JSONValue] {
    isOfText ? object.rest : members.filter { !$0.value.isNull }
  }

  /// Takes a member and reads it, or returns nil if it is absent or null.
  @inlinable
  mutating func read<Value: FieldValue>(_ name: String) throws(FieldTypeFailure) -> Value? {
    do throws(FieldTypeFailure) {
      if isOfText {
        guard let place = takePlace(name) else { return nil }
        return try Value(object.text, at: place)
      }
      guard let json = takeValue(name) else { return nil }
      return try Value(json: json)
    } catch {
      throw error.inside(member: name)
    }
  }

  @usableFromInline
  mutating func takePlace(_ name: String) -> JSONText.Place? {
    guard let found = object.first(name) else { return nil }
    object.take(found)
    return object.text.kind(at: found.value) == .null ? nil : found.value
  }

  @usableFromInline
  mutating func takeValue(_ name: String) -> JSONValue? {
    guard let json = members.removeValue(forKey: name), !json.isNull else { return nil }
    return json
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
  /// Creates the value at a place of a text, as from its JSON value.
  init(_ text: JSONText, at place: JSONText.Place) throws(FieldTypeFailure)
  var json: JSONValue { get }
}

extension FieldValue {
  @inlinable
  package init(_ text: JSONText, at place: JSONText.Place) throws(FieldTypeFailure) {
    try self.init(json: text.value(at: place))
  }
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
    guard case .string(let text) = json, let value = UUID(text: text) else {
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

  package init(_ text: JSONText, at place: JSONText.Place) throws(FieldTypeFailure) {
    guard text.kind(at: place) == .array else {
      throw FieldTypeFailure(expected: .array, found: text.value(at: place).kind)
    }
    self = []
    reserveCapacity(text.likelyCount(at: place, stride: MemoryLayout<Element>.stride))
    for element in text.elements(at: place) {
      do throws(FieldTypeFailure) {
        append(try Element(text, at: element))
      } catch {
        throw error.inside(member: "[\(count)]")
      }
    }
  }

  package var json: JSONValue { .array(map(\.json)) }
}
