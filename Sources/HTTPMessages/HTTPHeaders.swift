/// The header fields of a message, in order; a name may occur more than once.
///
/// ```swift
/// var headers: HTTPHeaders = [.accept: "application/json"]
/// try headers.set("Bearer \(token)", for: .authorization)
/// ```
///
/// A value holds no line break and no other control character but the tab, so that no field can be
/// smuggled in through another. White space around a value is not part of it. What a value means is
/// not looked at. Two sets of fields are equal when they have the same fields in the same order.
///
/// Values may be secrets: neither ``description`` nor the mirror shows them.
///
/// Source: RFC 9110 sections 5.1 to 5.5.
public struct HTTPHeaders: Hashable, Sendable, RandomAccessCollection {
  private var fields: [Field]

  /// No fields.
  public init() {
    fields = []
  }

  /// The first value for a name, or nil.
  public subscript(name: HTTPHeaderName) -> String? {
    fields.first { $0.name == name }?.value
  }

  /// All values for a name, in order.
  public func values(for name: HTTPHeaderName) -> [String] {
    fields.filter { $0.name == name }.map(\.value)
  }

  /// Adds a field behind the others, whether or not there is one of that name.
  ///
  /// - Throws: ``HTTPSyntaxFailure/headerValue(_:)`` when the value holds a control character.
  public mutating func append(
    _ value: String, for name: HTTPHeaderName
  ) throws(HTTPSyntaxFailure) {
    fields.append(try Field(name: name, value: value))
  }

  /// Makes a value the only one for its name; the field takes the place of the first, or the last.
  ///
  /// - Throws: ``HTTPSyntaxFailure/headerValue(_:)`` when the value holds a control character; then
  ///   nothing has changed.
  public mutating func set(_ value: String, for name: HTTPHeaderName) throws(HTTPSyntaxFailure) {
    let field = try Field(name: name, value: value)
    guard let place = fields.firstIndex(where: { $0.name == name }) else {
      return fields.append(field)
    }
    fields.removeAll { $0.name == name }
    fields.insert(field, at: place)
  }

  /// Removes all fields of a name.
  public mutating func remove(_ name: HTTPHeaderName) {
    fields.removeAll { $0.name == name }
  }

  /// The place of the first field.
  public var startIndex: Int { fields.startIndex }
  /// The place behind the last field.
  public var endIndex: Int { fields.endIndex }
  /// The field at a place.
  public subscript(place: Int) -> Field { fields[place] }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  /// Takes fields from the program's text; a value with a control character stops the program.
  public init(dictionaryLiteral fields: (HTTPHeaderName, StaticString)...) {
    self.fields = fields.map { name, value in Field(name: name, literal: value) }
  }
}

extension HTTPHeaders: CustomStringConvertible, CustomReflectable {
  /// The names, never the values.
  public var description: String { fields.map(\.name.text).joined(separator: ", ") }
  /// The names, never the values.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: fields.map(\.name), displayStyle: .collection)
  }
}
