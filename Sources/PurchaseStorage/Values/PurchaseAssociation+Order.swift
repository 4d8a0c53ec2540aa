internal import ReceiptModels

extension PurchaseAssociation {
  /// Whether the key of this association precedes that of another: by environment, then by original
  /// transaction identifier, both by their bytes.
  package func isBefore(_ other: PurchaseAssociation) -> Bool {
    environment == other.environment
      ? originalTransactionID.isBefore(other.originalTransactionID)
      : environment.rawValue.isBefore(other.environment.rawValue)
  }
}
