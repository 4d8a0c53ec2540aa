public import ReceiptModels

/// An app receipt that Apple signed for one of our apps; only ``AppReceiptVerifier`` makes one.
///
/// It proves what was bought by the Apple account of a device when the receipt was made, not that
/// the user who sent it owns it.
public struct VerifiedAppReceipt: Hashable, Sendable {
  /// What the receipt says.
  public let receipt: AppReceipt
  /// Where it was issued, by Apple's word.
  public let environment: AppStoreEnvironment
  /// The receipt in DER, as it came.
  ///
  /// No key for a table: what the signature does not cover, such as the order of the certificates,
  /// can have other bytes.
  public let bytes: [UInt8]
  /// The serial number of the certificate that signed, in lower-case hexadecimal.
  public let certificateSerialNumber: String

  /// A transaction id to ask the App Store Server API about, or nil when nothing was bought.
  ///
  /// Any transaction of a customer leads to the whole history. The original transaction ids are
  /// preferred, as they stay the same. Taken from a receipt that verified, so nobody can make one up;
  /// whoever holds a copy of a stranger's receipt has the stranger's.
  ///
  /// Source: contract on signed data, section 5.6.
  public var transactionID: String? {
    receipt.purchases.lazy.compactMap { $0.originalTransactionID ?? $0.transactionID }.first
  }
}

extension VerifiedAppReceipt: CustomStringConvertible, CustomReflectable {
  /// The environment and the number of purchases, never the receipt.
  public var description: String {
    "VerifiedAppReceipt(\(environment), \(receipt.purchases.count) purchases)"
  }

  /// Empty, so that `dump` shows no data of a customer.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
