internal import JWSVerifier
internal import StorekeeperCrypto
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension NotificationService {
  /// Takes a notification of version 2: verified as a whole, then kept in one unit of work.
  ///
  /// - Parameter token: The `signedPayload`, a compact JWS.
  /// - Throws: ``NotificationFailure``, or what the store throws.
  public func receive(signedPayload token: String) async throws {
    let verified: Verified<NotificationContent>
    do throws(SignedDataFailure) {
      verified = try verifier.notification(token)
    } catch {
      throw error.isOfAnotherApp ? NotificationFailure.otherApp(error) : .notAuthentic(error)
    }
    guard verified.payload.hasLawfulIDs else { throw NotificationFailure.malformedID }
    let record = try NotificationRecord(verified)
    guard try await !isSeen(record.key) else { return }
    try await keeping {
      guard let evidence = Evidence(verified) else {
        return try await subscriptions.note(record)
      }
      _ = try await subscriptions.keep(evidence, because: .webhook, noting: record)
    }
  }
}

extension NotificationContent {
  /// Whether each id of a transaction is 1 to 64 digits, or absent.
  ///
  /// Source: contract on linking, section 5.
  fileprivate var hasLawfulIDs: Bool {
    let transaction = transaction?.payload
    let renewal = renewalInfo?.payload
    let ids = [
      transaction?.transactionID, transaction?.originalTransactionID,
      renewal?.originalTransactionID,
    ]
    return ids.allSatisfy { $0.map(TransactionIDs.areDigits) ?? true }
  }
}

extension SignedDataFailure {
  fileprivate var isOfAnotherApp: Bool {
    switch self {
    case .bundleMismatch, .appAppleIdMismatch: true
    default: false
    }
  }
}

extension Evidence {
  /// The transaction of a notification, and the renewal info beside it.
  ///
  /// Nil without a transaction of an auto-renewable subscription.
  fileprivate init?(_ verified: Verified<NotificationContent>) {
    guard let transaction = verified.payload.transaction,
      transaction.payload.type == .autoRenewableSubscription,
      let asOf = transaction.signedDate ?? verified.signedDate,
      let record = PurchaseRecord(transaction.payload)?.stamped(asOf, verified.environment)
    else { return nil }
    let renewal = verified.payload.renewalInfo.flatMap { renewal in
      RenewalRecord(renewal.payload)?.stamped(renewal.signedDate ?? asOf, verified.environment)
    }
    self.init(
      environment: verified.environment, asOf: asOf, transactions: [record],
      renewals: renewal.map { [record.originalTransactionID: [$0]] } ?? [:])
  }
}

extension NotificationRecord {
  /// The key is Apple's identifier, or without one a digest of the token.
  fileprivate init(_ verified: Verified<NotificationContent>) throws {
    let notification = verified.payload.notification
    let identifier = notification.notificationUUID.flatMap {
      (1...200).contains($0.utf8.count) ? $0.lowercased() : nil
    }
    let key = try identifier ?? hexadecimal(SHA256.digest(of: Array(verified.token.utf8)))
    self.init(
      key: "v2:" + key, environment: verified.environment,
      notificationType: String(bounding: notification.notificationType?.rawValue ?? ""))
    originalTransactionID = verified.payload.transaction?.payload.originalTransactionID
      .flatMap { TransactionIDs.areDigits($0) ? $0 : nil }
    subtype = notification.subtype.map { String(bounding: $0.rawValue) }
    notificationUUID = identifier
    let renewal = verified.payload.renewalInfo?.payload
    autoRenewProductID = (renewal?.autoRenewProductID).fitting(.productID)
    autoRenewStatus = renewal?.autoRenewStatus.map { $0 == .on }
    expirationIntent = renewal?.expirationIntent?.rawValue
  }
}
