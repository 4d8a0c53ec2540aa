internal import JSONValues
package import StorekeeperCrypto

/// The public keys of an issuer of tokens, by their IDs.
///
/// Source: RFC 7517 section 5.
package struct WebKeySet: Sendable {
  /// The maximum size of a set in bytes.
  static let maximumSize = 262_144
  /// The maximum number of keys that are read.
  static let maximumKeys = 64

  private let keys: [String: RSAPublicKey]

  /// Reads a set.
  ///
  /// Keys of other kinds and uses, and keys that cannot be read, are left out. The first of several
  /// keys with the same ID counts.
  ///
  /// - Throws: ``KeySetFailure``: `tooLarge`, `notJSON`, `malformed` or `noUsableKey`.
  package init(parsing bytes: [UInt8]) throws(KeySetFailure) {
    guard bytes.count <= Self.maximumSize else { throw .tooLarge(limit: Self.maximumSize) }
    let json: JSONValue
    do { json = try JSONValue(parsing: bytes) } catch { throw .notJSON }
    let elements: [JSONValue]
    do throws(FieldTypeFailure) {
      elements = try MemberReader(json).elements("keys") ?? []
    } catch {
      throw .malformed(error)
    }
    var keys: [String: RSAPublicKey] = [:]
    for element in elements.prefix(Self.maximumKeys) {
      guard let (id, key) = try? Self.key(element), keys[id] == nil else { continue }
      keys[id] = key
    }
    guard !keys.isEmpty else { throw .noUsableKey }
    self.keys = keys
  }

  /// Returns the key with an ID.
  package subscript(id: String) -> RSAPublicKey? { keys[id] }

  /// Returns a key for verifying RS256 with its ID, or nil for another one.
  private static func key(_ json: JSONValue) throws -> (String, RSAPublicKey)? {
    let members = try MemberReader(json)
    guard try members.text("kty") == "RSA", try members.text("alg") ?? "RS256" == "RS256",
      try members.text("use") ?? "sig" == "sig"
    else { return nil }
    let key = try RSAPublicKey(
      modulus: members.requiredText("n"), exponent: members.requiredText("e"))
    return (try members.requiredText("kid"), key)
  }
}
