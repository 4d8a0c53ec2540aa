/// Bounds that hold before anything is believed (contract, section 6.2, steps 0 and 2).
enum ReceiptLimits {
  /// The largest receipt, in bytes; the largest genuine one seen has 79,104.
  static let size = 1 << 20
  /// How many certificates may be embedded.
  static let certificates = 10
  /// The largest certificate, in bytes.
  static let certificateSize = 1 << 14
  /// How far ahead of our clock a receipt may have been made, in seconds.
  static let clockLeeway = 300.0
}
