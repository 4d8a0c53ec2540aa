internal import LinkPolicy
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
  /// With a revocation checker in the verifier's configuration Apple is asked about the certificates,
  /// too. A notification that is authentic, but not as the models have it, is kept as it came and
  /// reported (``ServiceIncident/notificationNotDecoded(_:)``); see ``decodeKept(limit:)``.
  ///
  /// - Parameter token: The `signedPayload`, a compact JWS.
  /// - Throws: ``NotificationFailure``, or what the store throws.
  public func receive(signedPayload token: String) async throws {
    let verified: Verified<NotificationContent>
    do throws(SignedDataFailure) {
      verified = try verifier.notification(token)
    } catch {
      guard let path = error.undecodedPath else { throw NotificationFailure(error) }
      return try await keep(undecoded: token, path: path)
    }
    try await apply(verified)
  }

  /// Carries out what a verified notification leads to, unless it was seen before.
  func apply(_ verified: Verified<NotificationContent>) async throws {
    do throws(SignedDataFailure) {
      _ = try await verifier.checkingRevocation(of: verified)
    } catch {
      throw NotificationFailure(error)
    }
    guard verified.payload.hasLawfulIDs else { throw NotificationFailure.malformedID }
    let record = try NotificationRecord(verified)
    guard try await !isSeen(record.key) else { return }
    try await keeping {
      guard let facts = PurchaseFacts(verified) else {
        return try await subscriptions.note(record)
      }
      _ = try await subscriptions.record(facts, because: .webhook, noting: record)
    }
  }
}

extension NotificationFailure {
  /// The failure that a refusal of the verifier amounts to.
  init(_ failure: SignedDataFailure) {
    switch failure {
    case .bundleMismatch, .appAppleIdMismatch: self = .otherApp(failure)
    case .onlineCheckFailed: self = .revocationUnknown(failure)
    default: self = .notAuthentic(failure)
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

extension NotificationRecord {
  /// The key is Apple's identifier, or without one a digest of the token.
  fileprivate init(_ verified: Verified<NotificationContent>) throws {
    let notification = verified.payload.notification
    let identifier = Self.identifier(notification.notificationUUID)
    self.init(
      key: try Self.key(identifier, payload: verified.payloadBytes),
      environment: verified.environment,
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
  /// Apple's identifier, if it can be a key.
  static func identifier(_ uuid: String?) -> String? {
    uuid.flatMap { (1...200).contains($0.utf8.count) ? $0.lowercased() : nil }
  }

  /// The key of a notification of version 2.
  ///
  /// Without an identifier it is made of what was signed, and
  /// not of the token: one payload may have several signatures.
  static func key(_ identifier: String?, payload: [UInt8]) throws -> String {
    "v2:" + (try identifier ?? hexadecimal(SHA256.digest(of: payload)))
  }
}
