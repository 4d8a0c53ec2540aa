internal import JSONValues
internal import LinkPolicy
internal import StorekeeperCrypto
internal import PurchaseStorage
public import ReceiptModels
internal import ReceiptVerifier

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension NotificationService {
  /// Receives a notification of version 1.
  ///
  /// The notification itself is only a hint: its receipt is verified with Apple, and Apple's answer is recorded.
  ///
  /// - Throws: ``NotificationFailure``, or an error of the store.
  public func receive(_ notification: ServerNotificationV1) async throws {
    try await watching { sight in
      guard let password = notification.password, try isPasswordRight(password) else {
        throw NotificationFailure.wrongPassword
      }
      return try await take(notification, sight)
    }
  }

  /// Processes a notification whose password is correct.
  func take(
    _ notification: ServerNotificationV1, _ sight: NotificationSight?,
    _ arrived: ArrivedNotification? = nil
  ) async throws -> Outcome {
    sight?.note(notification.notificationType?.rawValue)
    guard let bundleID = notification.bundleID,
      let client = subscriptions?.appStore ?? entitlements?.appStore,
      client.bundleIDs.contains(where: { $0.isSameText(as: bundleID) })
    else { throw NotificationFailure.bundleIDNotAllowed }
    guard let receipt = notification.latestReceipt else { throw NotificationFailure.receiptMissing }
    guard let server = notification.server else { throw NotificationFailure.environmentUnknown }
    let record = try NotificationRecord(
      notification, receipt: receipt, environment: server.environment)
    arrived?.identify(record)
    guard try await !isSeen(record.key) else { return .repeated }
    return try await keeping {
      guard !receipt.isBlank else { throw NotificationFailure.receiptMissing }
      let isForMemberships = subscriptions != nil
      let evidence = EvidenceVerifier(
        context, appStore: client, extent: isForMemberships ? .subscriptions : .allPurchases)
      let facts = try await evidence.verified(.receipt(receipt), startingAt: server).facts.get()
      return try await write(
        NotificationUnit(
          record: record, facts: facts, awaitsProduct: isForMemberships,
          isListed: !isForMemberships && isListed(facts, in: bundleID),
          orders: try await orders(after: facts), arrived: arrived))
    }
  }

  /// Returns whether a password is one of the configured ones, in a time that does not depend on
  /// the position of the first difference.
  func isPasswordRight(_ password: String) throws -> Bool {
    let given = try SHA256.digest(of: Array(password.utf8))
    var isRight = false
    // Every password is compared, even after a match, so that the time reveals nothing.
    for secret in passwords {
      let expected = try SHA256.digest(of: Array(secret.text.utf8))
      if isEqualInConstantTime(given, expected) { isRight = true }
    }
    return isRight
  }
}

extension ServerNotificationV1 {
  fileprivate var server: VerifyReceiptServer? {
    VerifyReceiptServer.allCases.first { $0.environment == environment }
  }
}

extension NotificationRecord {
  /// Creates the record of a notification of version 1.
  ///
  /// Its key combines the environment, the type, the original transaction ID and the digest of the receipt. A
  /// notification is a duplicate only if all four are equal. Source: linking rules, section 5.
  fileprivate init(
    _ notification: ServerNotificationV1, receipt: String, environment: AppStoreEnvironment
  ) throws {
    let id = notification.originalTransactionID.flatMap { TransactionIDs.areDigits($0) ? $0 : nil }
    let parts = [
      environment.rawValue, notification.notificationType?.rawValue ?? "", id ?? "",
      hexadecimal(try SHA256.digest(of: Array(receipt.utf8))),
    ]
    // The parts may be long; their digest has a fixed length.
    let text = parts.joined(separator: "\n")
    self.init(
      key: "v1:" + hexadecimal(try SHA256.digest(of: Array(text.utf8))), environment: environment,
      notificationType: String(bounding: notification.notificationType?.rawValue ?? ""))
    originalTransactionID = id
    autoRenewProductID = notification.autoRenewProductID.fitting(.productID)
    autoRenewStatus = notification.autoRenewStatus
    autoRenewStatusChangeDate = notification.autoRenewStatusChangeDate
    expirationIntent = notification.expirationIntent?.rawValue
    responseStatus = notification.unifiedReceipt?.status?.rawValue
  }
}
