import HTTPMessages
import ReceiptModels
import ReceiptVerifier
import StorekeeperTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The simulated App Store in both environments, with its notifications.
///
/// Its clock runs with the machine's, from a start of its own, and can be advanced.
actor Simulation {
  let configuration: SimulatorConfiguration
  let authority: TestAuthority
  let clock = ManualClock()
  private let production: AppStoreSimulator
  private let sandbox: AppStoreSimulator
  private let realNow: @Sendable () -> Date
  private let realStart: Date
  /// The machine's elapsed time that the clock has followed.
  private var followed = Duration.zero
  /// By transaction identifier.
  private var purchases: [String: TestPurchase] = [:]
  /// The holders of subscriptions, by original transaction identifier.
  private var holders: [String: Holder] = [:]
  /// The packs that were bought, by transaction identifier.
  var boughtPacks: [String: BoughtPack] = [:]
  private(set) var deliveries: [Delivery] = []
  /// The address for notifications from now on; nil for none.
  private(set) var webhook: String?
  private(set) var versions: NotificationVersions
  /// The last notification of each environment's history that was taken to be listed.
  var taken: [AppStoreEnvironment: Int] = [:]
  /// The key of both environments for the server APIs.
  let serverAPIKey: TestServerAPIKey

  init(
    _ configuration: SimulatorConfiguration, authority: TestAuthority?,
    now: @escaping @Sendable () -> Date
  ) throws {
    let realStart = now()
    // A single authority, so that a server has one root to trust.
    let authority = try authority ?? .forReceipts()
    let signedDataAuthority = try authority.forSignedData()
    let clock = clock
    // One key serves both environments, as with Apple.
    let serverAPIKey = try configuration.serverAPIKey ?? TestServerAPIKey()
    func appStore(_ environment: AppStoreEnvironment, lastID: Int) throws -> AppStoreSimulator {
      try AppStoreSimulator(
        bundleID: configuration.bundleID, environment: environment,
        sharedSecret: AppSharedSecret(configuration.sharedSecret),
        products: configuration.products.map(\.product) + configuration.packs.map(\.product),
        appAppleID: configuration.appAppleID,
        authority: authority, signedDataAuthority: signedDataAuthority,
        serverAPIKey: serverAPIKey, clock: clock,
        start: configuration.start, lastTransactionID: lastID)
    }
    // A server that was used with an earlier simulator knows that one's numbers.
    let second = Int(realStart.timeIntervalSince1970)
    production = try appStore(.production, lastID: second * 100_000)
    sandbox = try appStore(.sandbox, lastID: 2_000_000_000_000_000 + second * 100_000)
    self.serverAPIKey = serverAPIKey
    for appStore in [production, sandbox] {
      // The webhook says what became of a notification.
      appStore.serverAPI.sendsByItself = false
      appStore.serverAPI.hasNotificationURL = Self.isNotified(
        configuration.webhook, configuration.versions)
    }
    self.configuration = configuration
    webhook = configuration.webhook
    versions = configuration.versions
    self.authority = authority
    realNow = now
    self.realStart = realStart
  }

  // MARK: Time

  /// The simulator's time.
  var now: Date {
    follow()
    return production.now
  }

  /// Whether the clock is ahead of the machine's by more than servers tolerate.
  var isAhead: Bool { now > realNow() + 300 }

  /// Advances the clock; returns the expiries of subscriptions that do not renew.
  func advance(by duration: Duration) throws(ControlRefusal) -> [Change] {
    follow()
    let ending = subscriptions.filter {
      $0.subscription.status == .active && $0.subscription.renewal.autoRenewStatus == .off
    }
    clock.advance(by: duration)
    var changes: [Change] = []
    for held in ending {
      let held = try find(held.subscription.originalTransactionID)
      if held.subscription.status == .expired { changes.append(try end(held)) }
    }
    return changes
  }

  private func follow() {
    let elapsed = Duration.seconds(realNow().timeIntervalSince(realStart))
    guard elapsed > followed else { return }
    clock.advance(by: elapsed - followed)
    followed = elapsed
  }

  // MARK: Subscriptions

  func appStore(_ environment: AppStoreEnvironment) -> AppStoreSimulator {
    environment == .sandbox ? sandbox : production
  }

  /// A subscription with its environment and newest purchase.
  struct Held: Sendable {
    let environment: AppStoreEnvironment
    let subscription: TestSubscription
    let newest: TestPurchase
  }

  private struct Holder {
    let environment: AppStoreEnvironment
    let customer: String
  }

  /// All subscriptions, most recently bought first.
  var subscriptions: [Held] {
    follow()
    return sorted(
      [AppStoreEnvironment.production, .sandbox].flatMap { environment in
        held(appStore(environment).subscriptions, in: environment)
      })
  }

  private func held(
    _ subscriptions: [TestSubscription], in environment: AppStoreEnvironment
  ) -> [Held] {
    subscriptions.compactMap { subscription in
      guard let id = subscription.transactions.last?.transactionID, let newest = purchases[id]
      else { return nil }
      return Held(environment: environment, subscription: subscription, newest: newest)
    }
  }

  private func sorted(_ all: [Held]) -> [Held] {
    all.sorted { one, other in
      let dates = (one.start, other.start)
      return dates.0 == dates.1
        ? one.subscription.originalTransactionID > other.subscription.originalTransactionID
        : dates.0 > dates.1
    }
  }

  func find(_ originalTransactionID: String) throws(ControlRefusal) -> Held {
    guard let holder = holders[originalTransactionID],
      let held = subscriptions(of: holder).first(where: {
        $0.subscription.originalTransactionID == originalTransactionID
      })
    else { throw .unknownSubscription }
    return held
  }

  /// Returns the subscription that a customer bought last.
  func find(
    customer: String, _ environment: AppStoreEnvironment
  ) throws(ControlRefusal) -> Held {
    let holder = Holder(environment: environment, customer: customer)
    guard let held = subscriptions(of: holder).first else { throw .unknownSubscription }
    return held
  }

  private func subscriptions(of holder: Holder) -> [Held] {
    follow()
    return sorted(
      held(
        appStore(holder.environment).subscriptions(of: holder.customer), in: holder.environment))
  }

  func purchase(_ transactionID: String) throws(ControlRefusal) -> TestPurchase {
    guard let purchase = purchases[transactionID] else { throw .unknownSubscription }
    return purchase
  }

  /// Records a purchase and its holder.
  func keep(
    _ purchase: TestPurchase, of customer: String, in environment: AppStoreEnvironment
  ) -> TestNotification {
    purchases[purchase.transactionID] = purchase
    holders[purchase.originalTransactionID] = Holder(
      environment: environment, customer: customer)
    return purchase.notification
  }

  // MARK: Notifications

  /// Sets the address and the versions of notifications from now on.
  func setWebhook(_ webhook: String?, _ versions: NotificationVersions) {
    self.webhook = webhook
    self.versions = versions
    for appStore in [production, sandbox] {
      appStore.serverAPI.hasNotificationURL = Self.isNotified(webhook, versions)
    }
  }

  /// Whether notifications of version 2 are sent.
  private static func isNotified(_ webhook: String?, _ versions: NotificationVersions) -> Bool {
    webhook != nil && (versions == .v2 || versions == .both)
  }

  /// Whether a notification is in the list.
  func isListed(_ uuid: String) -> Bool { deliveries.contains { $0.notification.uuid == uuid } }

  /// Records the notifications of an event; returns the numbers of those to be sent.
  func note(
    _ notification: Delivery.Notification, in environment: AppStoreEnvironment, customer: String
  ) -> [Int] {
    let url = versions == .none || notification.isLost ? nil : webhook
    var numbers: [Int] = []
    for version in versions.recorded {
      if version == .v1, notification.typeV1 == nil { continue }
      let number = (deliveries.last?.number ?? 0) + 1
      deliveries.append(
        Delivery(
          number: number, date: now, version: version, notification: notification,
          environment: environment, customer: customer, url: url,
          state: notification.isLost ? .lost : url == nil ? .unsent : .underWay))
      numbers.append(number)
    }
    // The limit keeps a page short that is open for days.
    if deliveries.count > 500 { deliveries.removeFirst(deliveries.count - 500) }
    return numbers
  }

  func delivery(_ number: Int) -> Delivery? { deliveries.last { $0.number == number } }

  func change(_ number: Int, _ body: (inout Delivery) -> Void) {
    guard let index = deliveries.lastIndex(where: { $0.number == number }) else { return }
    body(&deliveries[index])
  }
}

extension Simulation.Held {
  /// The date of the newest charge.
  fileprivate var start: Date { subscription.transactions.last?.purchaseDate ?? .distantPast }
}

/// Runs a call of the simulator, and converts its failure.
func refusing<Result>(
  _ body: () throws(SimulatorFailure) -> Result
) throws(ControlRefusal) -> Result {
  do throws(SimulatorFailure) {
    return try body()
  } catch {
    throw ControlRefusal(error)
  }
}
