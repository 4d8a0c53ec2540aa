internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Carries out what a decision asks for, inside one unit of work, in the decision's order.
struct DecisionWriter {
  let records: any SubscriptionRecords
  let options: LinkOptions
  let now: Date

  /// The decision's membership as stored afterwards, with the id of its row.
  @discardableResult
  func write(
    _ decision: LinkDecision, about originalTransactionID: String
  ) async throws -> Membership? {
    var membership = decision.membership
    for write in decision.writes {
      guard let row = try await carryOut(write) else { continue }
      if row.compoundID == membership?.compoundID { membership = row }
    }
    if case .sync = decision.outcome, let membership {
      try await announce(membership, about: originalTransactionID)
    }
    return membership
  }

  /// The row that a write leaves, if it leaves one.
  private func carryOut(_ write: LinkWrite) async throws -> Membership? {
    let memberships = records.memberships
    switch write {
    case .claim(let id, let owner):
      try await records.subscriptions.setOwner(owner, of: id, now: now)
    case .insert(let row):
      return try await memberships.insert(row)
    case .update(let row, let previous):
      return try await memberships.update(row, previous: previous)
    case .delete(let row):
      try await memberships.delete(row)
    case .snapshot(let row, let reason):
      try await memberships.snapshot(row, reason: reason, now: now)
    case .dispute(let id, let account):
      try await memberships.recordDispute(originalTransactionID: id, account: account, now: now)
    case .archive(let id, let ftcID):
      try await memberships.recordUnlink(originalTransactionID: id, ftcID: ftcID, now: now)
    case .email(let email):
      try await records.outbox.add(OutboxMessage(email), now: now)
    }
    return nil
  }

  /// An event for the host, not an e-mail.
  private func announce(
    _ membership: Membership, about originalTransactionID: String
  ) async throws {
    guard
      let account = try? Account(ftcID: membership.ftcID, unionID: membership.unionID)
    else { return }
    let message = OutboxMessage(
      kind: .sync, account: account, originalTransactionID: originalTransactionID,
      tier: membership.tier, expireDate: membership.expireDate,
      isAlreadyExpired: membership.validity(at: now, options: options).isExpired)
    try await records.outbox.add(message, now: now)
  }
}

extension OutboxMessage {
  fileprivate init(_ email: MembershipEmail) {
    self.init(
      kind: Kind(rawValue: email.kind.rawValue), account: email.account,
      originalTransactionID: email.originalTransactionID, tier: email.tier,
      expireDate: email.expireDate, isAlreadyExpired: email.isAlreadyExpired)
  }
}
