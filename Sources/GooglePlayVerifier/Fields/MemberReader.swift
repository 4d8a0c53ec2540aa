package import JSONValues

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The members of a JSON object in the form that Google writes.
///
/// A missing list is empty. Integers of 64 bits come as texts, those of 32 bits as numbers; either is read. All
/// failures name the member.
///
/// Source: Protocol Buffers, "ProtoJSON format".
typealias MemberReader = JSONMembers<FieldTypeFailure>

extension MemberReader {
  // MARK: Scalars

  func int64(_ name: String) throws(FieldTypeFailure) -> Int? {
    try value(name, .integer) { json -> Int? in Self.integer(json) }
  }

  /// Returns a number that is written as one.
  func number(_ name: String) throws(FieldTypeFailure) -> Double? {
    try value(name, .number) { json -> Double? in
      switch json {
      case .integer(let value): Double(value)
      case .number(let value): value
      case .null, .boolean, .string, .array, .object: nil
      }
    }
  }

  /// Returns a moment of RFC 3339.
  func time(_ name: String) throws(FieldTypeFailure) -> Date? {
    try value(name, .timestamp) { json -> Date? in
      if case .string(let text) = json { Date(timestamp: text) } else { nil }
    }
  }

  /// Returns a moment in milliseconds since 1970, in the years 1 to 9999.
  func milliseconds(_ name: String) throws(FieldTypeFailure) -> Date? {
    guard let number = try int64(name) else { return nil }
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
    try int64(name).flatMap(Value.init)
  }

  // MARK: Containers

  /// Returns a nested object.
  func model<Model: JSONModel>(_ name: String) throws(FieldTypeFailure) -> Model? {
    try value(name) { json throws(FieldTypeFailure) in try Model(json: json) }
  }

  /// Returns whether there is a nested object, whatever its members are.
  func hasObject(_ name: String) throws(FieldTypeFailure) -> Bool { try object(name) != nil }

  /// Returns a list of objects.
  func models<Model: JSONModel>(_ name: String) throws(FieldTypeFailure) -> [Model] {
    var models: [Model] = []
    for (index, element) in (try elements(name) ?? []).enumerated() {
      do throws(FieldTypeFailure) { models.append(try Model(json: element)) } catch {
        throw error.inside(member: "[\(index)]").inside(member: name)
      }
    }
    return models
  }

  /// Returns the objects in an object whose members have any names.
  func models<Model: JSONModel>(byName name: String) throws(FieldTypeFailure) -> [String: Model] {
    var models: [String: Model] = [:]
    for (key, json) in (try object(name))?.values ?? [:] {
      do throws(FieldTypeFailure) { models[key] = try Model(json: json) } catch {
        throw error.inside(member: key).inside(member: name)
      }
    }
    return models
  }

  /// Reads an integer that is written as a text or as a number; nil for anything else.
  static func integer(_ json: JSONValue) -> Int? {
    switch json {
    case .integer(let value): value
    case .number(let value): Int(exactly: value)
    case .string(let text): integer(text)
    case .null, .boolean, .array, .object: nil
    }
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
