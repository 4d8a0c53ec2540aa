#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The candidates of one original transaction id, of which there is at least one.
///
/// Source: contract on linking, section 4.7, steps 1 to 5.
struct SubscriptionCandidates {
  /// The one that the subscription is made of.
  let latest: SubscriptionCandidate
  /// Whether the one with the greatest expiry was not cancelled, so that it may renew.
  let allowRenewal: Bool

  init?(_ records: [PurchaseRecord], products: ProductMap) {
    let candidates = records.compactMap { SubscriptionCandidate($0, products: products) }
    guard let best = candidates.map(\.standing).min(),
      // Steps 2 and 4: what is set aside counts only where nothing better is left.
      let latest = candidates.filter({ $0.standing == best }).max(by: { $0.rank < $1.rank }),
      let greatest = candidates.max(by: { $0.rank < $1.rank })
    else { return nil }
    self.latest = latest
    allowRenewal = greatest.standing != .cancelled
  }
}
