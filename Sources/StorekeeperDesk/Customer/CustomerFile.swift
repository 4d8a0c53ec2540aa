internal import CreditPolicy
internal import EntitlementPolicy
internal import LinkPolicy
internal import OrderPolicy
internal import PurchaseStorage
internal import ReceiptModels
internal import Storekeeper

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// All that is known about one account, as of one moment.
struct CustomerFile: Sendable {
  /// The identifier that was asked about.
  let id: AccountID
  /// The account by the host's records; nil if the host does not know it.
  var account: Account?
  var emailAddress: String?
  /// The moment for which the page is true.
  let moment: Date
  /// Whether the moment is the present one.
  let isNow: Bool
  /// The lengths of non-renewing subscriptions by product.
  var durations: [String: Duration] = [:]
  /// The ends of the account's non-renewing subscriptions, of which each begins at the end of the one before.
  var seasonEnds: [Season: Date] = [:]

  /// The memberships of the account, from any source; by the rules there is one at most.
  var memberships: [Membership] = []
  /// The membership that counts, with the end of its access.
  var held: HeldMembership?
  /// The purchases that the account has by any capability.
  var purchases: [HeldPurchase] = []
  /// The purchases that the account has asked for and does not have, with the dates of the last time.
  var wanted: [(purchase: HeldPurchase, date: Date)] = []
  /// What happened to memberships of the account, the newest first.
  var changes: [MembershipEvent] = []
  /// What the account may use in each app.
  var entitlements: [Entitlements] = []
  var order: OrderedSubscription?
  /// Whether orders are served, of which one that ended is found by its purchase only.
  var hasOrders = false
  /// The events that told of the account, the newest first.
  var events: [EventRecord] = []
  /// The messages to the account, such as e-mails, the newest first.
  var messages: [KeptMessage] = []
  /// What support did for the account, the newest first.
  var acts: [SupportAct] = []
  var credits: CreditFile?
  /// Whether the account has more purchases than the page shows.
  var isCut = false
  /// The environments that count for memberships of the account.
  var linkOptions = LinkOptions()

  /// A non-renewing subscription, however often it was bought.
  struct Season: Hashable, Sendable {
    var productID: String
    var environment: AppStoreEnvironment
  }

  /// The credits of an account.
  struct CreditFile: Sendable {
    var balance: Int
    var total: Int
    /// The entries of one page, the newest first.
    var entries: [LedgerEntry]
    var packs: [CreditTransaction]
  }

  /// The account, or one with the identifier alone if the host does not know it.
  var holder: Account { account ?? Account(id: id) }

  /// Whether nothing is stored about the account.
  var isEmpty: Bool {
    memberships.isEmpty && purchases.isEmpty && wanted.isEmpty && changes.isEmpty && order == nil
      && credits.map { $0.total == 0 && $0.packs.isEmpty } ?? true && events.isEmpty
      && messages.isEmpty
  }

  /// Returns the state of a purchase at the moment; nil if no charge is stored.
  func summary(of purchase: HeldPurchase) -> SubscriptionSummary? {
    purchase.summary(at: moment, durations: durations)
  }
}

extension Desk {
  /// Reads the file of an account.
  ///
  /// - Throws: An error of the store or of the host's accounts.
  func file(of id: AccountID, at moment: Date?, ledgerPage: Int = 1) async throws -> CustomerFile {
    let now = now()
    var blank = CustomerFile(id: id, moment: moment ?? now, isNow: moment == nil)
    blank.account = try await context.accounts.account(knownAs: id)
    blank.emailAddress = try await context.accounts.emailAddress(of: blank.account?.id ?? id)
    let account = blank.holder
    let empty = blank
    var file = try await read { records in
      try await filled(empty, of: account, ledgerPage: ledgerPage, records)
    }
    file.durations = durations(of: file.purchases)
    file.seasonEnds = seasonEnds(of: account, among: file.purchases)
    for bundleID in entitlements?.apps.bundleIDs ?? [] {
      if let entitlements = try await entitlements?.products(of: account.id, in: bundleID) {
        file.entitlements.append(entitlements)
      }
    }
    return file
  }
}

