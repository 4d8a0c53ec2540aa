/// The evidence of purchases that a client uploads, of which nothing is verified.
///
/// Source: entitlement rules, section 7.
public struct UploadedEvidence: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The app receipt in base64.
  public var receipt: String?
  /// Signed transactions, each a compact JWS.
  public var signedTransactions: [String]
  public var purchaseTokens: [String]

  /// Creates evidence.
  public init(
    receipt: String? = nil, signedTransactions: [String] = [], purchaseTokens: [String] = []
  ) {
    self.receipt = receipt
    self.signedTransactions = signedTransactions
    self.purchaseTokens = purchaseTokens
  }

  public var isEmpty: Bool {
    receipt == nil && signedTransactions.isEmpty && purchaseTokens.isEmpty
  }

  /// The numbers of signed transactions and purchase tokens, never the evidence itself.
  public var description: String {
    """
    \(receipt == nil ? "no receipt" : "a receipt"), \(signedTransactions.count) signed transactions, \
    \(purchaseTokens.count) purchase tokens
    """
  }

  public var customMirror: Mirror { Mirror(self, children: []) }
}
