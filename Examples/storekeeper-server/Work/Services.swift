import AppStoreServerAPI
import FileReceiptStorage
import GooglePlayVerifier
import JWSVerifier
import PurchaseStorage
import ReceiptModels
import ReceiptVerifier
import RedisReceiptStorage
import Storekeeper
import StorekeeperDesk
import StorekeeperHTTP
import StorekeeperMicroHTTPServer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The services of the parts that are served, with one service for the notifications of all.
struct Services {
  /// The parts that the services share.
  let shop: PurchaseContext
  /// Nil for a server without memberships.
  let subscriptions: SubscriptionService?
  /// Nil for a server without credits.
  let credits: CreditService?
  /// Nil for a server without entitlements.
  let entitlements: EntitlementService?
  /// Nil for a server without orders.
  let orders: OrderService?
  /// Nil for a server without any of these.
  let notifications: NotificationService?
  let playNotifications: PlayNotificationService?

  init(
    _ settings: Settings, store: any PurchaseStore, verifier: SignedDataVerifier,
    appStores: [AppStoreServerClient]
  ) throws {
    let context = PurchaseContext(
      store: store, accounts: settings.accountDirectory, verifier: verifier,
      sources: settings.sources(store.observed(by: settings.figures?.port), appStores),
      now: settings.now,
      report: { ServerLog.note($0) })
    var shop = settings.recordsEvents ? context.recordingEvents() : context
    if settings.keepsMoneyFigures { shop = shop.keepingMoneyFigures() }
    shop.telemetry = settings.figures?.port
    self.shop = shop
    subscriptions = try settings.subscriptions(shop)
    entitlements = try settings.entitlements(shop, subscriptions)
    credits = try settings.credits(shop)
    orders = try settings.orders(shop, subscriptions, entitlements, appStores)
    let receiveNotifications =
      subscriptions != nil || credits != nil || entitlements != nil || orders != nil
    var appleNotifications =
      receiveNotifications
      ? try NotificationService(
        shop, subscriptions: subscriptions, credits: credits, entitlements: entitlements,
        orders: orders, passwords: settings.sharedSecrets) : nil
    // The log shows them.
    appleNotifications?.events = NotificationService.hostEvents
    appleNotifications?.forwards = settings.forwardTargets
    notifications = appleNotifications
    playNotifications = try settings.google.map {
      [shop, subscriptions, entitlements, orders, credits] google in
      var service = try PlayNotificationService(
        shop, play: google.client, tokens: google.pushes, subscriptions: subscriptions,
        entitlements: entitlements, orders: orders)
      service.credits = credits
      service.forwards = settings.forwardTargets
      return service
    }
  }

  /// Returns the API of the parts that are served.
  func api(
    _ settings: Settings, verifier: SignedDataVerifier, tokens: CurrentTokens,
    deskTokens: CurrentTokens,
    appStores: [AppStoreServerClient]
  ) throws -> StorekeeperAPI {
    var apis: [any RequestResponder] = []
    var options = APIOptions()
    options.observer = AccessLog()
    options.trustsTraceFlags = settings.trustsTraceparent
    if let subscriptions {
      var api = SubscriptionAPI(
        subscriptions, notifications: notifications,
        retentionMessages: settings.retentionMessage.map { message in
          RetentionMessageService(
            verifier: verifier, answerer: OneMessage(identifier: message),
            report: shop.tell)
        },
        authenticator: tokens, mounts: settings.mounts + settings.legacyMounts, options: options)
      api.bodyLimit = settings.server.bodyLimit
      apis.append(api)
    }
    // The one path for Apple's notifications of all parts is that of subscriptions, if there are any, otherwise that of
    // entitlements, otherwise that of orders; credits have one more.
    if let credits, let sessions = settings.sessions {
      apis.append(
        CreditAPI(
          credits, notifications: notifications,
          playNotifications: settings.google?.pushes == nil ? nil : playNotifications,
          users: sessions,
          services: settings.tokens.isEmpty ? nil : tokens, options: options))
    }
    if let entitlements {
      var api = EntitlementAPI(
        entitlements, notifications: subscriptions == nil ? notifications : nil,
        users: settings.sessions,
        services: settings.tokens.isEmpty ? nil : tokens, options: options)
      if let keys = settings.statementKeys {
        api.statements = StatementService(entitlements, options: keys.options) { keys.keys }
      }
      // Google's notifications have one path too: that of orders, if there are any.
      if orders == nil, settings.google?.pushes != nil { api.playNotifications = playNotifications }
      apis.append(api)
    }
    if let orders {
      apis.append(
        OrderAPI(
          orders,
          notifications: subscriptions == nil && entitlements == nil ? notifications : nil,
          playNotifications: settings.google?.pushes == nil ? nil : playNotifications,
          users: settings.sessions,
          services: settings.tokens.isEmpty ? nil : tokens, options: options))
    }
    if let access = try settings.desk.access(deskTokens, now: settings.now) {
      var desk = Desk(shop)
      desk.subscriptions = subscriptions
      desk.credits = credits
      desk.entitlements = entitlements
      desk.orders = orders
      desk.appStores = appStores
      desk.refundAnswers = settings.refundDelivery(
        shop, appStore: appStores.only, play: settings.google?.client)
      desk.eraser = AccountEraser(shop, receiptCaches: subscriptions?.receiptCaches ?? [])
      desk.failingSources = {
        FailedSources.known.list().map { FailingSource($0.scope, since: $0.since) }
      }
      desk.rulesAddress = settings.desk.rulesAddress
      apis.append(DeskAPI(desk, access: access, options: options))
    }
    return StorekeeperAPI(apis)
  }
}