extension Desk {
  /// The lengths of the non-renewing subscriptions among purchases, by product.
  func durations(of purchases: [HeldPurchase]) -> [String: Duration] {
    guard let apps = entitlements?.apps else { return [:] }
    let products = Set(purchases.flatMap { $0.history?.transactions.map(\.productID) ?? [] })
    var durations: [String: Duration] = [:]
    for bundleID in apps.bundleIDs {
      for product in products {
        if let length = apps[bundleID]?.options.durations[product] { durations[product] = length }
      }
    }
    return durations
  }

  /// Returns the ends of an account's non-renewing subscriptions.
  private func seasonEnds(
    of account: Account, among purchases: [HeldPurchase]
  ) -> [CustomerFile.Season: Date] {
    var ends: [CustomerFile.Season: Date] = [:]
    guard let apps = entitlements?.apps else { return ends }
    for bundleID in apps.bundleIDs {
      guard let app = apps[bundleID] else { continue }
      let own = purchases.filter { $0.isHeld(by: account, in: bundleID) }
      let bought = AppPurchases(
        bundleID: bundleID, transactions: own.flatMap { $0.history?.transactions ?? [] },
        catalog: app.catalog, durations: app.options.durations)
      for season in bought.subscriptions where app.options.durations[season.productID] != nil {
        ends[.init(productID: season.productID, environment: season.environment)] =
          season.expiresDate
      }
    }
    return ends
  }

  /// Reads what one unit of work shows about an account.
  private func filled(
    _ file: CustomerFile, of account: Account, ledgerPage: Int, _ records: UnitOfWork
  ) async throws -> CustomerFile {
    var file = file
    var keys = PurchaseKeys()
    if let options = subscriptions?.options {
      file.linkOptions = try await options.ending(in: records)
      try await file.readMemberships(of: account, &keys, records)
    }
    if let apps = entitlements?.apps {
      for user in account.identifiers {
        for row in try await records.associations.associations(of: user, in: apps.bundleIDs) {
          keys.add(row.originalTransactionID, row.environment)
        }
      }
    }
    try await file.readWanted(by: account, records)
    if orders != nil {
      file.hasOrders = true
      file.order = try await records.orderedSubscriptions.find(account.id)
      if let order = file.order {
        if let id = order.purchaseKey.originalTransactionID {
          keys.add(id, order.environment)
        }
      }
    }
    if credits != nil { file.credits = try await records.credits(of: account.id, page: ledgerPage) }
    for user in account.identifiers {
      if let events = records.common.events {
        file.events += try await events.newest(of: user, limit: HeldPurchase.pageSize)
      }
      file.messages += try await records.outbox.newest(to: user, limit: HeldPurchase.pageSize)
    }
    file.events.sort { $0.date > $1.date }
    file.messages.sort { $0.number > $1.number }
    if let acts = records.common.acts {
      file.acts = try await acts.acts(about: account.id, before: nil, limit: HeldPurchase.pageSize)
    }
    for key in keys.all {
      file.purchases.append(try await .load(key.id, in: key.environment, records))
    }
    file.isCut = file.isCut || keys.isFull
    let subscriptions = file.purchases.compactMap(\.subscription)
    let graceEnds =
      file.linkOptions.access == .gracePeriod
      ? try await records.gracePeriodEnds(of: subscriptions) : [:]
    file.held = HeldMembership.of(
      account, among: file.memberships, subscriptions, gracePeriodEnds: graceEnds,
      at: file.moment, options: file.linkOptions)
    return file
  }
}

