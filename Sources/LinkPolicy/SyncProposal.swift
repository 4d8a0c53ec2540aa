public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A change of a stored subscription that its membership follows.
///
/// Source: linking rules, section 4.8.
public struct SyncProposal: Hashable, Sendable {
  public var subscription: Subscription
  /// The row that carries the subscription's original transaction ID; a stale one is left alone.
  public var membership: Membership?
  /// The reason for the change, which the copy of the previous row names.
  public var reason: SnapshotReason
  public var options: LinkOptions

  /// Creates a proposal.
  public init(
    subscription: Subscription, membership: Membership?, reason: SnapshotReason,
    options: LinkOptions = LinkOptions()
  ) {
    self.subscription = subscription
    self.membership = membership
    self.reason = reason
    self.options = options
  }

  /// Decides ``LinkOutcome/sync`` if the membership differs, longer or shorter, or else
  /// ``LinkOutcome/unchanged``.
  ///
  /// The function is pure, and never asks for an e-mail. The owner of the subscription doesn't matter.
  public func decision(at now: Date) -> LinkDecision {
    guard let row = membership, row.isIAP(of: subscription),
      options.allow(
        subscription, for: Account(primaryID: row.primaryID, secondID: row.secondID), at: now),
      !row.agrees(with: subscription)
    else { return LinkDecision(outcome: .unchanged, membership: membership) }
    var synced = row
    synced.follow(subscription)
    return LinkDecision(
      outcome: .sync,
      writes: [.snapshot(row, reason: reason), .update(synced, previous: row)],
      membership: synced)
  }
}
