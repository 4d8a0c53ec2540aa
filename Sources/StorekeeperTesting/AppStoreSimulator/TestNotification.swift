internal import JSONValues
internal import StorekeeperCrypto
public import ReceiptModels
internal import ReceiptVerifier

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What Apple tells the app's server of one event at an ``AppStoreSimulator``.
///
/// Really signed for version 2, and with the shared secret for version 1; send either to your
/// webhook, or hand it to a service:
///
/// ```swift
/// let notification = try appStore.refund(purchase)
/// try await notifications.receive(signedPayload: notification.signedPayload)
/// ```
///
/// It says how things stood at the event: signed whenever it is asked for, and dated then. Kept and
/// handed over later, or twice, it is a late or repeated notification.
public struct TestNotification: Sendable, CustomStringConvertible, CustomReflectable {
  /// What happened, in version 2.
  public var type: NotificationType { event.type }
  /// The detail, in version 2, where the type has any.
  public var subtype: NotificationSubtype? { event.subtype }
  /// What happened, in version 1; nil where that version does not tell it.
  public var typeV1: NotificationTypeV1? { event.typeV1 }
  /// The identifier of the notification in version 2, in lower case.
  public let uuid: String
  /// The transaction that it is about, as inside of version 2.
  public let transaction: Transaction
  /// The coming renewal, as inside of version 2; nil for what does not renew.
  public let renewalInfo: RenewalInfo?

  let event: SimulatedEvent
  let simulated: SimulatedTransaction
  let moment: SimulatedMoment
  let appStore: AppStoreSimulator

  init(
    _ event: SimulatedEvent, about simulated: SimulatedTransaction, at moment: SimulatedMoment,
    of appStore: AppStoreSimulator
  ) {
    uuid = UUID().uuidString.lowercased()
    var transaction = appStore.transaction(simulated, at: moment)
    // Apple's notifications do not carry the flag, not even of a charge that was replaced.
    transaction.isUpgraded = nil
    self.transaction = transaction
    renewalInfo = appStore.renewalInfo(simulated.originalID, at: moment)
    self.event = event
    self.simulated = simulated
    self.moment = moment
    self.appStore = appStore
  }

  /// The type and the transaction, never what is signed.
  public var description: String {
    let detail = subtype.map { " \($0.rawValue)" } ?? ""
    return "TestNotification(\(type.rawValue)\(detail), \(simulated.id))"
  }
  /// What ``description`` shows.
  public var customMirror: Mirror {
    Mirror(self, children: ["type": type, "subtype": subtype as Any, "uuid": uuid])
  }
}

// MARK: Version 2

extension TestNotification {
  /// The notification of version 2 as a compact JWS, with transaction and renewal info inside.
  ///
  /// - Throws: When OpenSSL refuses to sign.
  public var signedPayload: String {
    get throws {
      let authority = appStore.signedDataAuthority
      var data = NotificationData()
      data.environment = appStore.environment
      // Apple leaves the number out in the Sandbox.
      data.appAppleID = appStore.environment == .production ? appStore.appAppleID : nil
      data.bundleID = appStore.bundleID
      data.bundleVersion = "1"
      data.status = moment.status(simulated.originalID)
      data.signedTransactionInfo = try authority.sign(transaction)
      data.signedRenewalInfo = try renewalInfo.map { try authority.sign($0) }
      var notification = ServerNotification()
      notification.notificationType = type
      notification.subtype = subtype
      notification.notificationUUID = uuid
      notification.version = "2.0"
      notification.signedDate = moment.date
      notification.data = data
      return try authority.sign(notification)
    }
  }

  /// The body in which Apple sends version 2.
  ///
  /// - Throws: When OpenSSL refuses to sign.
  public var body: [UInt8] {
    get throws { SignedPayloadBody(signedPayload: try signedPayload).json.serialized }
  }
}

// MARK: Version 1

extension TestNotification {
  /// The notification of version 1, or nil where that version does not tell such an event.
  ///
  /// - Throws: When OpenSSL refuses to sign the receipt inside.
  public var versionOne: ServerNotificationV1? {
    get throws {
      guard let typeV1 else { return nil }
      let renewal = moment.renewal(simulated.originalID)
      var notification = ServerNotificationV1()
      notification.notificationType = typeV1
      notification.password = appStore.sharedSecret?.text
      notification.environmentText = appStore.environment == .production ? "PROD" : "Sandbox"
      notification.bundleID = appStore.bundleID
      notification.bundleVersion = "1"
      notification.originalTransactionID = transaction.originalTransactionID
      notification.webOrderLineItemID = transaction.webOrderLineItemID
      notification.autoRenewProductID = renewal?.autoRenewProductID
      notification.autoRenewStatus = renewal?.autoRenewStatus.map { $0 == .on }
      if typeV1 == .didChangeRenewalStatus { notification.autoRenewStatusChangeDate = moment.date }
      notification.cancellationDate = simulated.cancellationDate
      notification.expirationIntent = renewal?.expirationIntent
      notification.unifiedReceipt = try unifiedReceipt
      return notification
    }
  }

  /// The body in which Apple sends version 1, or nil where that version does not tell such an event.
  ///
  /// - Throws: When OpenSSL refuses to sign the receipt inside.
  public var bodyV1: [UInt8]? {
    get throws { try versionOne?.json.serialized }
  }

  private var unifiedReceipt: ServerNotificationV1.UnifiedReceipt {
    get throws {
      var receipt = ServerNotificationV1.UnifiedReceipt()
      receipt.environment = appStore.environment
      receipt.status = .valid
      receipt.latestReceipt = Base64.encode(
        try appStore.authority.sign(appStore.receiptContent(at: moment)), .standard)
      // Apple sends the newest hundred.
      receipt.latestReceiptInfo = Array(moment.latestReceiptInfo.prefix(100))
      receipt.pendingRenewalInfo = moment.renewals
      return receipt
    }
  }
}
