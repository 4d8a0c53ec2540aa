import OrderPolicy
import JSONValues
import Storekeeper
import StorekeeperHTTP

/// The file with the subscription levels, which can be read again while the server runs.
struct LevelsFile: Sendable {
  private let path: String
  /// The levels that were read at the start.
  let levels: SubscriptionLevels

  /// Reads a file.
  ///
  /// - Throws: ``SettingsFailure`` if the file cannot be read, `SubscriptionLevelFailure` if it is refused.
  init(_ path: String) throws {
    self.path = path
    levels = try Self.read(path)
  }

  /// Reads the file again, stores its levels, and logs how many; a file that is refused changes nothing.
  func reload(into orders: OrderService) async {
    do {
      let levels = try Self.read(path)
      try await orders.replaceLevels(with: levels)
      ServerLog.note("levels reloaded", ["levels": .integer(levels.all.count)])
    } catch {
      ServerLog.note("levels refused", ["reason": .string(Self.reason(error))])
    }
  }

  /// The reason in one line, without values of the file but names of levels.
  static func reason(_ error: any Error) -> String {
    switch error {
    case let failure as SubscriptionLevelFailure: "\(failure)"
    case OrderFailure.levelsInUse(let names):
      "subscriptions have levels that are not in the file: \(names.prefix(5).joined(separator: ", "))"
    case let failure as SettingsFailure: "\(failure)"
    default: SafeText.of(error)
    }
  }

  private static func read(_ path: String) throws -> SubscriptionLevels {
    guard let bytes = RegularFile.contents(path, limit: SubscriptionLevels.maximumByteCount + 1)
    else { throw SettingsFailure.unreadable(path) }
    return try SubscriptionLevels(json: bytes)
  }
}
