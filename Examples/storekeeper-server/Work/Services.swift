import AppStoreServerAPI
import CurlTransport
import FileReceiptStorage
import JWSVerifier
import PurchaseStorage
import ReceiptModels
import ReceiptVerifier
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
  /// Nil for a server of credits alone.
  let subscriptions: SubscriptionService?
  /// Nil for a server without credits.
  let credits: CreditService?
  let notifications: NotificationService

  init(
    _ settings: Settings, store: any PurchaseStore<SQLRecords>, verifier: SignedDataVerifier,
    appStore: AppStoreServerClient?
  ) throws {
    let subscriptions = try settings.subscriptions(store, appStore)
    let credits = settings.credits(store, verifier)
    let passwords = settings.sharedSecret.map { [$0] } ?? []
    self.subscriptions = subscriptions
    self.credits = credits
    switch (subscriptions, credits) {
    case (let subscriptions?, nil):
      notifications = NotificationService(
        subscriptions: subscriptions, verifier: verifier, passwords: passwords)
    case (nil, let credits?):
      notifications = NotificationService(credits: credits, verifier: verifier)
    case (let subscriptions?, let credits?):
      notifications = NotificationService(
        store: store, subscriptions: subscriptions, credits: credits, verifier: verifier,
        passwords: passwords)
    case (nil, nil): throw SettingsFailure("there is nothing to serve")
    }
  }

  /// Returns the API of the parts that are served.
  func api(_ settings: Settings, verifier: SignedDataVerifier) -> StorekeeperAPI {
    let tokens = BearerTokens(settings.tokens)
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
          authenticator: tokens, bodyLimit: settings.server.bodyLimit, observer: AccessLog()))
    }
    if let credits, let key = settings.sessionKey {
      apis.append(
        CreditAPI(
          credits, notifications: notifications, users: SessionTokens(key: key),
          services: settings.tokens.isEmpty ? nil : tokens, observer: AccessLog()))
    }
    return StorekeeperAPI(apis)
  }
}

extension Settings {
  /// The service of subscriptions; nil if they are not served.
  fileprivate func subscriptions(
    _ store: any PurchaseStore<SQLRecords>, _ appStore: AppStoreServerClient?
  ) throws -> SubscriptionService? {
    guard parts.contains(.subscriptions) else { return nil }
    return SubscriptionService(
      store: store.forSubscriptions, accounts: accountDirectory,
      appStore: try verifyReceiptClient(), sources: appStore.map { [$0] } ?? [],
      products: products, receiptCaches: try receiptCaches(), options: options,
      report: { ServerLog.note($0) })
  }

  /// The service of credits; nil if they are not served.
  fileprivate func credits(
    _ store: any PurchaseStore<SQLRecords>, _ verifier: SignedDataVerifier
  ) -> CreditService? {
    guard let creditProducts else { return nil }
    var options = CreditOptions()
    options.environments = creditEnvironments
    return CreditService(
      store: store.forCredits, accounts: accountDirectory, verifier: verifier,
      products: { creditProducts.products }, options: options, report: { ServerLog.note($0) })
  }

  fileprivate func verifyReceiptClient() throws -> VerifyReceiptClient {
    var configuration = VerifyReceiptClient.Configuration.subscriptionService
    if let appStoreURL {
      configuration.urls = [
        .production: "\(appStoreURL)/production/verifyReceipt",
        .sandbox: "\(appStoreURL)/sandbox/verifyReceipt",
      ]
    }
    return try VerifyReceiptClient(
      transport: CurlHTTPTransport(), bundleIDs: Set(apps.map(\.bundleID)),
      sharedSecret: sharedSecret, configuration: configuration)
  }

  /// The receipt tiers before the database.
  ///
  /// A missing folder is created, accessible to its owner alone.
  fileprivate func receiptCaches() throws -> [any ReceiptStore] {
    guard let receiptsFolder else { return [] }
    try FileManager.default.createDirectory(
      atPath: receiptsFolder, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    return [FileReceiptStore(directory: receiptsFolder)]
  }
}
