import AppStoreServerAPI
import CurlTransport
import GooglePlayVerifier
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

  init(
    _ settings: Settings, database: Database, tokens: CurrentTokens? = nil,
    deskTokens: CurrentTokens? = nil
  ) throws {
    let verifier = try SignedDataVerifier(
      apps: settings.apps, environments: [.production, .sandbox],
      trustAnchors: settings.trustAnchors(or: .appleRootCAG3), now: settings.now)
    let appStores = try settings.appStoreClients(verifier)
    let services = try Services(
      settings, store: database.store, verifier: verifier, appStores: appStores)
    orders = services.orders
    let (subscriptions, notifications) = (services.subscriptions, services.notifications)
    site = Site(
      api: try services.api(
        settings, verifier: verifier, tokens: tokens ?? CurrentTokens(settings.tokens),
        deskTokens: deskTokens ?? .ofDesk(settings),
        appStores: appStores),
      readiness: Self.readiness(of: database.store), failedSources: .known)
    let appStore = try notifications.flatMap { notifications in
      guard !appStores.isEmpty else { return nil as AppStoreWork? }
      return try AppStoreWork(
        appStores, subscriptions: subscriptions, notifications: notifications, settings: settings)
    }
    let voided = services.playNotifications.map { VoidedPurchaseRecovery($0) }
    let shop = services.shop
    var outbox = OutboxDelivery(
      store: shop.store, handlers: settings.handlers(appStores.only, shop), now: settings.now,
      report: shop.tell)
    outbox.telemetry = shop.telemetry
    workers = Workers(
      shop: shop, notifications: notifications,
      outbox: outbox, backlog: BacklogLog(store: shop.store, now: settings.now),
      refreshes: subscriptions.map { RefreshJob(subscriptions: $0) },
      retention: try RetentionJob(
        store: shop.store, configuration: settings.retention,
        now: settings.now),
      appStore: appStore,
      validations: settings.validatesPeriodically ? services.entitlements : nil,
      voided: voided,
      rebuild: appStore == nil && voided == nil
        ? nil : Rebuild(shop, apple: appStore?.recoveries ?? [], google: voided),
      purchases: PurchaseImport(
        shop, subscriptions: services.subscriptions, entitlements: services.entitlements,
        stores: try settings.importStores(appStores)),
      events: EventLog(services.shop),
      eraser: AccountEraser(
        shop, receiptCaches: services.subscriptions?.receiptCaches ?? []),
      senders: settings.senders(services.shop), forwarders: settings.forwarders(services.shop),
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
  /// The senders of events, one for each endpoint.
  fileprivate func senders(_ shop: PurchaseContext) -> [WebhookSender] {
    endpoints.map { WebhookSender(shop, to: $0, transport: outgoing) }
  }

  /// The senders of notifications, one for each server that wants them.
  fileprivate func forwarders(_ shop: PurchaseContext) -> [NotificationForwarder] {
    forwardTargets.map { NotificationForwarder(shop, to: $0, transport: outgoing) }
  }

  private var outgoing: CurlHTTPTransport {
    CurlHTTPTransport(addresses: allowsPrivateWebhooks ? .all : .publicOnly)
  }

  /// The handlers of the outbox: one for e-mails, one that answers the stores' questions about refunds and one that
  /// acknowledges Google's purchases where that is set, and one for all that nothing else delivers.
  fileprivate func handlers(
    _ appStore: AppStoreServerClient?, _ shop: PurchaseContext
  ) -> [any OutboxHandler] {
    var handlers: [any OutboxHandler] = []
    // Where no file has the answer, questions wait for support, if there is a desk.
    let answerer = OneConsumption(information: consumption, review: refundReview)
    if let appStore, consumption != nil || desk.isServed {
      handlers.append(
        refundDelivery(shop, appStore: appStore, answerer: consumption == nil ? nil : answerer))
    }
    if let play = google?.client, refundReview != nil || desk.isServed {
      handlers.append(
        refundDelivery(shop, play: play, answerer: refundReview == nil ? nil : answerer))
    }
    if let google {
      handlers.append(AcknowledgementDelivery(google.client, store: shop.store, now: now))
    }
    if let mail {
      handlers.append(
        OutboxMailer(
          server: mail.server, from: mail.sender, accounts: accountDirectory,
          templates: mail.templates, now: now))
    }
    // Without a mail server, e-mails stay in the outbox.
    handlers.append(MessageLog(heldKinds: heldKinds))
    return handlers
  }
}

extension Settings {
  /// The delivery of answers to a store's questions about refunds.
  func refundDelivery(
    _ shop: PurchaseContext, appStore: AppStoreServerClient? = nil, play: GooglePlayClient? = nil,
    answerer: OneConsumption? = nil
  ) -> ConsumptionDelivery {
    ConsumptionDelivery(
      appStore: appStore, play: play, answerer: answerer, store: shop.store, now: now,
      report: shop.tell)
  }

  /// The kinds of messages that nobody delivers.
  var heldKinds: Set<OutboxMessage.Kind> { mail == nil ? mailTemplates.kinds : [] }

  /// The kinds of messages that wait for support.
  var kindsForSupport: Set<OutboxMessage.Kind> {
    var kinds: Set<OutboxMessage.Kind> = []
    if desk.isServed, consumption == nil { kinds.insert(.consumption) }
    if desk.isServed, refundReview == nil { kinds.insert(.refundReview) }
    return kinds
  }
}

extension [AppStoreServerClient] {
  /// The client of the only app; nil for several, as a question about a refund does not tell of which app it is.
  var only: AppStoreServerClient? { count == 1 ? first : nil }
}

/// The same answer about every purchase of a store, in place of a host's own.
struct OneConsumption: ConsumptionAnswerer {
  let information: ConsumptionRequest?
  let review: OrdersReviewRefundRequest?

  func answer(to question: ConsumptionQuestion) -> ConsumptionAnswer? {
    switch question.purchase {
    case .google: return review.map { .review($0) }
    case .apple(let reviewed):
      // Advanced Commerce takes version 1, which tells of the customer what no file can know.
      guard !reviewed.isAdvancedCommerce, var information else { return nil }
      if reviewed.transaction.payload.type == .autoRenewableSubscription {
        information.consumptionPercentage = nil
      }
      return .information(information)
    }
  }
}
