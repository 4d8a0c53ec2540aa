internal import StorekeeperCrypto

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A fixed list of tokens, of which only digests are kept.
///
/// ```swift
/// let tokens = BearerTokens([.init(name: "ios-app", digest: storedDigest)])
/// ```
///
/// A token is compared with all of the list in a time that does not depend on how much of it is right.
public struct BearerTokens: Authenticator {
  /// A token of the list.
  public struct Entry: Hashable, Sendable {
    /// Who has it, for logs.
    public var name: String
    /// The SHA-256 of the token, see ``BearerTokens/digest(of:)``.
    public var digest: String
    /// When it ends, or nil if it does not.
    public var expires: Date?
    /// Whether it may be used.
    public var isActive: Bool

    /// A token; the digest in hexadecimal digits, in either case.
    public init(name: String, digest: String, expires: Date? = nil, isActive: Bool = true) {
      self.name = name
      self.digest = digest
      self.expires = expires
      self.isActive = isActive
    }
  }

  private let entries: [(entry: Entry, digest: [UInt8])]
  private let now: @Sendable () -> Date

  /// A list; an entry without a digest of 64 hexadecimal digits opens nothing.
  public init(_ entries: [Entry], now: @escaping @Sendable () -> Date = { Date() }) {
    self.entries = entries.compactMap { entry in
      bytes(hexadecimal: entry.digest).map { (entry, $0) }
    }
    self.now = now
  }

  /// What is kept of a token: its SHA-256 in 64 hexadecimal digits, in lower case.
  ///
  /// Tokens are long random texts, so that a plain digest does; passwords would need more.
  ///
  /// - Parameter token: The token.
  /// - Returns: The digest.
  /// - Throws: An error of OpenSSL, where SHA-256 cannot be had.
  public static func digest(of token: String) throws -> String {
    hexadecimal(try SHA256.digest(of: Array(token.utf8)))
  }

  /// Who has this token.
  ///
  /// - Parameter token: A secret.
  /// - Returns: The name of its entry.
  /// - Throws: ``AuthenticationFailure``, or an error of OpenSSL.
  public func caller(token: String) async throws -> Caller {
    let digest = try SHA256.digest(of: Array(token.utf8))
    var found: Entry?
    // All are compared, also after one was found.
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
