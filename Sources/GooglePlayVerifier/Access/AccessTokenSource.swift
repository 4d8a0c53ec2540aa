public import HTTPMessages
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A source of access tokens for a service account, which asks Google only when it must.
///
/// A token is kept until a minute before its end. Concurrent callers share one request, which goes on
/// while any of them waits. Share one source among all clients of an account. Source: Google, "Using
/// OAuth 2.0 for server to server applications"; RFC 7523.
public final class AccessTokenSource: Sendable {
  public static let androidPublisher = "https://www.googleapis.com/auth/androidpublisher"

  public let account: GoogleServiceAccount
  let scope: String
  let transport: any HTTPTransport
  let timeout: Duration
  let now: @Sendable () -> Date
  private let kept = Locked<KeptToken?>(nil)
  private let flights = SingleFlight<Int, Result<AccessToken, AccessTokenFailure>>()

  /// Creates a source without a token.
  ///
  /// Several scopes are separated by spaces. A token request names the current time; Google tolerates a few
  /// minutes of difference.
  public init(
    account: GoogleServiceAccount, scope: String = AccessTokenSource.androidPublisher,
    transport: any HTTPTransport, timeout: Duration = .seconds(30),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.account = account
    self.scope = scope
    self.transport = transport
    self.timeout = timeout
    self.now = now
  }

  /// Returns a token that has at least a minute left, unless Google issues shorter ones.
  ///
  /// - Throws: ``AccessTokenFailure``. A failure is not kept: the next call asks again.
  package func token() async throws(AccessTokenFailure) -> AccessToken {
    try await result().get()
  }

  /// Drops a token that Google refused, so that the next call asks for another; a newer token stays.
  package func drop(_ token: AccessToken) {
    kept.withLock { if $0?.token == token { $0 = nil } }
  }

  func result() async -> Result<AccessToken, AccessTokenFailure> {
    if let token = current { return .success(token) }
    let result = await flights.value(for: 0) {
      // One may have arrived since the caller looked: each is kept before its request ends.
      if let token = self.current { return .success(token) }
      return await self.fetched()
    }
    return result ?? .failure(.cancelled)
  }

  private var current: AccessToken? {
    let now = now()
    return kept.withLock { $0.flatMap { $0.isCurrent(at: now) ? $0.token : nil } }
  }

  private func fetched() async -> Result<AccessToken, AccessTokenFailure> {
    do throws(AccessTokenFailure) {
      let token = try await fetch()
      kept.withLock { $0 = token }
      return .success(token.token)
    } catch {
      return .failure(error)
    }
  }
}

extension AccessTokenSource: CustomStringConvertible, CustomReflectable {
  /// The account, never a token.
  public var description: String { "AccessTokenSource(\(account.clientEmail))" }
  /// A mirror with the account, never a token.
  public var customMirror: Mirror { Mirror(self, children: ["account": account]) }
}

/// A bearer token for Google's APIs, which is never printed.
package struct AccessToken: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  package let value: String

  package var description: String { "AccessToken" }

  package var customMirror: Mirror { Mirror(self, children: [:]) }
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
