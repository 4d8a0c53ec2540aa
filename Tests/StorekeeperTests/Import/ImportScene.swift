import Foundation
import InMemoryStorage
import StoreSimulators
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting

/// Customers of both stores, each with an account of the same name, and the table that another system has of them.
///
/// A third of them have a receipt, a third a transaction ID, and a third a purchase token; every tenth of the last buys
/// a theme.
struct ImportScene: Sendable {
  /// The number of customers, which `STOREKEEPER_IMPORTED_CUSTOMERS` replaces.
  static let customers =
    ProcessInfo.processInfo.environment["STOREKEEPER_IMPORTED_CUSTOMERS"].flatMap { Int($0) } ?? 500
  static let columns: ImportColumns = {
    var columns = ImportColumns()
    columns.account = ["account", "other_account"]
    columns.receipt = ["receipt"]
    columns.transactionID = ["transaction"]
    columns.purchaseToken = ["token"]
    return columns
  }()
  static let header = "account,other_account,receipt,transaction,token"

  let appStore: AppStoreSimulator
  let play: PlayStoreSimulator
  let verifier: SignedDataVerifier
  let accounts: InMemoryAccountDirectory
  let store: any PurchaseStore
  /// The rows of the customers, in the order of their numbers.
  let lines: [String]
  /// What the simulators know of their purchases: the customer, the identifier and the end.
  let purchases: Set<String>

  init(customers: Int) async throws {
    let clock = ManualClock()
    let appStore = try AppStoreSimulator(bundleID: ServiceScene.bundleID) {
      $0.authority = ServiceScene.authority
      $0.start = ServiceScene.start
      $0.clock = clock
    }
    let play = try PlayStoreSimulator(
      packageName: ServiceScene.bundleID,
      products: [
        PlayProduct(
          "basic_monthly",
          .subscription([
            PlayBasePlan("monthly", period: .days(30), price: PlayPrice(units: 4))
          ])), PlayProduct("gold_theme", .oneTime),
      ]
    ) {
      $0.serviceAccount = PlayScene.account
      $0.start = ServiceScene.start
      $0.clock = clock
    }
    play.settings.acknowledgementPeriod = .days(1000)
    var (lines, known) = ([String](), Set<String>())
    for number in 0..<customers {
      let name = "customer-\(number)"
      switch number % 3 {
      case 0, 1:
        let bought = try appStore.buy(ServiceScene.monthly, by: name)
        let end = bought.receiptContent.purchases.last?.expiresDate
        known.insert("\(name) \(bought.originalTransactionID) \(Self.text(end))")
        lines.append(
          number % 3 == 0
            ? "\(name),,\(try bought.receipt),,"
            : "\(name),,,\(bought.originalTransactionID),")
      default:
        if number % 30 == 2 {
          let bought = try play.buy("gold_theme", by: name)
          known.insert("\(name) \(bought.purchaseToken) theme")
          lines.append("\(name),,,,\(bought.purchaseToken)")
        } else {
          let bought = try play.subscribe("basic_monthly", by: name)
          known.insert("\(name) \(bought.purchaseToken) \(Self.text(bought.expiry))")
          lines.append("\(name),,,,\(bought.purchaseToken)")
        }
      }
    }
    self.appStore = appStore
    self.play = play
    (self.lines, purchases) = (lines, known)
    verifier = try SignedDataVerifier(
      apps: [App(bundleID: appStore.bundleID, appAppleID: appStore.appAppleID)],
      environments: [.production, .sandbox],
      trustAnchors: [appStore.authority.trustAnchor, appStore.signedDataAuthority.trustAnchor],
      now: { appStore.now })
    accounts = InMemoryAccountDirectory(
      (0..<customers).map { Account(id: AccountID(stored: "customer-\($0)")) }
        + [Account(id: "rival")])
    store = try await StoreScope.emptyStore()
  }

  static func text(_ date: Date?) -> String {
    date.map { String(Int($0.timeIntervalSince1970.rounded())) } ?? "-"
  }

  func pass(_ duration: Duration) { appStore.clock.advance(by: duration) }

  /// Services and an import on the store of the scene, or on one that passes its writes on.
  func host(
    on wrapped: (any PurchaseStore)? = nil, transfer: TransferOptions = .never,
    counting environments: CountedEnvironments = .all
  ) throws -> ImportHost {
    try ImportHost(self, on: wrapped ?? store, transfer, environments)
  }

  // MARK: What is stored

  /// What accounts have, as ``purchases`` tells it.
  func holdings() async throws -> Set<String> {
    var found: Set<String> = []
    for key in try await keys() {
      let (id, environment) = (key.originalTransactionID, key.environment)
      let (subscription, association, receipt, memberships) = try await store.read { records in
        (
          try await records.storedSubscriptions.find([id]).first?.subscription,
          try await records.associations.find([id], environment: environment).first,
          try await records.purchases.receipt(of: id, environment: environment),
          try await records.memberships.find(account: nil, appleSubscriptionIDs: [id])
        )
      }
      guard let user = association?.userID else { continue }
      let isGoogle = id.hasPrefix("google")
      var end = "theme"
      if let subscription {
        // One without a membership counts for nothing.
        guard subscription.owner == user || memberships.first?.accountID == user else { continue }
        end = Self.text(subscription.expiresDate)
      }
      found.insert("\(user) \(isGoogle ? receipt?.receipt ?? "" : id) \(end)")
    }
    return found
  }

