import ReceiptModels

/// The address at Apple's hosts for which a path of the simulator stands.
///
/// `/production` stands for `https://api.storekit.apple.com`, and `/sandbox` for
/// `https://api.storekit-sandbox.apple.com`.
struct ServerAPIAddress: Hashable, Sendable {
  let environment: AppStoreEnvironment
  let url: String

  private static let hosts: [(String, AppStoreEnvironment, String)] = [
    ("/production/", .production, "https://api.storekit.apple.com/"),
    ("/sandbox/", .sandbox, "https://api.storekit-sandbox.apple.com/"),
  ]
  private static let families = ["inApps/", "advancedCommerce/", "groups/", "externalPurchase/"]

  /// Creates the address for a request target; nil if that is not one of the server APIs.
  init?(_ target: String) {
    for (prefix, environment, host) in Self.hosts where target.hasPrefix(prefix) {
      let rest = target.dropFirst(prefix.count)
      guard Self.families.contains(where: { rest.hasPrefix($0) }) else { return nil }
      self.environment = environment
      url = host + rest
      return
    }
    return nil
  }
}
