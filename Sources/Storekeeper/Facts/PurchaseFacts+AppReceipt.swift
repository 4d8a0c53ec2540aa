internal import PurchaseStorage
internal import ReceiptModels
public import ReceiptVerifier

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PurchaseFacts {
  /// Creates the facts of an app receipt that was verified without asking Apple.
  ///
  /// The receipt has no information about renewals, grace periods or refunds after its creation. Source: linking
  /// rules, section 4.6.
  ///
  /// - Throws: ``FactsFailure/environmentNotRecorded(_:)``, or ``FactsFailure/empty`` if there is no purchase.
  public init(_ verified: VerifiedAppReceipt) throws(FactsFailure) {
    try Self.check(verified.environment)
    let asOf = verified.receipt.creationDate.stamp
    let purchases = verified.receipt.purchases.compactMap { purchase in
      PurchaseRecord(purchase, environment: verified.environment)?
        .stamped(asOf, verified.environment)
    }
    guard !purchases.isEmpty else { throw .empty }
    self.init(
      .appReceipt, .device, environment: verified.environment, asOf: asOf, purchases: purchases,
      renewals: [])
    receipt = Optional(Data(verified.bytes).base64EncodedString()).fitting(.receipt)
  }

  static func check(_ environment: AppStoreEnvironment) throws(FactsFailure) {
    guard environment == .production || environment == .sandbox else {
      throw .environmentNotRecorded(environment)
    }
  }
}
