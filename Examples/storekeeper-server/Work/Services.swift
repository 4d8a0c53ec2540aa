import AppStoreServerAPI
import FileReceiptStorage
import GooglePlayVerifier
import JWSVerifier
import PurchaseStorage
import ReceiptModels
import ReceiptVerifier
import RedisReceiptStorage
import SQLStorage
import Storekeeper
import StorekeeperHTTP
import StorekeeperMicroHTTPServer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The services of the parts that are served, with one service for the notifications of all.
struct Services {
  /// Nil for a server without memberships.
  let subscriptions: SubscriptionService?
  /// Nil for a server without credits.
  let credits: CreditService?
  /// Nil for a server without entitlements.
  let entitlements: EntitlementService?
  /// Nil for a server without orders.
  let orders: OrderService?
  /// Nil for a server of orders alone, which asks about them.
  let notifications: NotificationService?

  init(
    _ settings: Settings, store: any PurchaseStore<SQLRecords>, verifier: SignedDataVerifier,
    appStores: [AppStoreServerClient]
  ) throws {
    let subscriptions = try settings.subscriptions(store, appStores)
    let entitlements = try settings.entitlements(store, subscriptions, verifier, appStores)
    let credits = try settings.credits(store, verifier)
    orders = try settings.orders(store, subscriptions, entitlements, verifier, appStores)
    let passwords = settings.sharedSecret.map { [$0] } ?? []
    self.subscriptions = subscriptions
    self.credits = credits
    self.entitlements = entitlements
    switch (subscriptions, credits, entitlements) {
    case (_, let credits?, let entitlements?):
      notifications = NotificationService(
        store: store, credits: credits, entitlements: entitlements, verifier: verifier,
        passwords: passwords)
    case (_, nil, let entitlements?):
      notifications = NotificationService(
        entitlements: entitlements, verifier: verifier, passwords: passwords)
    case (let subscriptions?, nil, nil):
      notifications = NotificationService(
        subscriptions: subscriptions, verifier: verifier, passwords: passwords)
    case (nil, let credits?, nil):
      notifications = NotificationService(credits: credits, verifier: verifier)
    case (let subscriptions?, let credits?, nil):
      notifications = NotificationService(
        store: store, subscriptions: subscriptions, credits: credits, verifier: verifier,
        passwords: passwords)
    case (nil, nil, nil): notifications = nil
    }
  }

  /// Returns the API of the parts that are served.
  func api(
    _ settings: Settings, verifier: SignedDataVerifier, tokens: CurrentTokens
  ) -> StorekeeperAPI {
    var apis: [any RequestResponder] = []
    if let subscriptions {
      apis.append(
        SubscriptionAPI(
          subscriptions, notifications: notifications,
          retentionMessages: settings.retentionMessage.map { message in
            RetentionMessageService(
              verifier: verifier, answerer: OneMessage(identifier: message),
              report: { ServerLog.note($0) })
          },
          authenticator: tokens, mounts: settings.mounts + settings.legacyMounts,
          bodyLimit: settings.server.bodyLimit, observer: AccessLog()))
    }
    // The one path for Apple's notifications of all parts is that of subscriptions, if there are any.
    if let credits, let sessions = settings.sessions {
      apis.append(
        CreditAPI(
          credits, notifications: notifications, users: sessions,
          services: settings.tokens.isEmpty ? nil : tokens, observer: AccessLog()))
    }
    if let entitlements {
      apis.append(
        EntitlementAPI(
          entitlements, notifications: subscriptions == nil ? notifications : nil,
          users: settings.sessions,
          services: settings.tokens.isEmpty ? nil : tokens, observer: AccessLog()))
    }
    if let orders {
      apis.append(
        OrderAPI(
          orders,
          playNotifications: settings.google.flatMap { google in
            google.pushes.map {
              PlayNotificationService(orders, tokens: $0, packageName: google.client.packageName)
            }
          },
          users: settings.sessions,
          services: settings.tokens.isEmpty ? nil : tokens, observer: AccessLog()))
    }
    return StorekeeperAPI(apis)
  }
}

extension Settings {
  /// The authenticator of users; nil without a key.
  fileprivate var sessions: SessionTokens? {
    sessionKey.map {
      SessionTokens(key: $0, issuer: sessionIssuer, audience: sessionAudience)
    }
  }

  /// The service of subscriptions; nil if they are not served.
  fileprivate func subscriptions(
    _ store: any PurchaseStore<SQLRecords>, _ appStores: [AppStoreServerClient]
  ) throws -> SubscriptionService? {
    guard parts.contains(.subscriptions) else { return nil }
    return try SubscriptionService(
      store: store.forSubscriptions, accounts: accountDirectory,
      appStore: try verifyReceiptClient(.subscriptionService), sources: sources(store, appStores),
      products: products, receiptCaches: try receiptCaches(), options: options, now: now,
      report: { ServerLog.note($0) })
  }

