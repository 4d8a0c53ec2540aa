/// The header fields of a message, in order, where a name may occur more than once.
///
/// ```swift
/// var headers: HTTPHeaders = [.accept: "application/json"]
/// try headers.set("Bearer \(token)", for: .authorization)
/// ```
///
/// A value contains no line break and no other control character except the tab, so that no field
/// can be injected through another. White space around a value is not part of it, and the value is
/// not interpreted. Two collections are equal if they have the same fields in the same order.
///
/// Values may be secret: neither ``description`` nor the mirror shows them. Source: RFC 9110
/// sections 5.1 to 5.5.
public struct HTTPHeaders: Hashable, Sendable, RandomAccessCollection {
  private var fields: [Field]

  /// Creates an empty collection.
  public init() {
    fields = []
  }

  /// Returns the first value for a name, or nil.
  public subscript(name: HTTPHeaderName) -> String? {
    fields.first { $0.name == name }?.value
  }

  /// Returns all values for a name, in order.
  public func values(for name: HTTPHeaderName) -> [String] {
    fields.compactMap { $0.name == name ? $0.value : nil }
  }

  /// Appends a field, even if there is one with the same name.
  ///
  /// - Throws: ``HTTPSyntaxFailure/headerValue(_:)`` if the value contains a control character.
  public mutating func append(
    _ value: String, for name: HTTPHeaderName
  ) throws(HTTPSyntaxFailure) {
    fields.append(try Field(name: name, value: value))
  }

  /// Replaces all values for a name with one, at the position of the first, or appends the field.
  ///
  /// - Throws: ``HTTPSyntaxFailure/headerValue(_:)`` if the value contains a control character;
  ///   then nothing has changed.
  public mutating func set(_ value: String, for name: HTTPHeaderName) throws(HTTPSyntaxFailure) {
    set(try Field(name: name, value: value))
  }

  /// Sets fields, each of which replaces all fields with its name.
  package mutating func set(_ others: HTTPHeaders) {
    fields.reserveCapacity(fields.count + others.count)
    for field in others.fields { set(field) }
  }

  private mutating func set(_ field: Field) {
    guard let index = fields.firstIndex(where: { $0.name == field.name }) else {
      return fields.append(field)
    }
    fields[index] = field
    fields[(index + 1)...].removeAll { $0.name == field.name }
  }

  /// Removes all fields with a name.
  public mutating func remove(_ name: HTTPHeaderName) {
    fields.removeAll { $0.name == name }
  }

  /// The index of the first field.
  public var startIndex: Int { fields.startIndex }
  /// The index after the last field.
  public var endIndex: Int { fields.endIndex }
  /// Returns the field at an index.
  public subscript(index: Int) -> Field { fields[index] }

  /// A header field.
  public struct Field: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    public let name: HTTPHeaderName
    /// The value, which may be secret.
    public let value: String

    /// Creates a field and drops white space around the value.
    ///
    /// - Throws: ``HTTPSyntaxFailure/headerValue(_:)`` if the value contains a control character.
    public init(name: HTTPHeaderName, value: String) throws(HTTPSyntaxFailure) {
      guard Syntax.isFieldValue(value) else { throw .headerValue(name) }
      self.name = name
      self.value = Syntax.trimmed(value)
    }

    init(name: HTTPHeaderName, literal: StaticString) {
      let value = literal.description
      precondition(Syntax.isFieldValue(value), "A header field contains a control character.")
      self.name = name
      self.value = Syntax.trimmed(value)
    }

    /// The name, without the value.
    public var description: String { name.text }
    /// The name, without the value.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  /// Creates fields from literals, whose values must not contain control characters.
  public init(dictionaryLiteral fields: (HTTPHeaderName, StaticString)...) {
    self.fields = fields.map { name, value in Field(name: name, literal: value) }
  }
}

extension HTTPHeaders: CustomStringConvertible, CustomReflectable {
  public var description: String { fields.map(\.name.text).joined(separator: ", ") }
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: fields.map(\.name), displayStyle: .collection)
  }
}