extension CustomerFile {
  /// Reads the memberships of an account and what happened to them, and notes the purchases behind them.
  fileprivate mutating func readMemberships(
    of account: Account, _ keys: inout PurchaseKeys, _ records: UnitOfWork
  ) async throws {
    memberships = try await records.memberships.find(account: account, appleSubscriptionIDs: [])
    let ids = memberships.filter(\.isIAP).compactMap(\.originalTransactionID)
    for row in try await records.storedSubscriptions.find(ids) {
      keys.add(row.subscription.originalTransactionID, row.subscription.environment)
    }
    for user in account.identifiers {
      let page = try await records.storedSubscriptions.list(
        owner: user, offset: 0, limit: HeldPurchase.pageSize)
      isCut = isCut || page.total > page.subscriptions.count
      for row in page.subscriptions { keys.add(row.originalTransactionID, row.environment) }
      // The oldest come first.
      changes += try await records.memberships.history(
        of: .account(user), limit: HeldPurchase.historyLimit
      ).suffix(HeldPurchase.pageSize)
    }
    changes.sort { $0.date > $1.date }
  }

  /// Reads the purchases of others that an account asked for, as a membership or in an app.
  fileprivate mutating func readWanted(by account: Account, _ records: UnitOfWork) async throws {
    var asked: [String: Date] = [:]
    for user in account.identifiers {
      if records.subscriptions != nil {
        for dispute in try await records.memberships.disputes(
          DisputeQuery(of: .account(user)), limit: HeldPurchase.historyLimit)
        {
          let id = dispute.originalTransactionID
          asked[id] = max(dispute.date, asked[id] ?? .distantPast)
        }
      }
      if records.entitlements != nil {
        for conflict in try await records.associations.conflicts(
          of: user, limit: HeldPurchase.pageSize)
        {
          let id = conflict.originalTransactionID
          asked[id] = max(conflict.seenDate, asked[id] ?? .distantPast)
        }
      }
    }
    for (id, date) in asked.sorted(by: { $0.value > $1.value }).prefix(Self.wantedLimit) {
      let purchase = try await HeldPurchase.load(
        id, in: try await records.environment(ofDisputed: id), records)
      guard !purchase.owners.contains(where: account.isKnown) else { continue }
      wanted.append((purchase, date))
    }
  }

  /// The most purchases of others of which a page tells.
  private static let wantedLimit = 10
}

/// The purchases of an account, each once, up to the number that a page has.
private struct PurchaseKeys {
  private(set) var all: [(id: String, environment: AppStoreEnvironment)] = []
  private(set) var isFull = false

  mutating func add(_ id: String, _ environment: AppStoreEnvironment) {
    guard !all.contains(where: { $0.id.isSameText(as: id) && $0.environment == environment }) else {
      return
    }
    guard all.count < HeldPurchase.pageSize else {
      isFull = true
      return
    }
    all.append((id, environment))
  }
}

extension UnitOfWork {
  /// Returns the environment of a purchase that two accounts asked for, of which records of disputes say nothing.
  fileprivate func environment(ofDisputed id: String) async throws -> AppStoreEnvironment {
    if subscriptions != nil, let stored = try await storedSubscriptions.find([id]).first {
      return stored.subscription.environment
    }
    guard entitlements != nil else { return .production }
    for environment in [AppStoreEnvironment.production, .sandbox] {
      if try await !associations.find([id], environment: environment).isEmpty { return environment }
    }
    return .production
  }

  /// Returns the credits of a user, with one page of the ledger.
  fileprivate func credits(
    of user: AccountID, page: Int
  ) async throws -> CustomerFile.CreditFile {
    let limit = HeldPurchase.pageSize
    let (skipping, overflows) = (max(page, 1) - 1).multipliedReportingOverflow(by: limit)
    return CustomerFile.CreditFile(
      balance: try await creditLedger.balance(of: user),
      total: try await creditLedger.count(of: user),
      entries: overflows
        ? [] : try await creditLedger.entries(of: user, skipping: skipping, limit: limit),
      packs: try await creditTransactions.transactions(of: user, after: nil, limit: limit))
  }
}

extension Account {
  /// The identifiers by which the account is known.
  var identifiers: [AccountID] { [primaryID, secondID].compactMap(\.self) }
}
