internal import HTTPMessages
internal import LinkPolicy

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
    for mount in mounts where target.path.starts(with: mount.prefix.utf8) {
      let rest = target.path.dropFirst(mount.prefix.utf8.count)
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
  private func id(in path: Substring.UTF8View) -> String? {
    guard self.path.hasSuffix(Self.placeholder) else {
      return path.elementsEqual(self.path.utf8) ? "" : nil
    }
    let start = self.path.dropLast(Self.placeholder.count)
    guard path.starts(with: start.utf8) else { return nil }
    let id = path.dropFirst(start.utf8.count)
    guard !id.isEmpty, !id.contains(UInt8(ascii: "/")) else { return nil }
    return String(decoding: id, as: UTF8.self)
  }
}
