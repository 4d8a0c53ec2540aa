internal import JSONValues
public import ReceiptModels

/// An App Store Server Notification with everything signed inside it verified.
public struct NotificationContent: Sendable {
  /// The notification itself.
  public let notification: ServerNotification
  /// The transaction in `data`, if any.
  public let transaction: Verified<Transaction>?
  /// The renewal info in `data`, if any; it agrees with the transaction.
  public let renewalInfo: Verified<RenewalInfo>?
  /// The app transaction in `appData`, if any.
  public let appTransaction: Verified<AppTransaction>?
}

extension NotificationContent: CustomStringConvertible, CustomReflectable {
  /// The type of the notification, never the tokens or payloads in it.
  public var description: String {
    "NotificationContent(\(notification.notificationType?.description ?? "no type"))"
  }

  /// An empty mirror, so that `dump` shows no customer data.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SignedDataVerifier {
  /// Verifies a notification, version 2 (`signedPayload`), with the signed data inside it.
  ///
  /// Environment, bundle ID and, in Production, the Apple ID are compared. The nested tokens are
  /// verified by the same rules, each with its own signing date, and must agree with the
  /// notification: in environment and bundle ID, and transaction and renewal info in the original
  /// transaction ID. One failure refuses the whole. *Not* checked: whether the notification is a
  /// duplicate; use its `notificationUUID` as the key.
  ///
  /// - Parameter token: A compact JWS of at most 256 KiB.
  /// - Returns: The notification and the verified data inside it.
  /// - Throws: ``SignedDataFailure``.
  public func notification(
    _ token: String
  ) throws(SignedDataFailure) -> Verified<NotificationContent> {
    let envelope = try verified(token, as: ServerNotification.self)
    let notification = envelope.payload
    let content = NotificationContent(
      notification: notification,
      transaction: try nested(
        .transaction, notification.data?.signedTransactionInfo, in: envelope),
      renewalInfo: try nested(
        .renewalInfo, notification.data?.signedRenewalInfo, in: envelope),
      appTransaction: try nested(
        .appTransaction, notification.appData?.signedAppTransactionInfo, in: envelope))
    if let transaction = content.transaction, let renewalInfo = content.renewalInfo {
      guard
        transaction.payload.originalTransactionID == renewalInfo.payload.originalTransactionID
      else { throw .nestedMismatch(.originalTransactionID) }
    }
    let nestedChains = [
      content.transaction?.chain, content.renewalInfo?.chain, content.appTransaction?.chain,
    ]
    return envelope.with(content, nestedChains: nestedChains.compactMap(\.self))
  }

  /// Verifies a notification without the signed data inside it.
  ///
  /// Use this for a first look, and for tests with Apple's published bodies, which have placeholders
  /// there. The nested tokens are *not* verified; grant nothing on the basis of them.
  ///
  /// - Parameter token: A compact JWS of at most 256 KiB.
  /// - Returns: The notification alone.
  /// - Throws: ``SignedDataFailure``.
  package func notificationEnvelope(
    _ token: String
  ) throws(SignedDataFailure) -> Verified<ServerNotification> {
    try verified(token, as: ServerNotification.self)
  }

  private func nested<Payload: SignedPayload>(
    _ name: NestedToken, _ token: String?, in envelope: Verified<ServerNotification>
  ) throws(SignedDataFailure) -> Verified<Payload>? {
    guard let token else { return nil }
    let nested: Verified<Payload>
    do throws(SignedDataFailure) {
      nested = try verified(token, as: Payload.self)
    } catch {
      throw .nested(name, error)
    }
    guard nested.environment == envelope.environment else {
      throw .nestedMismatch(.environment(name))
    }
    // Renewal info names no bundle ID; its original transaction ID is compared instead.
    if let found = nested.bundleID, envelope.bundleID?.isSameText(as: found) != true {
      throw .nestedMismatch(.bundleID(name))
    }
    return nested
  }
}
