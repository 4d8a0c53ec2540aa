/// Which of its two forms verifyReceipt used.
///
/// Source: contract on signed data, section 5.4.
public enum ReceiptStyle: Hashable, Sendable {
  /// The form for receipts of single transactions, as iOS 6 and earlier had them: flat, and
  /// `expires_date` is in milliseconds.
  case iOS6
  /// The form for app receipts, since iOS 7.
  case iOS7
}
