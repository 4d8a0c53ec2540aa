public import HTTPMessages
public import LinkPolicy

/// A path of a contract below its mount, with what may be asked of it.
struct Route: Sendable {
  /// Such as `/apple/subs/{id}`.
  let path: String
  let operations: [Operation]

  /// The methods that it knows, in the order of the contract.
  var methods: [HTTPMethod] { operations.map(\.method) }

  func operation(for method: HTTPMethod) -> Operation? {
    operations.first { $0.method == method }
  }

  static func all(_ contract: LinkContract) -> [Route] {
    switch contract {
    case .current: current
    case .year2019: year2019
    }
  }

  // MARK: Matching

  struct Match: Sendable {
    let mount: Mount
    let route: Route
    /// What stands in the place of `{id}`.
    let id: String
  }

  /// Finds the route of a path.
  ///
  /// - Throws: ``RequestRefusal/unknownRoute``.
  static func match(
    _ target: RequestTarget, in mounts: [Mount], withWebhook isTold: Bool
  ) throws(RequestRefusal) -> Match {
    for mount in mounts where target.path.hasPrefix(mount.prefix + "/") {
      let rest = target.path.dropFirst(mount.prefix.count)
      for route in all(mount.contract) where isTold || route.path != webhookPath {
        if let id = route.id(in: rest) { return Match(mount: mount, route: route, id: id) }
      }
    }
    throw .unknownRoute
  }

  static let webhookPath = "/webhook/apple"
  private static let placeholder = "{id}"

  /// What the path has in the place of the id, or an empty text where the route has none; nil where
  /// they do not match.
  private func id(in path: Substring) -> String? {
    guard self.path.hasSuffix(Self.placeholder) else {
      return path.utf8.elementsEqual(self.path.utf8) ? "" : nil
    }
    let start = self.path.dropLast(Self.placeholder.count)
    guard path.utf8.starts(with: start.utf8) else { return nil }
    let id = path.utf8.dropFirst(start.utf8.count)
    guard !id.isEmpty, !id.contains(UInt8(ascii: "/")) else { return nil }
    return String(Substring(id))
  }
}

extension SubscriptionAPI {
  /// The routes of a contract below its mounts, each with the methods that it knows: for hosts whose
  /// server wants every route by name, and for documents.
  public static func routes(
    of contract: LinkContract
  ) -> [(path: String, methods: [HTTPMethod])] {
    Route.all(contract).map { ($0.path, $0.methods) }
  }
}
