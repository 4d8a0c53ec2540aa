import JSONValues
import StorekeeperHTTP
import StorekeeperLocks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The tokens of the settings, which can be read again while the server runs, so that one can be withdrawn.
final class CurrentTokens: Authenticator {
  private struct List {
    let tokens: BearerTokens
    let count: Int
    let ends: [Date]

    init(_ entries: [BearerTokens.Entry]) {
      tokens = BearerTokens(entries)
      count = entries.count
      ends = entries.compactMap(\.expires)
    }
  }

  private let list: Locked<List>
  /// The name for the log.
  private let name: String

  init(_ entries: [BearerTokens.Entry], name: String = "tokens") {
    list = Locked(List(entries))
    self.name = name
  }

  /// The tokens for the desk.
  static func ofDesk(_ settings: Settings) -> CurrentTokens {
    CurrentTokens(settings.desk.tokens, name: "desk tokens")
  }

  func caller(token: String) async throws -> Caller {
    try await list.withLock { $0.tokens }.caller(token: token)
  }

  /// Returns the moment at which the first of the tokens ends that have not ended yet; nil if there is none.
  func firstEnd(after now: Date) -> Date? {
    list.withLock { $0.ends }.filter { now < $0 }.min()
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
      ServerLog.note("\(name) refused", ["reason": .string(reason)])
      return
    }
    let new = List(entries)
    let before = list.withLock { list in
      defer { list = new }
      return list.count
    }
    ServerLog.note("\(name) reloaded", ["tokens": .integer(new.count), "before": .integer(before)])
  }
}
