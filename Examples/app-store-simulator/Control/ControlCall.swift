import HTTPMessages

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A request to the simulator, with its parsed target.
struct ControlCall: Sendable {
  let request: HTTPRequestMessage
  let path: String
  private let query: [URLQueryItem]

  init(_ request: HTTPRequestMessage) throws(ControlRefusal) {
    guard let parts = URLComponents(string: request.url) else { throw .unknownRoute }
    self.request = request
    path = parts.path
    query = parts.queryItems ?? []
  }

  /// Returns the value of a parameter, or nil if it is missing or empty.
  func parameter(_ name: String) -> String? {
    query.first { $0.name == name }?.value.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The length of the body, or its declared length if that is greater.
  var bodyCount: Int {
    max(request.body.count, request.headers[.contentLength].flatMap { Int($0) } ?? 0)
  }

  /// Whether the request comes from this machine and not from a page of another site in its
  /// browser, according to its Host and Origin.
  var isOwn: Bool {
    let hosts = request.headers.values(for: "Host")
    guard hosts.allSatisfy(Self.isLoopback) else { return false }
    return request.headers.values(for: "Origin").allSatisfy { origin in
      hosts.contains { origin == "http://\($0)" }
    }
  }

  private static func isLoopback(_ host: String) -> Bool {
    let name = host.lowercased().prefix { $0 != ":" }
    return name == "127.0.0.1" || name == "localhost"
  }
}
