import JSONValues
import PurchaseStorage
import ReceiptModels
import Storekeeper

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Command {
  /// The verb in the message of a failure.
  var verb: String {
    switch self {
    case .serve, .digest: "start"
    case .decode: "decode"
    case .reconcile: "reconcile"
    case .recover: "recover"
    case .rebuild: "rebuild"
    case .imports: "import"
    case .export: "export"
    case .testing(let ends): ends ? "end testing" : "resume testing"
    case .erase: "erase"
    case .parked, .resend, .discard: "read the outbox"
    case .disputes: "read the disputes"
    case .events: "read the events"
    case .report: "report"
    case .compareCatalog: "compare the catalog"
    }
  }

  /// Checks whether the settings suffice for the task.
  func check(_ settings: Settings) throws(SettingsFailure) {
    switch self {
    case .reconcile where !settings.parts.contains(.subscriptions):
      throw SettingsFailure("reconcile repairs subscriptions; \(Setting.product.names) is needed")
    case .disputes where !settings.parts.contains(.subscriptions):
      throw SettingsFailure("disputes are about subscriptions; \(Setting.product.names) is needed")
    case .rebuild(let since):
      guard since <= settings.now() else {
        throw SettingsFailure("rebuild --since takes a time that has been")
      }
      guard settings.appStoreAccess == nil, settings.google == nil else { return }
      throw SettingsFailure(
        "rebuild asks the stores; \(Setting.appStoreKey.names), or an account of Google, is needed")
    case .reconcile, .recover:
      guard settings.appStoreAccess == nil else { return }
      throw SettingsFailure("\(verb) asks Apple's API; \(Setting.appStoreKey.names) is needed")
    case .imports:
      guard !settings.parts.contains(.subscriptions), !settings.parts.contains(.entitlements)
      else { return }
      throw SettingsFailure(
        "import is for subscriptions and entitlements; \(Setting.product.names) or "
          + "\(Setting.catalog.names) is needed")
    case .compareCatalog:
      guard settings.google == nil else { return }
      throw SettingsFailure(
        "compare-catalog asks Google Play; \(Setting.googleServiceAccount.names) is needed")
    case .events(let command): try command.check(settings)
    case .report:
      guard !settings.keepsMoneyFigures else { return }
      throw SettingsFailure("report shows what --money-figures keeps; it is needed")
    case .serve, .digest, .decode, .testing, .parked, .resend, .discard, .disputes, .export,
      .erase:
      return
    }
  }

  /// Does a task that ends by itself, and prints the result, one JSON object a line.
  func run(_ settings: Settings) async throws {
    var settings = settings
    if case .compareCatalog = self { return try await CatalogComparison.run(settings) }
    // A fifth of Apple's rates is left to the server, which may run meanwhile.
    switch self {
    case .rebuild, .imports: settings.appStoreRate = settings.appStoreRate ?? 80
    default: break
    }
    let database = try await Database.open(settings)
    let result: Result
    do {
      result =
        switch self {
        case .parked: Result(try await ParkedMessages.lines(database.store))
        case .resend(let number): Result([try await ParkedMessages.free(number, database.store)])
        case .discard(let number):
          Result([try await ParkedMessages.discard(number, database.store)])
        case .testing(let ends): Result([try await setTesting(ends, database.store)])
        case .disputes(let date): Result(try await Disputes.lines(since: date, database.store))
        case .export(let withEvidence):
          try await export(Assembly(settings, database: database).workers.shop, withEvidence)
        case .erase(let order):
          Result([try await order.run(Assembly(settings, database: database).workers)])
        case .events(let command):
          Result(try await command.run(Assembly(settings, database: database).workers))
        case .report(let order): try await report(order, settings, database)
        case .serve, .digest, .decode, .reconcile, .recover, .rebuild, .imports, .compareCatalog:
          try await self.result(Assembly(settings, database: database).workers)
        }
    } catch {
      await database.close()
      throw error
    }
    await database.close()
    for line in result.lines {
      Output.standard.write(String(decoding: line.serialized, as: UTF8.self))
    }
    if let failure = result.failure { throw failure }
  }

  /// The lines to print, and the failure of a part of the task.
  private struct Result {
    var lines: [JSONValue]
    var failure: (any Error)?

    init(_ lines: [JSONValue], failure: (any Error)? = nil) {
      self.lines = lines
      self.failure = failure
    }
  }

  private func result(_ workers: Workers) async throws -> Result {
    switch self {
    case .serve, .digest, .testing, .parked, .resend, .discard, .disputes, .events, .report,
      .export, .erase,
      .compareCatalog:
      return Result([])
    case .decode: return Result([try await workers.decodeKept().json])
    case .reconcile(let id):
      return Result([try await workers.appStore?.reconcile(id)].compactMap { $0?.json })
    case .recover(let date):
      guard let appStore = workers.appStore else { return Result([]) }
      // A date is given after a loss, of which Apple does not know.
      let (reports, failure) = try await appStore.recover(
        since: date, date == nil ? .failures : .all)
      return Result(reports.map(\.json), failure: failure)
    case .rebuild(let date):
      guard let rebuild = workers.rebuild else { return Result([]) }
      let (summary, failure) = await RebuildRun(rebuild).run(since: date)
      return Result([summary], failure: failure)
    case .imports(let order):
      let (summary, failure) = try await ImportRun(workers.purchases, order).run()
      return Result([summary], failure: failure)
    }
  }

  /// Ends testing or resumes it, and returns the moment at which it ended.
  private func setTesting(_ ends: Bool, _ store: any PurchaseStore) async throws -> JSONValue {
    let end = TestingEnd(store)
    if ends { try await end.set() } else { try await end.remove() }
    let date = try await end.date
    return .object(["testingEnded": date.map { .string($0.formatted(.iso8601)) } ?? .null])
  }

  /// Prints a report of figures.
  private func report(
    _ order: ReportOrder, _ settings: Settings, _ database: Database
  ) async throws -> Result {
    let text = try await order.text(
      of: MoneyFigures(Assembly(settings, database: database).workers.shop), at: settings.now())
    try BlockingOutput.standard.write(Array(text.utf8))
    return Result([])
  }

  /// Prints the lines of an export as they are read.
  private func export(_ shop: PurchaseContext, _ withEvidence: Bool) async throws -> Result {
    var export = CustomerExport(shop)
    export.includesEvidence = withEvidence
    try await export.run { line in
      try BlockingOutput.standard.write(line.serialized + [UInt8(ascii: "\n")])
    }
    return Result([])
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
