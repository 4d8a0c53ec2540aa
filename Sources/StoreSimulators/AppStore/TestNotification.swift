internal import JSONValues
public import ReceiptModels
internal import ReceiptVerifier
internal import StorekeeperCrypto
internal import StorekeeperTesting

/// Apple's notification of one event at an ``AppStoreSimulator``.
///
/// It is really signed for version 2, and contains the shared secret for version 1. Send either to
/// your webhook, or pass it to a service:
///
/// ```swift
/// let notification = try appStore.refund(purchase)
/// try await notifications.receive(signedPayload: notification.signedPayload)
/// ```
///
/// It describes the state at the event: it is signed when you ask for it, and dated at the event.
/// Sent later, or twice, it is a late or duplicate notification.
public struct TestNotification: Sendable, CustomStringConvertible, CustomReflectable {
  /// The type in version 2.
  public var type: NotificationType { event.type }
  /// The subtype in version 2, if the type has one.
  public var subtype: NotificationSubtype? { event.subtype }
  /// The type in version 1; nil if that version has no such notification.
  public var typeV1: NotificationTypeV1? { event.typeV1 }
  /// The identifier of the notification in version 2, in lower case.
  public var uuid: String { record.uuid }
  /// The transaction inside the notification of version 2.
  public let transaction: Transaction
  /// The renewal info inside the notification of version 2; nil for a purchase that does not renew.
  public let renewalInfo: RenewalInfo?
  /// Whether the simulator was told to lose the notification on its way; see
  /// ``AppStoreSimulator/loseNotifications(next:)``.
  public var isLost: Bool { record.isLost }

  var record: SimulatedNotification
  let event: SimulatedEvent
  let simulated: SimulatedTransaction
  let moment: SimulatedMoment
  let appStore: AppStoreSimulator

  init(
    _ event: SimulatedEvent, about simulated: SimulatedTransaction, at moment: SimulatedMoment,
    for reason: ConsumptionRequestReason? = nil, of appStore: AppStoreSimulator
  ) {
    var transaction = appStore.transaction(simulated, at: moment)
    // Apple's notifications never carry the flag, even for a charge that was replaced.
    transaction.isUpgraded = nil
    self.transaction = transaction
    renewalInfo = appStore.renewalInfo(simulated.originalID, at: moment)
    record = SimulatedNotification(
      event.type, event.subtype, at: moment.date, customer: simulated.customer,
      .data(
        .init(
          transaction: transaction, renewalInfo: renewalInfo,
          status: moment.status(simulated.originalID), consumptionRequestReason: reason)))
    self.event = event
    self.simulated = simulated
    self.moment = moment
    self.appStore = appStore
  }

  /// The type and the transaction, without signed data.
  public var description: String {
    let detail = subtype.map { " \($0.rawValue)" } ?? ""
    return "TestNotification(\(type.rawValue)\(detail), \(simulated.id))"
  }
  /// The members shown by ``description``.
  public var customMirror: Mirror {
    Mirror(self, children: ["type": type, "subtype": subtype as Any, "uuid": uuid])
  }
}

// MARK: Version 2

extension TestNotification {
  /// The notification of version 2 as a compact JWS, with transaction and renewal info inside.
  public var signedPayload: String { get throws { try appStore.signedPayload(record) } }

  /// The body of the request in which Apple sends version 2.
  public var body: [UInt8] {
    get throws { SignedPayloadBody(signedPayload: try signedPayload).json.serialized }
  }
}

// MARK: Version 1

extension TestNotification {
  /// The notification of version 1, or nil if that version has none for the event.
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

  /// The body of the request in which Apple sends version 1, or nil if there is no such
  /// notification.
  public var bodyV1: [UInt8]? { get throws { try versionOne?.json.serialized } }

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

extension TestNotification {
  /// The transaction as the App Store signs it for an app, a compact JWS.
  public var signedTransactionInfo: String {
    get throws { try appStore.signedDataAuthority.sign(transaction) }
  }

  /// The renewal info as the App Store signs it for an app, a compact JWS; nil if the purchase doesn't
  /// renew.
  public var signedRenewalInfo: String? {
    get throws { try renewalInfo.map { try appStore.signedDataAuthority.sign($0) } }
  }
}

extension TestPurchase {
  /// The transaction as the App Store signs it for an app, a compact JWS.
  public var signedTransactionInfo: String { get throws { try notification.signedTransactionInfo } }

  /// The renewal info as the App Store signs it for an app, a compact JWS; nil if the purchase doesn't
  /// renew.
  public var signedRenewalInfo: String? { get throws { try notification.signedRenewalInfo } }
}
