internal import JWSVerifier
internal import PurchaseStorage
internal import ReceiptModels

extension NotificationService {
  /// The result of ``NotificationService/decodeKept(limit:)``.
  public struct KeptResult: Hashable, Sendable {
    /// The number of notifications that were decoded and applied, or had been applied before.
    public var applied = 0
    /// The number of notifications that this version of the models cannot decode either.
    public var undecoded = 0
    /// The number of notifications that were decoded but refused, for example because the product
    /// is unknown.
    ///
    /// They stay stored, and the next call retries them.
    public var refused = 0

    /// Creates a result without notifications.
    public init() {}
  }

  /// Decodes and applies the stored notifications that an earlier version could not decode.
  ///
  /// Call this after an upgrade of this library, for example at launch. Stamps put each notification in its place
  /// among newer data. Each notification is applied in its own unit of work and is removed afterwards. Any number of
  /// processes may call this at the same time. Source: app store rules, section 7.2.
  ///
  /// - Returns: The numbers of notifications, by result.
  /// - Throws: ``NotificationFailure/revocationUnknown(_:)``, ``NotificationFailure/appStoreUnavailable(_:)``,
  ///   `CancellationError`, or an error of the store. Notifications that were applied before the error stay applied.
  public func decodeKept(limit: Int = 100) async throws -> KeptResult {
    var result = KeptResult()
    var last: String?
    while true {
      let kept = try await keptNotifications(after: last, limit: max(1, limit))
      guard let next = kept.last?.key else { return result }
      last = next
      for notification in kept {
        try Task.checkCancellation()
        switch try await decode(notification) {
        case .applied:
          result.applied += 1
          try await store.write { records in
            try await records.common.notifications.removeKeptNotification(key: notification.key)
          }
        case .undecoded: result.undecoded += 1
        case .refused: result.refused += 1
        }
      }
    }
  }

  /// Stores an authentic notification that cannot be decoded, or recorded, as it was received, and reports it.
  func keep(
    undecoded token: String, path: String, _ arrived: ArrivedNotification? = nil
  ) async throws {
    let notification: UndecodedNotification
    do throws(SignedDataFailure) {
      notification = try verifier.undecodedNotification(token)
      try await verifier.checkRevocation(of: notification)
    } catch {
      throw NotificationFailure(error)
    }
    let identifier = NotificationRecord.identifier(notification.notificationUUID)
      .flatMap { StoredText.fits($0, .notificationKey) ? $0 : nil }
    let kept = KeptNotification(
      key: try NotificationRecord.key(identifier, payload: notification.payloadBytes),
      environment: notification.environment, signedPayload: token,
      path: String(bounding: path), receivedDate: now())
    guard try await !isSeen(kept.key) else { return }
    arrived?.identify(kept.key, .apple, kept.environment, about: nil)
    let now = now()
    try await store.write { unit in
      try await unit.common.notifications.keep(kept)
      try await arrived?.forward(in: unit, at: now)
    }
    report(.notificationNotDecoded(kept.path))
  }

  private enum KeptOutcome { case applied, undecoded, refused }

  private func decode(_ kept: KeptNotification) async throws -> KeptOutcome {
    do {
      _ = try await apply(verifier.notification(kept.signedPayload))
      return .applied
    } catch let failure as SignedDataFailure {
      return failure.isUndecoded ? .undecoded : .refused
    } catch let failure as NotificationFailure {
      switch failure {
      case .revocationUnknown, .appStoreUnavailable: throw failure
      default: return .refused
      }
    } catch StorageFailure.invalidValue {
      // No store can hold this value. Thrown, it would block all later notifications.
      return .refused
    }
  }

  private func keptNotifications(
    after key: String?, limit: Int
  ) async throws -> [KeptNotification] {
    try await store.read { records in
      try await records.common.notifications.keptNotifications(after: key, limit: limit)
    }
  }
}

extension String {
  /// Creates a string from the first 200 bytes of an untrusted one, without zero bytes.
  init(bounding text: String) {
    let bytes = text.utf8.lazy.filter { $0 != 0 }.prefix(200)
    self = String(decoding: Array(bytes), as: UTF8.self)
  }
}
