public import ReceiptModels

/// The reason for a change of a membership, which each copy of a previous row names.
///
/// Source: linking rules, section 4.6.
public struct SnapshotReason: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A receipt or a signed transaction was recorded.
  public static let verify = Self(rawValue: "apple.verify")
  public static let link = Self(rawValue: "apple.link")
  public static let unlink = Self(rawValue: "apple.unlink")
  /// A subscription was refreshed on request.
  public static let refresh = Self(rawValue: "apple.refresh")
  public static let webhook = Self(rawValue: "apple.webhook")
  /// The refresh job found a change.
  public static let poll = Self(rawValue: "apple.poll")

  public static let allCases: [Self] = [verify, link, unlink, refresh, webhook, poll]
}
