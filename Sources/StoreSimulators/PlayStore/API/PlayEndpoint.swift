internal import HTTPMessages

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
  }
}

/// The method that a request names, with the parts of its path.
struct PlayRoute: Sendable {
  let endpoint: PlayStoreSimulator.Endpoint
  var packageName = ""
  var productID = ""
  var token = ""

  /// Returns the route of a request; nil if Google has no such method.
  init?(_ method: HTTPRequestMethod, _ target: PlayTarget) {
    switch (target.host, method, target.path) {
    case (.tokens, .post, ["token"]) where target.verb == nil: endpoint = .token
    case (.keys, .get, ["oauth2", "v3", "certs"]) where target.verb == nil:
      endpoint = .certificates
    case (.publisher, _, let path) where path.count >= 6:
      guard path[0] == "androidpublisher", path[1] == "v3", path[2] == "applications",
        path[4] == "purchases"
      else { return nil }
      packageName = path[3]
      guard let found = Self.find(method, Array(path[5...]), target.verb) else { return nil }
      (endpoint, productID, token) = found
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
