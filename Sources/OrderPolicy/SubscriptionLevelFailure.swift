internal import JSONValues

/// The reason why levels cannot be used, with its place.
///
/// The description has one line, such as `levels: element 1, key "fee": missing`. Source:
/// entitlement rules, section 12.
public struct SubscriptionLevelFailure: Error, Hashable, Sendable {
  /// The index of the level, from 0, or nil for the whole list.
  public let index: Int?
  /// The key in the file, or the name of the property; nil for the level itself.
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
    /// There are more levels than ``SubscriptionLevels/maximumCount``.
    case tooMany
    case missing
    /// The value has another JSON type than its key.
    case wrongType
    /// No level has this key.
    case unknownKey
    /// The text is empty or too long, or has a zero byte.
    case badText
    /// The number is below 0 or too large, or has too many decimals.
    case outOfRange
    /// The key, the name or the product occurs before.
    case repeated
  }

  package init(_ reason: Reason, index: Int? = nil, key: String? = nil) {
    self.reason = reason
    self.index = index
    self.key = key
  }
}

extension SubscriptionLevelFailure: CustomStringConvertible {
  public var description: String {
    FaultPlace(index: index, key: key).description(of: reason, in: "levels")
  }
}

extension SubscriptionLevelFailure.Reason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tooLarge(let limit): "more than \(limit) bytes"
    case .notJSON(let offset): "not JSON at byte \(offset)"
    case .notAnArray: "not an array"
    case .notAnObject: "not an object"
    case .tooMany: "too many"
    case .missing: "missing"
    case .wrongType: "wrong type"
    case .unknownKey: "unknown"
    case .badText: "text not allowed"
    case .outOfRange: "number not allowed"
    case .repeated: "repeated"
    }
  }
}
