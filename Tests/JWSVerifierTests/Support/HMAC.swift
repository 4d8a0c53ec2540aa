import StorekeeperCrypto

/// HMAC with SHA-256 (RFC 2104), for forged tokens.
enum HMAC {
  static func sha256(_ message: [UInt8], key: [UInt8]) throws -> [UInt8] {
    let short = key.count > 64 ? try SHA256.digest(of: key) : key
    let block = short + [UInt8](repeating: 0, count: 64 - short.count)
    let inner = try SHA256.digest(of: block.map { $0 ^ 0x36 } + message)
    return try SHA256.digest(of: block.map { $0 ^ 0x5C } + inner)
  }
}
