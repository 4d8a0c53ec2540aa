internal import HTTPMessages

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension PlayStoreSimulator {
  /// A method of Google that the simulator answers.
  public enum Endpoint: String, Hashable, Sendable, CaseIterable {
    /// POST `oauth2.googleapis.com/token`, for an access token.
    case token
    /// GET `www.googleapis.com/oauth2/v3/certs`, for the keys of pushes.
    case certificates
    /// GET `purchases/subscriptionsv2/tokens/{token}`.
    case subscription
    /// POST `purchases/subscriptions/{subscriptionId}/tokens/{token}:acknowledge`.
    case acknowledgeSubscription
    /// GET `purchases/productsv2/tokens/{token}`.
    case product
    /// GET `purchases/products/{productId}/tokens/{token}`, the older form.
    case olderProduct
    /// POST `purchases/products/{productId}/tokens/{token}:acknowledge`.
    case acknowledgeProduct
    /// POST `purchases/products/{productId}/tokens/{token}:consume`.
    case consumeProduct
    /// GET `purchases/voidedpurchases`.
    case voidedPurchases
    /// POST `purchases/subscriptionsv2/tokens/{token}:cancel`.
    case cancelSubscription
    /// POST `purchases/subscriptionsv2/tokens/{token}:defer`.
    case deferSubscription
    /// POST `purchases/subscriptionsv2/tokens/{token}:revoke`.
    case revokeSubscription
    /// GET `orders/{orderId}`.
    case order
    /// GET `orders:batchGet`.
    case orders
    /// POST `orders/{orderId}:refund`.
    case refundOrder
    /// POST `orders/{orderId}:reviewrefund`.
    case reviewRefund
    /// POST `externalTransactions`.
    case createExternalTransaction
    /// GET `externalTransactions/{externalTransaction}`.
    case externalTransaction
    /// POST `externalTransactions/{externalTransaction}:refund`.
    case refundExternalTransaction
    /// GET `subscriptions/{productId}`.
    case subscriptionProduct
    /// GET `subscriptions`.
    case subscriptionProducts
    /// GET `oneTimeProducts/{productId}`.
    case oneTimeProduct
    /// GET `oneTimeProducts`.
    case oneTimeProducts
  }
}

/// The method that a request names, with the parts of its path.
struct PlayRoute: Sendable {
  let endpoint: PlayStoreSimulator.Endpoint
  var packageName = ""
  var productID = ""
  var token = ""
  /// The order, the external transaction or the product of the catalog.
  var id = ""

  /// Returns the route of a request; nil if Google has no such method.
  init?(_ method: HTTPRequestMethod, _ target: PlayTarget) {
    switch (target.host, method, target.path) {
    case (.tokens, .post, ["token"]) where target.verb == nil: endpoint = .token
    case (.keys, .get, ["oauth2", "v3", "certs"]) where target.verb == nil:
      endpoint = .certificates
    case (.publisher, _, let path) where path.count >= 5:
      guard path[0] == "androidpublisher", path[1] == "v3", path[2] == "applications" else {
        return nil
      }
      packageName = path[3]
      let rest = Array(path[5...])
      if path[4] == "purchases" {
        guard let found = Self.find(method, rest, target.verb) else { return nil }
        (endpoint, productID, token) = found
      } else {
        guard let found = Self.find(method, path[4], rest, target.verb) else { return nil }
        endpoint = found
        id = rest.first ?? ""
      }
    default: return nil
    }
  }

  private static func find(
    _ method: HTTPRequestMethod, _ path: [String], _ verb: String?
  ) -> (PlayStoreSimulator.Endpoint, productID: String, token: String)? {
    switch (method, path.count, path.first, verb) {
    case (.get, 1, "voidedpurchases", nil): return (.voidedPurchases, "", "")
    case (.get, 3, "subscriptionsv2", nil) where path[1] == "tokens":
      return (.subscription, "", path[2])
    case (.get, 3, "productsv2", nil) where path[1] == "tokens": return (.product, "", path[2])
    case (.get, 4, "products", nil) where path[2] == "tokens":
      return (.olderProduct, path[1], path[3])
    case (.post, 3, "subscriptionsv2", "cancel") where path[1] == "tokens":
      return (.cancelSubscription, "", path[2])
    case (.post, 3, "subscriptionsv2", "defer") where path[1] == "tokens":
      return (.deferSubscription, "", path[2])
    case (.post, 3, "subscriptionsv2", "revoke") where path[1] == "tokens":
      return (.revokeSubscription, "", path[2])
    case (.post, 4, "products", "acknowledge") where path[2] == "tokens":
      return (.acknowledgeProduct, path[1], path[3])
    case (.post, 4, "products", "consume") where path[2] == "tokens":
      return (.consumeProduct, path[1], path[3])
    case (.post, 4, "subscriptions", "acknowledge") where path[2] == "tokens":
      return (.acknowledgeSubscription, path[1], path[3])
    default: return nil
    }
  }
}

