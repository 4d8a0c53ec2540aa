internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The unit of work that writes everything that follows from a verified notification.
///
/// Orders are locked first, then come associations with users, subscriptions with their memberships, credits, and the
/// plans of validations, in every unit of work, so that all of them lock in the same order.
struct NotificationUnit: Sendable {
  let record: NotificationRecord
  /// The facts about the purchase in the notification; nil if there is none that can be recorded.
  let facts: PurchaseFacts?
  /// Whether the notification is noted only if somebody knows the product, as Apple sends it again otherwise.
  let awaitsProduct: Bool
  var news: CreditNews?
  /// Whether the product is listed by one of the host's apps.
  var isListed = false
  var orders: OrderFollower?
  var errand: UnitErrand?
  /// The message that is put into the outbox once the notification is noted.
  var event: OutboxMessage?
  /// The notification as it arrived, which is forwarded once it is noted; nil if it is not.
  var arrived: ArrivedNotification?

  struct Written: Sendable {
    var subscriptions: [Subscription] = []
    /// Whether the notification is recorded; if not, Apple will send it again.
    var isNoted = true
    /// Whether it had been recorded before.
    var isRepeated = false
  }

  func write(
    in unit: UnitOfWork, _ credits: CreditService?, concernsCredits: Bool,
    _ recorder: FactsRecorder
  ) async throws -> Written {
    var written = Written()
    try await orders?.lock(in: unit)
    let followed = recorder.hasFollowers ? facts.map { [$0] } ?? [] : []
    let prepared = try await recorder.prepare(
      followed, in: unit, asking: [.notification(key: record.key)])
    if !awaitsProduct {
      guard try await unit.notifications.record(notification: record, now: recorder.now) else {
        written.isRepeated = true
        return written
      }
    }
    var isForCredits = false
    if let credits, let news {
      isForCredits = try await credits.apply(news, isConcern: concernsCredits, in: unit)
    }
    let recorded = try await recorder.write(prepared, in: unit)
    written.subscriptions = recorded.subscriptions
    if isForCredits || orders != nil, !recorder.hasFollowers {
      try await facts?.keepPurchases(in: unit, now: recorder.now)
    }
    try await recorder.follow(prepared.facts, of: recorded.owners, in: unit)
    try await orders?.follow(in: unit)
    try await errand?.run(unit)
    if awaitsProduct {
      written.isNoted =
        !written.subscriptions.isEmpty || isForCredits || isListed || orders?.isEmpty == false
        || errand?.isWholePoint == true
      guard written.isNoted,
        try await unit.notifications.record(notification: record, now: recorder.now)
      else { return written }
    }
    if let event { try await unit.outbox.add(event, now: recorder.now) }
    try await arrived?.forward(in: unit, at: recorder.now)
    return written
  }
}

/// Work that is done in the unit of work of a notification; done again, it changes nothing.
struct UnitErrand: Sendable {
  /// Whether the notification is about nothing else, so that it is noted although its product is
  /// unknown.
  let isWholePoint: Bool
  let run: UnitOfWorkBody<Void>
}
