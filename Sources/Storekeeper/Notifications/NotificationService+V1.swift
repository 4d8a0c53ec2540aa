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
  /// Takes a notification of version 1 as a hint: its receipt is verified with Apple again, and what
  /// Apple answers is kept.
  ///
  /// - Parameter notification: What was sent.
  /// - Throws: ``NotificationFailure``, or what the store throws.
  public func receive(_ notification: ServerNotificationV1) async throws {
    guard let password = notification.password, try isPasswordRight(password) else {
      throw NotificationFailure.wrongPassword
    }
    try await take(notification)
  }

  /// Takes a notification whose password was right.
  func take(_ notification: ServerNotificationV1) async throws {
    guard let bundleID = notification.bundleID,
      let client = subscriptions.appStore,
      client.bundleIDs.contains(where: { $0.utf8.elementsEqual(bundleID.utf8) })
    else { throw NotificationFailure.bundleIDNotAllowed }
    guard let receipt = notification.latestReceipt else { throw NotificationFailure.receiptMissing }
    guard let server = notification.server else { throw NotificationFailure.environmentUnknown }
    let record = try NotificationRecord(
      notification, receipt: receipt, environment: server.environment)
    guard try await !isSeen(record.key) else { return }
    try await keeping {
      guard !receipt.isBlank else { throw NotificationFailure.receiptMissing }
      let verified = try await client.ask(about: receipt, startingAt: server)
      _ = try await subscriptions.record(
        PurchaseFacts(verified), because: .webhook, noting: record)
    }
  }

  /// In a time that does not depend on where the texts differ.
  func isPasswordRight(_ password: String) throws -> Bool {
    let given = try SHA256.digest(of: Array(password.utf8))
    var isRight = false
    // All are compared, also after one was right.
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
  /// The key is made of environment, type, original id and the digest of the receipt: a poke is the same
  /// only if all of them are.
  ///
  /// Source: contract on linking, section 5, step 5.
  fileprivate init(
    _ notification: ServerNotificationV1, receipt: String, environment: AppStoreEnvironment
  ) throws {
    let id = notification.originalTransactionID.flatMap { TransactionIDs.areDigits($0) ? $0 : nil }
    let parts = [
      environment.rawValue, notification.notificationType?.rawValue ?? "", id ?? "",
      hexadecimal(try SHA256.digest(of: Array(receipt.utf8))),
    ]
    // What Apple sent may be long; a digest is not.
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
