internal import JSONValues
internal import StorekeeperCrypto

/// The simulator's own tokens: revisions and pagination tokens, which nobody else can read or make.
///
/// They have the characters `+`, `/` and `=`, so that a client that does not escape them fails.
struct SealedToken {
  let secret: [UInt8]

  /// Returns a token that holds some values.
  func seal(_ members: [String: JSONValue]) throws -> String {
    let content = JSONValue.object(members).serialized
    // The prefix becomes "++//" in the token.
    return Base64.encode([0xFB, 0xEF, 0xFF] + [0xC0] + (try mark(content)) + content, .standard)
  }

  /// Returns the values of a token; nil if it is not one of this simulator.
  func open(_ token: String) -> JSONValue? {
    guard let bytes = Base64.decode(Array(token.utf8)[...], .standard), bytes.count > 20,
      let mark = try? mark(Array(bytes[20...])), Array(bytes[4..<20]) == mark
    else { return nil }
    return try? JSONValue(parsing: Array(bytes[20...]))
  }

  private func mark(_ content: [UInt8]) throws -> [UInt8] {
    Array(try SHA256.digest(of: secret + content).prefix(16))
  }
}
