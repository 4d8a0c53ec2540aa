internal import JSONValues

/// The reason why a file is no product list, with its place.
///
/// The description has one line, such as `product list: element 3, key "productType": unknown value
/// "lifetime"`. Source: entitlement rules, section 1.
public struct ProductListFailure: Error, Hashable, Sendable {
  /// The index of the element, from 0, or nil for the whole file.
  public let index: Int?
  /// The path of the key, such as `contentFetcherParameters.sources[1].URL`, or nil for the element itself.
  public let key: String?
  public let reason: Reason

  /// A reason.
  @nonexhaustive
  public enum Reason: Hashable, Sendable {
    /// The file has more bytes than the limit.
    case tooLarge(limit: Int)
    /// The bytes are no JSON in UTF-8; the offset is that of the first byte at fault.
    case notJSON(offset: Int)
    case notAnArray
    case notAnObject
    case missing
    /// The value has another JSON type than its key.
    case wrongType(expected: ExpectedType)
    /// The text, cut after 255 bytes, is none of the known ones.
    case unknownValue(String)
    /// The text is empty or too long, or has forbidden characters.
    case badText
    /// The list has too many elements, or too many products with its discounts.
    ///
    /// With a key: a `fallback` has too many sources, or is nested too deeply.
    case tooMany
  }

  /// A JSON type that a key has.
  @nonexhaustive
  public enum ExpectedType: String, Hashable, Sendable {
    case string
    case boolean
    case array
    case object
    /// A whole number above 0 that fits 64 bits, without fraction and exponent.
    case positiveInteger = "positive integer"
  }

  init(_ reason: Reason, index: Int? = nil, key: String? = nil) {
    self.reason = reason
    self.index = index
    self.key = key
  }
}

extension ProductListFailure: CustomStringConvertible {
  public var description: String {
    FaultPlace(index: index, key: key).description(of: reason, in: "product list")
  }
}

extension ProductListFailure.Reason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tooLarge(let limit): "more than \(limit) bytes"
    case .notJSON(let offset): "not JSON at byte \(offset)"
    case .notAnArray: "not an array"
    case .notAnObject: "not an object"
    case .missing: "missing"
    case .wrongType(let expected): "wrong type, expected \(expected.rawValue)"
    case .unknownValue(let text): "unknown value \(text.quoted)"
    case .badText: "text not allowed"
    case .tooMany: "too many"
    }
  }
}