  /// All rows that an import may write, without the moments at which a store told of them.
  func records() async throws -> [String] {
    var rows: [String] = []
    for key in try await keys() {
      let (id, environment) = (key.originalTransactionID, key.environment)
      rows += try await store.read { records in
        let transactions = try await records.purchases.transactions(
          of: [id], environment: environment)
        let renewals = try await records.purchases.renewals(of: [id], environment: environment)
        let subscriptions = try await records.storedSubscriptions.find([id])
        let associations = try await records.associations.find([id], environment: environment)
        let memberships = try await records.memberships.find(
          account: nil, appleSubscriptionIDs: [id])
        return transactions.map { row in
          var row = row
          row.signedDate = nil
          return "\(row)"
        }
          + renewals.map { row in
            var row = row
            row.signedDate = nil
            return "\(row)"
          }
          + subscriptions.map { "\($0.subscription.owner ?? "-") \($0.subscription.expiresDate)" }
          + associations.map { "\($0)" } + memberships.map { "\($0)" }
      }
    }
    let others = try await store.read { records in
      let disputes = try await records.memberships.disputes(DisputeQuery(), limit: 100)
      return [
        "disputes \(disputes.count)", "waiting \(try await records.outbox.backlog().waiting)",
      ]
    }
    return rows.sorted() + others
  }

  private func keys() async throws -> [ReceiptCursor] {
    var keys: [ReceiptCursor] = []
    while true {
      let last = keys.last
      let page = try await store.read {
        try await $0.purchases.purchases(after: last, limit: 100)
      }
      guard !page.isEmpty else { return keys }
      keys += page
    }
  }
}

/// The services of a host that moves in.
struct ImportHost: Sendable {
  let context: PurchaseContext
  let subscriptions: SubscriptionService
  let entitlements: EntitlementService
  var work: PurchaseImport
  let clock = LeapingClock()

  init(
    _ scene: ImportScene, on store: any PurchaseStore, _ transfer: TransferOptions,
    _ environments: CountedEnvironments
  ) throws {
    let (appStore, play) = (scene.appStore, scene.play)
    context = PurchaseContext(
      store: store, accounts: scene.accounts, verifier: scene.verifier, now: { appStore.now },
      report: { _ in })
    let products = ProductMap([
      ServiceScene.monthly: Plan(tier: .standard, cycle: .month),
      "basic_monthly": Plan(tier: .standard, cycle: .month),
    ])
    var links = LinkOptions()
    (links.transfer, links.allowedEnvironments) = (transfer, environments)
    subscriptions = try SubscriptionService(context, products: products, options: links)
    let playClient = try PlayScene.client(of: play, play, packageName: play.packageName)
    var options = try EntitlementOptions(environments: environments)
    options.transfer = transfer
    let app = EntitledApp(
      bundleID: appStore.bundleID, catalog: try ProductCatalog(json: Array(RebuildScene.list.utf8)),
      options: options, googlePlay: playClient)
    entitlements = try EntitlementService(context, apps: [app], subscriptions: subscriptions)
    work = PurchaseImport(
      context, subscriptions: subscriptions, entitlements: entitlements,
      stores: ImportStores(
        receipts: try ServiceScene.client(of: appStore),
        appStores: [try ServerScene.client(of: appStore, appStore, scene.verifier)],
        googlePlay: [playClient]), clock: clock)
    work.batchSize = 20
    work.concurrency = 8
  }

  /// Imports a table with these lines after the header; `note` gets the results.
  @discardableResult
  func run(
    _ lines: [String],
    then note: @escaping @Sendable (PurchaseImport.Step) throws -> Void = { _ in }
  ) async throws -> ImportReport {
    let bytes = Array(([ImportScene.header] + lines).joined(separator: "\r\n").utf8)
    let format = ImportFormat.table(ImportScene.columns)
    let file = try await ImportFile(format, reading: TextPieces(bytes).next)
    return try await work.run(
      ImportRows(format, reading: TextPieces(bytes).next), of: file, then: note)
  }

  /// The results of lines, by the number of the row.
  func results(_ lines: [String]) async throws -> [ImportResult] {
    let results = Locked<[ImportResult]>([])
    try await run(lines) { step in results.withLock { $0 += step.results } }
    return results.withLock { $0 }
  }
}

/// The bytes of a file in pieces.
final class TextPieces: Sendable {
  private let rest: Locked<ArraySlice<UInt8>>
  private let length: Int

  init(_ bytes: [UInt8], length: Int = 5000) {
    rest = Locked(bytes[...])
    self.length = length
  }

  @Sendable func next() async throws -> [UInt8]? {
    rest.withLock { rest in
      guard !rest.isEmpty else { return nil }
      defer { rest = rest.dropFirst(length) }
      return Array(rest.prefix(length))
    }
  }
}

/// A clock on which a sleep takes no time but its own.
final class LeapingClock: Clock {
  struct Instant: InstantProtocol {
    var elapsed: Duration
    func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }
    func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
    static func < (one: Instant, other: Instant) -> Bool { one.elapsed < other.elapsed }
  }

  private let time = Locked(Instant(elapsed: .zero))
  private let listener = Locked<(@Sendable (Duration) -> Void)?>(nil)

  /// Has a closure called with each time that passes.
  func whenSlept(_ body: @escaping @Sendable (Duration) -> Void) {
    listener.withLock { $0 = body }
  }

  var now: Instant { time.withLock { $0 } }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    let passed = time.withLock { time in
      let passed = max(.zero, time.duration(to: deadline))
      time = time.advanced(by: passed)
      return passed
    }
    listener.withLock { $0 }?(passed)
  }
}
