import HTTPMessages
import ReceiptModels
import ReceiptVerifier
import StoreSimulators
import StorekeeperTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The simulated App Store in both environments, with the apps of one developer and its notifications.
///
/// Its clock runs with the machine's, from a start of its own, and can be advanced.
actor Simulation {
  let configuration: SimulatorConfiguration
  /// The authority of receipts.
  let authority: TestAuthority
  /// The authority of notifications and transactions.
  let signedDataAuthority: TestAuthority
  let clock = ManualClock()
  private let production: TestDeveloper
  private let sandbox: TestDeveloper
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
  /// The address of the host's desk, to which the page links its customers' purchases; nil for none.
  private(set) var desk: String?
  /// The last notification of each history that was taken to be listed.
  var taken: [Shop: Int] = [:]
  /// Whether nobody can reach Apple, and Apple reaches nobody.
  var isAway = false
  /// The key of both environments for the server APIs.
  let serverAPIKey: TestServerAPIKey

  init(
    _ configuration: SimulatorConfiguration, authority: TestAuthority?,
    now: @escaping @Sendable () -> Date
  ) throws {
    let realStart = now()
    // Two authorities, as Apple's: a server trusts one root for receipts and one for signed data.
    let authority = try authority ?? .forReceipts()
    let signedDataAuthority = try TestAuthority.forSignedData()
    let clock = clock
    // One key serves both environments, as with Apple.
    let serverAPIKey = try configuration.serverAPIKey ?? TestServerAPIKey()
    func developer(_ environment: AppStoreEnvironment, lastID: Int) throws -> TestDeveloper {
      try TestDeveloper(
        apps: zip(0..., configuration.apps).map { $1.app($0) }, environment: environment
      ) {
        $0.sharedSecret = AppSharedSecret(configuration.sharedSecret)
        $0.authority = authority
        $0.signedDataAuthority = signedDataAuthority
        $0.serverAPIKey = serverAPIKey
        $0.clock = clock
        $0.start = configuration.start
        $0.lastTransactionID = lastID
      }
    }
    // A server that was used with an earlier simulator knows that one's numbers.
    let second = Int(realStart.timeIntervalSince1970)
    production = try developer(.production, lastID: second * 100_000)
    sandbox = try developer(.sandbox, lastID: 2_000_000_000_000_000 + second * 100_000)
    self.serverAPIKey = serverAPIKey
    for appStore in production.apps + sandbox.apps {
      // The webhook says what became of a notification.
      appStore.serverAPI.sendsByItself = false
      appStore.serverAPI.hasNotificationURL = Self.isNotified(
        configuration.webhook, configuration.versions)
    }
    self.configuration = configuration
    webhook = configuration.webhook
    desk = configuration.desk
    versions = configuration.versions
    self.authority = authority
    self.signedDataAuthority = signedDataAuthority
    realNow = now
    self.realStart = realStart
  }

  // MARK: Time

  /// The simulator's time.
  var now: Date {
    follow()
    return production.apps[0].now
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

  /// Returns all apps of the developer in an environment.
  func developer(_ environment: AppStoreEnvironment) -> TestDeveloper {
    environment == .sandbox ? sandbox : production
  }

  /// Returns the App Store of an app; that of the first one, if there is no such app.
  func appStore(_ shop: Shop) -> AppStoreSimulator {
    let developer = developer(shop.environment)
    return developer[shop.app] ?? developer.apps[0]
  }

  /// The apps in an environment.
  func shops(_ environment: AppStoreEnvironment) -> [Shop] {
    configuration.apps.map { Shop(app: $0.bundleID, environment: environment) }
  }

  /// A subscription with its app and newest purchase.
  struct Held: Sendable {
    let shop: Shop
    let subscription: TestSubscription
    let newest: TestPurchase
  }

  private struct Holder {
    let shop: Shop
    let customer: String
  }

  /// All subscriptions, most recently bought first.
  var subscriptions: [Held] {
    follow()
    return sorted(
      (shops(.production) + shops(.sandbox)).flatMap { shop in
        held(appStore(shop).subscriptions, in: shop)
      })
  }

  private func held(_ subscriptions: [TestSubscription], in shop: Shop) -> [Held] {
    subscriptions.compactMap { subscription in
      guard let id = subscription.transactions.last?.transactionID, let newest = purchases[id]
      else { return nil }
      return Held(shop: shop, subscription: subscription, newest: newest)
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
      let held = subscriptions(of: [holder]).first(where: {
        $0.subscription.originalTransactionID == originalTransactionID
      })
    else { throw .unknownSubscription }
    return held
  }

  /// Returns the subscription that a customer bought last, in an app or in any.
  func find(
    customer: String, _ environment: AppStoreEnvironment, app: String? = nil
  ) throws(ControlRefusal) -> Held {
    let holders = shops(environment).filter { app == nil || $0.app == app }
      .map { Holder(shop: $0, customer: customer) }
    guard let held = subscriptions(of: holders).first else { throw .unknownSubscription }
    return held
  }

  private func subscriptions(of holders: [Holder]) -> [Held] {
    follow()
    return sorted(
      holders.flatMap { holder in
        held(appStore(holder.shop).subscriptions(of: holder.customer), in: holder.shop)
      })
  }

  func purchase(_ transactionID: String) throws(ControlRefusal) -> TestPurchase {
    guard let purchase = purchases[transactionID] else { throw .unknownSubscription }
    return purchase
  }

  /// Records a purchase and its holder.
  func keep(
    _ purchase: TestPurchase, of customer: String, in shop: Shop
  ) -> TestNotification {
    purchases[purchase.transactionID] = purchase
    holders[purchase.originalTransactionID] = Holder(shop: shop, customer: customer)
    return purchase.notification
  }

  // MARK: Notifications

  /// Sets the address and the versions of notifications from now on.
  func setWebhook(_ webhook: String?, _ versions: NotificationVersions) {
    self.webhook = webhook
    self.versions = versions
    for appStore in production.apps + sandbox.apps {
      appStore.serverAPI.hasNotificationURL = Self.isNotified(webhook, versions)
    }
  }

  /// Sets the address of the host's desk.
  func setDesk(_ address: String?) { desk = address }

  /// Whether notifications of version 2 are sent.
  private static func isNotified(_ webhook: String?, _ versions: NotificationVersions) -> Bool {
    webhook != nil && (versions == .v2 || versions == .both)
  }

  /// Whether a notification is in the list.
  func isListed(_ uuid: String) -> Bool { deliveries.contains { $0.notification.uuid == uuid } }

  /// Records the notifications of an event; returns the numbers of those to be sent.
  func note(
    _ notification: Delivery.Notification, in shop: Shop, customer: String
  ) -> [Int] {
    let isLost = notification.isLost || isAway
    let url = versions == .none || isLost ? nil : webhook
    if isAway { appStore(shop).recordAttempt(.noResponse, of: notification.uuid) }
    var numbers: [Int] = []
    for version in versions.recorded {
      if version == .v1, notification.typeV1 == nil { continue }
      let number = (deliveries.last?.number ?? 0) + 1
      deliveries.append(
        Delivery(
          number: number, date: now, version: version, notification: notification,
          shop: shop, customer: customer, url: url,
          state: isLost ? .lost : url == nil ? .unsent : .underWay))
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
