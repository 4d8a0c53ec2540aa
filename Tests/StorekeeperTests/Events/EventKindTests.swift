import Foundation
import InMemoryStorage
import LinkPolicy
import OrderPolicy
import PurchaseStorage
import ReceiptModels
import Storekeeper
import Testing

/// The types of events, each after the change that it tells.
///
/// Source: `Documentation/guides/being-told.md`.
@Suite("The types of events", .onEveryStore)
struct EventKindTests {
  private static let id = "1000000000000001"
  private static let now = Date(timeIntervalSince1970: 1_700_000_000)

  /// Returns the events that units of work write, one after the other.
  private func told(_ units: UnitOfWorkBody<Void>...) async throws -> [PurchaseEvent] {
    let base = try await StoreScope.$recordsEvents.withValue(false) {
      try await StoreScope.emptyStore()
    }
    let store = EventStore(base, now: { Self.now })
    for unit in units { try await store.write(unit) }
    return try await events(in: base)
  }

  @Test(
    "of a store's notice are told beside the message that says the same",
    arguments: [
      (OutboxMessage.Kind.consumption, "purchase.refund_requested"),
      (.refundReview, "purchase.refund_requested"), (.starterRefused, "credits.starter_refused"),
      (.priceIncrease, "subscription.price_increase"),
      (.offerRedeemed, "subscription.offer_redeemed"),
      (.winBackEligible, "subscription.win_back_eligible"),
      (.consentRescinded, "consent.rescinded"),
      (.externalPurchaseCreated, "external_purchase.created"),
      (.externalPurchaseReminder, "external_purchase.reminder"),
      (.externalPurchaseUnreported, "external_purchase.unreported"),
    ])
  func notices(_ kind: OutboxMessage.Kind, _ type: String) async throws {
    var message = OutboxMessage(
      kind: kind, account: Account(id: "ann"), originalTransactionID: Self.id, reference: "r-1")
    message.deadline = Self.now + 3600
    let added = message
    let events = try await told { try await $0.outbox.add(added, now: Self.now) }
    #expect(events.map(\.kind.rawValue) == [type])
    #expect(events.first?.account == "ann")
    #expect(
      events.first?.details
        == .notice(
          StoreNotice(
            originalTransactionID: Self.id, reference: "r-1", deadline: Self.now + 3600)))
  }

  @Test("of an e-mail, and of what the package does itself, are none")
  func otherMessages() async throws {
    let kinds: [OutboxMessage.Kind] = [
      .link, .unlink, .transfer, .sync, .googleAcknowledgement, .googleConsumption,
    ]
    let events = try await told { unit in
      for kind in kinds {
        try await unit.outbox.add(
          OutboxMessage(
            kind: kind, account: Account(id: "ann"), originalTransactionID: Self.id,
            reference: "r-1"), now: Self.now)
      }
    }
    #expect(events.isEmpty)
  }

  private static func membership(
    _ change: (inout Membership) -> Void = { _ in }
  ) -> Membership {
    var row = Membership(account: Account(id: "ann"))
    row.tier = .standard
    row.cycle = .month
    row.payMethod = .apple
    row.originalTransactionID = id
    // The day of `now` is 14 November 2023.
    row.expireDate = CalendarDay("2023-11-30")
    row.autoRenew = true
    change(&row)
    return row
  }

  /// The event of a membership that becomes another one.
  private func told(
    from previous: Membership = Self.membership(), _ change: (inout Membership) -> Void
  ) async throws -> [String] {
    var row = previous
    change(&row)
    let changed = row
    return try await told { unit in
      let stored = try await unit.memberships.insert(previous)
      var row = changed
      row.id = stored.id
      _ = try await unit.memberships.update(row, previous: stored)
    }.dropFirst().map(\.kind.rawValue)
  }

  @Test("of memberships are told by what has changed")
  func memberships() async throws {
    #expect(try await told { _ in } == [])
    #expect(try await told { $0.tier = .premium } == ["membership.changed"])
    #expect(try await told { $0.autoRenew = false } == ["membership.changed"])
    #expect(
      try await told { $0.expireDate = CalendarDay("2023-11-20") } == ["membership.changed"])
    #expect(
      try await told { $0.expireDate = CalendarDay("2023-12-30") } == ["membership.renewed"])
    #expect(
      try await told { $0.originalTransactionID = "1000000000000002" } == ["membership.moved"])
    #expect(
      try await told { $0.expireDate = CalendarDay("2023-11-13") } == ["membership.lapsed"])
    // The last day itself is one of the membership.
    #expect(
      try await told { $0.expireDate = CalendarDay("2023-11-14") } == ["membership.changed"])
    #expect(
      try await told {
        $0.payMethod = .stripe
        $0.originalTransactionID = nil
      } == ["membership.unlinked"])
  }

  private static func order(
    _ change: (inout OrderedSubscription) -> Void = { _ in }
  ) -> OrderedSubscription {
    var order = OrderedSubscription(
      userID: "u-1", levelName: "Pro",
      purchaseKey: PurchaseKey(vendor: .apple, environment: .production, identifier: id),
      receiptData: "r", expiration: now + 3600, validatedDate: now)
    change(&order)
    return order
  }

  /// The event of an order that becomes another one, or is removed.
  private func told(
    _ change: @escaping @Sendable (inout OrderedSubscription) -> Void
  ) async throws -> [String] {
    try await told(
      { _ = try await $0.orderedSubscriptions.add(Self.order()) },
      { try await $0.orderedSubscriptions.save(Self.order(change)) }
    ).dropFirst().map(\.kind.rawValue)
  }

  @Test("of orders are told by what has changed")
  func orders() async throws {
    #expect(try await told { _ in } == [])
    #expect(try await told { $0.expiration = Self.now + 7200 } == ["order.renewed"])
    #expect(try await told { $0.expiration = Self.now + 60 } == ["order.changed"])
    #expect(try await told { $0.levelName = "Basic" } == ["order.changed"])
    #expect(try await told { $0.expiration = Self.now } == ["order.ended"])
    let removed = try await told(
      { _ = try await $0.orderedSubscriptions.add(Self.order()) },
      { _ = try await $0.orderedSubscriptions.remove("u-1") })
    #expect(removed.map(\.kind.rawValue) == ["order.accepted", "order.ended"])
    #expect(removed.allSatisfy { $0.account == "u-1" })
  }
}
