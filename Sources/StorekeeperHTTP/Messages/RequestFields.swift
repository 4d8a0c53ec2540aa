internal import JSONValues
internal import ReceiptModels
internal import Storekeeper

/// The members of a request about entitlements or an order, of which null and empty ones count as missing.
///
/// Unknown members are ignored.
///
/// Source: entitlement rules, sections 10 and 14.
struct RequestFields: Sendable {
  private let members: [String: JSONValue]

  /// Parses a body.
  ///
  /// - Throws: ``RequestRefusal/malformedBody`` if the bytes are not exactly one JSON object.
  init(_ bytes: [UInt8]) throws(RequestRefusal) {
    members = try RequestBody(bytes).members
  }

  /// Returns a text, or nil if it is missing.
  func optionalText(_ name: String) throws(FieldRefusal) -> String? {
    switch members[name] {
    case nil, .null: return nil
    case .string(let text): return text.utf8.isEmpty ? nil : text
    default: throw .invalid(name)
    }
  }

  /// Returns a text.
  func text(_ name: String) throws(FieldRefusal) -> String {
    guard let text = try optionalText(name) else { throw .missing(name) }
    return text
  }

  /// Returns a user ID, or nil if it is missing.
  func optionalUserID(_ name: String) throws(FieldRefusal) -> AccountID? {
    guard let text = try optionalText(name) else { return nil }
    guard let user = try? AccountID(opaque: text) else { throw .invalid(name) }
    return user
  }

  /// Returns a list of texts, which is empty if it is missing.
  func texts(_ name: String, limit: Int) throws(FieldRefusal) -> [String] {
    switch members[name] {
    case nil, .null: return []
    case .array(let elements):
      guard elements.count <= limit else { throw .tooMany(name) }
      var texts: [String] = []
      for element in elements {
        guard case .string(let text) = element else { throw .invalid(name) }
        texts.append(text)
      }
      return texts
    default: throw .invalid(name)
    }
  }
}
