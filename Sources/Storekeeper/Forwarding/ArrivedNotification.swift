internal import PurchaseStorage
internal import ReceiptModels
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A notification as it arrived, which is put into the outbox for each target in the unit of work that records it.
final class ArrivedNotification: Sendable {
  private struct Identity {
    let key: String
    let vendor: Vendor
    let environment: AppStoreEnvironment?
    let purchase: String?
  }

  private struct State {
    /// Nil until the notification is known to be authentic.
    var identity: Identity?
    /// Whether a unit of work forwarded it.
    var isForwarded = false
    var refusals: [(target: String, reason: ForwardRefusal)] = []
  }

  private let body: String
  private let targets: [ForwardTarget]
  private let state = Locked(State())

  /// Creates the notification in a body; nil if nobody wants it, or if it was forwarded here.
  ///
  /// What a server forwarded is not forwarded again, or two that name each other would never end.
  init?(_ body: [UInt8], isForwarded: Bool, to targets: [ForwardTarget]) {
    guard !targets.isEmpty, !isForwarded,
      let text = String(validating: body, as: UTF8.self), !text.isEmpty, !text.hasZeroByte
    else { return nil }
    self.body = text
    self.targets = targets
  }

  /// Notes that the notification is authentic, its key, and the original transaction ID of the purchase that it is
  /// about, by which an erasure finds it; nil leaves the one that was noted before.
  func identify(
    _ key: String, _ vendor: Vendor, _ environment: AppStoreEnvironment?, about purchase: String?
  ) {
    let purchase = purchase.flatMap { TransactionIDs.areStorable($0) ? $0 : nil }
    state.withLock { state in
      state.identity = Identity(
        key: key, vendor: vendor, environment: environment,
        purchase: purchase ?? state.identity?.purchase)
    }
  }

  /// Notes an authentic notification of Apple's by its record.
  func identify(_ record: NotificationRecord, about purchase: String? = nil) {
    identify(
      record.key, .apple, record.environment, about: record.originalTransactionID ?? purchase)
  }

  /// Whether it is authentic and nothing has forwarded it.
  var waits: Bool { state.withLock { $0.identity != nil && !$0.isForwarded } }

  /// Puts the notification into the outbox.
  func forward(in unit: UnitOfWork, at now: Date) async throws {
    guard let identity = state.withLock({ $0.identity }) else { return }
    var refusals: [(target: String, reason: ForwardRefusal)] = []
    for target in targets where target.wants(identity.vendor, identity.environment) {
      let limit = max(0, target.limit)
      // No row takes more, whatever the host has set: a notification is never refused because of a target.
      if body.utf8.count > min(target.bodyLimit, 8 << 20) {
        refusals.append((target.name, .tooLarge))
      } else if try await unit.outbox.waiting(inLine: target.line, limit: limit) >= limit {
        refusals.append((target.name, .full))
      } else {
        var message = OutboxMessage(
          kind: target.line, originalTransactionID: identity.purchase ?? "0",
          reference: identity.key)
        message.body = body
        try await unit.outbox.add(message, now: now)
      }
    }
    // The closure of a unit of work may run again.
    let found = refusals
    state.withLock { ($0.isForwarded, $0.refusals) = (true, found) }
  }

  /// Reports where the notification was not put, after the unit of work.
  func tell(_ report: (ServiceIncident) -> Void) {
    for refusal in state.withLock({ $0.refusals }) {
      report(.notificationNotForwarded(to: refusal.target, refusal.reason))
    }
  }
}
