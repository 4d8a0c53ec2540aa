public import ReceiptModels
internal import ReceiptVerifier

/// Evidence of purchases that a client or a store hands over, of which nothing is verified.
public enum PurchaseEvidence: Hashable, Sendable {
  /// An app receipt, or a transaction receipt of iOS 6, in base64.
  case receipt(String)
  /// A signed transaction and, if available, the renewal info of its subscription, each a compact JWS.
  case signedTransaction(String, renewalInfo: String? = nil)
  case purchaseToken(String)

  /// Creates the evidence of an order at Apple, whose form tells a signed transaction from a receipt.
  public init(ofApple text: String) {
    self = ReceiptKind.isSignedData(text) ? .signedTransaction(text) : .receipt(text)
  }

  public var vendor: Vendor {
    if case .purchaseToken = self { .google } else { .apple }
  }
}

extension PurchaseEvidence: CustomStringConvertible, CustomReflectable {
  /// The kind, never the evidence.
  public var description: String {
    switch self {
    case .receipt: "a receipt"
    case .signedTransaction: "a signed transaction"
    case .purchaseToken: "a purchase token"
    }
  }

  public var customMirror: Mirror { Mirror(self, children: []) }
}
