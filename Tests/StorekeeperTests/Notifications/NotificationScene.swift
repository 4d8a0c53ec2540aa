import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperTesting

/// A scene whose App Store also sends notifications.
struct NotificationScene: Sendable {
  static let authority = try? TestAuthority()

  let scene: ServiceScene
  let service: NotificationService
  let authority: TestAuthority

  init(
    store: (any PurchaseStore)? = nil,
    environment: AppStoreEnvironment = .production, options: LinkOptions = LinkOptions(),
    products: ProductMap = ServiceScene.products, passwords: [AppSharedSecret]? = nil,
    authority: TestAuthority? = nil, revocationChecker: RevocationChecker? = nil,
    report: @escaping @Sendable (ServiceIncident) -> Void = { _ in }
  ) async throws {
    scene = try await ServiceScene(
      store: store, environment: environment, options: options, products: products, report: report)
    self.authority = try authority ?? Self.authority ?? TestAuthority()
    let appStore = scene.appStore
    let verifier = try SignedDataVerifier(
      apps: [App(bundleID: ServiceScene.bundleID, appAppleID: 1_234_567_890)],
      environments: [.production, .sandbox], trustAnchors: [self.authority.trustAnchor],
      revocationChecker: revocationChecker, now: { appStore.now })
    service = try NotificationService(
      scene.service.context.with(verifier: verifier), subscriptions: scene.service,
      passwords: passwords ?? [appStore.sharedSecret].compactMap(\.self))
  }

  // MARK: Version 1

  func notificationV1(
    _ type: NotificationTypeV1, about purchase: TestPurchase,
    change: (inout ServerNotificationV1) -> Void = { _ in }
  ) throws -> ServerNotificationV1 {
    var receipt = ServerNotificationV1.UnifiedReceipt()
    receipt.latestReceipt = try scene.appStore.receipt(of: purchase.customer)
    receipt.status = .valid
    var notification = ServerNotificationV1()
    notification.notificationType = type
    notification.password = "0123456789abcdef0123456789abcdef"
    notification.environmentText = scene.appStore.environment == .production ? "PROD" : "Sandbox"
    notification.bundleID = ServiceScene.bundleID
    notification.originalTransactionID = purchase.originalTransactionID
    notification.unifiedReceipt = receipt
    change(&notification)
    return notification
  }

  // MARK: Version 2

  func transaction(_ purchase: TestPurchase, expires: Date) -> Transaction {
    var transaction = Transaction()
    transaction.bundleID = ServiceScene.bundleID
    transaction.environment = scene.appStore.environment
    transaction.transactionID = purchase.transactionID
    transaction.originalTransactionID = purchase.originalTransactionID
    transaction.productID = purchase.productID
    transaction.type = .autoRenewableSubscription
    transaction.purchaseDate = ServiceScene.start
    transaction.expiresDate = expires
    transaction.signedDate = scene.now
    return transaction
  }

  func renewal(_ purchase: TestPurchase, willRenew: Bool) -> RenewalInfo {
    var renewal = RenewalInfo()
    renewal.environment = scene.appStore.environment
    renewal.originalTransactionID = purchase.originalTransactionID
    renewal.productID = purchase.productID
    renewal.autoRenewProductID = purchase.productID
    renewal.autoRenewStatus = willRenew ? .on : .off
    renewal.signedDate = scene.now
    return renewal
  }

  func signed(
    _ type: NotificationType, _ transaction: Transaction?, _ renewal: RenewalInfo? = nil,
    uuid: String = "002e14d5-51f5-4503-b5a8-c3a1af68eb20",
    change: (inout ServerNotification) -> Void = { _ in }
  ) throws -> String {
    var data = NotificationData()
    data.environment = scene.appStore.environment
    data.bundleID = ServiceScene.bundleID
    data.appAppleID = 1_234_567_890
    data.signedTransactionInfo = try transaction.map { try authority.sign($0) }
    data.signedRenewalInfo = try renewal.map { try authority.sign($0) }
    var notification = ServerNotification()
    notification.notificationType = type
    notification.notificationUUID = uuid
    notification.version = "2.0"
    notification.signedDate = scene.now
    notification.data = data
    change(&notification)
    return try authority.sign(notification)
  }
}

/// What a call throws, if it throws a failure about a notification.
func refusal(
  _ body: nonisolated(nonsending) () async throws -> Void
) async throws -> NotificationFailure? {
  do {
    try await body()
    return nil
  } catch let failure as NotificationFailure {
    return failure
  }
}