extension Settings {
  /// The authenticator of users; nil without a key.
  fileprivate var sessions: SessionTokens? {
    sessionKey.map { SessionTokens(key: $0, issuer: sessionIssuer, audience: sessionAudience) }
  }

  /// The service of subscriptions; nil if they are not served.
  fileprivate func subscriptions(_ shop: PurchaseContext) throws -> SubscriptionService? {
    guard parts.contains(.subscriptions) else { return nil }
    return try SubscriptionService(
      shop, products: products, appStore: try verifyReceiptClient(.subscriptionService),
      receiptCaches: try receiptCaches(), options: options)
  }

  /// The service of credits; nil if they are not served.
  fileprivate func credits(_ shop: PurchaseContext) throws -> CreditService? {
    guard let creditProducts else { return nil }
    var options = CreditOptions()
    options.environments = CountedEnvironments(creditEnvironments).with(testers)
    options.partialRefunds = partialRefunds
    return try CreditService(shop, options: options, googlePlay: google?.client) {
      creditProducts.products
    }
  }

  /// The service of entitlements, which memberships follow if they are served; nil without a product list.
  fileprivate func entitlements(
    _ shop: PurchaseContext, _ subscriptions: SubscriptionService?
  ) throws -> EntitlementService? {
    guard let productLists else { return nil }
    // Without the secret, Apple would leave out what subscriptions need.
    let client = sharedSecrets.isEmpty ? nil : try verifyReceiptClient(.entitlementService)
    let receipts =
      client == nil
      ? try AppReceiptVerifier(
        bundleIDs: Set(apps.map(\.bundleID)), environments: [.production, .sandbox],
        trustAnchors: trustAnchors(or: .appleRootCA), now: now) : nil
    return try EntitlementService(
      shop, subscriptions: subscriptions, appStore: client, receipts: receipts
    ) { productLists.apps }
  }

  /// The service of orders; nil without levels.
  fileprivate func orders(
    _ shop: PurchaseContext, _ subscriptions: SubscriptionService?,
    _ entitlements: EntitlementService?, _ appStores: [AppStoreServerClient]
  ) throws -> OrderService? {
    guard levels != nil else { return nil }
    var options = OrderOptions()
    options.environments = CountedEnvironments(orderEnvironments).with(testers)
    options.transfer = transfer
    options.minimumRevalidationInterval = .seconds(minRevalidationInterval)
    var questions = VerifyReceiptClient.Configuration.orderService
    // The Sandbox is not asked about receipts that count for nobody.
    if !options.environments.countForSomebody(.sandbox) {
      (questions.environments, questions.fallbacks) = ([.production], [])
    }
    // Without the secret, Apple would leave out what subscriptions need.
    let receipts = sharedSecrets.isEmpty ? nil : try verifyReceiptClient(questions)
    var apple = AppleVendor(receipts: receipts, verifier: shop.verifier, appStores: appStores)
    apple.telemetry = shop.telemetry
    var vendors: [any PurchaseVendor] = [apple]
    if let google {
      var vendor = GoogleVendor(google.client)
      vendor.telemetry = shop.telemetry
      vendors.append(vendor)
    }
    return try OrderService(
      shop, vendors: vendors, subscriptions: subscriptions, entitlements: entitlements,
      options: options)
  }

  /// The sources of the present state of a purchase.
  fileprivate func sources(
    _ store: any PurchaseStore, _ appStores: [AppStoreServerClient]
  ) -> [any PurchaseSource] {
    var sources: [any PurchaseSource] = appStores
    if let google { sources.append(PlayPurchaseSource(google.client, store: store, now: now)) }
    return sources
  }

  /// The clients by which an import asks the stores; without the secret Apple would leave out what subscriptions need.
  func importStores(_ appStores: [AppStoreServerClient]) throws -> ImportStores {
    let receipts =
      try sharedSecrets.isEmpty
      ? nil
      : verifyReceiptClient(
        parts.contains(.entitlements) ? .entitlementService : .subscriptionService)
    return ImportStores(
      receipts: receipts, appStores: appStores, googlePlay: google.map { [$0.client] } ?? [])
  }

  fileprivate func verifyReceiptClient(
    _ preset: VerifyReceiptClient.Configuration
  ) throws -> VerifyReceiptClient {
    var configuration = preset
    configuration.now = now
    if let appStoreURL {
      configuration.urls = [
        .production: "\(appStoreURL)/production/verifyReceipt",
        .sandbox: "\(appStoreURL)/sandbox/verifyReceipt",
      ]
    }
    let sandbox = configuration.urls[.sandbox] ?? VerifyReceiptServer.sandbox.url
    return try VerifyReceiptClient(
      transport: WatchedTransport(
        .verifyReceipt, of: .apple, sandbox: sandbox, telemetry: figures?.port),
      bundleIDs: Set(apps.map(\.bundleID)),
      sharedSecret: sharedSecrets.first, configuration: configuration)
  }

  /// The receipt tiers before the database: the folder, then Redis, which need not be there yet.
  ///
  /// A missing folder is created, accessible to its owner alone.
  fileprivate func receiptCaches() throws -> [any ReceiptStore] {
    var caches: [any ReceiptStore] = []
    if let receiptsFolder {
      try FileManager.default.createDirectory(
        atPath: receiptsFolder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      caches.append(FileReceiptStore(directory: receiptsFolder))
    }
    if var redis {
      redis.certificateAuthorityFile = redisAuthorities
      redis.timeToLive = redisTTL.map { .seconds($0) }
      caches.append(RedisReceiptStore(redis))
    }
    return caches
  }
}

/// The same message for every customer who is about to cancel.
struct OneMessage: RetentionMessageAnswerer {
  let identifier: UUID

  func answer(to request: Verified<RealtimeRequest>) -> RealtimeResponse? { .message(identifier) }
}
