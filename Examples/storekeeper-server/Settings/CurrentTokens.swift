import JSONValues
import StorekeeperHTTP
import StorekeeperLocks

/// The tokens of the settings, which can be read again while the server runs, so that one can be withdrawn.
final class CurrentTokens: Authenticator {
  private struct List {
    let tokens: BearerTokens
    let count: Int

    init(_ entries: [BearerTokens.Entry]) {
      tokens = BearerTokens(entries)
      count = entries.count
    }
  }

  private let list: Locked<List>

  init(_ entries: [BearerTokens.Entry]) { list = Locked(List(entries)) }

  func caller(token: String) async throws -> Caller {
    try await list.withLock { $0.tokens }.caller(token: token)
  }

  /// Takes the tokens of settings that were read again, and logs how many there are; settings with a mistake change
  /// nothing.
  ///
  /// - Returns: The new tokens; nil if nothing changed.
  func reload(_ read: () throws -> [BearerTokens.Entry]) -> [BearerTokens.Entry]? {
    let entries: [BearerTokens.Entry]
    do {
      entries = try read()
    } catch {
      // A failure of settings is a line for people, without values of the settings.
      let reason = error is SettingsFailure ? "\(error)" : "the settings cannot be read"
      ServerLog.note("tokens refused", ["reason": .string(reason)])
      return nil
    }
    let new = List(entries)
    let before = list.withLock { list in
      defer { list = new }
      return list.count
    }
    ServerLog.note("tokens reloaded", ["tokens": .integer(new.count), "before": .integer(before)])
    return entries
  }
}
