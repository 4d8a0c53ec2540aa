internal import StorekeeperCrypto

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An authenticator with a fixed list of tokens, of which only digests are stored.
///
/// ```swift
/// let tokens = BearerTokens([.init(name: "ios-app", digest: storedDigest)])
/// ```
///
/// A token is compared with every entry in constant time.
public struct BearerTokens: Authenticator {
  /// An entry for one token.
  public struct Entry: Hashable, Sendable {
    public var name: String
    /// The SHA-256 digest of the token; see ``BearerTokens/digest(of:)``.
    public var digest: String
    /// The time at which the token expires, or nil if it does not.
    public var expires: Date?
    /// Whether the token may be used.
    public var isActive: Bool

    /// Creates an entry.
    ///
    /// The digest has hexadecimal digits in either case.
    public init(name: String, digest: String, expires: Date? = nil, isActive: Bool = true) {
      self.name = name
      self.digest = digest
      self.expires = expires
      self.isActive = isActive
    }
  }

  private let entries: [(entry: Entry, digest: [UInt8])]
  private let now: @Sendable () -> Date

  /// Creates an authenticator.
  ///
  /// An entry whose digest is not 64 hexadecimal digits is ignored.
  public init(_ entries: [Entry], now: @escaping @Sendable () -> Date = { Date() }) {
    self.entries = entries.compactMap { entry in
      bytes(hexadecimal: entry.digest).map { (entry, $0) }
    }
    self.now = now
  }

  /// Returns the SHA-256 digest of a token in 64 hexadecimal digits, in lower case.
  ///
  /// A plain digest is enough for long random tokens. It is not enough for passwords.
  ///
  /// - Throws: An error of OpenSSL if SHA-256 is not available.
  public static func digest(of token: String) throws -> String {
    hexadecimal(try SHA256.digest(of: Array(token.utf8)))
  }

  /// Returns a caller with the name of the token's entry.
  ///
  /// - Throws: ``AuthenticationFailure``, or an error of OpenSSL.
  public func caller(token: String) async throws -> Caller {
    let digest = try SHA256.digest(of: Array(token.utf8))
    var found: Entry?
    // Every entry is compared, even after a match, so that the time reveals nothing.
    for (entry, expected) in entries where isEqualInConstantTime(digest, expected) {
      found = entry
    }
    guard let found else { throw AuthenticationFailure.unknownToken }
    guard found.isActive, found.expires.map({ now() < $0 }) ?? true else {
      throw AuthenticationFailure.inactiveToken
    }
    return Caller(name: found.name)
  }
}
