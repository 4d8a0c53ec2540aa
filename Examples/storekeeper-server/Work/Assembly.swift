import AppStoreServerAPI
import JWSVerifier
import MailDelivery
import PurchaseStorage
import ReceiptModels
import Storekeeper

/// The parts of the server, made from the settings.
struct Assembly {
  let site: Site
  let workers: Workers
  /// Nil without levels.
  let orders: OrderService?

  init(_ settings: Settings, database: Database, tokens: CurrentTokens? = nil) throws {
    let verifier = try SignedDataVerifier(
      apps: settings.apps, environments: [.production, .sandbox],
      trustAnchors: settings.trustAnchors(or: .appleRootCAG3), now: settings.now)
    let appStores = try settings.appStoreClients(verifier)
    let services = try Services(
      settings, store: database.store, verifier: verifier, appStores: appStores)
    orders = services.orders
    let (subscriptions, notifications) = (services.subscriptions, services.notifications)
    site = Site(
      api: services.api(
        settings, verifier: verifier, tokens: tokens ?? CurrentTokens(settings.tokens)),
      readiness: Self.readiness(of: database.store), failedSources: .known)
    workers = Workers(
      shop: services.shop, notifications: notifications,
      outbox: OutboxDelivery(
        store: database.store,
        handler: settings.handler(appStores.first, database.store), now: settings.now,
        report: { ServerLog.note($0) }),
      backlog: BacklogLog(store: database.store, now: settings.now),
      refreshes: subscriptions.map { RefreshJob(subscriptions: $0) },
      retention: try RetentionJob(
        store: database.store, configuration: settings.retention,
        now: settings.now),
      appStore: try notifications.flatMap { notifications in
        guard !appStores.isEmpty else { return nil }
        return try AppStoreWork(
          appStores, subscriptions: subscriptions, notifications: notifications,
          settings: settings)
      },
      validations: settings.validatesPeriodically ? services.entitlements : nil,
      voided: services.orders == nil
        ? nil : services.playNotifications.map { VoidedPurchaseRecovery($0) },
      settings: settings)
  }

  /// Returns a check whether the store reads and writes.
  private static func readiness(of store: any PurchaseStore) -> Readiness {
    let trial = WriteTrial { await Database.keeps(store) }
    return Readiness {
      guard await Database.answers(store) else { return false }
      return await trial.passes()
    }
  }
}

extension Settings {
  /// The handler of e-mails and of all that nothing else delivers; without a mail server, e-mails stay in the outbox.
  private var mailer: any OutboxHandler {
    guard let mail else { return MessageLog(heldKinds: [.link, .unlink]) }
    return OutboxMailer(
      server: mail.server, from: mail.sender, accounts: accountDirectory,
      templates: mail.templates, otherMessages: MessageLog(), now: now)
  }

  /// The handler of the outbox, which answers requests for consumption information and acknowledges Google's
  /// purchases where that is set.
  fileprivate func handler(
    _ appStore: AppStoreServerClient?, _ store: any PurchaseStore
  ) -> any OutboxHandler {
    var others = mailer
    if let google {
      others = AcknowledgementDelivery(
        google.client, store: store, otherMessages: others, now: now)
    }
    guard let appStore, let consumption else { return others }
    return ConsumptionDelivery(
      appStore: appStore, answerer: OneConsumption(information: consumption),
      store: store, otherMessages: others, now: now,
      report: { ServerLog.note($0) })
  }
}