extension PlayRoute {
  /// Finds a method about orders, external transactions or products of the catalog.
  private static func find(
    _ method: HTTPRequestMethod, _ collection: String, _ path: [String], _ verb: String?
  ) -> PlayStoreSimulator.Endpoint? {
    switch (method, collection, path.count, verb) {
    case (.get, "orders", 0, "batchGet"): .orders
    case (.get, "orders", 1, nil): .order
    case (.post, "orders", 1, "refund"): .refundOrder
    case (.post, "orders", 1, "reviewrefund"): .reviewRefund
    case (.post, "externalTransactions", 0, nil): .createExternalTransaction
    case (.get, "externalTransactions", 1, nil): .externalTransaction
    case (.post, "externalTransactions", 1, "refund"): .refundExternalTransaction
    case (.get, "subscriptions", 1, nil): .subscriptionProduct
    case (.get, "subscriptions", 0, nil): .subscriptionProducts
    case (.get, "oneTimeProducts", 1, nil): .oneTimeProduct
    case (.get, "oneTimeProducts", 0, nil): .oneTimeProducts
    default: nil
    }
  }
}

/// The address of a request to Google, taken apart.
struct PlayTarget: Sendable {
  let host: Host
  /// The decoded parts of the path, without the verb.
  let path: [String]
  /// The text after the last colon of the path, such as `acknowledge`; nil without one.
  let verb: String?
  let query: [ServerAPITarget.Parameter]

  enum Host: String, CaseIterable, Sendable {
    case tokens = "https://oauth2.googleapis.com/"
    case publisher = "https://androidpublisher.googleapis.com/"
    case keys = "https://www.googleapis.com/"
  }

  /// Takes an address apart; nil if it is none of Google's.
  init?(url: String) {
    guard let host = Host.allCases.first(where: { url.hasPrefix($0.rawValue) }) else { return nil }
    self.host = host
    let parts = url.dropFirst(host.rawValue.count)
      .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var segments = parts[0].split(separator: "/", omittingEmptySubsequences: false)
    // A verb is what follows a colon that is not escaped.
    if let last = segments.last, let colon = last.lastIndex(of: ":") {
      verb = String(last[last.index(after: colon)...])
      segments[segments.count - 1] = last[..<colon]
    } else {
      verb = nil
    }
    path = segments.map { ServerAPITarget.decoded($0) }
    query = ServerAPITarget.parameters(parts.count == 2 ? parts[1] : "")
  }

  func value(_ name: String) -> String? { query.first { $0.name == name }?.value }

  func values(_ name: String) -> [String] { query.filter { $0.name == name }.map(\.value) }
}

/// The requests of the last minutes, counted as Google's quotas are.
///
/// Source: Google Play Developer API, "Quotas" and "Voided Purchases API".
struct PlayQuotas: Sendable {
  private var recent: [Bucket: [Date]] = [:]

  /// The requests that share a quota.
  private enum Bucket: Hashable {
    case subscriptions, subscriptionUpdates, oneTimePurchases, voidedPurchases, orders
    case externalTransactions, catalog
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
    case .acknowledgeSubscription, .cancelSubscription, .deferSubscription, .revokeSubscription:
      .subscriptionUpdates
    case .order, .orders, .refundOrder, .reviewRefund: .orders
    case .createExternalTransaction, .externalTransaction, .refundExternalTransaction:
      .externalTransactions
    case .subscriptionProduct, .subscriptionProducts, .oneTimeProduct, .oneTimeProducts: .catalog
    case .product, .olderProduct, .acknowledgeProduct, .consumeProduct: .oneTimePurchases
    case .voidedPurchases: .voidedPurchases
    case .token, .certificates: nil
    }
  }
}
