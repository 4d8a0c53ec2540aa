package import JSONValues

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

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
