import JSONValues
import ReceiptModels
import Storekeeper

extension Command {
  /// The verb in the message of a failure.
  var verb: String {
    switch self {
    case .serve, .digest: "start"
    case .decode: "decode"
    case .reconcile: "reconcile"
    case .recover: "recover"
    case .parked, .resend, .discard: "read the outbox"
    }
  }

  /// Checks whether the settings suffice for the task.
  func check(_ settings: Settings) throws(SettingsFailure) {
    switch self {
    case .reconcile where !settings.parts.contains(.subscriptions):
      throw SettingsFailure("reconcile repairs subscriptions; \(Setting.product.names) is needed")
    case .reconcile, .recover:
      guard settings.appStoreAccess == nil else { return }
      throw SettingsFailure("\(verb) asks Apple's API; \(Setting.appStoreKey.names) is needed")
    case .serve, .digest, .decode, .parked, .resend, .discard: return
    }
  }

  /// Does a task that ends by itself, and prints the result, one JSON object a line.
  func run(_ settings: Settings) async throws {
    let database = try await Database.open(settings)
    let lines: [JSONValue]
    do {
      lines =
        switch self {
        case .parked: try await ParkedMessages.lines(database.store)
        case .resend(let number): [try await ParkedMessages.free(number, database.store)]
        case .discard(let number): [try await ParkedMessages.discard(number, database.store)]
        case .serve, .digest, .decode, .reconcile, .recover:
          try await result(Assembly(settings, database: database).workers)
        }
    } catch {
      await database.close()
      throw error
    }
    await database.close()
    for line in lines { Output.standard.write(String(decoding: line.serialized, as: UTF8.self)) }
  }

  private func result(_ workers: Workers) async throws -> [JSONValue] {
    switch self {
    case .serve, .digest, .parked, .resend, .discard: []
    case .decode: [try await workers.decodeKept().json]
    case .reconcile(let id):
      [try await workers.appStore?.reconcile(id)].compactMap { $0?.json }
    case .recover(let date):
      // A date is given after a loss, of which Apple does not know.
      try await workers.appStore?.recover(since: date, date == nil ? .failures : .all)
        .map(\.json) ?? []
    }
  }
}

extension NotificationService.KeptResult {
  fileprivate var json: JSONValue {
    .object([
      "applied": .integer(applied), "refused": .integer(refused), "undecoded": .integer(undecoded),
    ])
  }
}

extension Reconciliation {
  fileprivate var json: JSONValue {
    func list(_ ids: [String]) -> JSONValue { .array(ids.sorted().map { .string($0) }) }
    return .object([
      "environment": .string(environment.rawValue), "transactions": .integer(transactions),
      "added": list(added), "revoked": list(revoked), "restored": list(restored),
      "subscriptions": list(subscriptions.map(\.originalTransactionID)),
      "refused": .integer(refused),
    ])
  }
}

extension NotificationRecovery.Report {
  fileprivate var json: JSONValue {
    .object([
      "environment": .string(environment.rawValue), "recovered": .integer(recovered),
      "repeated": .integer(repeated), "refused": .integer(refused),
      "refreshed": .integer(refreshed), "leasedElsewhere": .boolean(isLeasedElsewhere),
    ])
  }
}
