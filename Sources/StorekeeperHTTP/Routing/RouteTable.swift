public import HTTPMessages

/// The prefixes of an API and their routes.
struct RouteTable<API: RoutedAPI>: Sendable {
  /// The routes below a prefix.
  struct Section: Sendable {
    let prefix: String
    let place: API.Place
    let routes: [Route<API>]
  }

  private let sections: [Section]

  /// Creates a table; if the routes of two sections match a path, the first one answers.
  init(_ sections: [Section]) { self.sections = sections }

  /// The route that a path matches.
  struct Match: Sendable {
    let section: Section
    let route: Route<API>
    /// The ID in the path, or an empty text if the route has none.
    let id: String

    var place: API.Place { section.place }
    /// The full path, with a placeholder for the ID.
    var template: String { section.prefix + route.path }
  }

  /// Returns the first route that a path matches.
  func match(_ target: RequestTarget) -> Match? {
    for section in sections where target.path.starts(with: section.prefix.utf8) {
      let rest = target.path.dropFirst(section.prefix.utf8.count)
      for route in section.routes {
        if let id = route.id(in: rest) { return Match(section: section, route: route, id: id) }
      }
    }
    return nil
  }

  /// All routes, for hosts.
  var routes: [APIRoute] {
    sections.flatMap { section in
      section.routes.map { APIRoute(path: section.prefix + $0.path, methods: $0.methods) }
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
