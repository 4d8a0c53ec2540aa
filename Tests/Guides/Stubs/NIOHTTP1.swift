// swift-format-ignore-file
// declarations that stand for another package; see Tests/Guides/run.

public struct HTTPHeaders: Sendable, Sequence {
  private var fields: [(name: String, value: String)] = []
  public init(_ fields: [(String, String)] = []) {}
  public mutating func add(name: String, value: String) { fields.append((name, value)) }
  public func makeIterator() -> Array<(name: String, value: String)>.Iterator { fields.makeIterator() }
}

public enum HTTPMethod: Sendable, Equatable {
  case GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS
  public var rawValue: String { "GET" }
}

public struct HTTPResponseStatus: Sendable, Equatable {
  public var code: Int
  public init(statusCode: Int) { code = statusCode }
  public static let ok = HTTPResponseStatus(statusCode: 200)
  public static let requestTimeout = HTTPResponseStatus(statusCode: 408)
  public static let payloadTooLarge = HTTPResponseStatus(statusCode: 413)
}
