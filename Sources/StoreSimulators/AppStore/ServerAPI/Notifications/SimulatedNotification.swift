internal import ReceiptModels
internal import StorekeeperTesting

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A notification of version 2 as the simulator keeps it, for the notification history.
struct SimulatedNotification: Sendable {
  /// The place in the history, from 1; 0 before the record is kept.
  var number = 0
  let uuid: String
  let type: NotificationType
  let subtype: NotificationSubtype?
  let date: Date
  /// Nil for a notification that is not about a customer.
  let customer: String?
  let content: Content
  var attempts: [AppStoreSimulator.SendAttempt] = []
  /// Whether the simulator was told to lose it on its way.
  var isLost = false

  /// The part of a notification that differs by its type.
  enum Content: Sendable {
    case data(Parts)
    case summary(NotificationSummary)
    case externalPurchase(ExternalPurchaseToken)
  }

  /// The parts of the data of a notification.
  struct Parts: Sendable {
    var transaction: Transaction?
    var renewalInfo: RenewalInfo?
    var status: SubscriptionStatus?
    var consumptionRequestReason: ConsumptionRequestReason?
  }

  init(
    _ type: NotificationType, _ subtype: NotificationSubtype? = nil, at date: Date,
    customer: String? = nil, _ content: Content
  ) {
    uuid = UUID().uuidString.lowercased()
    self.type = type
    self.subtype = subtype
    self.date = date
    self.customer = customer
    self.content = content
  }

  /// The transaction inside, if the notification is about one.
  var transaction: Transaction? {
    guard case .data(let parts) = content else { return nil }
    return parts.transaction
  }

  /// Whether the last attempt to send it did not succeed.
  var hasFailed: Bool { attempts.last.map { $0.result != .success } ?? false }
}

extension AppStoreSimulator {
  /// Signs a notification, with the transaction and renewal info inside.
  func signedPayload(_ record: SimulatedNotification) throws -> String {
    var notification = ServerNotification()
    notification.notificationType = record.type
    notification.subtype = record.subtype
    notification.notificationUUID = record.uuid
    notification.version = "2.0"
    notification.signedDate = record.date
    switch record.content {
    case .data(let parts): notification.data = try data(parts)
    case .summary(let summary): notification.summary = summary
    case .externalPurchase(let token): notification.externalPurchaseToken = token
    }
    return try signedDataAuthority.sign(notification)
  }

  private func data(_ parts: SimulatedNotification.Parts) throws -> NotificationData {
    var data = NotificationData()
    data.environment = environment
    // Apple leaves out the number in the Sandbox.
    data.appAppleID = environment == .production ? appAppleID : nil
    data.bundleID = bundleID
    data.bundleVersion = "1"
    data.status = parts.status
    data.consumptionRequestReason = parts.consumptionRequestReason
    data.signedTransactionInfo = try parts.transaction.map { try signedDataAuthority.sign($0) }
    data.signedRenewalInfo = try parts.renewalInfo.map { try signedDataAuthority.sign($0) }
    return data
  }
}
