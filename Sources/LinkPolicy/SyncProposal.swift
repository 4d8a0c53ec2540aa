public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a stored subscription makes of its membership, after Apple said something new.
///
/// Source: contract on linking, section 4.8.
public struct SyncProposal: Hashable, Sendable {
  /// The subscription as it is after the write.
  public var subscription: Subscription
  /// The row that carries the subscription's original transaction id, possibly a stale one, which
  /// is left alone.
  public var membership: Membership?
  /// What made the subscription change; the copy of the previous row names it.
  public var reason: SnapshotReason
  /// The settings.
  public var options: LinkOptions

  /// A proposal.
  public init(
    subscription: Subscription, membership: Membership?, reason: SnapshotReason,
    options: LinkOptions = LinkOptions()
  ) {
    self.subscription = subscription
    self.membership = membership
    self.reason = reason
    self.options = options
  }

  /// ``LinkOutcome/sync`` where the membership differs, longer or shorter; else
  /// ``LinkOutcome/unchanged``.
  ///
  /// A pure function, which never asks for an e-mail. It goes by the membership and not by the owner.
  ///
  /// - Parameter now: The moment of the request; no rule of today depends on it.
  /// - Returns: What was decided, and what has to be written.
  public func decision(at now: Date) -> LinkDecision {
    guard let row = membership, row.isIAP(of: subscription), options.allow(subscription),
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
