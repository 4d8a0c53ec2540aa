import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperTesting

extension APIScene {
  static let appAppleID = 1_234_567_890
  static let signer = try? TestAuthority()

  static func notifications(
    of appStore: AppStoreSimulator, for service: SubscriptionService
  ) throws -> NotificationService {
    let signer = try signer ?? TestAuthority()
    let verifier = try SignedDataVerifier(
      apps: [App(bundleID: bundleID, appAppleID: appAppleID)],
      environments: [.production, .sandbox], trustAnchors: [signer.trustAnchor],
      now: { appStore.now })
    return try NotificationService(
      service.context.with(verifier: verifier), subscriptions: service,
      passwords: [appStore.sharedSecret].compactMap(\.self))
  }

  /// The body of a notification of version 1 about a purchase.
  func notificationV1(
    about purchase: TestPurchase, change: (inout ServerNotificationV1) -> Void = { _ in }
  ) throws -> String {
    var receipt = ServerNotificationV1.UnifiedReceipt()
    receipt.latestReceipt = try appStore.receipt(of: purchase.customer)
    receipt.status = .valid
    var notification = ServerNotificationV1()
    notification.notificationType = .didRenew
    notification.password = "0123456789abcdef0123456789abcdef"
    notification.environmentText = "PROD"
    notification.bundleID = Self.bundleID
    notification.originalTransactionID = purchase.originalTransactionID
    notification.unifiedReceipt = receipt
    change(&notification)
    return String(decoding: notification.json.serialized, as: UTF8.self)
  }

  /// The body of a notification of version 2 about a purchase that lasts 60 days.
  func notificationV2(
    about purchase: TestPurchase, bundleID: String = bundleID,
    uuid: String = "002e14d5-51f5-4503-b5a8-c3a1af68eb20", hasRenewal: Bool = false,
    change: (inout Transaction, inout RenewalInfo) -> Void = { _, _ in }
  ) throws -> String {
    let signer = try Self.signer ?? TestAuthority()
    var transaction = Transaction()
    transaction.bundleID = bundleID
    transaction.environment = .production
    transaction.transactionID = purchase.transactionID
    transaction.originalTransactionID = purchase.originalTransactionID
    transaction.productID = purchase.productID
    transaction.type = .autoRenewableSubscription
    transaction.purchaseDate = Self.start
    transaction.expiresDate = Self.start + 60 * 86_400
    transaction.signedDate = appStore.now
    var renewal = RenewalInfo()
    renewal.environment = .production
    renewal.originalTransactionID = purchase.originalTransactionID
    renewal.productID = purchase.productID
    renewal.autoRenewProductID = purchase.productID
    renewal.autoRenewStatus = .on
    renewal.signedDate = appStore.now
    change(&transaction, &renewal)
    var data = NotificationData()
    data.environment = .production
    data.bundleID = bundleID
    data.appAppleID = Self.appAppleID
    data.signedTransactionInfo = try signer.sign(transaction)
    if hasRenewal { data.signedRenewalInfo = try signer.sign(renewal) }
    var notification = ServerNotification()
    notification.notificationType = .didRenew
    notification.notificationUUID = uuid
    notification.version = "2.0"
    notification.signedDate = appStore.now
    notification.data = data
    return #"{"signedPayload":"\#(try signer.sign(notification))"}"#
  }
}
