// swift-format-ignore-file
// declarations that stand for another package; see Tests/Guides/run.

public struct HTTPField: Sendable {
  public struct Name: Sendable {
    public let rawName: String
    public init?(_ name: String) { rawName = name }
  }
  public var name: Name
  public var value: String
  public init(name: Name, value: String) { (self.name, self.value) = (name, value) }
}

public struct HTTPFields: Sendable, Sequence {
  private var fields: [HTTPField] = []
  public init() {}
  public mutating func append(_ field: HTTPField) { fields.append(field) }
  public func makeIterator() -> Array<HTTPField>.Iterator { fields.makeIterator() }
}

public struct HTTPRequest: Sendable {
  public struct Method: Sendable, Hashable {
    public let rawValue: String
    public static let get = Method(rawValue: "GET")
    public static let head = Method(rawValue: "HEAD")
    public static let post = Method(rawValue: "POST")
    public static let put = Method(rawValue: "PUT")
    public static let patch = Method(rawValue: "PATCH")
    public static let delete = Method(rawValue: "DELETE")
    public static let options = Method(rawValue: "OPTIONS")
  }
}

public struct HTTPResponse: Sendable {
  public struct Status: Sendable, ExpressibleByIntegerLiteral {
    public static let requestTimeout = Status(code: 408)
    public init(code: Int) {}
    public init(integerLiteral code: Int) {}
  }
}
