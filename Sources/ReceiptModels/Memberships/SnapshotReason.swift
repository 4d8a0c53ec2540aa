/// What changed a membership; each copy of a previous row names it.
///
/// Source: contract on linking, section 4.6, `created_by`.
public struct SnapshotReason: StringVocabulary, FieldValue {
  /// The contract's text.
  public var rawValue: String
  /// Takes any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A receipt was verified.
  public static let verify = SnapshotReason(rawValue: "apple.verify")
  /// A subscription was linked.
  public static let link = SnapshotReason(rawValue: "apple.link")
  /// A subscription was unlinked.
  public static let unlink = SnapshotReason(rawValue: "apple.unlink")
  /// A subscription was refreshed on request.
  public static let refresh = SnapshotReason(rawValue: "apple.refresh")
  /// Apple sent a notification.
  public static let webhook = SnapshotReason(rawValue: "apple.webhook")
  /// The refresh job found it.
  public static let poll = SnapshotReason(rawValue: "apple.poll")

  /// The values of the contract.
  public static let allCases: [SnapshotReason] = [
    verify, link, unlink, refresh, webhook, poll,
  ]
}
