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
  public struct Method: Sendable { public let rawValue: String }
}

public struct HTTPResponse: Sendable {
  public struct Status: Sendable, ExpressibleByIntegerLiteral {
    public init(code: Int) {}
    public init(integerLiteral code: Int) {}
  }
}
