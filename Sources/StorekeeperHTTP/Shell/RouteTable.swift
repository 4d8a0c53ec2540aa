internal import HTTPMessages

/// The routes of an API, which finds those of a path without asking each.
struct RouteTable<API: APIShell>: Sendable {
  /// The routes; those of a path follow each other.
  let routes: [Route<API>]
  /// The first route of each path without an ID, by the path.
  private var fixed: [Substring: Int] = [:]
  /// The first route of each path with an ID.
  private var open: [Int] = []

  /// Creates a table; if two paths match, the first one answers.
  init(_ routes: [Route<API>]) {
    self.routes = routes
    for (index, route) in routes.enumerated() {
      if index > 0, routes[index - 1].path == route.path { continue }
      if route.hasID {
        open.append(index)
      } else if fixed[route.path[...]] == nil {
        fixed[route.path[...]] = index
      }
    }
  }

  /// Returns the routes of a path, in the order of the field `Allow`; none if it is unknown.
  func routes(of path: Substring.UTF8View) -> ArraySlice<Route<API>> {
    guard let first = first(of: path) else { return [] }
    return routes[first...].prefix { $0.path == routes[first].path }
  }

  func knows(_ path: Substring.UTF8View) -> Bool { first(of: path) != nil }

  private func first(of path: Substring.UTF8View) -> Int? {
    // Texts are equal if they are canonically equivalent, but paths are compared byte by byte.
    let exact = fixed[Substring(path)].flatMap { index in
      routes[index].path.utf8.elementsEqual(path) ? index : nil
    }
    let pattern = open.first { index in
      index < exact ?? .max && routes[index].id(in: path) != nil
    }
    return pattern ?? exact
  }
}
