/// A value with a JSON form.
///
/// Models in this package read tolerantly where Apple may add something: unknown members and
/// unknown values of vocabularies are kept and written again. They are strict where a guess would
/// be needed: a value of the wrong JSON type is refused with its path. `null` counts as absent.
///
/// The conformance to `Codable` uses ``init(json:)`` and ``json``, so that every coder gives the
/// same result.
public protocol JSONModel: Codable, Hashable, Sendable {
  /// Creates the value from its JSON form.
  ///
  /// - Throws: ``FieldTypeFailure`` when a member has the wrong JSON type or a required one is
  ///   missing.
  init(json: JSONValue) throws(FieldTypeFailure)

  /// Creates the value from JSON text in UTF-8, as from the value that the text has.
  ///
  /// Models of this package are read from the text where it is, which takes a fraction of the time. Names are then
  /// compared byte by byte, where the keys of a value are also equal if they are canonically equivalent.
  ///
  /// - Throws: ``JSONValue/SyntaxFailure`` as ``JSONValue/init(parsing:)``, and ``FieldTypeFailure`` as
  ///   ``init(json:)``.
  init(parsing bytes: [UInt8]) throws

  /// The JSON form, an object with every member that is not nil, including unknown ones.
  var json: JSONValue { get }
}

extension JSONModel {
  /// Creates the value from the value of a JSON text.
  public init(parsing bytes: [UInt8]) throws { try self.init(json: JSONValue(parsing: bytes)) }

  /// Creates the value by decoding its ``json`` form.
  public init(from decoder: any Decoder) throws {
    let json = try JSONValue(from: decoder)
    do throws(FieldTypeFailure) {
      try self.init(json: json)
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: error.description,
          underlyingError: error))
    }
  }

  /// Encodes the ``json`` form.
  public func encode(to encoder: any Encoder) throws {
    try json.encode(to: encoder)
  }
}

/// An error for a JSON member that is missing or has an unexpected type.
public struct FieldTypeFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the member: names joined by dots, and elements as `[index]`.
  ///
  /// For example `advancedCommerceInfo.items[0].price`. The path is empty for the value itself.
  public var path: String
  public var expected: JSONKind
  public var found: JSONKind

  /// Creates a failure.
  public init(path: String = "", expected: JSONKind, found: JSONKind) {
    self.path = path
    self.expected = expected
    self.found = found
  }

  /// A text with the path and both kinds, but without the value.
  public var description: String {
    "\(path.isEmpty ? "the value" : path): expected \(expected), found \(found)"
  }

  package func inside(member: String) -> FieldTypeFailure {
    let separator = path.isEmpty || path.hasPrefix("[") ? "" : "."
    return FieldTypeFailure(path: member + separator + path, expected: expected, found: found)
  }
}
