internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The unit of work that writes everything that follows from a verified notification.
///
/// Associations with users are locked first, then come credits, subscriptions and the plans of validations,
/// in every unit of work, so that all of them lock in the same order.
struct NotificationUnit: Sendable {
  let record: NotificationRecord
  /// The facts about a subscription, if the host has subscriptions and this is one.
  let facts: PurchaseFacts?
  /// The purchase in the notification, of any kind.
  let purchase: PurchaseFacts?
  /// The news for credits, if the host has credits.
  let news: CreditNews?
  /// The news for entitlements, if the host has them and the notification has a purchase.
  let entitlementNews: EntitlementNews?
  /// Further work.
  let errand: UnitErrand?

  /// The result of a unit of work.
  struct Written: Sendable {
    var subscriptions: [Subscription] = []
    /// Whether the notification is recorded; if not, Apple will send it again.
    var isNoted = true
    /// Whether it had been recorded before.
    var isRepeated = false
  }

  func write(
    in records: UnitOfWork, _ credits: CreditService?, concernsCredits: Bool,
    _ recorder: FactsRecorder?, now: Date
  ) async throws -> Written {
    let notifications = records.notifications
    var written = Written()
    var prepared = EvidenceKeeper.Prepared()
    if let entitlementNews {
      prepared = try await entitlementNews.prepare(in: records, now: now)
    }
    if facts == nil {
      guard try await notifications.record(notification: record, now: now) else {
        written.isRepeated = true
        return written
      }
    }
    var isForCredits = false
    if let credits, let news {
      isForCredits = try await credits.apply(news, isConcern: concernsCredits, in: records)
    }
    if let facts, let recorder {
      if let entitlementNews {
        try await entitlementNews.inherit(prepared, in: records, now: now)
        written.subscriptions = try await recorder.record(facts, noting: record, in: records)
      } else {
        written.subscriptions = try await recorder.recordForAll(facts, noting: record, in: records)
      }
    } else if let entitlementNews {
      try await entitlementNews.keep(prepared, in: records, now: now)
    } else if isForCredits {
      try await purchase?.keepPurchases(in: records, now: now)
    }
    try await entitlementNews?.follow(in: records, now: now)
    try await errand?.run(records)
    if facts != nil, written.subscriptions.isEmpty {
      written.isNoted =
        isForCredits || entitlementNews?.isListed == true || errand?.isWholePoint == true
      if written.isNoted { _ = try await notifications.record(notification: record, now: now) }
    }
    return written
  }
}

/// Work that is done in the unit of work of a notification; done again, it changes nothing.
struct UnitErrand: Sendable {
  /// Whether the notification is about nothing else, so that it is noted although its product is
  /// unknown.
  let isWholePoint: Bool
  let run: nonisolated(nonsending) @Sendable (UnitOfWork) async throws -> Void
}
