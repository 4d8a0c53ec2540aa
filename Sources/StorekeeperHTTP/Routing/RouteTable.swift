public import HTTPMessages
internal import Storekeeper

/// The mounts and their routes.
struct RouteTable: Sendable {
  private let mounts: [(mount: Mount, routes: [Route])]

  /// Creates the routes of the contracts.
  ///
  /// The webhook needs a service that receives notifications, and the route for retention messages
  /// one that answers them.
  init(
    _ mounts: [Mount], notifications: NotificationService?,
    retentionMessages: RetentionMessageService?
  ) {
    let webhook = notifications.map { [Route.webhook($0)] } ?? []
    let messages = retentionMessages.map { [Route.retentionMessage($0)] } ?? []
    self.mounts = mounts.map { mount in
      switch mount.contract {
      case .current: (mount, Route.current + webhook + messages)
      case .legacy: (mount, Route.legacy + webhook)
      }
    }
  }

  /// The route that a path matches.
  struct Match: Sendable {
    let mount: Mount
    let route: Route
    /// The ID in the path, or an empty text if the route has none.
    let id: String

    /// The full path, with a placeholder for the ID.
    var template: String { mount.prefix + route.path }
  }

  /// Returns the first route that a path matches.
  func match(_ target: RequestTarget) -> Match? {
    for (mount, routes) in mounts where target.path.starts(with: mount.prefix.utf8) {
      let rest = target.path.dropFirst(mount.prefix.utf8.count)
      for route in routes {
        if let id = route.id(in: rest) { return Match(mount: mount, route: route, id: id) }
      }
    }
    return nil
  }

  /// All routes, for hosts.
  var routes: [APIRoute] {
    mounts.flatMap { mount, routes in
      routes.map { APIRoute(path: mount.prefix + $0.path, methods: $0.methods) }
    }
  }
}

/// A served path and its methods.
public struct APIRoute: Hashable, Sendable {
  /// The full path, such as `/api/v1/apple/subs/{id}`.
  public let path: String
  /// The methods of the path, in the order of its `Allow` field.
  public let methods: [HTTPRequestMethod]
}
