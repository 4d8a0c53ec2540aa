import JSONValues
import StorekeeperHTTP
import StorekeeperLocks

/// The tokens of the settings, which can be read again while the server runs, so that one can be withdrawn.
final class CurrentTokens: Authenticator {
  private let tokens: Locked<BearerTokens>
  private let count: Locked<Int>

  init(_ entries: [BearerTokens.Entry]) {
    tokens = Locked(BearerTokens(entries))
    count = Locked(entries.count)
  }

  func caller(token: String) async throws -> Caller {
    try await tokens.withLock { $0 }.caller(token: token)
  }

  /// Takes the tokens of settings that were read again, and logs how many there are; settings with a mistake change
  /// nothing.
  func reload(_ read: () throws -> [BearerTokens.Entry]) {
    let entries: [BearerTokens.Entry]
    do {
      entries = try read()
    } catch {
      // A failure of settings is a line for people, without values of the settings.
      let reason = error is SettingsFailure ? "\(error)" : "the settings cannot be read"
      return ServerLog.note("tokens refused", ["reason": .string(reason)])
    }
    tokens.withLock { $0 = BearerTokens(entries) }
    let before = count.withLock { count in
      defer { count = entries.count }
      return count
    }
    ServerLog.note(
      "tokens reloaded", ["tokens": .integer(entries.count), "before": .integer(before)])
  }
}
