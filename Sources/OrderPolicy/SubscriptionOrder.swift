public import ReceiptModels

/// An order: evidence that a user bought a subscription from a vendor.
///
/// Source: entitlement rules, section 12.
public struct SubscriptionOrder: Hashable, Sendable {
  public var userID: AccountID
  public var vendor: Vendor
  /// The evidence, 1 byte to 1 MiB.
  ///
  /// From Apple a receipt in base64 or a signed transaction, from Google a purchase token.
  public var receiptData: String

  /// The possible numbers of bytes of the evidence: 1 byte to 1 MiB.
  public static let receiptLengths = 1...(1 << 20)

  /// Creates an order.
  public init(userID: AccountID, vendor: Vendor, receiptData: String) {
    self.userID = userID
    self.vendor = vendor
    self.receiptData = receiptData
  }
}

extension SubscriptionOrder: CustomStringConvertible, CustomReflectable {
  /// The vendor and the size of the evidence, never the evidence.
  public var description: String {
    "SubscriptionOrder(\(vendor.rawValue), \(receiptData.utf8.count) bytes)"
  }

  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