  /// The service of credits; nil if they are not served.
  fileprivate func credits(
    _ store: any PurchaseStore<SQLRecords>, _ verifier: SignedDataVerifier
  ) throws -> CreditService? {
    guard let creditProducts else { return nil }
    var options = CreditOptions()
    options.environments = CountedEnvironments(creditEnvironments, testers: testers)
    return try CreditService(
      store: store.forCredits, accounts: accountDirectory, verifier: verifier,
      products: { creditProducts.products }, options: options, now: now,
      report: { ServerLog.note($0) })
  }

  /// The service of entitlements, which memberships follow if they are served; nil without a product list.
  fileprivate func entitlements(
    _ store: any PurchaseStore<SQLRecords>, _ subscriptions: SubscriptionService?,
    _ verifier: SignedDataVerifier, _ appStores: [AppStoreServerClient]
  ) throws -> EntitlementService? {
    guard let productLists else { return nil }
    // Without the secret, Apple would leave out what subscriptions need.
    let client = sharedSecret == nil ? nil : try verifyReceiptClient(.entitlementService)
    let receipts =
      client == nil
      ? try AppReceiptVerifier(
        bundleIDs: Set(apps.map(\.bundleID)), environments: [.production, .sandbox],
        trustAnchors: trustAnchors(or: .appleRootCA), now: now) : nil
    guard let subscriptions else {
      return try EntitlementService(
        store: store.forEntitlements, apps: { productLists.apps }, accounts: accountDirectory,
        verifier: verifier, appStore: client, receipts: receipts,
        sources: sources(store, appStores), now: now,
        report: { ServerLog.note($0) })
    }
    return try EntitlementService(
      store: store, subscriptions: subscriptions, apps: { productLists.apps },
      verifier: verifier, appStore: client, receipts: receipts,
      sources: sources(store, appStores))
  }

  /// The service of orders; nil without levels.
  fileprivate func orders(
    _ store: any PurchaseStore<SQLRecords>, _ subscriptions: SubscriptionService?,
    _ entitlements: EntitlementService?, _ verifier: SignedDataVerifier,
    _ appStores: [AppStoreServerClient]
  ) throws -> OrderService? {
    guard levels != nil else { return nil }
    var options = OrderOptions()
    options.environments = CountedEnvironments(orderEnvironments, testers: testers)
    options.minimumRevalidationInterval = .seconds(minRevalidationInterval)
    var questions = VerifyReceiptClient.Configuration.orderService
    // The Sandbox is not asked about receipts that count for nobody.
    if !options.environments.countForSomebody(.sandbox) { questions.environments = [.production] }
    // Without the secret, Apple would leave out what subscriptions need.
    let receipts = sharedSecret == nil ? nil : try verifyReceiptClient(questions)
    let apple = AppleVendor(receipts: receipts, verifier: verifier, appStores: appStores)
    var vendors: [any PurchaseVendor] = [apple]
    if let google { vendors.append(GoogleVendor(google.client)) }
    if let entitlements {
      return try OrderService(
        store: store, entitlements: entitlements, vendors: vendors, options: options)
    }
    if let subscriptions {
      return try OrderService(
        store: store, subscriptions: subscriptions, vendors: vendors, options: options)
    }
    return try OrderService(
      store: store.forOrders, vendors: vendors, accounts: accountDirectory, options: options,
      now: now, report: { ServerLog.note($0) })
  }

  /// The sources of the present state of a purchase.
  fileprivate func sources(
    _ store: any PurchaseStore<SQLRecords>, _ appStores: [AppStoreServerClient]
  ) -> [any PurchaseSource] {
    var sources: [any PurchaseSource] = appStores
    if let google { sources.append(PlayPurchaseSource(google.client, store: store, now: now)) }
    return sources
  }

  fileprivate func verifyReceiptClient(
    _ preset: VerifyReceiptClient.Configuration
  ) throws -> VerifyReceiptClient {
    var configuration = preset
    if let appStoreURL {
      configuration.urls = [
        .production: "\(appStoreURL)/production/verifyReceipt",
        .sandbox: "\(appStoreURL)/sandbox/verifyReceipt",
      ]
    }
    let sandbox = configuration.urls[.sandbox] ?? VerifyReceiptServer.sandbox.url
    return try VerifyReceiptClient(
      transport: WatchedTransport(.verifyReceipt, of: .apple, sandbox: sandbox),
      bundleIDs: Set(apps.map(\.bundleID)),
      sharedSecret: sharedSecret, configuration: configuration, now: now)
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
