public import HTTPMessages
internal import Storekeeper

/// Every mount with its routes.
struct RouteTable: Sendable {
  private let mounts: [(mount: Mount, routes: [Route])]

  /// The routes of the contracts; the webhook only where there is what takes notifications.
  init(_ mounts: [Mount], notifications: NotificationService?) {
    let webhook = notifications.map { [Route.webhook($0)] } ?? []
    self.mounts = mounts.map { mount in
      switch mount.contract {
      case .current: (mount, Route.current + webhook)
      case .legacy: (mount, Route.legacy + webhook)
      }
    }
  }

  /// A route that a path leads to.
  struct Match: Sendable {
    let mount: Mount
    let route: Route
    /// What stands in the place of `{id}`.
    let id: String

    /// The whole path, with a placeholder for the id.
    var template: String { mount.prefix + route.path }
  }

  /// The first route that a path leads to.
  func match(_ target: RequestTarget) -> Match? {
    for (mount, routes) in mounts where target.path.starts(with: mount.prefix.utf8) {
      let rest = target.path.dropFirst(mount.prefix.utf8.count)
      for route in routes {
        if let id = route.id(in: rest) { return Match(mount: mount, route: route, id: id) }
      }
    }
    return nil
  }

  /// All of them, for hosts.
  var routes: [APIRoute] {
    mounts.flatMap { mount, routes in
      routes.map { APIRoute(path: mount.prefix + $0.path, methods: $0.methods) }
    }
  }
}

/// A path that is served, with its methods.
public struct APIRoute: Hashable, Sendable {
  /// The whole path, such as `/api/v1/apple/subs/{id}`.
  public let path: String
  /// The methods of the path, in the order of its `Allow` field.
  public let methods: [HTTPRequestMethod]
}
