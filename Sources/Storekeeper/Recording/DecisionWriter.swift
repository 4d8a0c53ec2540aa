internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A writer that executes the writes of a decision in their order, inside one unit of work.
struct DecisionWriter {
  let records: UnitOfWork
  let options: LinkOptions
  let now: Date
  /// Whether customers are told of what changes.
  var sendsMail = true

  /// Executes the writes of a decision, and returns its membership as stored afterwards, with the ID of its row.
  @discardableResult
  func write(
    _ decision: LinkDecision, about originalTransactionID: String
  ) async throws -> Membership? {
    var membership = decision.membership
    for write in decision.writes {
      guard let row = try await carryOut(write) else { continue }
      if row.accountID == membership?.accountID { membership = row }
    }
    if case .sync = decision.outcome, let membership {
      try await announce(membership, about: originalTransactionID)
    }
    return membership
  }

  /// Executes a write and returns the inserted or updated row, or nil for any other write.
  private func carryOut(_ write: LinkWrite) async throws -> Membership? {
    let memberships = try records.memberships
    switch write {
    case .claim(let id, let owner):
      try await records.storedSubscriptions.setOwner(owner, of: id, now: now)
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
    case .archive(let id, let accountID):
      try await memberships.recordUnlink(
        originalTransactionID: id, accountID: accountID, now: now)
    case .email(let message):
      guard sendsMail else { return nil }
      try await records.outbox.add(message, now: now)
    }
    return nil
  }

  /// Adds an event to the outbox, for the host; it is not an e-mail.
  private func announce(
    _ membership: Membership, about originalTransactionID: String
  ) async throws {
    guard let account = membership.account else { return }
    let message = OutboxMessage(
      kind: .sync, account: account, originalTransactionID: originalTransactionID,
      tier: membership.tier, expireDate: membership.expireDate,
      isAlreadyExpired: membership.validity(at: now, options: options).isExpired)
    try await records.outbox.add(message, now: now)
  }
}
