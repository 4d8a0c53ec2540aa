/// Whether a purchase was acknowledged.
///
/// Google refunds a purchase that is not acknowledged within three days. The set of states is open:
/// unknown ones are kept.
///
/// Source: Google Play Developer API, `AcknowledgementState`.
public struct AcknowledgementState: RawRepresentable, Hashable, Sendable {
  /// Google's name.
  public var rawValue: String

  /// Creates a value, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The purchase has to be acknowledged.
  public static let pending = AcknowledgementState(rawValue: "ACKNOWLEDGEMENT_STATE_PENDING")
  /// The purchase is acknowledged.
  public static let acknowledged = AcknowledgementState(
    rawValue: "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED")
}
