internal import JSONValues
public import ReceiptModels

extension SignedDataVerifier {
  /// Verifies a transaction (`signedTransactionInfo`, or the JWS that a StoreKit 2 client sends).
  ///
  /// Environment and bundle ID are compared; a transaction does not name the app's Apple ID.
  public func transaction(
    _ token: String
  ) throws(SignedDataFailure) -> Verified<Transaction> {
    try verified(token, as: Transaction.self)
  }

  /// Verifies renewal info (`signedRenewalInfo`).
  ///
  /// Only the environment is compared: renewal info names no app, so ``Verified/bundleID`` is nil.
  /// Rely on it only together with a transaction of the same original transaction ID.
  public func renewalInfo(
    _ token: String
  ) throws(SignedDataFailure) -> Verified<RenewalInfo> {
    try verified(token, as: RenewalInfo.self)
  }

  /// Verifies an app transaction (`signedAppTransactionInfo`, or the JWS that a client sends).
  ///
  /// Environment (`receiptType`), bundle ID and, in Production, the Apple ID are compared. The
  /// device verification is *not* checked.
  public func appTransaction(
    _ token: String
  ) throws(SignedDataFailure) -> Verified<AppTransaction> {
    try verified(token, as: AppTransaction.self)
  }

  /// Verifies a request for a retention message (`signedPayload` that Apple sends to the realtime
  /// URL).
  ///
  /// Environment and, in Production, the Apple ID are compared; the request names no bundle ID.
  public func realtimeRequest(
    _ token: String
  ) throws(SignedDataFailure) -> Verified<RealtimeRequest> {
    try verified(token, as: RealtimeRequest.self)
  }

  /// Asks Apple whether a certificate behind verified data was revoked.
  ///
  /// This is a separate step because it waits for the network. It asks about the leaf and the
  /// intermediate of each chain, including those of signed data inside a notification, within one
  /// time budget. Without a checker in the configuration it asks nothing, and
  /// ``Verified/revocation`` stays ``RevocationStatus/notRequested``.
  ///
  /// - Returns: The same value with ``Verified/revocation`` filled in.
  /// - Throws: ``SignedDataFailure/certificateRevoked(_:)`` and
  ///   ``SignedDataFailure/certificateStatusUnknown(_:)``, which are final, and
  ///   ``SignedDataFailure/onlineCheckFailed(_:)``, which can be retried.
  public func checkingRevocation<Payload>(
    of verified: Verified<Payload>
  ) async throws(SignedDataFailure) -> Verified<Payload> {
    guard let revocationChecker else { return verified }
    let chains = [verified.chain] + verified.nestedChains
    return verified.with(revocation: try await revocationChecker.check(chains))
  }
}

/// An App Store Server Notification with everything signed inside it verified.
public struct NotificationContent: Sendable {
  public let notification: ServerNotification
  public let transaction: Verified<Transaction>?
  /// The renewal info in `data`, if any; it agrees with the transaction.
  public let renewalInfo: Verified<RenewalInfo>?
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
  /// Use this for tools, and for tests with Apple's published bodies, which have placeholders
  /// there. The nested tokens are *not* verified; grant nothing on the basis of them.
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
