internal import OrderPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The follower of Apple's notifications for which an order changes at once, instead of at the next login.
///
/// The notification is judged with everything that is stored about the subscription. It tells of one charge, and may
/// come late: a later renewal may not have been heard of. So it removes no order. A refund ends the order at its
/// date, and the next login, which asks Apple then, removes or renews it. Source: entitlement rules, section 13.
struct OrderFollower: Sendable {
  /// A stored order, with what the host's accounts say about its user.
  private struct Order: Sendable {
    let row: OrderedSubscription
    let identifiers: OwnIdentifiers
    let environments: CountedEnvironments
  }

  private let facts: PurchaseFacts
  private let keys: [PurchaseKey]
  private let orders: [Order]
  private let now: Date

  /// Finds the orders that rest on the purchases in facts, and asks the host's accounts about their users.
  ///
  /// An order that is stored afterwards has asked Apple itself.
  init(of facts: PurchaseFacts, in service: OrderService) async throws {
    now = service.now()
    let (complete, keys, rows) = try await service.store.read { unit in
      var facts = facts
      try await facts.complete(in: unit)
      let keys = Set(facts.originalTransactionIDs).union(facts.previousIDs).sorted()
        .map { facts.purchaseKey(of: $0) }
      var rows: [OrderedSubscription] = []
      for key in keys {
        guard let row = try await unit.claimant(of: key).1, row.purchaseKey == key
        else { continue }
        rows.append(row)
      }
      return (facts, keys, rows)
    }
    self.facts = complete
    var orders: [Order] = []
    for row in rows.sorted(by: { $0.userID < $1.userID }) {
      let account = try await service.accounts.account(knownAs: row.userID)
      orders.append(
        Order(
          row: row, identifiers: OwnIdentifiers(account ?? Account(id: row.userID)),
          environments: try await service.environments(for: row.userID)))
    }
    self.keys = keys
    self.orders = orders
  }

  /// Whether no order rests on the purchases.
  var isEmpty: Bool { orders.isEmpty }

  /// Locks the orders and then the claims, before anything else, as an order does.
  func lock(in unit: UnitOfWork) async throws {
    guard !orders.isEmpty else { return }
    for order in orders { _ = try await unit.orderedSubscriptions.find(order.row.userID) }
    _ = try await unit.subscriptionClaims.owners(of: keys)
  }

  /// Lets the orders follow, after the facts were written.
  func follow(in unit: UnitOfWork) async throws {
    guard !orders.isEmpty else { return }
    let report = VendorReport(AppleEvidence(facts), facts: facts, at: now)
    let answer = report.answer(besides: try await report.stored(in: unit), at: now)
    for order in orders {
      // A login may have checked the order since its user was asked about.
      guard var row = try await unit.orderedSubscriptions.find(order.row.userID),
        row.purchaseKey == order.row.purchaseKey
      else { continue }
      switch answer {
      case .valid:
        _ = try await unit.follow(
          answer, of: row, order.identifiers, environments: order.environments, at: now,
          isNotification: true)
      case .explicitFailure:
        // Refunds of earlier charges say nothing about the one that the order rests on. A row may have whole seconds.
        let end = row.expiration.addingTimeInterval(-1)
        let refund = facts.purchases.filter { end < $0.expiresDate?.readable ?? .distantPast }
          .compactMap { $0.cancellationDate?.readable }.max()
        guard let refund, refund < row.expiration else { continue }
        row.expiration = refund
        try await unit.orderedSubscriptions.save(row)
      default: break
      }
    }
  }
}

extension AppleEvidence {
  fileprivate init(_ facts: PurchaseFacts) {
    self.init(
      environment: facts.environment, originalTransactionIDs: Set(facts.originalTransactionIDs),
      charges: facts.purchases)
  }
}
