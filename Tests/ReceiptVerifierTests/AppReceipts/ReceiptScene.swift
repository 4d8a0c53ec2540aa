import Foundation
import JWSVerifier
import OpenSSLSupport
import ReceiptModels
import ReceiptVerifier
import StorekeeperTesting

/// A receipt of a test authority and a verifier that trusts it, at a fixed time.
enum ReceiptScene {
  /// Made once: RSA keys take a while.
  private static let made = Result { try TestAuthority.forReceipts() }

  static var authority: TestAuthority {
    get throws { try made.get() }
  }

  static let bundleID = "com.example.reader"
  static let now = Date(timeIntervalSince1970: 1_700_000_000)

  /// A receipt of one renewed subscription and one consumable.
  static var receipt: AppReceipt {
    var receipt = AppReceipt(
      receiptType: .production, bundleID: bundleID, creationDate: now.addingTimeInterval(-60))
    receipt.appItemID = 1_234_567_890
    receipt.applicationVersion = "7"
    receipt.originalApplicationVersion = "1.0"
    receipt.originalPurchaseDate = now.addingTimeInterval(-90_000)
    receipt.opaqueValue = [UInt8](repeating: 7, count: 16)
    receipt.sha1Hash = [UInt8](repeating: 9, count: 20)
    receipt.purchases = [purchase(1), purchase(2)]
    receipt.purchases[1].productID = "reader.coffee"
    receipt.purchases[1].productType = .consumable
    receipt.purchases[1].expiresDate = nil
    receipt.purchases[1].webOrderLineItemID = 0
    return receipt
  }

  static func purchase(_ number: Int) -> AppReceipt.Purchase {
    var purchase = AppReceipt.Purchase()
    purchase.quantity = 1
    purchase.productID = "reader.monthly"
    purchase.transactionID = String(1000 + number)
    purchase.originalTransactionID = "1001"
    purchase.purchaseDate = now.addingTimeInterval(-3600)
    purchase.originalPurchaseDate = now.addingTimeInterval(-7200)
    purchase.productType = .autoRenewableSubscription
    purchase.expiresDate = now.addingTimeInterval(3600)
    purchase.webOrderLineItemID = 5000 + number
    purchase.isTrialPeriod = false
    purchase.isInIntroOfferPeriod = true
    purchase.ownershipCode = 0
    return purchase
  }

  static func verifier(
    trusting anchor: TrustAnchor? = nil, environments: Set<AppStoreEnvironment> = [.production],
    clockPolicy: ClockPolicy = .signedDate, now: Date = now
  ) throws -> AppReceiptVerifier {
    try AppReceiptVerifier(
      bundleIDs: [bundleID], environments: environments,
      trustAnchors: [anchor ?? authority.trustAnchor], clockPolicy: clockPolicy, now: { now })
  }

  /// The content of the receipt after a change.
  static func signed(_ change: (inout AppReceipt) -> Void) throws -> [UInt8] {
    var receipt = receipt
    change(&receipt)
    return try authority.sign(receipt)
  }

  /// Why a receipt is refused, or nil when it is not.
  static func refusal(
    of der: [UInt8], by verifier: AppReceiptVerifier? = nil,
    expecting expectation: ReceiptExpectation = ReceiptExpectation()
  ) throws -> ReceiptFailure? {
    let verifier = try verifier ?? self.verifier()
    do throws(ReceiptFailure) {
      _ = try verifier.verify(der: der, expecting: expectation)
      return nil
    } catch {
      return error
    }
  }
}
