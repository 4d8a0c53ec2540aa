#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A bearer token for Google's APIs, which is never printed.
public struct AccessToken: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The token, which is secret.
  public let value: String

  /// The type's name, never the token.
  public var description: String { "AccessToken" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A token with the time in which it is handed out.
struct KeptToken: Sendable {
  let token: AccessToken
  let received: Date
  let end: Date

  /// Returns whether the token is handed out at a date.
  ///
  /// A clock that was set back makes the token count as old.
  func isCurrent(at date: Date) -> Bool { received <= date && date < end }
}
