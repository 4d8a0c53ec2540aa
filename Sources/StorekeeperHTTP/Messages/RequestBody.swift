internal import JSONValues
internal import ReceiptModels

/// The members of the JSON object that a request sends.
///
/// Unknown members are passed over; null is the same as missing.
///
/// Source: contract on linking, section 6.1.
struct RequestBody: Sendable {
  private let members: [String: JSONValue]

  /// - Throws: ``RequestRefusal/malformedBody`` unless the bytes are a JSON object and nothing else.
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

  /// - Throws: ``RequestRefusal/malformedBody`` for a value of another type.
  func text(_ name: String) throws(RequestRefusal) -> String? {
    switch members[name] {
    case nil, .null: return nil
    case .string(let text): return text
    default: throw .malformedBody
    }
  }

  /// - Throws: ``RequestRefusal/malformedBody`` for a value of another type.
  func flag(_ name: String) throws(RequestRefusal) -> Bool {
    switch members[name] {
    case nil, .null: return false
    case .boolean(let value): return value
    default: throw .malformedBody
    }
  }
}
