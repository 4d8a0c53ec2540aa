internal import JWSVerifier
internal import PurchaseStorage
internal import ReceiptModels

extension NotificationService {
  /// The result of ``NotificationService/decodeKept(limit:)``.
  public struct KeptResult: Hashable, Sendable {
    /// Notifications that were decoded and applied, or had been applied before.
    public var applied = 0
    /// Notifications that this version of the models does not decode either.
    public var undecoded = 0
    /// Notifications that were decoded and refused, such as one of a product that is not known; they
    /// stay, and are tried again by the next call.
    public var refused = 0

    /// A result without notifications.
    public init() {}
  }

  /// Decodes again the notifications that were authentic, but not as the models had them, and applies
  /// each in its place by its stamps.
  ///
  /// To be called after an upgrade of this library, such as at start. Each notification is a unit of
  /// work of its own; one that is applied is removed. Any number of processes may call this at once.
  ///
  /// Source: contract on signed data, section 7.2.
  ///
  /// - Parameter limit: The number of notifications that are read at a time.
  /// - Returns: The numbers of notifications.
  /// - Throws: ``NotificationFailure/revocationUnknown(_:)``, ``NotificationFailure/appStoreUnavailable(_:)``,
  ///   `CancellationError`, or what the store throws; what was applied until then stays applied.
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
          try await subscriptions.store.write { records in
            try await records.notifications.removeKeptNotification(key: notification.key)
          }
        case .undecoded: result.undecoded += 1
        case .refused: result.refused += 1
        }
      }
    }
  }

  /// Keeps a notification that is authentic as it came, and reports it.
  func keep(undecoded token: String, path: String) async throws {
    let notification: UndecodedNotification
    do throws(SignedDataFailure) {
      notification = try verifier.undecodedNotification(token)
      try await verifier.checkRevocation(of: notification)
    } catch {
      throw NotificationFailure(error)
    }
    let kept = KeptNotification(
      key: try NotificationRecord.key(
        NotificationRecord.identifier(notification.notificationUUID),
        payload: notification.payloadBytes),
      environment: notification.environment, signedPayload: token,
      path: String(bounding: path), receivedDate: subscriptions.now())
    guard try await !isSeen(kept.key) else { return }
    try await subscriptions.store.write { records in
      try await records.notifications.keep(kept)
    }
    subscriptions.report(.notificationNotDecoded(kept.path))
  }

  private enum Outcome { case applied, undecoded, refused }

  private func decode(_ kept: KeptNotification) async throws -> Outcome {
    do {
      try await apply(verifier.notification(kept.signedPayload))
      return .applied
    } catch let failure as SignedDataFailure {
      return failure.isUndecoded ? .undecoded : .refused
    } catch let failure as NotificationFailure {
      switch failure {
      case .revocationUnknown, .appStoreUnavailable: throw failure
      default: return .refused
      }
    } catch StorageFailure.invalidValue {
      // Those behind it are not to wait for a value that no store can hold.
      return .refused
    }
  }

  private func keptNotifications(
    after key: String?, limit: Int
  ) async throws -> [KeptNotification] {
    try await subscriptions.store.read { records in
      try await records.notifications.keptNotifications(after: key, limit: limit)
    }
  }
}
