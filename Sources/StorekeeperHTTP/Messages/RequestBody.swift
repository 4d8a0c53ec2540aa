internal import JSONValues
internal import ReceiptModels

/// The members of the JSON object in a request's body.
///
/// Unknown members are ignored, and null counts as missing.
///
/// Source: linking rules, section 6.1.
struct RequestBody: Sendable {
  let members: [String: JSONValue]

  /// Parses a body.
  ///
  /// - Throws: ``RequestRefusal/malformedBody`` if the bytes are not exactly one JSON object.
  init(_ bytes: [UInt8]) throws(RequestRefusal) {
    do {
      guard case .object(let members) = try JSONValue(parsingKnown: bytes) else {
        throw RequestRefusal.malformedBody
      }
      self.members = members
    } catch {
      throw .malformedBody
    }
  }

  /// Returns the text of a member, or nil if it is missing.
  ///
  /// - Throws: ``RequestRefusal/malformedBody`` if the value has another type.
  func text(_ name: String) throws(RequestRefusal) -> String? {
    switch members[name] {
    case nil, .null: return nil
    case .string(let text): return text
    default: throw .malformedBody
    }
  }

  /// Returns the Boolean value of a member, or false if it is missing.
  ///
  /// - Throws: ``RequestRefusal/malformedBody`` if the value has another type.
  func flag(_ name: String) throws(RequestRefusal) -> Bool {
    switch members[name] {
    case nil, .null: return false
    case .boolean(let value): return value
    default: throw .malformedBody
    }
  }
}
