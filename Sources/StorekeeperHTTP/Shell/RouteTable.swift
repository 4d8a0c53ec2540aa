internal import HTTPMessages

/// The routes of an API, which finds those of a path without asking each.
struct RouteTable<API: APIShell>: Sendable {
  /// The routes; those of a path follow each other.
  let routes: [Route<API>]
  /// The first route of each path without an ID, by the length of the path.
  private var fixed: [[Int]] = []
  /// The first route of each path with an ID.
  private var open: [Int] = []

  /// Creates a table; if two paths match, the first one answers.
  init(_ routes: [Route<API>]) {
    self.routes = routes
    for (index, route) in routes.enumerated() {
      if index > 0, routes[index - 1].path == route.path { continue }
      if route.hasID {
        open.append(index)
      } else {
        let length = route.path.utf8.count
        while fixed.count <= length { fixed.append([]) }
        fixed[length].append(index)
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
    let length = path.count
    let candidates = length < fixed.count ? fixed[length] : []
    let exact = candidates.first { routes[$0].path.utf8.elementsEqual(path) }
    let pattern = open.first { index in
      index < exact ?? .max && routes[index].matches(path)
    }
    return pattern ?? exact
  }
}
