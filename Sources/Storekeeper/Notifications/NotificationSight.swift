internal import GooglePlayVerifier
internal import OrderPolicy
internal import PurchaseStorage
internal import ReceiptModels
internal import StorekeeperLocks

/// What is known of a notification before its outcome is, for the telemetry.
final class NotificationSight: Sendable {
  private struct State {
    var type: String?
    var verdict: TelemetryVerdict?
  }

  private let state = Locked(State())

  /// Notes the type of an authentic notification.
  func note(_ type: String?) {
    let type = type.map { String(bounding: $0) }
    state.withLock { $0.type = type }
  }

  /// Notes an outcome that is no error to the sender.
  func end(_ outcome: TelemetryOutcome, _ reason: String? = nil) {
    state.withLock { $0.verdict = TelemetryVerdict(outcome, reason) }
  }

  /// Works on a notification, and tells a port how that ended.
  func watching(
    _ vendor: Vendor, _ telemetry: any Telemetry,
    _ work: nonisolated(nonsending) () async throws -> Void
  ) async throws {
    let watch = WorkWatch(.notification(vendor), telemetry)
    do {
      try await watch.span.including(work)
      let (type, verdict) = state.withLock { ($0.type, $0.verdict) }
      watch.end(verdict ?? TelemetryVerdict(.succeeded), .notification(type: type))
    } catch {
      watch.end(Self.verdict(on: error), .notification(type: state.withLock { $0.type }))
      throw error
    }
  }

  private static func verdict(on error: any Error) -> TelemetryVerdict {
    switch error {
    case is CancellationError: TelemetryVerdict(.cancelled)
    case let failure as NotificationFailure: failure.verdict
    case let failure as PushTokenFailure:
      TelemetryVerdict(failure.isIncidental ? .unavailable : .refused, failure.reasonText)
    case OrderFailure.vendorUnavailable(let failure):
      TelemetryVerdict(.unavailable, failure.reason.rawValue)
    case StorageFailure.invalidValue: TelemetryVerdict(.refused, "invalidValue")
    case is StorageFailure: TelemetryVerdict(.unavailable, "store")
    default: TelemetryVerdict(.failed)
    }
  }
}

extension NotificationService {
  /// Works on a notification of Apple's, of which the telemetry is told, if there is one; one that no store can hold is
  /// refused after it was kept.
  func watching(
    _ take: nonisolated(nonsending) (NotificationSight?) async throws -> Outcome
  ) async throws {
    guard let telemetry = context.telemetry else { return try await take(nil).refuse() }
    let sight = NotificationSight()
    try await sight.watching(.apple, telemetry) {
      let outcome = try await take(sight)
      if let outcome = outcome.told { sight.end(outcome) }
      try outcome.refuse()
    }
  }
}

extension NotificationService.Outcome {
  /// Throws the failure of a notification that no store can hold.
  fileprivate func refuse() throws {
    if case .unstorable(let failure) = self { throw failure }
  }

  /// The outcome for the telemetry, other than success.
  fileprivate var told: TelemetryOutcome? {
    switch self {
    case .recorded, .ignored: nil
    case .repeated: .repeated
    case .kept, .unstorable: .kept
    }
  }
}
