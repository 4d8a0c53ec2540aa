#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The requests of the last minutes, counted as Google's quotas are.
///
/// Source: Google Play Developer API, "Quotas" and "Voided Purchases API".
struct PlayQuotas: Sendable {
  private var recent: [Bucket: [Date]] = [:]

  /// The requests that share a quota.
  private enum Bucket: Hashable {
    case subscriptions, subscriptionUpdates, oneTimePurchases, voidedPurchases
  }

  /// Counts a request.
  ///
  /// - Throws: ``GoogleAPIError`` if it is one too many.
  mutating func count(
    _ endpoint: PlayStoreSimulator.Endpoint, at now: Date, _ settings: PlayStoreSimulator.Settings
  ) throws(GoogleAPIError) {
    guard settings.limitsRequests, let bucket = Self.bucket(endpoint) else { return }
    var dates = recent[bucket] ?? []
    dates.removeAll { now.timeIntervalSince($0) >= 86_400 }
    func count(within seconds: Double) -> Int {
      dates.count { now.timeIntervalSince($0) < seconds }
    }
    if bucket == .voidedPurchases {
      guard dates.count < settings.voidedRequestsPerDay else { throw .tooManyToday }
      guard count(within: 30) < settings.voidedRequestsPerHalfMinute else { throw .tooMany }
    } else {
      guard count(within: 60) < settings.requestsPerMinute else { throw .tooMany }
    }
    dates.append(now)
    recent[bucket] = dates
  }

  private static func bucket(_ endpoint: PlayStoreSimulator.Endpoint) -> Bucket? {
    switch endpoint {
    case .subscription: .subscriptions
    case .acknowledgeSubscription: .subscriptionUpdates
    case .product, .olderProduct, .acknowledgeProduct, .consumeProduct: .oneTimePurchases
    case .voidedPurchases: .voidedPurchases
    case .token, .certificates: nil
    }
  }
}
