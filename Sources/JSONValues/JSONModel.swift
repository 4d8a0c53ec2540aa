/// A value that has a JSON form of Apple's.
///
/// Every model of this module is one. Reading is tolerant where Apple may change something (unknown
/// members and unknown values of vocabularies are kept and written again) and strict where a guess
/// would be needed: a value of the wrong JSON type is refused with its path. `null` counts as
/// absent.
///
/// The conformance to `Codable` goes through ``init(json:)`` and ``json``, so that any coder gives
/// the same result. Source: contract on signed data, section 3.
public protocol JSONModel: Codable, Hashable, Sendable {
  /// Reads the value.
  ///
  /// - Throws: ``FieldTypeFailure`` when a member has the wrong JSON type or a required one is
  ///   missing.
  init(json: JSONValue) throws(FieldTypeFailure)

  /// The JSON form: an object with every member that is not nil, unknown ones included.
  var json: JSONValue { get }
}

extension JSONModel {
  /// Reads the value by way of its ``json`` form.
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

  /// Writes the ``json`` form.
  public func encode(to encoder: any Encoder) throws {
    try json.encode(to: encoder)
  }
}

/// A member of a JSON object has another type than Apple documents, or is missing.
public struct FieldTypeFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where: member names joined by dots, elements as `[index]`; empty for the value itself.
  ///
  /// For example `advancedCommerceInfo.items[0].price`.
  public var path: String
  /// What Apple documents there.
  public var expected: JSONKind
  /// What was there.
  public var found: JSONKind

  /// Makes a failure at a path.
  public init(path: String = "", expected: JSONKind, found: JSONKind) {
    self.path = path
    self.expected = expected
    self.found = found
  }

  /// The path and both kinds, without the value.
  public var description: String {
    "\(path.isEmpty ? "the value" : path): expected \(expected), found \(found)"
  }

  func inside(member: String) -> FieldTypeFailure {
    let separator = path.isEmpty || path.hasPrefix("[") ? "" : "."
    return FieldTypeFailure(path: member + separator + path, expected: expected, found: found)
  }
}
