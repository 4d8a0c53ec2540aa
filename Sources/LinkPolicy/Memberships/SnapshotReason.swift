public import ReceiptModels

/// The reason for a change of a membership, which each copy of a previous row names.
///
/// Source: linking rules, section 4.6.
public struct SnapshotReason: StringVocabulary, FieldValue {
  /// The stored text.
  public var rawValue: String
  /// Creates a reason of any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A receipt or a signed transaction was recorded.
  public static let verify = SnapshotReason(rawValue: "apple.verify")
  /// A subscription was linked.
  public static let link = SnapshotReason(rawValue: "apple.link")
  /// A subscription was unlinked.
  public static let unlink = SnapshotReason(rawValue: "apple.unlink")
  /// A subscription was refreshed on request.
  public static let refresh = SnapshotReason(rawValue: "apple.refresh")
  /// Apple sent a notification.
  public static let webhook = SnapshotReason(rawValue: "apple.webhook")
  /// The refresh job found a change.
  public static let poll = SnapshotReason(rawValue: "apple.poll")

  /// The known reasons.
  public static let allCases: [SnapshotReason] = [
    verify, link, unlink, refresh, webhook, poll,
  ]
}
