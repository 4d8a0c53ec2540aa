extension HTTPHeaders {
  /// One header field.
  public struct Field: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// Its name.
    public let name: HTTPHeaderName
    /// Its value, which may be a secret.
    public let value: String

    /// Takes a name and a value, and drops white space around the value.
    ///
    /// - Throws: ``HTTPSyntaxFailure/headerValue(_:)`` when the value holds a control character.
    public init(name: HTTPHeaderName, value: String) throws(HTTPSyntaxFailure) {
      guard Syntax.isFieldValue(value) else { throw .headerValue(name) }
      self.name = name
      self.value = Syntax.trimmed(value)
    }

    init(name: HTTPHeaderName, literal: StaticString) {
      let value = literal.description
      precondition(Syntax.isFieldValue(value), "A header field holds no control character.")
      self.name = name
      self.value = Syntax.trimmed(value)
    }

    /// The name, never the value.
    public var description: String { name.text }
    /// The name, never the value.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
  }
}
